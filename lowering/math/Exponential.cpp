//===- Exponential.cpp - exponentials, logarithms and powers ------------------------------------------------------===//
//
// These are formulas over the abstract arithmetic of Arithmetic.h, which the GPU lowering, the CPU lowering and unit
// tests implement.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/math/Formulas.h"
#include <limits>

using namespace tilecc;
using llvm::ArrayRef;

static constexpr double infinity = std::numeric_limits<double>::infinity();

Real formulas::polynomial(Real x, ArrayRef<double> coefficients) {
  Real sum = x.a->real(coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back()))
    sum = mulAdd(sum, x, c);
  return sum;
}

std::pair<Real, Integer> formulas::roundSmall(Real x) {
  // Adding this to a number rounds it to an integer, whose low bits are the last bits of the sum.
  Real shift = x.a->real(x.a->isDouble ? 0x1.8p52 : 0x1.8p23);
  Real sum = x + shift;
  return {sum - shift, bitsOf(sum)};
}

/// Converts a small integer to a number, minus `size` if `less` holds, for targets without that conversion.
static Real smallToReal(Integer n, Truth less, double size) {
  Arithmetic &a = *n.a;
  double shift = a.isDouble ? 0x1.8p52 : 0x1.8p23;
  return fromBits(n + (a.isDouble ? 0x4338000000000000 : 0x4b400000)) - select(less, shift + size, a.real(shift));
}

//===--- exponentials ---------------------------------------------------------------------------------------------===//

/// Clamps x to [low, high]; NaN stays NaN.
static Real limit(Real x, double low, double high) {
  x = select(x < low, low, x);
  return select(x > high, high, x);
}

/// Returns 2^n, where n is in the low bits of an integer and within the exponents of normal numbers.
static Real powerOfTwo(Integer n) {
  bool wide = n.a->isDouble;
  Integer one = n.a->integer(wide ? 0x3ff0000000000000 : 0x3f800000);
  return fromBits((n << n.a->integer(wide ? 52 : 23)) + one);
}

/// Returns x * 2^n, in two steps, because 2^n alone may overflow or be subnormal.
static Real scale(Real x, Integer n) {
  const int mantissa = n.a->isDouble ? 52 : 23;
  // Only the low bits of n are valid.
  Integer whole = shiftSigned(n << n.a->integer(mantissa), mantissa), half = shiftSigned(whole, 1);
  return x * powerOfTwo(half) * powerOfTwo(whole - half);
}

/// Returns 2^f for |f| <= 1/2.
static Real exp2OfSmall(Real f) {
  static const double f32[] = {6.931471825e-01, 2.402265072e-01, 5.550410226e-02, 9.618037380e-03,
                               1.333392924e-03, 1.546708954e-04, 1.519847865e-05};
  static const double f64[] = {6.93147180559945286e-01, 2.40226506959100722e-01, 5.55041086648216872e-02,
                               9.61812910762832943e-03, 1.33335581463919078e-03, 1.54035303936372664e-04,
                               1.52527338551357296e-05, 1.32154865996226371e-06, 1.01780515748067607e-07,
                               7.05497206655591772e-09, 4.45662968162850559e-10, 2.56296221255035434e-11};
  Real p = formulas::polynomial(f, f.a->isDouble ? ArrayRef(f64) : ArrayRef(f32));
  return mulAdd(f, p, 1.0);
}

/// Returns 2^(x + low), where low is far below 1.
static Real exp2OfSum(Real x, Real low) {
  // Beyond these limits, the result is 0 or infinity; within them, both halves of the scale are normal numbers.
  double least = x.a->isDouble ? -1200 : -200, most = x.a->isDouble ? 1100 : 140;
  Real limited = limit(x, least, most);
  low = select(limited == x, low, 0.0);
  auto [n, integer] = formulas::roundSmall(limited);
  return scale(exp2OfSmall((limited - n) + low), integer);
}

Real formulas::exp2(Real x) { return exp2OfSum(x, x.a->real(0)); }

