// The functions of one number in the language: their true values, and how far a device may be from these.
#ifndef TEST_E2E_SUPPORT_FUNCTIONS_H
#define TEST_E2E_SUPPORT_FUNCTIONS_H

#include "check.h"

namespace e2e {

// The functions of tt: F(name) for each.
#define E2E_FUNCTIONS(F)                                                                                               \
  F(exp) F(exp2) F(log) F(log2) F(sqrt) F(sin) F(cos) F(tanh) F(erf) F(rsqrt) F(sqrt_rn) F(ceil) F(floor) F(sigmoid)

enum class function {
#define E2E_NAME(name) name,
  E2E_FUNCTIONS(E2E_NAME) count
#undef E2E_NAME
};
#define E2E_NAME(name) #name,
constexpr const char *function_names[] = {E2E_FUNCTIONS(E2E_NAME)};
#undef E2E_NAME
constexpr int functions = int(function::count);

inline long double true_value(function f, long double x) {
  switch (f) {
  case function::exp: return std::exp(x);
  case function::exp2: return std::exp2(x);
  case function::log: return std::log(x);
  case function::log2: return std::log2(x);
  case function::sqrt:
  case function::sqrt_rn: return std::sqrt(x);
  case function::sin: return std::sin(x);
  case function::cos: return std::cos(x);
  case function::tanh: return std::tanh(x);
  case function::erf: return std::erf(x);
  case function::rsqrt: return 1 / std::sqrt(x);
  case function::ceil: return std::ceil(x);
  case function::floor: return std::floor(x);
  default: return 1 / (1 + std::exp(-x));
  }
}

// float on a GPU uses the fast instructions, as Triton does: ex2.approx of x * log2(e), whose rounding grows with x;
// lg2.approx, whose error is absolute around 1; sqrt.approx. The 16-bit types are computed in float and rounded once.
template <class T> tolerance allowed(function f, double x, bool gpu) {
  const bool half = sizeof(T) == 2, fast = gpu && sizeof(T) == 4;
  switch (f) {
  case function::exp: return {fast ? 3 + 1.25 * std::fabs(x) : half ? 1 : 1.5};
  case function::exp2: return {fast ? 2 : half ? 1 : 1.5, gpu && sizeof(T) < 8 ? 0x1p-126 : 0}; // results are flushed
  case function::sqrt: return {fast ? 2 : half ? 1 : 1.5};
  case function::log:
  case function::log2: return {fast ? 3 : half ? 1 : 1.5, gpu && sizeof(T) < 8 ? 0x1p-21 : 0};
  case function::sin:
  case function::cos:
  case function::tanh:
  case function::erf:
  case function::rsqrt: return {half ? 0.51 : 2};
  case function::sigmoid: return {half ? 0.6 : fast ? 4 + 1.25 * std::fabs(x) : 3};
  case function::sqrt_rn: return {0.5001};
  default: return {0};
  }
}

// If e^-x overflows, the sigmoid is 0, as in Triton.
template <class T> bool is_lost_sigmoid(function f, double x, T got) {
  return f == function::sigmoid && double(got) == 0 && x < float_format<T>::min_exponent * 0.69;
}

} // namespace e2e

#endif // TEST_E2E_SUPPORT_FUNCTIONS_H
