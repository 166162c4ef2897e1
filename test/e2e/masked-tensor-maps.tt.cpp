// Tests masked tiles that the tensor memory accelerator copies: masked rows and columns must be zero, wherever their
// pointers lead. Accesses are through pointers and descriptors, with 4 and 8 warps, of whole and partial tiles.
// RUN: %tcc -O2 %s -o %t
// RUN: %emulate %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %tcc -O2 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --variant=a16 --kernel='by_pointers<64, 64, 64, 4>' %s | FileCheck %s --check-prefix=POINTERS
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --variant=p16 --kernel='by_descriptors<64, 64, 64, 4>' %s | FileCheck %s --check-prefix=DESCRIPTORS
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --variant=a8 --kernel='by_remainders<64, 64, 64, 4>' %s | FileCheck %s --check-prefix=REMAINDERS
// Signed limits that change in the loop do not become sizes of maps, so the maps have the sizes of the tiles.
// POINTERS: ttng.tensor_maps = [{{.*}}base = -1 : i32{{.*}}limits = array<i64: -1, -1>{{.*}}sizes = array<i64: 64, 64, 2147483648, 8192>
// The maps of descriptors have sizes that are arguments: M is parameter 3, N 4 and K 5.
// DESCRIPTORS: ttng.tensor_maps = [{{.*}}base = 0 : i32{{.*}}limits = array<i64: 5, 3>{{.*}}base = 1 : i32{{.*}}limits = array<i64: 4, 5>
// Rows and columns that wrap around at the end are masked off instead.
// REMAINDERS: ttng.tensor_maps = [{{.*}}base = -1 : i32{{.*}}base = -1 : i32
// REMAINDERS-NOT: arith.remsi %{{.*}} : tensor

#include "support/check.h"

template <int BM, int BN, int BK, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void by_pointers(const tt::float16 *a, const tt::float16 *b, float *c, int M, int N,
                                                          int K, int sa, int sb) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto pa = a + (m(tt::all, tt::newaxis) * sa + k(tt::newaxis, tt::all));
  auto pb = b + (k(tt::all, tt::newaxis) * sb + n(tt::newaxis, tt::all));
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto x = tt::load(pa, (m < M)(tt::all, tt::newaxis) && (k < K - i)(tt::newaxis, tt::all), 0);
    auto y = tt::load(pb, (k < K - i)(tt::all, tt::newaxis) && (n < N)(tt::newaxis, tt::all), 0);
    acc = tt::dot(x, y, acc);
    pa += BK;
    pb += BK * sb;
  }
  tt::store(c + (m(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all)), acc,
            (m < M)(tt::all, tt::newaxis) && (n < N)(tt::newaxis, tt::all));
}

/// Loads beyond the last row or column get elements of the first ones, which are not stored.
template <int BM, int BN, int BK, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void by_remainders(const tt::float16 *a, const tt::float16 *b, float *c, int M, int N,
                                                            int K, int sa, int sb) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto pa = a + ((m % M)(tt::all, tt::newaxis) * sa + k(tt::newaxis, tt::all));
  auto pb = b + (k(tt::all, tt::newaxis) * sb + (n % N)(tt::newaxis, tt::all));
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    acc = tt::dot(tt::load(pa, (k < K - i)(tt::newaxis, tt::all), 0), tt::load(pb, (k < K - i)(tt::all, tt::newaxis), 0), acc);
    pa += BK;
    pb += BK * sb;
  }
  tt::store(c + (m(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all)), acc,
            (m < M)(tt::all, tt::newaxis) && (n < N)(tt::newaxis, tt::all));
}

/// The first block of rows of A begins before the matrix, and so does the first of columns of B.
template <int BM, int BN, int BK, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void by_descriptors(const tt::float16 *a, const tt::float16 *b, float *c, int M, int N,
                                                             int K, int sa, int sb) {
  int m = tt::program_id(0) * BM - BM / 2, n = tt::program_id(1) * BN - BN / 2;
  auto from_a = tt::make_tensor_descriptor<BM, BK>(a, {M, K}, {sa, 1});
  auto from_b = tt::make_tensor_descriptor<BK, BN>(b, {K, N}, {sb, 1});
  auto to = tt::make_tensor_descriptor<BM, BN>(c, {M, N}, {N, 1});
  auto acc = tt::zeros<float, BM, BN>();
  for (int k = 0; k < K; k += BK)
    acc = tt::dot(from_a.load({m, k}), from_b.load({k, n}), acc);
  to.store({m, n}, acc);
}

template <int BM, int BN, int BK, int WARPS> void check(int M, int N, int K, int sa, int sb) {
  e2e::context("%dx%dx%d in tiles of %dx%dx%d, rows %d and %d apart, %d warps", M, N, K, BM, BN, BK, sa, sb, WARPS);
  auto small = [](int) { return tt::float16(float(int(e2e::random_bits() % 9) - 4) / 4); };
  e2e::buffer<tt::float16> a(M * sa, small), b(K * sb, small);
  std::vector<double> want(M * N);
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n)
      for (int k = 0; k < K; ++k)
        want[m * N + n] += double(float(a[m * sa + k])) * double(float(b[k * sb + n]));
  auto expect = [&](e2e::buffer<float> &c) { c.expect(e2e::tolerance{1, 1e-3}, [&](int i) { return want[i]; }); };
  e2e::buffer<float> c(M * N), d(M * N), e(M * N);
  dim3 grid(tt::cdiv(M, BM) + 1, tt::cdiv(N, BN) + 1); // the last ones have nothing
  by_pointers<BM, BN, BK, WARPS><<<grid>>>(a.data(), b.data(), c.data(), M, N, K, sa, sb);
  expect(c);
  by_remainders<BM, BN, BK, WARPS><<<grid>>>(a.data(), b.data(), e.data(), M, N, K, sa, sb);
  expect(e);
  if (sa % 8 || sb % 8)
    return; // no rows of a descriptor
  by_descriptors<BM, BN, BK, WARPS><<<grid>>>(a.data(), b.data(), d.data(), M, N, K, sa, sb);
  expect(d);
}

int main() {
  return e2e::run("masked-tensor-maps", [] {
    check<64, 64, 64, 4>(64, 64, 128, 128, 64);
    check<64, 64, 64, 4>(80, 96, 208, 208, 96);
    check<64, 128, 32, 4>(16, 48, 16, 32, 64);
    check<128, 64, 64, 8>(144, 80, 160, 176, 80);
    check<128, 128, 64, 8>(112, 16, 48, 64, 16);
    check<64, 64, 64, 4>(72, 88, 200, 200, 88); // no multiples of 16: by descriptors
    check<64, 64, 64, 4>(67, 83, 201, 208, 88); // nor limits of 8
    check<64, 64, 64, 4>(65, 63, 33, 33, 63);   // nor rows aligned
  });
}
