// Tests dots of microscaled matrices: all pairs of formats, with and without scales, against a reference in double.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

using tt::mx;
constexpr int M = 16, N = 16, K = 64;

template <mx F> using stored = std::conditional_t<F == mx::bf16, tt::bfloat16, std::conditional_t<F == mx::fp16, tt::float16, uint8_t>>;
template <mx F> constexpr int per_byte = F == mx::e2m1 ? 2 : 1;

template <mx A, mx B, bool Scaled>
__tile_global__ void multiply(const stored<A> *a, const uint8_t *a_scale, const stored<B> *b, const uint8_t *b_scale, float *out) {
  constexpr int KA = K / per_byte<A>, KB = K / per_byte<B>;
  auto m = tt::arange<M>().col();
  auto n = tt::arange<N>();
  auto x = tt::load(a + m * KA + tt::arange<KA>().row());
  auto y = tt::load(b + tt::arange<KB>().col() * N + n.row());
  auto s = tt::arange<K / 32>().row();
  auto at = out + m * N + n.row();
  if constexpr (Scaled)
    tt::store(at, tt::dot_scaled<A, B>(x, tt::load(a_scale + m * (K / 32) + s), y, tt::load(b_scale + n.col() * (K / 32) + s)));
  else
    tt::store(at, tt::dot_scaled<A, B>(x, tt::no_scale, y, tt::no_scale, tt::full<float, M, N>(1.0f)));
}

double decode(int sign, int exponent, int significand, int bits, int bias) {
  double value = exponent ? std::ldexp(1.0 + std::ldexp(significand, -bits), exponent - bias)
                          : std::ldexp(significand, 1 - bias - bits);
  return sign ? -value : value;
}
// Element k of a row or column whose neighbours are `stride` apart.
template <mx F> double element(const e2e::buffer<stored<F>> &x, int line, int k, int line_stride, int stride) {
  if constexpr (F == mx::bf16 || F == mx::fp16) {
    return double(x[line * line_stride + k * stride]);
  } else {
    int byte = x[line * line_stride + k / per_byte<F> * stride];
    if (F == mx::e2m1)
      byte = k % 2 ? byte >> 4 : byte & 15;
    return F == mx::e2m1   ? decode(byte >> 3, byte >> 1 & 3, byte & 1, 1, 1)
           : F == mx::e4m3 ? decode(byte >> 7, byte >> 3 & 15, byte & 7, 3, 7)
                           : decode(byte >> 7, byte >> 2 & 31, byte & 3, 2, 15);
  }
}
template <mx F> stored<F> random_element(int) {
  if constexpr (F == mx::bf16 || F == mx::fp16)
    return e2e::random<stored<F>>();
  else if constexpr (F == mx::e4m3) // no NaN
    return uint8_t(e2e::between(0, 1) << 7 | e2e::between(0, 0x7e));
  else if constexpr (F == mx::e5m2) // no infinity, and not too large for float16
    return uint8_t(e2e::between(0, 1) << 7 | e2e::between(0, 0x50));
  else
    return uint8_t(e2e::between(0, 255));
}

template <mx A, mx B> void check() {
  constexpr int KA = K / per_byte<A>;
  e2e::buffer<stored<A>> a(M * KA, random_element<A>);
  e2e::buffer<stored<B>> b(K / per_byte<B> * N, random_element<B>);
  auto scale = [](int) { return uint8_t(e2e::between(124, 130)); };
  e2e::buffer<uint8_t> a_scale(M * K / 32, scale), b_scale(N * K / 32, scale);
  for (bool scaled : {false, true}) {
    e2e::context("formats %d and %d, scaled: %d", int(A), int(B), scaled);
    e2e::buffer<float> out(M * N);
    (scaled ? multiply<A, B, true> : multiply<A, B, false>)<<<1>>>(a.data(), a_scale.data(), b.data(), b_scale.data(), out.data());
    out.expect_if([&](int i, float got) {
      double sum = scaled ? 0 : 1, size = 1;
      for (int k = 0; k < K; ++k) {
        double term = element<A>(a, i / N, k, KA, 1) * element<B>(b, i % N, k, 1, N);
        if (scaled)
          term *= std::ldexp(1.0, a_scale[i / N * (K / 32) + k / 32] + b_scale[i % N * (K / 32) + k / 32] - 254);
        sum += term;
        size += std::fabs(term);
      }
      return std::fabs(got - sum) <= size * 0x1p-8; // operands of float16 are rounded to bfloat16's or their own digits
    });
  }
}

int main() {
  return e2e::run("dot_scaled", [] {
    check<mx::e2m1, mx::e2m1>();
    check<mx::e2m1, mx::e4m3>();
    check<mx::e5m2, mx::e2m1>();
    check<mx::e4m3, mx::e5m2>();
    check<mx::bf16, mx::e2m1>();
    check<mx::e4m3, mx::fp16>();
  });
}