/// e^x = 2^n e^r, where r = x - n ln 2. ln 2 is split in two parts, so that n times the first part is exact.
Real formulas::exp(Real x) {
  x = limit(x, -800, 720);
  auto [n, integer] = roundSmall(x * 1.4426950408889634);
  Real r = mulAdd(n, -6.93147180369123816490e-01, x);
  r = mulAdd(n, -1.90821492927058770002e-10, r);
  // This is the Taylor series; the first omitted term is below 2^-57.
  llvm::SmallVector<double> coefficients;
  double factorial = 1;
  for (int k = 0; k <= 13; ++k) {
    coefficients.push_back(1 / factorial);
    factorial *= k + 1;
  }
  return scale(polynomial(r, coefficients), integer);
}

//===--- logarithms -----------------------------------------------------------------------------------------------===//

/// Splits a positive number into m * 2^e with m in [sqrt(1/2), sqrt(2)).
static std::pair<Real, Real> splitNumber(Real x) {
  Arithmetic &a = *x.a;
  const int mantissa = a.isDouble ? 52 : 23;
  // Scale subnormal numbers to normal ones first.
  Truth tiny = x < (a.isDouble ? 0x1p-1022 : 0x1p-126);
  Real normal = select(tiny, x * (a.isDouble ? 0x1p54 : 0x1p25), x);
  Integer bits = bitsOf(normal);
  // minus the bits of sqrt(1/2)
  Integer e = shiftSigned(bits - (a.isDouble ? 0x3fe6a09e667f3bcd : 0x3f3504f3), mantissa);
  Real m = fromBits(bits - (e << a.integer(mantissa)));
  return {m, smallToReal(e, tiny, a.isDouble ? 54 : 25)};
}

/// Handles zero, infinity, NaN and negative numbers, for which the formulas are not valid.
static Real specialLogs(Real x, Real result) {
  Arithmetic &a = *x.a;
  // As unsigned integers, the bits of infinity, of NaN and of all negative numbers come last. x * infinity + infinity
  // is then the logarithm: infinity for infinity, and NaN for NaN and negative numbers.
  Truth ordinary = lessUnsigned(bitsOf(x), a.integer(a.isDouble ? 0x7ff0000000000000 : 0x7f800000));
  result = select(ordinary, result, fma(x, a.real(infinity), a.real(infinity)));
  return select(x == 0.0, -infinity, result);
}

/// 2/3 + 2/5 z + 2/7 z^2 + …, for z below 0.03.
static Real artanhSeries(Real z) {
  llvm::SmallVector<double> coefficients;
  for (int k = 1; k <= 12; ++k)
    coefficients.push_back(2.0 / (2 * k + 1));
  return formulas::polynomial(z, coefficients);
}

/// Returns ln(1 + t) - t in f32 (the coefficients are those of the Cephes library).
static Real logTail32(Real t) {
  Real square = t * t;
  Real p =
      formulas::polynomial(t, {3.3333331174E-1, -2.4999993993E-1, 2.0000714765E-1, -1.6668057665E-1, 1.4249322787E-1,
                               -1.2420140846E-1, 1.1676998740E-1, -1.1514610310E-1, 7.0376836292E-2});
  return mulAdd(square, square.a->real(-0.5), t * square * p);
}

Real formulas::log(Real x) {
  auto [m, e] = splitNumber(x);
  Real t = m - 1.0;
  if (!x.a->isDouble) {
    Real low = mulAdd(e, -2.12194440e-4, logTail32(t)); // ln 2 in two parts
    return specialLogs(x, mulAdd(e, 0.693359375, t + low));
  }
  // ln(m) = t - (t^2/2 - s (t^2/2 + R)), where s = t / (2 + t) and R is the rest of the series of 2 artanh(s).
  Real s = t / (t + 2.0), z = s * s;
  Real half = 0.5 * (t * t);
  Real low = mulAdd(e, 1.90821492927058770002e-10, s * (half + z * artanhSeries(z)) - half);
  return specialLogs(x, mulAdd(e, 6.93147180369123816490e-01, t + low));
}

namespace {
/// A number as the unevaluated sum of two numbers (double-word arithmetic), with twice the precision.
struct Sum {
  Real high, low;
};
} // namespace

/// Returns x + y, where |x| >= |y| or x is 0.
static Sum add(Real x, Real y) {
  Real high = x + y;
  return {high, (x - high) + y};
}
static Sum multiply(Real x, Real y) {
  Real high = x * y;
  return {high, fma(x, y, -high)};
}
static Sum multiply(Sum x, Sum y) {
  Sum product = multiply(x.high, y.high);
  return {product.high, product.low + mulAdd(x.high, y.low, x.low * y.high)};
}

