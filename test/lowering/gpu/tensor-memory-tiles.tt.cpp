// A loop over tiles with dots in tensor memory. One partition loads operands, and another one starts the dots. Two
// accumulators take turns, so that the dots of a tile overlap with the stores of the previous tile: the program waits
// for an accumulator, and releases it after the last load, before it stores the last columns.
// RUN: %tcc -O2 -arch=sm_100a --emit=ttgir --tensor-maps=true %s -o - | FileCheck %s
// RUN: %tcc -O2 -arch=sm_100a --emit=ptx --tensor-maps=true %s -o - | FileCheck %s --check-prefix=PTX
#include <tilecc/tt.h>

using T = tt::bfloat16;

// CHECK: %[[SUMS:.*]] = ttng.tmem_alloc : () -> !ttg.memdesc<2x128x256xf32
// CHECK: %[[FULL:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64
// CHECK: %[[EMPTY:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64
// CHECK: ttg.warp_specialize(
// CHECK: default
// CHECK: scf.for
// CHECK: %[[SUM:.*]] = ttg.memdesc_index %[[SUMS]]
// CHECK: ttng.wait_barrier %{{.*}}, %{{.*}} deps %[[SUM]]
// CHECK: tt.store
// CHECK: ttng.arrive_barrier %{{.*}}, 1 read %[[SUM]] {perWarp}
// CHECK: tt.store
// CHECK-NOT: tc_gen5
// CHECK: partition0(
// CHECK-SAME: num_warps(2)
// CHECK: ttng.async_tma_copy_global_to_local
// CHECK: partition1(
// CHECK-SAME: num_warps(2)
// CHECK: scf.for
// CHECK: ttng.wait_barrier {{.*}} {firstWarp}
// CHECK: scf.for
// CHECK: ttng.wait_barrier {{.*}} {firstWarp}
// CHECK: ttng.tc_gen5_mma
// CHECK-NOT: scf.for
// CHECK: ttng.tc_gen5_commit

// All 512 columns are used. The loop of the dots, whose code precedes that of the program, has no barrier of threads.
// PTX: .reqntid 384
// PTX: setmaxnreg.dec.sync.aligned.u32 40
// PTX: mbarrier.try_wait
// PTX-NOT: bar.sync
// PTX: tcgen05.mma
// PTX-NOT: bar.sync
// PTX-COUNT-3: tcgen05.mma
// PTX-NOT: bar.sync
// PTX: tcgen05.commit
// PTX-NOT: bar.sync
// PTX: tcgen05.commit
// PTX: tcgen05.alloc{{.*}}, 512;
[[tt::persistent, tt::num_warps(8)]] __tile_global__ void matmul(const T *a, const T *b, T *c, int M, int N, int K) {
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
