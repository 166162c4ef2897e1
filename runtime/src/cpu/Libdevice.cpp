//===-- Libdevice.cpp - the functions of <tilecc/libdevice.h> on the CPU device ----------------------------------===//
//
// A kernel that calls libdevice's __nv_sinf on a GPU calls __tilecc_nv_sinf here, for each element. Most functions are
// in the C library. Functions that it lacks, or whose accuracy is below what CUDA promises (glibc's cbrt is off by up
// to 3.4 units in the last place, CUDA's by 1), are computed in long double, where simple formulas are accurate enough.
// A program that uses none of them does not link this file.
//
//===----------------------------------------------------------------------------------------------------------===//
#include <bit>
#include <fenv.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>

#define FUNCTION extern "C" __attribute__((visibility("hidden")))
#ifdef TILECC_RT_SHARED
#undef FUNCTION
#define FUNCTION extern "C" __attribute__((visibility("default")))
#endif

using Long = long double;
using LongFunction = Long(Long);

namespace {

constexpr Long pi = 3.14159265358979323846264338327950288L, rootOfPi = 1.77245385090551602729816748334114518L;

//===-- functions that the C library lacks ----------------------------------------------------------------------===//

Long rsqrt(Long x) { return 1 / sqrtl(x); }
Long rcbrt(Long x) { return 1 / cbrtl(x); }

// The sine of pi * (x + quarters / 2); x is reduced exactly.
Long sineOfTurns(Long x, int quarters) {
  Long r = remainderl(x, 2); // [-1, 1]
  Long n = nearbyintl(2 * r), f = r - n / 2;
  switch ((int(n) + quarters) & 3) {
  case 0: return sinl(pi * f);
  case 1: return cosl(pi * f);
  case 2: return -sinl(pi * f);
  default: return -cosl(pi * f);
  }
}
Long sinpi(Long x) {
  return x == 0 ? x : x == floorl(x) && !isinf(x) ? copysignl(0, x) : isfinite(x) ? sineOfTurns(x, 0) : x - x;
}
Long cospi(Long x) {
  if (!isfinite(x))
    return x - x;
  return 2 * x == floorl(2 * x) && x != floorl(x) ? 0 : sineOfTurns(x, 1);
}

Long erfcx(Long x) {
  if (x < 100)
    return expl(x * x) * erfcl(x);
  Long z = 1 / (2 * x * x); // the truncated terms are below 1e-16 of the result
  return (1 - z * (1 - 3 * z * (1 - 5 * z))) / (x * rootOfPi);
}

// Computes erfinv(x) for |x| <= 1/2 by Newton's method.
Long erfinvOfSmall(Long x) {
  Long z = x * rootOfPi / 2;
  for (int i = 0; i < 8; ++i)
    z -= (erfl(z) - x) * rootOfPi / 2 * expl(z * z);
  return x == 0 ? x : z;
}
Long erfcinv(Long y) {
  if (!(y >= 0 && y <= 2))
    return NAN;
  if (y == 0 || y == 2)
    return y == 0 ? INFINITY : -INFINITY;
  if (y >= 0.5L && y <= 1.5L)
    return erfinvOfSmall(1 - y);
  if (y > 1)
    return -erfcinv(2 - y);
  Long z = sqrtl(-logl(y)), target = logl(y);
  for (int i = 0; i < 12; ++i) { // on the logarithm, which is nearly a parabola
    Long value = erfcl(z);
    z += (logl(value) - target) * value * rootOfPi / 2 * expl(z * z);
  }
  return z;
}
Long erfinv(Long x) {
  if (fabsl(x) <= 0.5L)
    return erfinvOfSmall(x);
  return x < 0 ? -erfcinv(1 + x) : erfcinv(1 - x);
}
Long normcdf(Long x) { return erfcl(-x / sqrtl(2)) / 2; }
Long normcdfinv(Long p) { return -sqrtl(2) * erfcinv(2 * p); }

// The modified Bessel functions by their power series, whose terms are all positive.
Long bessel(Long x, int order) {
  if (!isfinite(x))
    return x != x ? x : order ? x : fabsl(x);
  Long quarter = x * x / 4, term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 4000 && fabsl(term) > fabsl(sum) * 1e-21L; ++k)
    sum += term *= quarter / (Long(k) * (k + order));
  return sum;
}
Long i0(Long x) { return bessel(x, 0); }
Long i1(Long x) { return bessel(x, 1); }

