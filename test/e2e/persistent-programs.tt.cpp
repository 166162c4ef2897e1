// Tests [[tt::persistent]]: a kernel is written with a tile per program, and a block runs several programs. Grids have
// one to three axes, fewer programs than blocks, and partial tiles; loops may be empty; num_programs is the launch's.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --kernel="product<64, 64, 64, 4>" %s | FileCheck %s
// The copies of the first program start before the loop over programs, those of the next program after its dot.
// CHECK: ttng.persistent
// CHECK: ttng.init_barrier
// CHECK: ttng.async_tma_copy_global_to_local
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:     ttng.warp_group_dot_wait {{.*}} {pendings = 1
// CHECK:     ttng.warp_group_dot_wait {{.*}} {pendings = 0
// CHECK:   ttng.async_tma_copy_global_to_local
// CHECK:   tt.store
// CHECK: ttng.inval_barrier

#include "support/check.h"

/// C[z] = A[z] B[z], from plain pointers, by programs along x (rows), y (columns) and z; `counts` gets the numbers of programs.
template <int BM, int BN, int BK, int WARPS>
[[tt::persistent, tt::num_warps(WARPS)]] __tile_global__ void product(const tt::float16 *a, const tt::float16 *b, float *c, int *counts,
                                                                      int M, int N, int K) {
  int z = tt::program_id(2);
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto x = tt::load(a + z * M * K + (m.col() * K + (i + k).row()), (m < M).col() && (i + k < K).row(), tt::float16(0));
    auto y = tt::load(b + z * K * N + ((i + k).col() * N + n.row()), (i + k < K).col() && (n < N).row(), tt::float16(0));
    acc = tt::dot(x, y, acc);
  }
  tt::store(c + z * M * N + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
  tt::store(counts, tt::num_programs(0) * 10000 + tt::num_programs(1) * 100 + tt::num_programs(2));
}

template <int BM, int BN, int BK, int WARPS> static void check(int M, int N, int K, int Z) {
  e2e::context("%d warps, %d products of %dx%dx%d", WARPS, Z, M, N, K);
  auto small = [](int) { return tt::float16(float(int(e2e::random_bits() % 9) - 4) / 4); };
  e2e::buffer<tt::float16> a(Z * M * K + 8, small), b(Z * K * N + 8, small);
  e2e::buffer<float> c(Z * M * N);
  e2e::buffer<int> counts(1);
  dim3 grid(tt::cdiv(M, BM), tt::cdiv(N, BN), Z);
  product<BM, BN, BK, WARPS><<<grid>>>(a.data(), b.data(), c.data(), counts.data(), M, N, K);
  c.expect(e2e::tolerance{1, 1e-3}, [&](int i) {
    int z = i / (M * N), m = i / N % M, n = i % N;
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[(z * M + m) * K + k])) * double(float(b[(z * K + k) * N + n]));
    return sum;
  });
  counts.expect([&](int) { return int(grid.x * 10000 + grid.y * 100 + grid.z); });
}

int main() {
  return e2e::run("persistent-programs", [] {
    check<64, 64, 64, 4>(320, 64, 192, 1);
    check<64, 64, 64, 4>(200, 136, 200, 1);
    // Tiles of which a warpgroup has rows, or where the product is the transposed one columns, behind the matrix alone.
    check<128, 64, 64, 8>(168, 64, 136, 2);
    check<256, 128, 64, 8>(264, 168, 72, 1);
    check<64, 64, 64, 4>(64, 64, 128, 1);
    check<64, 64, 64, 4>(192, 64, 64, 3);
    check<64, 64, 64, 4>(192, 64, 0, 1);
    check<128, 64, 32, 8>(520, 64, 96, 1);
  });
}
