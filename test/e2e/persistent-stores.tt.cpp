// Tests programs of several tiles that store results of dots through descriptors: a tile goes through slots part by
// part, while the dots of the next tile run. Parts are rows of one warp or, for the transposed product, rows of all
// warps. Results have 16 or 32 bits.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --kernel="product<_Float16, 128, 128, 64, 8>" %s | FileCheck %s
// CHECK: %[[SLOTS:.*]] = ttg.local_alloc {{.*}}memdesc<2x128x64xf16
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:     ttng.warp_group_dot
// CHECK:   ttng.async_tma_store_tile %{{.*}} through %[[SLOTS]]
// CHECK:   ttng.async_tma_store_tile %{{.*}} through %[[SLOTS]]
// CHECK: ttng.async_tma_store_wait {pendings = 0 : i32}
// CHECK-NEXT: ttg.local_dealloc %[[SLOTS]]

#include "support/check.h"

using tt::float16;

static auto small = [](int) { return float16(float(int(e2e::random_bits() % 9) - 4) / 4); };

/// C = A B, and D = -A B.
template <class C, int BM, int BN, int BK, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void product(const float16 *a, const float16 *b, C *c, C *d, int M, int N, int K) {
  auto from_a = tt::make_tensor_descriptor<BM, BK>(a, {M, K}, {K, 1});
  auto from_b = tt::make_tensor_descriptor<BK, BN>(b, {K, N}, {N, 1});
  auto to_c = tt::make_tensor_descriptor<BM, BN>(c, {M, N}, {N, 1});
  auto to_d = tt::make_tensor_descriptor<BM, BN>(d, {M, N}, {N, 1});
  int columns = tt::cdiv(N, BN);
  for (int tile = tt::program_id(0); tile < tt::cdiv(M, BM) * columns; tile += tt::num_programs(0)) {
    int m = tile / columns * BM, n = tile % columns * BN;
    auto acc = tt::zeros<float, BM, BN>();
    for (int k = 0; k < K; k += BK)
      acc = tt::dot(from_a.load({m, k}), from_b.load({k, n}), acc);
    to_c.store({m, n}, acc.template to<C>());
    to_d.store({m, n}, (-acc).template to<C>());
  }
}

template <class C, int BM, int BN, int BK, int WARPS> static void check(int programs, int M, int N, int K) {
  e2e::context("%d warps, %d programs, %dx%dx%d, tiles of %dx%d", WARPS, programs, M, N, K, BM, BN);
  e2e::buffer<float16> a(M * K + 8, small), b(K * N + 8, small);
  e2e::buffer<C> c(M * N), d(M * N);
  product<C, BM, BN, BK, WARPS><<<programs>>>(a.data(), b.data(), c.data(), d.data(), M, N, K);
  auto expected = [&](int i) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[i / N * K + k])) * double(float(b[k * N + i % N]));
    return sum;
  };
  c.expect(e2e::tolerance{1, 1e-3}, expected);
  d.expect(e2e::tolerance{1, 1e-3}, [&](int i) { return -expected(i); });
}

/// Every tile's result is stored to the same memory: the last one stays.
[[tt::num_warps(4)]] __tile_global__ void again(const float16 *a, const float16 *b, float *c, int times) {
  auto from_a = tt::make_tensor_descriptor<64, 64>(a, {64 * times, 64}, {64, 1});
  auto from_b = tt::make_tensor_descriptor<64, 64>(b, {64, 64}, {64, 1});
  auto to = tt::make_tensor_descriptor<64, 64>(c, {64, 64}, {64, 1});
  for (int i = 0; i < times; ++i) {
    auto acc = tt::zeros<float, 64, 64>();
    for (int k = 0; k < 64; k += 64)
      acc = tt::dot(from_a.load({64 * i, k}), from_b.load({k, 0}), acc);
    to.store({0, 0}, acc);
  }
}

int main() {
  return e2e::run("persistent-stores", [] {
    check<float16, 64, 64, 64, 4>(2, 192, 128, 128);
    check<float16, 128, 128, 64, 8>(2, 200, 264, 72);
    check<float, 128, 64, 32, 8>(3, 264, 136, 96);
    check<float16, 256, 128, 64, 8>(1, 264, 136, 64); // the transposed product
    check<float, 64, 128, 64, 4>(5, 64, 256, 0);
    constexpr int times = 5;
    e2e::context("one place");
    e2e::buffer<float16> a(64 * 64 * times, small), b(64 * 64, small);
    e2e::buffer<float> c(64 * 64);
    again<<<1>>>(a.data(), b.data(), c.data(), times);
    c.expect(e2e::tolerance{1, 1e-3}, [&](int i) {
      double sum = 0;
      for (int k = 0; k < 64; ++k)
        sum += double(float(a[(64 * (times - 1) + i / 64) * 64 + k])) * double(float(b[k * 64 + i % 64]));
      return sum;
    });
  });
}
