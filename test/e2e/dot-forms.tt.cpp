// Tests dots as in real programs: a block computes tiles from a table one after the other; weights are unpacked
// while the dot of the previous iteration runs; and tiles have so many rows that the transposed product is
// better.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --kernel="by_table<64, 64, 4>" %s | FileCheck %s --check-prefix=TABLE
// If there is a next tile, its numbers are loaded an iteration ahead, and its copies start after those of the current
// tile.
// TABLE: ttng.init_barrier
// TABLE: scf.for
// TABLE:   scf.for
// TABLE:     ttng.warp_group_dot_wait {{.*}} {pendings = 1
// TABLE:     scf.if
// TABLE:       tt.load %{{.*}}, %{{.*}}, %c0_i32{{.*}} : !tt.ptr<i32>
// TABLE:     ttng.warp_group_dot_wait {{.*}} {pendings = 0
// TABLE:   ttng.async_tma_copy_global_to_local
// TABLE:   tt.store
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --kernel="of_nibbles<64, 64, 4>" %s | FileCheck %s --check-prefix=NIBBLES
// NIBBLES: scf.for
// NIBBLES:   ttg.local_store
// NIBBLES:   ttng.warp_group_dot {{.*}}isAsync = true
// NIBBLES-NEXT: ttng.warp_group_dot_wait {{.*}} {pendings = 1
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --kernel="high<256, 128, 8>" %s | FileCheck %s --check-prefix=HIGH
// HIGH: ttng.warp_group_dot {{.*}} -> tensor<128x256xf32
// HIGH: tt.trans {{.*}} -> tensor<256x128xf32

#include "support/check.h"

using T = tt::bfloat16;

/// Rows `begin[i]` to `end[i]` of C are these of A times matrix `matrix[i]`, for tile i of rows.
template <int BM, int BN, int WARPS>
[[tt::persistent, tt::num_warps(WARPS)]] __tile_global__ void by_table(const T *a, const T *b, float *c, const int *matrix, const int *begin,
                                                                       const int *end, int N, int K) {
  constexpr int BK = 64;
  int columns = tt::cdiv(N, BN), row = tt::program_id(0) / columns;
  auto m = tt::load(begin + row) + tt::arange<BM>();
  auto n = tt::program_id(0) % columns * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto mask = (m < tt::load(end + row)).col();
  auto pa = a + (m.col() * K + k.row());
  auto pb = b + int64_t(tt::load(matrix + row)) * K * N + (k.col() * N + n.row());
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    acc = tt::dot(tt::load(pa, mask, T(0)), tt::load(pb, (n < N).row(), T(0)), acc);
    pa += BK;
    pb += BK * N;
  }
  tt::store(c + (m.col() * N + n.row()), acc, mask && (n < N).row());
}

/// Byte (k / 2, n) has B's elements (k, n) and (k + 1, n) as its two halves, each less 8.
template <int BM, int BN, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void of_nibbles(const T *a, const uint8_t *b, float *c, int N, int K) {
  constexpr int BK = 64;
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int k = 0; k < K; k += BK) {
    auto x = tt::load(a + (m.col() * K + (k + tt::arange<BK>()).row()));
    auto packed = tt::load(b + ((k / 2 + tt::arange<BK / 2>()).col() * N + n.row()));
    auto low = (packed & 15).template to<T>(), high = (packed >> 4).template to<T>();
    acc = tt::dot(x, tt::reshape<BK, BN>(tt::permute<0, 2, 1>(tt::join(low, high))) - T(8), acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc);
}

template <int BM, int BN, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void high(const T *a, const T *b, T *c, int M, int N, int K) {
  constexpr int BK = 64;
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    acc = tt::dot(tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0)),
                  tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0)), acc);
  }
  tt::store(c + (m.col() * N + n.row()), (acc + 1.0f).template to<T>(), (m < M).col() && (n < N).row());
}

static T small(int) { return T(float(int(e2e::random_bits() % 9) - 4) / 4); }

template <int BM, int BN, int WARPS> static void check_by_table(std::vector<int> rows, int N, int K) {
  e2e::context("%d matrices of %dx%d by a table", int(rows.size()), K, N);
  std::vector<int> of, from, to;
  int M = 0;
  for (int i = 0; i < int(rows.size()); M += rows[i++])
    for (int row = 0; row < rows[i]; row += BM) {
      of.push_back(i);
      from.push_back(M + row);
      to.push_back(M + rows[i]);
    }
  int tiles = of.size();
  e2e::buffer<T> a(M * K + 8, small), b(int(rows.size()) * K * N + 8, small);
  e2e::buffer<float> c(M * N);
  e2e::buffer<int> matrix(tiles, [&](int i) { return of[i]; }), begin(tiles, [&](int i) { return from[i]; }),
      end(tiles, [&](int i) { return to[i]; });
  by_table<BM, BN, WARPS><<<tiles * tt::cdiv(N, BN)>>>(a.data(), b.data(), c.data(), matrix.data(), begin.data(), end.data(), N, K);
  c.expect(e2e::tolerance{1, 1e-3}, [&](int i) {
    int m = i / N, n = i % N, e = 0;
    for (int first = 0; m >= first + rows[e]; ++e)
      first += rows[e];
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[m * K + k])) * double(float(b[(e * K + k) * N + n]));
    return sum;
  });
}

template <int BM, int BN, int WARPS> static void check_of_nibbles(int M, int N, int K) {
  e2e::context("%dx%dx%d, 4 bits", M, N, K);
  e2e::buffer<T> a(M * K, small);
  e2e::buffer<uint8_t> b(K / 2 * N, [](int) { return uint8_t(e2e::random_bits()); });
  e2e::buffer<float> c(M * N);
  of_nibbles<BM, BN, WARPS><<<dim3(M / BM, N / BN)>>>(a.data(), b.data(), c.data(), N, K);
  c.expect(e2e::tolerance{1, 1e-3}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[i / N * K + k])) * ((b[k / 2 * N + i % N] >> k % 2 * 4 & 15) - 8);
    return sum;
  });
}

template <int BM, int BN, int WARPS> static void check_high(int M, int N, int K) {
  e2e::context("%dx%dx%d, transposed", M, N, K);
  e2e::buffer<T> a(M * K + 8, small), b(K * N + 8, small), c(M * N);
  high<BM, BN, WARPS><<<dim3(tt::cdiv(M, BM), tt::cdiv(N, BN))>>>(a.data(), b.data(), c.data(), M, N, K);
  c.expect(e2e::tolerance{1, 4e-3}, [&](int i) {
    double sum = 1;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[i / N * K + k])) * double(float(b[k * N + i % N]));
    return sum;
  });
}

int main() {
  return e2e::run("dot-forms", [] {
    check_by_table<64, 64, 4>({70, 64, 1, 130}, 136, 192);
    check_by_table<64, 64, 4>({40}, 64, 64);
    check_of_nibbles<64, 64, 4>(64, 128, 320);
    check_of_nibbles<64, 64, 4>(64, 64, 64);
    check_of_nibbles<128, 128, 8>(128, 128, 256);
    check_high<256, 128, 8>(256, 128, 128);
    check_high<256, 128, 8>(200, 136, 192);
    check_high<256, 64, 4>(264, 72, 64);
  });
}
