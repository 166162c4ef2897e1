// Compares the functions that are formulas of tcc's own with the C library's in double precision, over all magnitudes.
// (test/e2e/math.tt.cpp uses long double, which takes qemu minutes.)
#include <tilecc/host.h>
#include <tilecc/tt.h>
#include <cmath>
#include <cstdio>

constexpr int functions = 6;

__tile_global__ void evaluate(const float *x, float *out, int n) {
  auto i = tt::program_id(0) * 64 + tt::arange<64>();
  auto mask = i < n;
  auto value = tt::load(x + i, mask);
  auto positive = tt::abs(value);
  tt::store(out + i, tt::exp(value), mask);
  tt::store(out + n + i, tt::exp2(value), mask);
  tt::store(out + 2 * n + i, tt::log(positive), mask);
  tt::store(out + 3 * n + i, tt::sqrt(positive), mask);
  tt::store(out + 4 * n + i, tt::rsqrt(positive), mask);
  tt::store(out + 5 * n + i, tt::erf(value), mask);
}

static double reference(int function, double x) {
  switch (function) {
  case 0: return std::exp(x);
  case 1: return std::exp2(x);
  case 2: return std::log(std::fabs(x));
  case 3: return std::sqrt(std::fabs(x));
  case 4: return 1 / std::sqrt(std::fabs(x));
  default: return std::erf(x);
  }
}

int main() {
  constexpr int n = 2003;
  std::vector<float> arguments = {INFINITY, -INFINITY, NAN, 0.0f, 88.7f, 89.0f, -87.3f, -87.4f, -103.9f, -104.1f, 127.9f,
                                  128.0f, -126.0f, -126.5f, -149.0f, -150.5f, 1e-40f};
  while (arguments.size() < n) {
    int at = int(arguments.size());
    arguments.push_back((at % 2 ? 1 : -1) * std::ldexp(1.0f + at % 997 / 997.0f, at % 19 - 12));
  }
  tt::buffer<float> x(arguments), out(functions * n, -1.0f);
  evaluate<<<tt::cdiv(n, 64)>>>(x, out, n);
  auto results = out.to_vector();
  int wrong = 0;
  for (int f = 0; f < functions; ++f)
    for (int i = 0; i < n; ++i) {
      float got = results[f * n + i], want = float(reference(f, arguments[i]));
      bool isNear = std::fabs(got - want) <= 1e-6 * std::fabs(want) + 0x1p-126f; // results may be flushed to zero
      if (!isNear && got != want && !(std::isnan(got) && std::isnan(want)) && ++wrong <= 5)
        std::printf("function %d of %a: %a instead of %a\n", f, arguments[i], got, want);
    }
  return wrong != 0;
}
