// Tests reductions over rows that end before the tile: the value that a mask gives to the elements beyond the end takes
// part, once or often. The rows have numbers that add up exactly, negative zeros and NaNs, and every length. Also tests
// powers of the difference from such a row's maximum, as in softmax.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t

#include "support/check.h"

constexpr int N = 256, floats = 9, integers = 4;

__tile_global__ void reduce(const float *x, const int *k, float *y, int *z, float *p) {
  int n = tt::program_id(0);
  auto i = tt::arange<N>();
  auto mask = i < n;
  float inf = tt::inf<float>;
  auto v = tt::load(x + i, mask, 0.0f);
  auto d = tt::where(mask, v - 1.0f, 0.0f);
  y += n * floats, z += n * integers;
  y[0] = tt::sum(v);
  y[1] = tt::sum(d * d);
  y[2] = tt::sum(tt::load(x + i, mask, 2.0f));
  y[3] = tt::sum(tt::load(x + i, i >= n, 0.0f));
  y[4] = tt::max(tt::load(x + i, mask, -inf));
  y[5] = tt::min(tt::load(x + i, mask, inf));
  y[6] = tt::max(tt::load(x + i, mask, 3.0f));
  y[7] = tt::max(tt::load(x + i, mask));
  auto least = tt::load(x + i, mask, -inf);
  auto powers = tt::exp2(least - tt::max(least));
  y[8] = tt::sum(powers);
  tt::store(p + n * N + i, powers);
  auto w = tt::load(k + i, mask, 0);
  z[0] = tt::sum(w);
  z[1] = tt::max(tt::load(k + i, mask, -100));
  z[2] = tt::xor_sum(w);
  z[3] = tt::sum(tt::load(k + i, mask, 1));
}

template <class Element, class Combine> static auto fold(Element element, Combine combine) {
  auto value = element(0);
  for (int i = 1; i < N; ++i)
    value = combine(value, element(i));
  return value;
}

int main() {
  return e2e::run("masked-reductions", [] {
    auto add = [](auto a, auto b) { return a + b; };
    auto larger = [](float a, float b) { return std::fmax(a, b); };
    e2e::buffer<int> k(N, [](int i) { return i * 37 % 64 - 40; });
    for (int kind = 0; kind < 4; ++kind) {
      e2e::context("kind %d", kind);
      e2e::buffer<float> x(N, [&](int i) {
        return kind == 0 ? float(i * 29 % 16 - 12) : kind == 1 ? -0.0f : kind == 2 || i % 3 == 0 ? NAN : -5.0f;
      });
      e2e::buffer<float> y((N + 1) * floats);
      e2e::buffer<int> z((N + 1) * integers);
      e2e::buffer<float> p((N + 1) * N);
      reduce<<<N + 1>>>(x.data(), k.data(), y.data(), z.data(), p.data());
      // Powers of two, which are exact.
      auto power = [&](int n, int i) {
        float largest = -INFINITY;
        for (int j = 0; j < n; ++j)
          largest = std::fmax(largest, x[j]);
        return std::exp2((i < n ? x[i] : -INFINITY) - largest);
      };
      p.expect([&](int at) { return power(at / N, at % N); });
      y.expect_if([&](int at, float got) {
        int n = at / floats, which = at % floats;
        auto filled = [&](float other) { return [&, other](int i) { return i < n ? x[i] : other; }; };
        auto square = [&](int i) { return i < n ? (x[i] - 1.0f) * (x[i] - 1.0f) : 0.0f; };
        float want = which == 0   ? fold(filled(0.0f), add)
                     : which == 1 ? fold(square, add)
                     : which == 2 ? fold(filled(2.0f), add)
                     : which == 3 ? fold([&](int i) { return i >= n ? x[i] : 0.0f; }, add)
                     : which == 4 ? fold(filled(-INFINITY), larger)
                     : which == 5 ? fold(filled(INFINITY), [](float a, float b) { return std::fmin(a, b); })
                     : which == 6 ? fold(filled(3.0f), larger)
                     : which == 7 ? fold(filled(0.0f), larger)
                                  : fold([&](int i) { return power(n, i); }, add);
        if (std::isnan(want))
          return std::isnan(got);
        // Either zero is the larger one, but a sum's sign is known.
        return got == want && (which > 3 || std::signbit(got) == std::signbit(want));
      });
      z.expect([&](int at) {
        int n = at / integers, which = at % integers;
        auto filled = [&](int other) { return [&, other](int i) { return i < n ? k[i] : other; }; };
        return which == 0   ? fold(filled(0), add)
               : which == 1 ? fold(filled(-100), [](int a, int b) { return a > b ? a : b; })
               : which == 2 ? fold(filled(0), [](int a, int b) { return a ^ b; })
                            : fold(filled(1), add);
      });
    }
  });
}
