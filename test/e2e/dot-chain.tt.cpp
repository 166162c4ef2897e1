// Tests dots whose operands and accumulators are results of other operations, and the default precision.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/matmul.h"

// Two dots in a row; the first one's result is an operand of the second, and the source gives the accumulator.
template <int M, int N>
__tile_global__ void chain(const float *x, const float *y, const float *z, const float *initial, float *out) {
  auto m = tt::arange<M>()(tt::all, tt::newaxis);
  auto n = tt::arange<N>()(tt::newaxis, tt::all);
  auto k = tt::arange<N>()(tt::all, tt::newaxis);
  auto xy = tt::dot<tt::precision::ieee>(tt::load(x + m * N + n), tt::load(y + k * N + n));
  auto start = tt::load(initial + m * N + n);
  tt::store(out + m * N + n, tt::dot<tt::precision::ieee>(xy * 0.5f, tt::load(z + k * N + n), start));
}

void check_chain() {
  constexpr int M = 16, N = 32;
  e2e::context("chain");
  e2e::buffer<float> x(M * N, e2e::random<float>), y(N * N, e2e::random<float>), z(N * N, e2e::random<float>),
      initial(M * N, e2e::random<float>), out(M * N);
  chain<M, N><<<1>>>(x.data(), y.data(), z.data(), initial.data(), out.data());
  std::vector<double> want(M * N);
  for (int m = 0; m < M; ++m)
    for (int k = 0; k < N; ++k) {
      double xy = product(x, y, N, N, N, m, k) / 2;
      for (int n = 0; n < N; ++n)
        want[m * N + n] += xy * z[k * N + n];
    }
  out.expect(e2e::tolerance{1, 16.0 * 16 * N * N * 0x1p-24}, [&](int i) { return want[i] + initial[i]; });
}

// Without a precision float operands may be rounded to tf32's 11 digits, as in Triton.
__tile_global__ void by_default(const float *a, const float *b, float *c) {
  auto r = tt::arange<32>()(tt::all, tt::newaxis);
  auto k = tt::arange<32>()(tt::newaxis, tt::all);
  tt::store(c + r * 32 + k, tt::dot(tt::load(a + r * 32 + k), tt::load(b + r * 32 + k)));
}

int main() {
  return e2e::run("dot-chain", [] {
    check_chain();

    e2e::context("default precision");
    e2e::buffer<float> a(32 * 32, e2e::random<float>), b(32 * 32, e2e::random<float>), c(32 * 32);
    by_default<<<1>>>(a.data(), b.data(), c.data());
    c.expect(e2e::tolerance{1, 32 * 16 * 0x1p-10}, [&](int i) { return product(a, b, 32, 32, 32, i / 32, i % 32); });
  });
}
