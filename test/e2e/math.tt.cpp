// exp, exp2, log, log2 and sqrt of every floating-point type: how far from the true value, and at the edges.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

constexpr int block = 256;
enum function { exp_, exp2_, log_, log2_, sqrt_, functions };
constexpr const char *names[] = {"exp", "exp2", "log", "log2", "sqrt"};

template <class T> __tile_global__ void all_functions(const T *x, T *out, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto v = tt::load(x + i, mask, 1.0f);
  tt::store(out + exp_ * n + i, tt::exp(v), mask);
  tt::store(out + exp2_ * n + i, tt::exp2(v), mask);
  tt::store(out + log_ * n + i, tt::log(v), mask);
  tt::store(out + log2_ * n + i, tt::log2(v), mask);
  tt::store(out + sqrt_ * n + i, tt::sqrt(v), mask);
}

// The same of single numbers.
__tile_global__ void of_scalars(const float *x, float *out) {
  int i = tt::program_id(0), n = tt::num_programs(0);
  float v = x[i];
  out[exp_ * n + i] = tt::exp(v);
  out[exp2_ * n + i] = tt::exp2(v);
  out[log_ * n + i] = tt::log(v);
  out[log2_ * n + i] = tt::log2(v);
  out[sqrt_ * n + i] = tt::sqrt(v);
}

double reference(int f, double x) {
  switch (f) {
  case exp_: return std::exp(x);
  case exp2_: return std::exp2(x);
  case log_: return std::log(x);
  case log2_: return std::log2(x);
  default: return std::sqrt(x);
  }
}

// The error that is allowed. On the CPU 1 ulp for everything (and half of one more for the reference's own rounding).
// float on a GPU uses the fast instructions, as Triton does: ex2.approx of x * log2(e), whose rounding grows with x;
// lg2.approx, whose error is absolute around 1; sqrt.approx.
template <class T> e2e::tolerance allowed(int f, double x, bool gpu) {
  if (!gpu || std::is_same_v<T, double>)
    return {1.5};
  if constexpr (sizeof(T) == 2)
    return {1, f == log_ || f == log2_ ? 0x1p-21 : 0};
  switch (f) {
  case exp_: return {3 + 1.25 * std::fabs(x)}; // half an ulp of the product, and what is missing of the constant
  case exp2_: return {2};
  case log_:
  case log2_: return {3, 0x1p-21};
  default: return {2};
  }
}

template <class T, class Make> void check(const char *what, int n, Make make) {
  bool gpu = e2e::on_gpu();
  e2e::buffer<T> x(n, make), out(functions * n);
  all_functions<T><<<tt::cdiv(n, block)>>>(x.data(), out.data(), n);
  e2e::context("%s, %s, n = %d", e2e::name_of<T>, what, n);
  out.expect_if([&](int i, T got) {
    double argument = double(x[i % n]), want = reference(i / n, argument);
    bool good = e2e::near(got, want, allowed<T>(i / n, argument, gpu));
    if (!good)
      e2e::fail("%s(%.17g) is %.17g, not %.17g", names[i / n], argument, double(got), want);
    return good;
  });
}

template <class T> void check() {
  using format = e2e::float_format<T>;
  const double range = std::ldexp(1.0, 1 - format::min_exponent); // beside the largest number
  const double exponents = -format::min_exponent * 0.69;         // about where exp overflows
  for (int n : {1, block - 1, block, block + 1, 3000})
    check<T>("small", n, [](int) { return T(e2e::uniform(-2, 2)); });
  check<T>("around 1", 1000, [](int) { return T(1 + e2e::uniform(-0.01, 0.01)); });
  check<T>("the range of exp", 4000, [&](int) { return T(e2e::uniform(-1.6 * exponents, 1.1 * exponents)); });
  check<T>("all magnitudes", 4000, [&](int) {
    return T(std::ldexp(e2e::uniform(1, 2), int(e2e::between(format::min_exponent, -format::min_exponent))));
  });
  check<T>("subnormal", 500, [&](int) { return T(std::ldexp(e2e::uniform(0, 1), format::min_exponent)); });
  const double edges[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, range, -range, 2.0, 0.5, 1024.0};
  check<T>("edges", 12, [&](int i) { return T(edges[i]); });
}

int main() {
  return e2e::run("math", [] {
    check<tt::float16>();
    check<tt::bfloat16>();
    check<float>();
    check<double>();

    const int n = 50;
    e2e::context("scalars");
    bool gpu = e2e::on_gpu();
    e2e::buffer<float> x(n, [](int) { return float(e2e::uniform(0, 10)); }), out(functions * n);
    of_scalars<<<n>>>(x.data(), out.data());
    out.expect_if([&](int i, float got) {
      return e2e::near(got, reference(i / n, x[i % n]), allowed<float>(i / n, x[i % n], gpu));
    });
  });
}
