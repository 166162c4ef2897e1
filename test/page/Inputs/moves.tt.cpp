#include <tilecc/tt.h>

__tile_global__ void product(const float *a, const float *b, float *c, int n) {
  auto i = tt::arange<32>();
  auto tile = i.col() * 32 + i.row();
  auto sum = tt::zeros<float, 32, 32>();
  for (int k = 0; k < n; ++k)
    sum = tt::dot(tt::load(a + k * 1024 + tile), tt::load(b + k * 1024 + tile), sum);
  tt::store(c + tile, sum + 1.0f);
}
