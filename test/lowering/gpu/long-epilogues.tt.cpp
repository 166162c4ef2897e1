// A result is computed by a long formula that uses each intermediate value several times. The passes look at each value
// once, so that this compiles in a second, and the result is stored 32 columns at a time.
// RUN: %tcc -O2 -arch=sm_100a --emit=ptx --tensor-maps=true %s -o - | FileCheck %s
// CHECK-COUNT-4: tcgen05.ld.sync.aligned.32x32b.x32
// CHECK-NOT: tcgen05.ld
#include <tilecc/tt.h>

using T = tt::bfloat16;

[[tt::num_warps(4)]] __tile_global__ void formula(const T *a, const T *b, T *c, const float *bias, int M, int N, int K) {
  auto m = tt::program_id(0) * 128 + tt::arange<128>();
  auto n = tt::program_id(1) * 128 + tt::arange<128>();
  auto acc = tt::zeros<float, 128, 128>();
  for (int i = 0; i < K; i += 64) {
    auto k = i + tt::arange<64>();
    auto rows = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    auto columns = tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0));
    acc = tt::dot(rows, columns, acc);
  }
  auto x = acc + tt::load(bias + n).row();
#define TWICE(step) step step
  TWICE(TWICE(TWICE(TWICE(TWICE(x = x * x - x;)))))
  tt::store(c + (m.col() * N + n.row()), x.to<T>(), (m < M).col() && (n < N).row());
}