Long norm(Long a, Long b, Long c = 0, Long d = 0) {
  if (isinf(a) || isinf(b) || isinf(c) || isinf(d))
    return INFINITY;
  return sqrtl(a * a + b * b + c * c + d * d);
}

//===-- rounding ------------------------------------------------------------------------------------------------===//

constexpr int rn = FE_TONEAREST, rz = FE_TOWARDZERO, rd = FE_DOWNWARD, ru = FE_UPWARD;

// Returns the result of `compute` in a rounding mode. Operands and result are volatile, so that the computation is not
// moved out.
template <int mode, class R, class... T> R rounded(R (*compute)(T...), T... operands) {
  if constexpr (mode == rn)
    return compute(operands...);
  const int before = fegetround();
  fesetround(mode);
  R (*volatile opaque)(T...) = compute;
  volatile R result = opaque(operands...);
  fesetround(before);
  return result;
}

template <int mode> Long toWhole(Long x) {
  return mode == rn ? rintl(x) : mode == rz ? truncl(x) : mode == rd ? floorl(x) : ceill(x);
}
// Saturates numbers out of range. NaN becomes what PTX's cvt returns.
template <int mode, class R> R toInteger(Long x) {
  const bool isSigned = R(-1) < R(0);
  const Long end = ldexpl(1, int(sizeof(R)) * CHAR_BIT - isSigned);
  if (x != x)
    return sizeof(R) == 4 ? R(0) : R(uint64_t(1) << 63);
  x = toWhole<mode>(x);
  const R largest = isSigned ? R(~R(0) ^ (uint64_t(1) << (sizeof(R) * CHAR_BIT - 1))) : R(-1);
  if (x >= end)
    return largest;
  if (x < (isSigned ? -end : 0))
    return R(isSigned ? ~uint64_t(largest) : 0);
  return R(x);
}

template <class T> T add(T a, T b) { return a + b; }
template <class T> T sub(T a, T b) { return a - b; }
template <class T> T mul(T a, T b) { return a * b; }
template <class T> T div(T a, T b) { return a / b; }
template <class T> T rcp(T a) { return 1 / a; }
float root(float a) { return sqrtf(a); }
double root(double a) { return sqrt(a); }
float fused(float a, float b, float c) { return fmaf(a, b, c); }
double fused(double a, double b, double c) { return fma(a, b, c); }
template <class To, class From> To convert(From x) { return To(x); }

} // namespace

#define NAME(name) __tilecc_nv_##name

//===-- functions of one number ---------------------------------------------------------------------------------===//

