// The loop of a plain matrix multiplication in tensor memory. Producer warps load the operands. In the loop of the
// program, one thread waits once for the slots of both operands and issues the dots, whose completion releases the
// slots. There is no barrier of all threads before the loop ends. After it, each thread loads its row, 32 columns at a
// time, and stores them before it loads the next ones. Zeros are stored only if the loop has no iteration.
// RUN: %tcc -O2 -arch=compute_100a --emit=ptx %s -o - | FileCheck %s
#include <tilecc/tt.h>

using T = tt::bfloat16;

// CHECK: setmaxnreg.inc
// CHECK: tcgen05.alloc{{.*}}, 256;
// CHECK: mbarrier.try_wait.parity
// CHECK-NOT: mbarrier.try_wait
// CHECK-NOT: bar.sync
// CHECK-COUNT-4: tcgen05.mma.cta_group::1.kind::f16
// CHECK-NOT: bar.sync
// CHECK: tcgen05.commit
// CHECK-NOT: tcgen05.commit
// CHECK: bar.sync
// CHECK: tcgen05.commit
// CHECK: mbarrier.try_wait.parity
// CHECK: tcgen05.ld.sync.aligned.32x32b.x32
// CHECK: st.global
// CHECK: tcgen05.ld.sync.aligned.32x32b.x32
// CHECK: st.global
// CHECK: tcgen05.ld.sync.aligned.32x32b.x32
// CHECK: st.global
// CHECK: tcgen05.ld.sync.aligned.32x32b.x32
// CHECK: st.global
// CHECK-NOT: tcgen05.ld
// CHECK: tcgen05.dealloc{{.*}}, 256;
[[tt::num_warps(8)]] __tile_global__ void matmul(const T *a, const T *b, T *c, int M, int N, int K) {
  auto m = tt::program_id(0) * 128 + tt::arange<128>();
  auto n = tt::program_id(1) * 256 + tt::arange<256>();
  auto acc = tt::zeros<float, 128, 256>();
  for (int i = 0; i < K; i += 64) {
    auto k = i + tt::arange<64>();
    auto rows = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    auto columns = tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0));
    acc = tt::dot(rows, columns, acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc.to<T>(), (m < M).col() && (n < N).row());
}
