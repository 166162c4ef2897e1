// Tests programs that compute tiles one after the other, with copies for the next tile that start before the current
// tile is stored: any number of programs and tiles, inner loops of different lengths (also 0), and partial tiles.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --kernel="lower<64, 64, 64, 4>" %s | FileCheck %s
// The first copies start before the loop over tiles. The copies for the next tile start after the loop of the dot.
// CHECK: ttng.init_barrier
// CHECK: ttng.async_tma_copy_global_to_local
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:     ttng.warp_group_dot_wait {{.*}} {pendings = 1
// CHECK:     ttng.async_tma_copy_global_to_local
// CHECK:     ttng.warp_group_dot_wait {{.*}} {pendings = 0
// CHECK:   ttng.async_tma_copy_global_to_local
// CHECK:   tt.store
// CHECK: ttng.inval_barrier

#include "support/check.h"

/// C = A B where `only_lower` zeros stand in A's columns behind a row's tile: those are left out.
template <int BM, int BN, int BK, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void lower(const tt::float16 *a, const tt::float16 *b, float *c, int M, int N, int K,
                                                    bool only_lower) {
  auto from_a = tt::make_tensor_descriptor<BM, BK>(a, {M, K}, {K, 1});
  auto from_b = tt::make_tensor_descriptor<BK, BN>(b, {K, N}, {N, 1});
  int columns = tt::cdiv(N, BN);
  for (int tile = tt::program_id(0); tile < tt::cdiv(M, BM) * columns; tile += tt::num_programs(0)) {
    int m = tile / columns * BM, n = tile % columns * BN, end = only_lower ? tt::minimum(m, K) : K;
    auto acc = tt::zeros<float, BM, BN>();
    for (int k = 0; k < end; k += BK)
      acc = tt::dot(from_a.load({m, k}), from_b.load({k, n}), acc);
    auto rows = m + tt::arange<BM>();
    auto along = n + tt::arange<BN>();
    tt::store(c + (rows.col() * N + along.row()), acc, (rows < M).col() && (along < N).row());
  }
}

template <int BM, int BN, int BK, int WARPS> static void check(int programs, int M, int N, int K, bool only_lower) {
  e2e::context("%d warps, %d programs, %dx%dx%d%s", WARPS, programs, M, N, K, only_lower ? ", lower" : "");
  auto small = [](int) { return tt::float16(float(int(e2e::random_bits() % 9) - 4) / 4); };
  e2e::buffer<tt::float16> a(M * K + 8, small), b(K * N + 8, small);
  e2e::buffer<float> c(M * N);
  lower<BM, BN, BK, WARPS><<<programs>>>(a.data(), b.data(), c.data(), M, N, K, only_lower);
  c.expect(e2e::tolerance{1, 1e-3}, [&](int i) {
    int m = i / N, n = i % N, end = only_lower ? std::min((m / BM * BM + BK - 1) / BK * BK, K) : K;
    double sum = 0;
    for (int k = 0; k < end; ++k)
      sum += double(float(a[m * K + k])) * double(float(b[k * N + n]));
    return sum;
  });
}

int main() {
  return e2e::run("persistent-loops", [] {
    check<64, 64, 64, 4>(2, 192, 128, 192, false);
    check<64, 64, 64, 4>(3, 200, 136, 200, false);
    check<64, 64, 64, 4>(2, 320, 64, 320, true);
    check<64, 64, 64, 4>(9, 128, 128, 64, false);
    check<64, 64, 64, 4>(1, 128, 64, 0, false);
    check<128, 64, 32, 8>(1, 256, 136, 96, false);
  });
}
