// Functions of C++'s standard library on scalars in kernels must give the host's results.
// RUN: %tcc -O2 -arch=compute_90 %s -o %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
#include <bit>
#include <cmath>
#include <compare>
#include <cstdio>
#include <numeric>
#include <span>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

struct version {
  int major, minor;
  auto operator<=>(const version &) const = default;
};

#define INTEGERS(X)                                                                                                    \
  X(std::popcount(u) + std::popcount(w))                                                                               \
  X(std::countl_zero(u) * 1000 + std::countr_zero(u))                                                                  \
  X(std::countl_one(u) + std::countr_one(w))                                                                           \
  X(std::bit_width(u) + std::has_single_bit(u))                                                                        \
  X(int(std::bit_floor(u)))                                                                                            \
  X(int(std::rotl(u, 5) ^ std::rotr(u, 3)))                                                                            \
  X(int(__builtin_bswap32(u)))                                                                                         \
  X(int(__builtin_bswap64(w) >> 32))                                                                                   \
  X(std::gcd(n, 84))                                                                                                   \
  X(std::lcm(n, 6))                                                                                                    \
  X(std::midpoint(n, 100))                                                                                             \
  X(std::abs(n))                                                                                                       \
  X((version{n, 2} < version{3, n}) + 2 * (version{n, 2} == version{2, 2}) + 4 * (version{n, 2} >= version{2, 1}))     \
  X((n <=> 7) < 0)                                                                                                     \
  X(__builtin_mul_overflow(n, 0x7fffff, &product) * 2 + (product > 0))

#define FLOATS(X)                                                                                                      \
  X(std::abs(v))                                                                                                       \
  X(std::floor(v) + 10 * std::ceil(v) + 100 * std::trunc(v))                                                           \
  X(std::round(v) + 10 * std::rint(v) + 100 * std::nearbyint(v))                                                       \
  X(F(std::lround(v) + std::lrint(v)))                                                                                 \
  X(std::copysign(F(2), v))                                                                                            \
  X(std::fmin(v, F(1)) + 10 * std::fmax(v, F(1)))                                                                      \
  X(std::fma(v, v, F(1)))                                                                                              \
  X(std::fmod(v, F(2)))                                                                                                \
  X(F(std::isnan(v) + 2 * std::isinf(v) + 4 * std::isfinite(v) + 8 * std::isnormal(v) + 16 * std::signbit(v)))         \
  X(std::sin(v))                                                                                                       \
  X(std::cos(v))                                                                                                       \
  X(std::tan(v))                                                                                                       \
  X(std::erf(v))                                                                                                       \
  X(std::tanh(v))                                                                                                      \
  X(std::exp(v) + std::exp2(v))                                                                                        \
  X(std::log(std::abs(v)) + std::log2(std::abs(v)))                                                                    \
  X(std::pow(std::abs(v), F(1.5)))                                                                                     \
  X(std::sqrt(std::abs(v)))

__tile_global__ void integers(int *out, int n) {
  const unsigned u = n * 2654435761u;
  const unsigned long w = u * 0x9e3779b97f4a7c15ul;
  int product = 0, k = 0;
  (void)product;
#define STORE(expression) out[k++] = expression;
  INTEGERS(STORE)
}
template <class F> __tile_global__ void floats(F *out, F v) {
  int k = 0;
  FLOATS(STORE)
}
__tile_global__ void language(float *out, int n) {
  float values[4] = {1, 2, 3, 4};
  std::span<float> all(values);
  for (float &value : all)
    value *= n;
  float sum = 0;
  for (float value : all.subspan(1, 2))
    sum += value;
  if (n > 3) [[likely]]
    sum += all[n & 3];
  if (__builtin_expect(n == 5, 0))
    sum += 1000;
  tt::tile<float, 4> t = 2;
  t += 0.5f;
  tt::tile<int, 4> zero = 0;
  out[0] = sum;
  out[1] = tt::sum(t) + tt::sum(zero);
}

static int failures = 0;
static void expect(const char *what, double got, double want, double allowed) {
  bool same = (got != got && want != want) || got == want || std::fabs(got - want) <= allowed * std::fabs(want);
  if (!same && ++failures)
    std::printf("%s is %.9g, not %.9g\n", what, got, want);
}

template <class F> void compare_floats(F v) {
  F *out;
  tt::check(ttMalloc(reinterpret_cast<void **>(&out), 64 * sizeof(F)));
  floats<F><<<1>>>(out, v);
  F got[64];
  tt::check(ttMemcpy(got, out, sizeof(got), ttMemcpyDeviceToHost));
  int k = 0;
#define COMPARE(expression) expect(#expression, got[k++], expression, sizeof(F) == 4 ? 1e-6 : 1e-15);
  FLOATS(COMPARE)
#undef COMPARE
  tt::check(ttFree(out));
}

int main() {
  tt::device_buffer<int> out(64);
  for (int n : {1, 2, 6, 7, 1000, -5, 123456789}) {
    integers<<<1>>>(out.data(), n);
    int got[64], k = 0, product = 0;
    out.copy_to(got);
    const unsigned u = n * 2654435761u;
    const unsigned long w = u * 0x9e3779b97f4a7c15ul;
#define COMPARE(expression) expect(#expression, got[k++], expression, 0);
    INTEGERS(COMPARE)
  }
  for (double v : {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.75, -1e-40, 1e30, double(INFINITY), -double(INFINITY), double(NAN)}) {
    bool hasInteger = std::fabs(v) < 1e9; // conversions of others are undefined
    if (!hasInteger)
      continue;
    compare_floats(float(v));
    compare_floats(v);
  }
  tt::device_buffer<float> two(2);
  for (int n : {1, 4, 5}) {
    language<<<1>>>(two.data(), n);
    float got[2];
    two.copy_to(got);
    float values[4] = {1.0f * n, 2.0f * n, 3.0f * n, 4.0f * n};
    expect("spans", got[0], values[1] + values[2] + (n > 3 ? values[n & 3] : 0) + (n == 5 ? 1000 : 0), 0);
    expect("a tile made of a number", got[1], 10, 0);
  }
  if (!failures)
    std::puts("all is right");
  return failures != 0;
}
