#include <tilecc/tt.h>

template <int BM, int BN, int BK>
__tile_global__ void matmul(const tt::float16 *a, const tt::float16 *b, float *c, int M, int N, int K) {
  auto rm = tt::program_id(0) * BM + tt::arange<BM>();
  auto rn = tt::program_id(1) * BN + tt::arange<BN>();
  auto rk = tt::arange<BK>();
  auto pa = a + rm(tt::all, tt::newaxis) * K + rk(tt::newaxis, tt::all);
  auto pb = b + rk(tt::all, tt::newaxis) * N + rn(tt::newaxis, tt::all);
  auto acc = tt::zeros<float, BM, BN>();
  for (int k = 0; k < K; k += BK) {
    acc = tt::dot(tt::load(pa), tt::load(pb), acc);
    pa += BK;
    pb += BK * N;
  }
  tt::store(c + rm(tt::all, tt::newaxis) * N + rn(tt::newaxis, tt::all), acc);
}

void launch(const tt::float16 *a, const tt::float16 *b, float *c, int M, int N, int K) {
  matmul<32, 32, 16><<<dim3{unsigned(M / 32), unsigned(N / 32)}>>>(a, b, c, M, N, K);
}
