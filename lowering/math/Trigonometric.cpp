//===- Trigonometric.cpp - sine and cosine ------------------------------------------------------------------------===//
//
// x is reduced to n quarter turns and a remainder r within an eighth of a turn. The last two bits of n select the
// polynomial for sin(r) or cos(r), and its sign.
//
// The remainder must be accurate even if x is close to a multiple of pi/2 and most digits cancel. Up to 2^17 (f32) or
// 2^28 (f64), n times pi/2 is subtracted in three parts; n times the first part is exact in the precision of the
// difference. Larger arguments, which are rare, multiply by the relevant digits of 2/pi from a table (Payne and Hanek's
// method): digits further left only contribute whole turns, and digits further right are too small to matter.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/math/Formulas.h"

using namespace tilecc;

/// The binary digits of 2/pi after a word of zeros, in words of 32 and of 64 bits, as many as the exponents need.
static constexpr uint64_t twoOverPi32[] = {0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                           0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
static constexpr uint64_t twoOverPi64[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

namespace {
struct Reduced {
  Real rest;
  Integer quarters; ///< modulo 4
};
} // namespace

/// pi/2 in three parts.
static constexpr double halfPi64[] = {1.570796326794896557999, 6.123233995736766035869e-17,
                                      -1.497384904859169832944e-33};
static constexpr double halfPi32[] = {1.570796370506286621094, -4.371138828673792886548e-8,
                                      -1.715124510005881872804e-15};

static Reduced reduceUsual(Real x) {
  auto [n, quarters] = formulas::roundSmall(x * 0.63661977236758134);
  Real rest = x;
  for (double part : x.a->isDouble ? halfPi64 : halfPi32)
    rest = fma(n, x.a->real(-part), rest);
  return {rest, quarters};
}

static Reduced reduceHuge(Real x, double limit) {
  Arithmetic &a = *x.a;
  const bool wide = a.isDouble;
  const int bits = wide ? 64 : 32, mantissa = wide ? 52 : 23, bias = wide ? 1023 : 127;
  llvm::ArrayRef<uint64_t> table = wide ? llvm::ArrayRef(twoOverPi64) : llvm::ArrayRef(twoOverPi32);
  Real size = abs(x);
  size = select(size < limit, limit, size); // the result is not used otherwise; keep the index within the table
  Integer pattern = bitsOf(size);
  Integer m = (pattern & ((int64_t(1) << mantissa) - 1)) | (int64_t(1) << mantissa);
  // x is m * 2^e. The digits of 2/pi * 2^e from the one with weight 2 on are needed.
  Integer position = (pattern >> a.integer(mantissa)) - int64_t(bias + mantissa + 2 - bits);
  Integer word = position >> a.integer(wide ? 6 : 5), shift = position & int64_t(bits - 1);
  Integer digits[4], window[3];
  for (int i = 0; i < 4; ++i)
    digits[i] = lookUp("two_over_pi", table, word + int64_t(i));
  for (int i = 0; i < 3; ++i) // shift in two steps: a shift by all bits is undefined
    window[i] = (digits[i] << shift) | ((digits[i + 1] >> a.integer(1)) >> (a.integer(bits - 1) - shift));

  // Multiply m by the window, modulo its size.
  auto carry = [&](Integer sum, Integer part) { return select(lessUnsigned(sum, part), a.integer(1), a.integer(0)); };
  Integer low = window[2] * m;
  Integer middle = window[1] * m, fromLow = mulHigh(window[2], m);
  Integer middleSum = middle + fromLow;
  Integer high = window[0] * m + mulHigh(window[1], m) + carry(middleSum, middle);

  // There are two binary digits before the point. Split the fraction, which is in [-1/2, 1/2], so that each part is
  // exact.
  Integer quarters = (high + (int64_t(1) << (bits - 3))) >> a.integer(bits - 2);
  Integer first = (high << a.integer(2)) | (middleSum >> a.integer(bits - 2));
  Integer second = (middleSum << a.integer(2)) | (low >> a.integer(bits - 2));
  const int spare = bits - mantissa - 1;
  Integer cut = first & -(int64_t(1) << spare);
  Integer rest = ((first - cut) << a.integer(mantissa)) | (second >> a.integer(spare + 1));
  Real big = toReal(cut) * __builtin_ldexp(1, -bits), small = toReal(rest) * __builtin_ldexp(1, -bits - mantissa);
  Real sum = big + small, lost = (big - sum) + small;
  const double *part = wide ? halfPi64 : halfPi32;
  Real angle = fma(sum, a.real(part[0]), mulAdd(sum, part[1], lost * part[0]));
  // Infinity and NaN have no angle: the result is NaN.
  angle = angle + (x - x);
  Truth negative = x < 0.0;
  return {select(negative, -angle, angle), select(negative, a.integer(0) - quarters, quarters)};
}

static Reduced reduce(Real x) {
  Arithmetic &a = *x.a;
  const double limit = a.isDouble ? 0x1p28 : 0x1p17;
  Reduced usual = reduceUsual(x);
  // The condition must be false for NaN: on some devices, abs preserves its sign, so that the lookup would be before
  // the table. The remainder of NaN is NaN anyway.
  Truth huge = abs(x) > limit;
  auto values = a.rarely(huge.value, {usual.rest.value, usual.quarters.value}, x.value, [&](void *part) {
    Reduced reduced = reduceHuge({{&a, part}}, limit);
    return llvm::SmallVector<void *>{reduced.rest.value, reduced.quarters.value};
  });
  return {{{&a, values[0]}}, {{&a, values[1]}}};
}

/// sin(r) for |r| <= pi/4.
static Real sinOfSmall(Real r, Real square) {
  static const double f32[] = {-1.666665375e-01, 8.332106285e-03, -1.950788283e-04};
  static const double f64[] = {-1.66666666666666269e-01, 8.33333333332106699e-03,  -1.98412698286961914e-04,
                               2.75573132977502982e-06,  -2.50506953307675430e-08, 1.58931041718702816e-10};
  Real p = formulas::polynomial(square, r.a->isDouble ? llvm::ArrayRef(f64) : llvm::ArrayRef(f32));
  return mulAdd(r * square, p, r);
}

/// cos(r) for |r| <= pi/4.
static Real cosOfSmall(Real square) {
  static const double f32[] = {4.166664556e-02, -1.388729783e-03, 2.443008452e-05};
  static const double f64[] = {4.16666666666665811e-02,  -1.38888888888709697e-03, 2.48015872875279709e-05,
                               -2.75573137915734277e-07, 2.08756474917867049e-09,  -1.13557441236970740e-11};
  Real p = formulas::polynomial(square, square.a->isDouble ? llvm::ArrayRef(f64) : llvm::ArrayRef(f32));
  return mulAdd(square * square, p, mulAdd(square, square.a->real(-0.5), 1.0));
}

/// Returns the sine of r plus `quarters` quarter turns.
static Real sinOfReduced(Real r, Integer quarters) {
  Arithmetic &a = *r.a;
  Real square = r * r;
  Real result = select((quarters & 1) == 0, sinOfSmall(r, square), cosOfSmall(square));
  // The sign is the second bit of quarters; move it to the sign bit.
  Integer flip = (quarters & 2) << a.integer(a.isDouble ? 62 : 30);
  return fromBits(bitsOf(result) + flip);
}

Real formulas::sin(Real x) {
  auto [rest, quarters] = reduce(x);
  Real result = sinOfReduced(rest, quarters);
  return select(x == 0.0, x, result); // reducing -0 loses its sign
}

Real formulas::cos(Real x) {
  auto [rest, quarters] = reduce(x);
  return sinOfReduced(rest, quarters + 1);
}
