#include <tilecc/tt.h>

__tile_global__ void product(const float *a, const float *b, float *c, int n) {
  auto i = tt::arange<32>();
  auto tile = i.col() * 32 + i.row();
  auto sum = tt::zeros<float, 32, 32>();
  for (int k = 0; k < n; ++k)
    sum = tt::dot(tt::load(a + k * 1024 + tile), tt::load(b + k * 1024 + tile), sum);
  tt::store(c + tile, sum + 1.0f);
}

/// On sm_80, operands are loaded by ldmatrix; on sm_90, the matrix unit reads them in shared memory.
__tile_global__ void halves(const tt::float16 *a, const tt::float16 *b, tt::float16 *c, int n) {
  auto i = tt::arange<64>();
  auto tile = i.col() * 64 + i.row();
  auto sum = tt::zeros<float, 64, 64>();
  for (int k = 0; k < n; ++k)
    sum = tt::dot(tt::load(a + k * 4096 + tile), tt::load(b + k * 4096 + tile), sum);
  tt::store(c + tile, sum.to<tt::float16>());
}