// clang-format off: macros without semicolons
#define OF_C(name)                                                                                                     \
  FUNCTION float NAME(name##f)(float x) { return name##f(x); }                                                         \
  FUNCTION double NAME(name)(double x) { return name(x); }
OF_C(floor) OF_C(ceil) OF_C(trunc) OF_C(rint) OF_C(nearbyint) OF_C(round) OF_C(sqrt)
OF_C(sin) OF_C(cos) OF_C(tan) OF_C(asin) OF_C(acos) OF_C(atan)
OF_C(sinh) OF_C(cosh) OF_C(tanh) OF_C(asinh) OF_C(acosh) OF_C(atanh)
OF_C(exp) OF_C(exp2) OF_C(exp10) OF_C(expm1) OF_C(log) OF_C(log2) OF_C(log10) OF_C(log1p) OF_C(logb)
OF_C(j0) OF_C(j1) OF_C(y0) OF_C(y1) OF_C(erf) OF_C(erfc) OF_C(tgamma) OF_C(fabs)

FUNCTION float NAME(lgammaf)(float x) { // lgamma writes to a global variable
  int sign;
  return lgammaf_r(x, &sign);
}
FUNCTION double NAME(lgamma)(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

#define OF_LONG(name, function)                                                                                        \
  FUNCTION float NAME(name##f)(float x) { return float(function(x)); }                                                 \
  FUNCTION double NAME(name)(double x) { return double(function(x)); }
OF_LONG(rsqrt, rsqrt) OF_LONG(cbrt, cbrtl) OF_LONG(rcbrt, rcbrt) OF_LONG(sinpi, sinpi) OF_LONG(cospi, cospi)
OF_LONG(erfcx, erfcx) OF_LONG(erfinv, erfinv) OF_LONG(erfcinv, erfcinv)
OF_LONG(normcdf, normcdf) OF_LONG(normcdfinv, normcdfinv)
OF_LONG(cyl_bessel_i0, i0) OF_LONG(cyl_bessel_i1, i1)

#define FAST(name, expression)                                                                                         \
  FUNCTION float NAME(name)(float x) { return expression; }
FAST(fast_sinf, sinf(x)) FAST(fast_cosf, cosf(x)) FAST(fast_tanf, tanf(x))
FAST(fast_expf, expf(x)) FAST(fast_exp10f, exp10f(x))
FAST(fast_logf, logf(x)) FAST(fast_log2f, log2f(x)) FAST(fast_log10f, log10f(x))
FAST(saturatef, x > 0 ? x < 1 ? x : 1 : 0)
FAST(frsqrt_rn, float(rsqrt(x)))

//===-- functions of several ------------------------------------------------------------------------------------===//

#define OF_C2(name)                                                                                                    \
  FUNCTION float NAME(name##f)(float x, float y) { return name##f(x, y); }                                             \
  FUNCTION double NAME(name)(double x, double y) { return name(x, y); }
OF_C2(copysign) OF_C2(nextafter) OF_C2(atan2) OF_C2(hypot) OF_C2(fmod) OF_C2(remainder) OF_C2(fdim) OF_C2(pow)
FUNCTION float NAME(fast_powf)(float x, float y) { return powf(x, y); }
FUNCTION float NAME(fast_fdividef)(float x, float y) { return x / y; }
FUNCTION float NAME(fmaf)(float x, float y, float z) { return fmaf(x, y, z); }
FUNCTION double NAME(fma)(double x, double y, double z) { return fma(x, y, z); }
FUNCTION float NAME(powif)(float x, int n) { return float(powl(x, n)); }
FUNCTION double NAME(powi)(double x, int n) { return double(powl(x, n)); }

#define NORMS(T, suffix)                                                                                               \
  FUNCTION T NAME(rhypot##suffix)(T a, T b) { return T(1 / norm(a, b)); }                                              \
  FUNCTION T NAME(norm3d##suffix)(T a, T b, T c) { return T(norm(a, b, c)); }                                          \
  FUNCTION T NAME(rnorm3d##suffix)(T a, T b, T c) { return T(1 / norm(a, b, c)); }                                     \
  FUNCTION T NAME(norm4d##suffix)(T a, T b, T c, T d) { return T(norm(a, b, c, d)); }                                  \
  FUNCTION T NAME(rnorm4d##suffix)(T a, T b, T c, T d) { return T(1 / norm(a, b, c, d)); }
NORMS(float, f) NORMS(double, )

#define WITH_INTEGER(T, suffix)                                                                                        \
  FUNCTION T NAME(ldexp##suffix)(T x, int n) { return ldexp##suffix(x, n); }                                           \
  FUNCTION T NAME(scalbn##suffix)(T x, int n) { return scalbn##suffix(x, n); }                                         \
  FUNCTION T NAME(jn##suffix)(int n, T x) { return jn##suffix(n, x); }                                                 \
  FUNCTION T NAME(yn##suffix)(int n, T x) { return yn##suffix(n, x); }                                                 \
  FUNCTION int NAME(ilogb##suffix)(T x) { return x == 0 || x != x ? INT_MIN : ilogb##suffix(x); }                      \
  FUNCTION int64_t NAME(llrint##suffix)(T x) { return toInteger<rn, int64_t>(x); }                                     \
  FUNCTION int64_t NAME(llround##suffix)(T x) { return toInteger<rz, int64_t>(roundl(x)); }
WITH_INTEGER(float, f) WITH_INTEGER(double, )

#define CLASSES(T, suffix, finite)                                                                                     \
  FUNCTION int NAME(isnan##suffix)(T x) { return x != x; }                                                             \
  FUNCTION int NAME(isinf##suffix)(T x) { return !!__builtin_isinf(x); }                                               \
  FUNCTION int NAME(signbit##suffix)(T x) { return !!__builtin_signbit(x); }                                           \
  FUNCTION int NAME(finite)(T x) { return !!__builtin_isfinite(x); }
CLASSES(float, f, finitef) CLASSES(double, d, isfinited)

//===-- rounding --------------------------------------------------------------------------------------------------===//

#define ROUNDED_AS(T, p, s, mode)                                                                                      \
  FUNCTION T NAME(p##add_##mode)(T x, T y) { return rounded<mode>(add<T>, x, y); }                                     \
  FUNCTION T NAME(p##sub_##mode)(T x, T y) { return rounded<mode>(sub<T>, x, y); }                                     \
  FUNCTION T NAME(p##mul_##mode)(T x, T y) { return rounded<mode>(mul<T>, x, y); }                                     \
  FUNCTION T NAME(p##div_##mode)(T x, T y) { return rounded<mode>(div<T>, x, y); }                                     \
  FUNCTION T NAME(p##rcp_##mode)(T x) { return rounded<mode>(rcp<T>, x); }                                             \
  FUNCTION T NAME(p##sqrt_##mode)(T x) { return rounded<mode, T, T>(root, x); }                                        \
  FUNCTION T NAME(fma##s##_##mode)(T x, T y, T z) { return rounded<mode, T, T, T, T>(fused, x, y, z); }
#define TO_INTEGERS(T, name, mode)                                                                                     \
  FUNCTION int32_t NAME(name##2int_##mode)(T x) { return toInteger<mode, int32_t>(x); }                                \
  FUNCTION uint32_t NAME(name##2uint_##mode)(T x) { return toInteger<mode, uint32_t>(x); }                             \
  FUNCTION int64_t NAME(name##2ll_##mode)(T x) { return toInteger<mode, int64_t>(x); }                                 \
  FUNCTION uint64_t NAME(name##2ull_##mode)(T x) { return toInteger<mode, uint64_t>(x); }
#define CONVERTED(From, from, To, to, mode)                                                                            \
  FUNCTION To NAME(from##2##to##_##mode)(From x) { return rounded<mode>(convert<To, From>, x); }
#define IN_MODE(mode)                                                                                                  \
  ROUNDED_AS(float, f, f, mode)                                                                                        \
  ROUNDED_AS(double, d, , mode)                                                                                        \
  TO_INTEGERS(float, float, mode)                                                                                      \
  TO_INTEGERS(double, double, mode)                                                                                    \
  CONVERTED(double, double, float, float, mode)                                                                        \
  CONVERTED(int32_t, int, float, float, mode)                                                                          \
  CONVERTED(uint32_t, uint, float, float, mode)                                                                        \
  CONVERTED(int64_t, ll, float, float, mode)                                                                           \
  CONVERTED(uint64_t, ull, float, float, mode)                                                                         \
  CONVERTED(int64_t, ll, double, double, mode)                                                                         \
  CONVERTED(uint64_t, ull, double, double, mode)
IN_MODE(rn) IN_MODE(rz) IN_MODE(rd) IN_MODE(ru)
    // clang-format on
    FUNCTION double NAME(int2double_rn)(int32_t x) {
  return x;
}
FUNCTION double NAME(uint2double_rn)(uint32_t x) { return x; }

FUNCTION int32_t NAME(float_as_int)(float x) { return std::bit_cast<int32_t>(x); }
FUNCTION uint32_t NAME(float_as_uint)(float x) { return std::bit_cast<uint32_t>(x); }
FUNCTION float NAME(int_as_float)(int32_t x) { return std::bit_cast<float>(x); }
FUNCTION float NAME(uint_as_float)(uint32_t x) { return std::bit_cast<float>(x); }
FUNCTION int64_t NAME(double_as_longlong)(double x) { return std::bit_cast<int64_t>(x); }
FUNCTION double NAME(longlong_as_double)(int64_t x) { return std::bit_cast<double>(x); }
FUNCTION int32_t NAME(double2loint)(double x) { return int32_t(std::bit_cast<uint64_t>(x)); }
FUNCTION int32_t NAME(double2hiint)(double x) { return int32_t(std::bit_cast<uint64_t>(x) >> 32); }
FUNCTION double NAME(hiloint2double)(int32_t high, int32_t low) {
  return std::bit_cast<double>(uint64_t(uint32_t(high)) << 32 | uint32_t(low));
}

//===-- integers --------------------------------------------------------------------------------------------------===//

FUNCTION int32_t NAME(abs)(int32_t x) { return x < 0 ? int32_t(0u - uint32_t(x)) : x; }
FUNCTION int64_t NAME(llabs)(int64_t x) { return x < 0 ? int64_t(uint64_t(0) - uint64_t(x)) : x; }
FUNCTION int32_t NAME(clz)(int32_t x) { return std::countl_zero(uint32_t(x)); }
FUNCTION int32_t NAME(clzll)(int64_t x) { return std::countl_zero(uint64_t(x)); }
FUNCTION int32_t NAME(popc)(int32_t x) { return std::popcount(uint32_t(x)); }
FUNCTION int32_t NAME(popcll)(int64_t x) { return std::popcount(uint64_t(x)); }
FUNCTION int32_t NAME(ffs)(int32_t x) { return __builtin_ffs(x); }
FUNCTION int32_t NAME(ffsll)(int64_t x) { return __builtin_ffsll(x); }
FUNCTION int64_t NAME(brevll)(int64_t x) {
  uint64_t reversed = 0;
  for (int i = 0; i < 64; ++i)
    reversed |= (uint64_t(x) >> i & 1) << (63 - i);
  return int64_t(reversed);
}
FUNCTION int32_t NAME(brev)(int32_t x) { return int32_t(uint64_t(NAME(brevll)(uint32_t(x))) >> 32); }
FUNCTION int32_t NAME(mulhi)(int32_t x, int32_t y) { return int32_t((int64_t(x) * y) >> 32); }
FUNCTION uint32_t NAME(umulhi)(uint32_t x, uint32_t y) { return uint32_t((uint64_t(x) * y) >> 32); }
FUNCTION int64_t NAME(mul64hi)(int64_t x, int64_t y) { return int64_t((__int128(x) * y) >> 64); }
FUNCTION uint64_t NAME(umul64hi)(uint64_t x, uint64_t y) { return uint64_t(((unsigned __int128)(x)*y) >> 64); }
FUNCTION int32_t NAME(mul24)(int32_t x, int32_t y) {
  return int32_t(uint32_t(int32_t(uint32_t(x) << 8) >> 8) * uint32_t(int32_t(uint32_t(y) << 8) >> 8));
}
FUNCTION uint32_t NAME(umul24)(uint32_t x, uint32_t y) { return (x & 0xffffff) * (y & 0xffffff); }
FUNCTION int32_t NAME(hadd)(int32_t x, int32_t y) { return int32_t((int64_t(x) + y) >> 1); }
FUNCTION uint32_t NAME(uhadd)(uint32_t x, uint32_t y) { return uint32_t((uint64_t(x) + y) >> 1); }
FUNCTION int32_t NAME(rhadd)(int32_t x, int32_t y) { return int32_t((int64_t(x) + y + 1) >> 1); }
FUNCTION uint32_t NAME(urhadd)(uint32_t x, uint32_t y) { return uint32_t((uint64_t(x) + y + 1) >> 1); }
FUNCTION int32_t NAME(sad)(int32_t x, int32_t y, uint32_t z) {
  return int32_t(uint32_t(x > y ? uint32_t(x) - uint32_t(y) : uint32_t(y) - uint32_t(x)) + z);
}
FUNCTION uint32_t NAME(usad)(uint32_t x, uint32_t y, uint32_t z) { return (x > y ? x - y : y - x) + z; }
FUNCTION int32_t NAME(byte_perm)(int32_t x, int32_t y, int32_t selector) {
  uint64_t bytes = uint64_t(uint32_t(y)) << 32 | uint32_t(x);
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t choice = uint32_t(selector) >> (4 * i) & 7; // the fourth bit is ignored
    result |= (uint32_t(bytes >> (8 * choice)) & 255) << (8 * i);
  }
  return int32_t(result);
}
