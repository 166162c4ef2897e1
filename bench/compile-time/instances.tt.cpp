// 40 instances of one small kernel (see RESULTS.md).
#include <tilecc/tt.h>
template <int N> __tile_global__ void scale(const float *x, float *out, int n) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  auto a = tt::load(x + i, i < n);
  tt::store(out + i, tt::exp(a * (N + 0.5f)) + a, i < n);
}
#define ONE(N) template __tile_global__ void scale<N>(const float *, float *, int);
#define FOUR(N) ONE(4 * N) ONE(4 * N + 1) ONE(4 * N + 2) ONE(4 * N + 3)
FOUR(0) FOUR(1) FOUR(2) FOUR(3) FOUR(4) FOUR(5) FOUR(6) FOUR(7) FOUR(8) FOUR(9)