/// Returns log2 of a positive finite number to almost twice the precision.
///
/// ln(m) = q + q^3 (1/12 + q^2/80 + …) with q = 2 (m - 1) / (m + 1). Everything but the terms after 1/12 is computed in
/// double-word arithmetic.
static Sum log2OfPositive(Real x) {
  static const double f32[] = {1.249999925e-02, 2.232185332e-03, 4.331978271e-04, 9.549036622e-05};
  static const double f64[] = {1.24999999999999938e-02, 2.23214285714405181e-03, 4.34027777691031768e-04,
                               8.87784123309984290e-05, 1.87799784156375252e-05, 4.06990637216289250e-06,
                               8.90783536595227736e-07, 2.28551079005789300e-07};
  Arithmetic &a = *x.a;
  auto [m, e] = splitNumber(x);
  Real f = m - 1.0, inverse = 1.0 / (f + 2.0);
  Real q = (f + f) * inverse;
  Real difference = f - q; // exact
  Sum quotient{q, fma(-q, f, difference + difference) * inverse};
  Sum square = multiply(quotient, quotient);
  Real tail = square.high * formulas::polynomial(square.high, a.isDouble ? ArrayRef(f64) : ArrayRef(f32));
  Sum factor = add(a.real(a.isDouble ? 1.0 / 12 : double(float(1.0 / 12))), tail);
  factor.low = factor.low + (a.isDouble ? 4.6259292692714853e-18 : 1.0 / 12 - double(float(1.0 / 12)));
  Sum rest = multiply(multiply(quotient, square), factor);
  Sum log = add(quotient.high, rest.high);
  log.low = log.low + (quotient.low + rest.low);

  // Convert to base 2, and add the exponent.
  const double log2e = 1.4426950408889634, log2e32 = double(float(log2e));
  Sum base{a.real(a.isDouble ? log2e : log2e32), a.real(a.isDouble ? 2.0355273740931033e-17 : log2e - log2e32)};
  log = multiply(log, base);
  Sum sum = add(e, log.high);
  return add(sum.high, sum.low + log.low);
}

Real formulas::log2(Real x) {
  if (x.a->isDouble)
    return specialLogs(x, log2OfPositive(x).high);
  auto [m, e] = splitNumber(x);
  Real t = m - 1.0, tail = logTail32(t);
  // Multiply t + tail by log2(e), written as 1 + 0.44…, so that the large parts are added last.
  const double rest = 0.4426950408889634;
  Real low = mulAdd(tail, rest, t * rest);
  return specialLogs(x, e + (t + (tail + low)));
}

//===--- powers ---------------------------------------------------------------------------------------------------===//

Real formulas::pow(Real x, Real y) {
  Arithmetic &a = *x.a;
  Real size = abs(x);
  // |x|^y. The logarithm of 1 is exactly 0, and 0 * infinity must be avoided (handled below).
  Sum log = log2OfPositive(size);
  Sum product = multiply(y, log.high);
  product.low = mulAdd(y, log.low, product.low);
  Real result = exp2OfSum(product.high, product.low);
  // If |x| is 0 or infinity, or y is infinite, the result is 0 or infinity, depending on the sign of y and on whether
  // |x| < 1.
  Truth ends = (size == 0.0) | (size == infinity) | (abs(y) == infinity);
  Truth small = size < 1.0, negative = y < 0.0;
  Truth grows = (small & negative) | (!small & !negative);
  result = select(ends, select(grows, infinity, a.real(0)), result);
  // Negative x: defined for integral y, and negative for odd y.
  Truth whole = round(y) == y;
  Real half = 0.5 * y;
  Truth odd = whole & !(round(half) == half);
  Truth signBit = lessSigned(bitsOf(x), a.integer(0));
  result = select(signBit & odd, -result, result);
  Truth undefined = (x < 0.0) & !whole & (size < infinity);
  result = select(undefined | unordered(x, y), std::numeric_limits<double>::quiet_NaN(), result);
  // The result is 1 for 1 to any power, for anything to the power 0, and for -1 to an infinite power.
  Truth one = (x == 1.0) | (y == 0.0) | ((x == -1.0) & (abs(y) == infinity));
  return select(one, 1.0, result);
}
