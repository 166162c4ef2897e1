// Tests accumulators and results of dots in every arrangement of loops: an initial value that several iterations use,
// or that two dots continue, accumulators that are exchanged, or that branches leave unchanged, and loops without
// iterations. In tensor memory, each must have the right allocation. (Not for sm_90: LLVM copies the accumulators of
// `again` while a wgmma is in flight, which the emulator reports.)
// RUN: %tcc -O2 -arch=compute_100a %s -o %t
// RUN: env TILECC_DEVICE=emu:sm_100a %t
// RUN: env TILECC_DEVICE=emu:sm_100a TILECC_EMU_SCHEDULE=random TILECC_EMU_SEED=%seed %t
// RUN: env TILECC_DEVICE=cpu %t
#include "support/check.h"

using tt::float16;

constexpr int N = 64, K = 64;
enum Result { again, in_each = again + 2, swapped, other_swapped, two_chains, some, forked, nested, results };

// With F = a b, whose elements are integers, every result is a multiple of F.
template <int M, int W> [[tt::num_warps(W)]] __tile_global__ void chains(const float16 *a, const float16 *b, float *out, int n) {
  auto i = tt::arange<M>().col();
  auto j = tt::arange<N>().row();
  auto x = tt::load(a + i * K + tt::arange<K>().row());
  auto y = tt::load(b + tt::arange<K>().col() * N + j);
  auto put = [&](int which, auto value) { tt::store(out + which * (M * N) + i * N + j, value); };
  const auto zeros = tt::zeros<float, M, N>();
  const auto first = tt::dot(x, y);

  for (int turn = 0; turn < 2; ++turn) {
    auto sum = first;
    for (int k = 0; k < n; ++k)
      sum = tt::dot(x, y, sum);
    put(again + turn, sum);
  }
  auto total = zeros;
  for (int k = 0; k < n; ++k)
    total += tt::dot(x, y, first);
  put(in_each, total);

  auto p = zeros, q = first;
  for (int k = 0; k < n; ++k) {
    auto next = tt::dot(x, y, p);
    p = q;
    q = next;
  }
  put(swapped, p);
  put(other_swapped, q);

  auto s = first;
  total = zeros;
  for (int k = 0; k < n; ++k) {
    total += tt::dot(x, y, s);
    s = tt::dot(x, y);
  }
  put(two_chains, total + s);

  auto sum = zeros;
  for (int k = 0; k < n; ++k)
    if (k % 2)
      sum = tt::dot(x, y, sum);
  put(some, sum);

  auto u = tt::dot(x, y, first);
  auto v = tt::dot(x, y, u), w = tt::dot(x, y, u);
  put(forked, u + v + w);

  sum = zeros;
  for (int outer = 0; outer < n; ++outer) {
    for (int k = 0; k < outer; ++k)
      sum = tt::dot(x, y, sum);
    sum = tt::dot(x, y, sum + first);
  }
  put(nested, sum);
}

// The same of sums that one operation alone goes on from, but more often than they are made. `ones` keep products in their loops.
enum Anew { from_before, in_each_from_before, from_carried, anews };
template <int M, int W> [[tt::num_warps(W)]] __tile_global__ void anew(const float16 *a, const float16 *b, const float16 *ones,
                                                                  float *out, int n) {
  auto i = tt::arange<M>().col();
  auto j = tt::arange<N>().row();
  auto x = tt::load(a + i * K + tt::arange<K>().row());
  auto y = tt::load(b + tt::arange<K>().col() * N + j);
  auto put = [&](int which, auto value) { tt::store(out + which * (M * N) + i * N + j, value); };
  const auto zeros = tt::zeros<float, M, N>();

  const auto first = tt::dot(x + x, y);
  auto total = zeros;
  for (int turn = 0; turn < n; ++turn) {
    auto sum = first;
    for (int k = 0; k < n; ++k)
      sum = tt::dot(x * ones[turn + k], y, sum);
    total += sum;
  }
  put(from_before, total);

  const auto second = tt::dot(x - x - x, y);
  total = zeros;
  for (int k = 0; k < n; ++k)
    total += tt::dot(x * ones[k], y, second);
  put(in_each_from_before, total);

  auto carried = tt::dot(x + x + x, y);
  total = zeros;
  for (int k = 0; k < n; ++k) {
    total += tt::dot(x * ones[k], y, carried);
    carried = tt::dot((x + x) * ones[k], y);
  }
  put(from_carried, total);
}

template <class T> void expect_multiples(e2e::buffer<float> &out, const e2e::buffer<T> &a, const e2e::buffer<T> &b, int rows,
                                         const int *times) {
  out.expect([&](int at) {
    float sum = 0;
    for (int k = 0; k < K; ++k)
      sum += float(a[at / N % rows * K + k]) * float(b[k * N + at % N]);
    return sum * times[at / (rows * N)] + 0.0f; // no -0
  });
}

template <int M, int W> void check(int n) {
  auto small = [](int) { return float16(float(e2e::random_bits() % 5) - 2); };
  e2e::buffer<float16> a(M * K, small), b(K * N, small);
  e2e::buffer<float> out(results * M * N), others(anews * M * N);
  chains<M, W><<<1>>>(a.data(), b.data(), out.data(), n);
  int p = 0, q = 1;
  for (int k = 0; k < n; ++k) {
    int next = p + 1;
    p = q;
    q = next;
  }
  const int times[results] = {1 + n, 1 + n, 2 * n, p, q, 2 * n + 1, n / 2, 8, n * (n - 1) / 2 + 2 * n};
  e2e::context("%d rows, %d warps, %d iterations", M, W, n);
  expect_multiples(out, a, b, M, times);
  e2e::buffer<float16> ones(2 * n + 1, [](int) { return float16(1); });
  anew<M, W><<<1>>>(a.data(), b.data(), ones.data(), others.data(), n);
  const int others_times[anews] = {n * (2 + n), 0, n ? 4 + 3 * (n - 1) : 0};
  expect_multiples(others, a, b, M, others_times);
}

int main() {
  return e2e::run("dot-sequences", [] {
    for (int n : {0, 1, 2, 5}) {
      check<128, 4>(n);
      check<128, 8>(n);
      check<64, 4>(n);
    }
  });
}
