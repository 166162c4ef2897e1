// Tests reductions with a function of the user: any associative function, written in place or elsewhere.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

// An empty function object works like a lambda.
struct bitwise_or {
  template <class T> constexpr T operator()(T a, T b) const { return a | b; }
};

__tile__ inline int common_bits(int a, int b) { return a & b; }

template <int M, int N>
__tile_global__ void combine(const float *x, const int *k, float *products, float *norms, int *bits, int64_t *best,
                             float *all) {
  auto r = tt::arange<M>();
  auto c = tt::arange<N>();
  auto at = r(tt::all, tt::newaxis) * N + c(tt::newaxis, tt::all);
  auto v = tt::load(x + at);
  auto w = tt::load(k + at);
  tt::store(products + r, tt::reduce<1>(v, [](float a, float b) { return a * b; }));
  // A function with a branch: the number that is farther from zero.
  tt::store(norms + c, tt::reduce<0>(v, [](float a, float b) {
    if (tt::abs(a) > tt::abs(b))
      return a;
    return b;
  }));
  tt::store(bits + r, tt::reduce<1>(w, bitwise_or()));
  tt::store(bits + M + r, tt::reduce<1>(w, [](int a, int b) { return common_bits(a, b); }));
  tt::store(bits + 2 * M + r, tt::reduce<1>(w, [](auto a, auto b) { return a ^ b; }));
  // A function that has no neutral element.
  tt::store(bits + 3 * M + r, tt::reduce<1>(w, [](int a, int b) { return int(unsigned(a) + unsigned(b) + 1); }));
  // The position of the largest element: value and position in one number, the first position winning.
  auto key = (w.template to<int64_t>() << 32) | (N - 1 - c)(tt::newaxis, tt::all);
  auto largest = tt::reduce<1>(key, [](int64_t a, int64_t b) { return a > b ? a : b; });
  tt::store(best + r, N - 1 - (largest & 0xffff));
  // All elements, to a scalar.
  float sum_of_squares = tt::reduce(v * v, [](float a, float b) { return a + b; });
  int any = tt::reduce(w, [](int a, int b) { return a | b; });
  if (any & 1)
    sum_of_squares = -sum_of_squares;
  tt::store(all, sum_of_squares);
}

template <int M, int N> void check() {
  e2e::context("%d x %d", M, N);
  e2e::buffer<float> x(M * N, [](int) { return float(e2e::uniform(0.5, 1.5) * (e2e::random_bits() & 1 ? 1 : -1)); });
  e2e::buffer<int> k(M * N, [](int) { return int(e2e::random_bits() & e2e::random_bits() & ~1u); });
  e2e::buffer<float> products(M), norms(N), all(1);
  e2e::buffer<int> bits(4 * M);
  e2e::buffer<int64_t> best(M);
  combine<M, N><<<1>>>(x.data(), k.data(), products.data(), norms.data(), bits.data(), best.data(), all.data());
  products.expect(e2e::tolerance{double(N)}, [&](int r) {
    double product = 1;
    for (int c = 0; c < N; ++c)
      product *= x[r * N + c];
    return product;
  });
  norms.expect([&](int c) {
    float far = x[c];
    for (int r = 1; r < M; ++r)
      if (float v = x[r * N + c]; std::fabs(v) > std::fabs(far))
        far = v;
    return far;
  });
  bits.expect([&](int i) {
    int r = i % M, result = k[r * N];
    for (int c = 1; c < N; ++c) {
      int v = k[r * N + c];
      switch (i / M) {
      case 0: result |= v; break;
      case 1: result &= v; break;
      case 2: result ^= v; break;
      default: result = int(unsigned(result) + unsigned(v) + 1);
      }
    }
    return result;
  });
  best.expect([&](int r) {
    int64_t at = 0;
    for (int c = 1; c < N; ++c)
      if (k[r * N + c] > k[r * N + at])
        at = c;
    return at;
  });
  all.expect(e2e::tolerance{2 + double(M * N) / 4}, [&](int) {
    double sum = 0;
    for (int i = 0; i < M * N; ++i)
      sum += double(x[i]) * x[i];
    return sum;
  });
}

int main() {
  return e2e::run("reduce-lambda", [] {
    check<1, 2>();
    check<4, 32>();
    check<16, 8>();
    check<32, 64>();
    check<2, 512>();
  });
}
