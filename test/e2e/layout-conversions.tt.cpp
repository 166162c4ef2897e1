// Tests tiles that are loaded along rows and stored along columns. At some point, elements must move between threads,
// and the compiler decides where.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t
// RUN: %tcc -arch=sm_90 --emit=ttgir --kernel='widened<signed char, 64, 32, 4>' %s -o - | FileCheck %s --check-prefix=WIDENED
// RUN: %tcc -arch=sm_90 --emit=ttgir --kernel='row_sums<64, 32, 4>' %s -o - | FileCheck %s --check-prefix=SUMS
// RUN: %tcc -arch=sm_90 --emit=ttgir --kernel='branched<64, 32, 4>' %s -o - | FileCheck %s --check-prefix=BRANCHED
// RUN: %tcc -arch=sm_90 --emit=ttgir --kernel='chosen<64, 32, 4>' %s -o - | FileCheck %s --check-prefix=CHOSEN
// RUN: %tcc -arch=sm_90 --emit=ttgir --kernel='rounds<64, 32, 4>' %s -o - | FileCheck %s --check-prefix=ROUNDS

#include "support/check.h"

/// Offsets of an M x N tile, and of the same elements when it is transposed.
template <int M, int N> struct offsets {
  decltype(tt::arange<M>()(tt::all, tt::newaxis) * N + tt::arange<N>()) here =
      tt::arange<M>()(tt::all, tt::newaxis) * N + tt::arange<N>();
  decltype(here) there = tt::arange<M>()(tt::all, tt::newaxis) + tt::arange<N>() * M;
};

// Narrow elements move, not the wide ones that are made of them.
// WIDENED: ttg.convert_layout {{.*}} -> tensor<64x32xi8,
// WIDENED-NOT: ttg.convert_layout
template <class T, int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void widened(const T *x, float *out, float scale) {
  offsets<M, N> at;
  tt::store(out + at.there, tt::load(x + at.here).template to<float>() * scale + 1.0f);
}

// The sum moves, not its broadcast.
// SUMS: ttg.convert_layout {{.*}} -> tensor<64x{{(1x)?}}f32,
// SUMS-NOT: ttg.convert_layout
template <int M, int N, int W> [[tt::num_warps(W)]] __tile_global__ void row_sums(const float *x, float *out) {
  offsets<M, N> at;
  auto sums = tt::sum<1>(tt::load(x + at.here));
  tt::store(out + at.there, sums(tt::all, tt::newaxis) + tt::zeros<float, M, N>());
}

// Elements move in the branch that loads.
// BRANCHED: scf.if
// BRANCHED: tt.load
// BRANCHED: ttg.convert_layout
// BRANCHED: else
// BRANCHED-NOT: ttg.convert_layout
template <int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void branched(const float *x, float *out, int n) {
  offsets<M, N> at;
  auto value = tt::zeros<float, M, N>();
  if (n > 0)
    value = tt::load(x + at.here) * 2.0f;
  tt::store(out + at.there, value + tt::arange<N>().template to<float>());
}

// Inside a branch, a select on its condition is known.
// CHOSEN: %[[MORE:.*]] = arith.mulf
// CHOSEN: scf.if
// CHOSEN: tt.store %{{.*}}, %[[MORE]] :
template <int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void chosen(const float *x, float *out, int n) {
  offsets<M, N> at;
  auto value = tt::load(x + at.here);
  auto more = value * 4.0f, less = value * -2.0f;
  bool positive = n > 0;
  auto result = positive ? more : less;
  if (positive)
    tt::store(out + M * N + at.here, result);
  tt::store(out + at.there, result);
}

// The tile that each iteration stores is moved once, before the loop.
// ROUNDS: ttg.convert_layout
// ROUNDS: scf.for
// ROUNDS-NOT: ttg.convert_layout
template <int M, int N, int W> [[tt::num_warps(W)]] __tile_global__ void rounds(const float *x, float *out, int n) {
  offsets<M, N> at;
  auto value = tt::load(x + at.here);
  for (int i = 0; i < n; ++i) {
    tt::store(out + i * M * N + at.there, value);
    value = value + 1.0f;
  }
}

// The same values in both layouts: each iteration needs both.
template <int M, int N, int W> [[tt::num_warps(W)]] __tile_global__ void both(const float *x, float *out, int n) {
  offsets<M, N> at;
  auto value = tt::load(x + at.here);
  auto index = (at.here % 7).template to<float>();
  for (int i = 0; i < n; ++i) {
    value = value * 2.0f + index;
    tt::store(out + 2 * i * M * N + at.there, value);
    tt::store(out + (2 * i + 1) * M * N + at.here, value);
  }
}

template <int M, int N, int W> void check() {
  e2e::context("%d x %d, %d warps", M, N, W);
  constexpr int size = M * N, n = 3;
  // Element i of a transposed tile was element `from(i)`.
  auto from = [](int i) { return i % M * N + i / M; };
  auto small = [](int) { return e2e::between(-8, 8); };
  e2e::buffer<float> x(size, small), out(size), pair(2 * size), many(n * size), twice(2 * n * size);

  e2e::buffer<signed char> bytes(size, small);
  widened<signed char, M, N, W><<<1>>>(bytes.data(), out.data(), 0.5f);
  out.expect_value([&](int i) { return bytes[from(i)] * 0.5 + 1; });
  e2e::buffer<_Float16> halves(size, small);
  widened<_Float16, M, N, W><<<1>>>(halves.data(), out.data(), 0.25f);
  out.expect_value([&](int i) { return double(halves[from(i)]) * 0.25 + 1; });

  row_sums<M, N, W><<<1>>>(x.data(), out.data());
  out.expect_value([&](int i) {
    double sum = 0;
    for (int c = 0; c < N; ++c)
      sum += x[i % M * N + c];
    return sum;
  });

  for (int sign : {-1, 1}) {
    branched<M, N, W><<<1>>>(x.data(), out.data(), sign);
    out.expect_value([&](int i) { return (sign > 0 ? x[from(i)] * 2.0 : 0.0) + i / M; });
  }
  chosen<M, N, W><<<1>>>(x.data(), pair.data(), 1);
  pair.expect_value([&](int i) { return 4.0 * (i < size ? x[from(i)] : x[i - size]); });
  chosen<M, N, W><<<1>>>(x.data(), out.data(), -1);
  out.expect_value([&](int i) { return -2.0 * x[from(i)]; });

  rounds<M, N, W><<<1>>>(x.data(), many.data(), n);
  many.expect_value([&](int i) { return double(x[from(i % size)]) + i / size; });
  both<M, N, W><<<1>>>(x.data(), twice.data(), n);
  twice.expect_value([&](int i) {
    int element = i / size % 2 ? i % size : from(i % size);
    double value = x[element];
    for (int round = 0; round <= i / size / 2; ++round)
      value = value * 2 + element % 7;
    return value;
  });
}

int main() {
  return e2e::run("layout-conversions", [] {
    check<64, 32, 4>();
    check<16, 128, 8>();
    check<128, 2, 1>();
    check<4, 4, 2>();
  });
}
