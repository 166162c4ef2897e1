//===- FloatMath.cpp - elementary functions and float conversions as vector code ----------------------------------===//
//
// This file emits exponentials and logarithms of f32, which dominate softmax and similar kernels, and casts between
// float types. Elementwise.cpp uses it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/FloatMath.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;
using namespace tilecc::cpu;

Constant *FloatMath::f(Value *like, double value) { return ConstantFP::get(floatType(like), value); }

Constant *FloatMath::i(Value *like, int64_t value) {
  unsigned bits = like->getType()->getScalarSizeInBits();
  return ConstantInt::get(intType(like, bits), APInt(bits, value, /*isSigned=*/true, /*implicitTrunc=*/true));
}

Type *FloatMath::intType(Value *v, unsigned bits) {
  Type *element = b.getIntNTy(bits);
  auto *vector = dyn_cast<VectorType>(v->getType());
  return vector ? VectorType::get(element, vector->getElementCount()) : element;
}

Type *FloatMath::floatType(Value *v) {
  auto *vector = dyn_cast<VectorType>(v->getType());
  return vector ? VectorType::get(b.getFloatTy(), vector->getElementCount()) : b.getFloatTy();
}

Value *FloatMath::fma(Value *x, Value *y, Value *z) {
  if (isa.fma)
    return b.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, y, z});
  return b.CreateFAdd(b.CreateFMul(x, y), z);
}

Value *FloatMath::polynomial(Value *x, ArrayRef<double> coefficients) {
  Value *sum = f(x, coefficients.front());
  for (double c : coefficients.drop_front())
    sum = fma(sum, x, f(x, c));
  return sum;
}

//===--- exponentials ---------------------------------------------------------------------------------------------===//

// Adding this to a float of small magnitude rounds it to an integer, which is then in the last bits of the sum.
static const double roundingShift = 0x1.8p23;

/// Applies SVE's instruction to parts of the vectors. Intrinsics for SVE take scalable vectors. The vectors of this
/// function have a fixed length, so both kinds are the same registers. (LLVM would split llvm.ldexp into single
/// elements.)
Value *FloatMath::scaleBySve(Value *x, Value *exponent) {
  const unsigned lanes = isa.lanes();
  auto *scalable = ScalableVectorType::get(b.getFloatTy(), 4);
  Value *all = b.CreateVectorSplat(scalable->getElementCount(), b.getTrue());
  SmallVector<Value *> parts;
  for (unsigned first = 0; first < cast<FixedVectorType>(x->getType())->getNumElements(); first += lanes) {
    auto part = [&](Value *v, Type *element) {
      Value *own = b.CreateShuffleVector(v, to_vector(seq<int>(first, first + lanes)));
      Type *type = ScalableVectorType::get(element, 4);
      return b.CreateInsertVector(type, PoisonValue::get(type), own, uint64_t(0));
    };
    Value *scaled = b.CreateIntrinsic(Intrinsic::aarch64_sve_fscale, {scalable},
                                      {all, part(x, b.getFloatTy()), part(exponent, b.getInt32Ty())});
    parts.push_back(b.CreateExtractVector(FixedVectorType::get(b.getFloatTy(), lanes), scaled, uint64_t(0)));
  }
  return parts.size() == 1 ? parts[0] : concatenateVectors(b, parts);
}

/// Returns x * 2^n, where the last bits of `bits` hold n. AVX-512's instruction takes n as a float, which is already
/// available; llvm.ldexp would convert the integer to a float again.
Value *FloatMath::scale(Value *x, Value *n, Value *bits) {
  static constexpr std::pair<unsigned, Intrinsic::ID> forms[] = {{16, Intrinsic::x86_avx512_mask_scalef_ps_512},
                                                                 {8, Intrinsic::x86_avx512_mask_scalef_ps_256},
                                                                 {4, Intrinsic::x86_avx512_mask_scalef_ps_128}};
  auto *vector = dyn_cast<FixedVectorType>(x->getType());
  const auto *form = llvm::find_if(forms, [&](auto &f) { return vector && vector->getNumElements() >= f.first; });
  if (!isa.isX86() || form == std::end(forms)) {
    Value *exponent = b.CreateSub(bits, asInt(f(x, roundingShift)));
    if (isa.sve && vector && vector->getNumElements() >= isa.lanes())
      return scaleBySve(x, exponent);
    return b.CreateIntrinsic(Intrinsic::ldexp, {x->getType(), bits->getType()}, {x, exponent});
  }
  auto [lanes, intrinsic] = *form;
  SmallVector<Value *> parts;
  for (unsigned first = 0; first < vector->getNumElements(); first += lanes) {
    auto part = [&](Value *v) { return b.CreateShuffleVector(v, to_vector(seq<int>(first, first + lanes))); };
    SmallVector<Value *> operands = {part(x), part(n), PoisonValue::get(VectorType::get(b.getFloatTy(), lanes, false)),
                                     b.getIntN(std::max(8u, lanes), -1)};
    if (lanes == 16)
      operands.push_back(b.getInt32(4)); // current rounding mode
    parts.push_back(b.CreateIntrinsic(intrinsic, operands));
  }
  return parts.size() == 1 ? parts[0] : concatenateVectors(b, parts);
}

Value *FloatMath::expReduced(Value *r, Value *coarse, Value *shifted, Value *n) {
  // This is a minimax polynomial over [-ln(2)/2, ln(2)/2]. To shorten the dependency chain, its early operations use
  // operands that are available early: the small terms use an argument that is not fully reduced, and the scale is
  // multiplied in before the last addition.
  static const double small[] = {1.381454018e-03, 8.368745109e-03, 4.166839078e-02, 1.666652040e-01};
  Value *p = fma(polynomial(coarse, small), r, f(r, 4.999999343e-01));
  Value *bits = asInt(shifted);
  if (isa.scalef)
    return scale(fma(fma(p, r, f(r, 1.0)), r, f(r, 1.0)), n, bits);
  // If the result is denormal or overflows, 2^n does not fit one float, so scale in two steps. The shifts use only the
  // last bits of n. At n = -254, where arguments are clamped, both factors are exactly zero, so no slow denormal
  // numbers occur.
  Value *half = b.CreateAShr(bits, i(bits, 1));
  auto power = [&](Value *e) { return asFloat(b.CreateAdd(b.CreateShl(e, i(e, 23)), i(e, 127 << 23))); };
  Value *scale = power(half), *scaledR = b.CreateFMul(r, scale);
  if (isa.fma)
    p = fma(fma(p, r, f(r, 1.0)), scaledR, scale);
  else // add the largest term last, because each product is rounded
    p = b.CreateFAdd(b.CreateFAdd(b.CreateFMul(b.CreateFMul(scaledR, r), p), scaledR), scale);
  return b.CreateFMul(p, power(b.CreateSub(bits, half)));
}

/// Clamps x to [low, high]; a NaN stays NaN.
Value *FloatMath::limit(Value *x, double low, std::optional<double> high) {
  if (high)
    x = b.CreateSelect(b.CreateFCmpOGT(x, f(x, *high)), f(x, *high), x);
  return b.CreateSelect(b.CreateFCmpOLT(x, f(x, low)), f(x, low), x);
}

Value *FloatMath::exp(Value *x, bool atMostZero) {
  x = limit(x, -254 * 0.6931471805599453, atMostZero ? std::nullopt : std::optional(89.0));
  Value *shifted = fma(x, f(x, 1.4426950408889634), f(x, roundingShift));
  Value *n = b.CreateFSub(shifted, f(x, roundingShift));
  // ln(2) is split in two parts. Without FMA, the first part must be short, so that its product with n is exact.
  double high = isa.fma ? 0x1.62e43p-1 : 0.693359375, low = isa.fma ? -0x1.05c61p-29 : -2.12194440e-4;
  Value *coarse = fma(n, f(x, -high), x);
  Value *r = fma(n, f(x, -low), coarse);
  return expReduced(r, isa.fma ? coarse : r, shifted, n);
}

Value *FloatMath::exp2(Value *x, bool atMostZero) {
  x = limit(x, -254.0, atMostZero ? std::nullopt : std::optional(128.0));
  Value *shifted = b.CreateFAdd(x, f(x, roundingShift));
  Value *n = b.CreateFSub(shifted, f(x, roundingShift));
  Value *fraction = b.CreateFSub(x, n); // exact
  Value *r = b.CreateFMul(fraction, f(x, 0.693147180559945));
  return expReduced(r, r, shifted, n);
}

//===--- roots ----------------------------------------------------------------------------------------------------===//

Value *FloatMath::estimateRsqrt(Value *x) {
  static constexpr std::pair<unsigned, Intrinsic::ID> forms[] = {{16, Intrinsic::x86_avx512_rsqrt14_ps_512},
                                                                 {8, Intrinsic::x86_avx512_rsqrt14_ps_256},
                                                                 {4, Intrinsic::x86_avx512_rsqrt14_ps_128}};
  if (!isa.isX86() || !isa.scalef)
    return nullptr;
  auto estimate = [&](auto form, Value *part) {
    Value *none = PoisonValue::get(part->getType());
    return b.CreateIntrinsic(form.second, {part, none, b.getIntN(std::max(8u, form.first), -1)});
  };
  auto *vector = dyn_cast<FixedVectorType>(x->getType());
  if (!vector) {
    Value *four =
        b.CreateInsertElement(Constant::getNullValue(FixedVectorType::get(b.getFloatTy(), 4)), x, uint64_t(0));
    return b.CreateExtractElement(estimate(forms[2], four), uint64_t(0));
  }
  const auto *form = llvm::find_if(forms, [&](auto &f) { return vector->getNumElements() >= f.first; });
  if (form == std::end(forms))
    return nullptr;
  SmallVector<Value *> parts;
  for (unsigned first = 0; first < vector->getNumElements(); first += form->first)
    parts.push_back(estimate(*form, b.CreateShuffleVector(x, to_vector(seq<int>(first, first + form->first)))));
  return parts.size() == 1 ? parts[0] : concatenateVectors(b, parts);
}

/// Computes 1 / sqrt(x) by a Newton step from an estimate. This takes half the time of a square root followed by a
/// division.
Value *FloatMath::rsqrt(Value *x) {
  Value *y = estimateRsqrt(x);
  if (!y)
    return b.CreateFDiv(f(x, 1.0), unary(Intrinsic::sqrt, x));
  Value *root = b.CreateFMul(x, y), *error = fma(b.CreateFNeg(root), y, f(x, 1.0));
  // For zero and infinity, the estimate is already the result, and the Newton step would give NaN.
  return b.CreateSelect(b.CreateFCmpORD(root, root), fma(b.CreateFMul(y, f(x, 0.5)), error, y), y);
}

//===--- logarithms -----------------------------------------------------------------------------------------------===//

FloatMath::LogParts FloatMath::logParts(Value *x) {
  Value *denormal = b.CreateFCmpOLT(x, f(x, 0x1p-126));
  Value *normal = b.CreateSelect(denormal, b.CreateFMul(x, f(x, 0x1p25)), x);
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2))
  Value *bits = asInt(normal);
  Value *e = b.CreateAShr(b.CreateSub(bits, i(bits, 0x3f3504f3)), i(bits, 23));
  Value *m = asFloat(b.CreateSub(bits, b.CreateShl(e, i(e, 23))));
  e = b.CreateSelect(denormal, b.CreateSub(e, i(e, 25)), e);
  Value *fraction = b.CreateFSub(m, f(x, 1.0));
  static const double coefficients[] = {7.0376836292e-2,  -1.1514610310e-1, 1.1676998740e-1,
                                        -1.2420140846e-1, 1.4249322787e-1,  -1.6668057665e-1,
                                        2.0000714765e-1,  -2.4999993993e-1, 3.3333331174e-1};
  Value *square = b.CreateFMul(fraction, fraction);
  Value *tail = b.CreateFMul(b.CreateFMul(fraction, square), polynomial(fraction, coefficients));
  return {b.CreateSIToFP(e, floatType(x)), fraction, fma(square, f(x, -0.5), tail)};
}

Value *FloatMath::logSpecials(Value *x, Value *result) {
  double infinity = std::numeric_limits<double>::infinity();
  result = b.CreateSelect(b.CreateFCmpOEQ(x, f(x, infinity)), x, result);
  result = b.CreateSelect(b.CreateFCmpOEQ(x, f(x, 0.0)), f(x, -infinity), result);
  return b.CreateSelect(b.CreateFCmpULT(x, f(x, 0.0)), f(x, std::numeric_limits<double>::quiet_NaN()), result);
}

Value *FloatMath::log(Value *x) {
  LogParts parts = logParts(x);
  Value *tail = fma(parts.exponent, f(x, -2.12194440e-4), parts.tail);
  return logSpecials(x, fma(parts.exponent, f(x, 0.693359375), b.CreateFAdd(parts.f, tail)));
}

Value *FloatMath::log2(Value *x) {
  LogParts parts = logParts(x);
  // Splitting log2(e) into 1 + rest keeps the leading product exact.
  const double rest = 0.44269504088896340736;
  Value *sum = fma(parts.f, f(x, rest), b.CreateFMul(parts.tail, f(x, rest)));
  sum = b.CreateFAdd(b.CreateFAdd(sum, parts.tail), parts.f);
  return logSpecials(x, b.CreateFAdd(sum, parts.exponent));
}

//===--- narrow floats --------------------------------------------------------------------------------------------===//

Value *FloatMath::fromHalf(Value *bits) {
  if (isa.halfConversion) {
    Type *half = b.getHalfTy();
    if (auto *vector = dyn_cast<VectorType>(bits->getType()))
      half = VectorType::get(half, vector->getElementCount());
    return b.CreateFPExt(b.CreateBitCast(bits, half), floatType(bits));
  }
  Value *wide = b.CreateZExt(bits, intType(bits));
  Value *sign = b.CreateShl(b.CreateAnd(wide, i(wide, 0x8000)), i(wide, 16));
  Value *magnitude = b.CreateAnd(wide, i(wide, 0x7fff));
  // The fields fit those of f32, whose exponent bias is greater by 112. The multiplication also normalizes denormals.
  Value *scaled = asInt(b.CreateFMul(asFloat(b.CreateShl(magnitude, i(wide, 13))), f(wide, 0x1p112)));
  Value *special = b.CreateICmpUGE(magnitude, i(wide, 0x7c00));
  scaled = b.CreateSelect(special, b.CreateOr(scaled, i(wide, 0x7f800000)), scaled);
  return asFloat(b.CreateOr(scaled, sign));
}

Value *FloatMath::toHalf(Value *x) {
  if (isa.halfConversion) {
    Type *half = b.getHalfTy();
    if (auto *vector = dyn_cast<VectorType>(x->getType()))
      half = VectorType::get(half, vector->getElementCount());
    return b.CreateBitCast(b.CreateFPTrunc(x, half), intType(x, 16));
  }
  Value *bits = asInt(x);
  Value *sign = b.CreateAnd(bits, i(bits, 0x80000000));
  Value *magnitude = b.CreateXor(bits, sign);
  // Normal: rebias the exponent and round to nearest even. A carry into the exponent is correct, up to infinity.
  Value *odd = b.CreateAnd(b.CreateLShr(magnitude, i(bits, 13)), i(bits, 1));
  Value *rounded = b.CreateAdd(b.CreateAdd(magnitude, i(bits, (-112 * (1 << 23)) + 0xfff)), odd);
  Value *result = b.CreateLShr(rounded, i(bits, 13));
  // Denormal: adding 0.5 moves the fraction's bits into place and rounds them.
  Value *shifted = asInt(b.CreateFAdd(asFloat(magnitude), f(x, 0.5)));
  Value *denormal = b.CreateSub(shifted, i(bits, 0x3f000000));
  result = b.CreateSelect(b.CreateICmpULT(magnitude, i(bits, 113 << 23)), denormal, result);
  Value *isNaN = b.CreateICmpUGT(magnitude, i(bits, 0x7f800000));
  Value *special = b.CreateSelect(isNaN, i(bits, 0x7e00), i(bits, 0x7c00));
  result = b.CreateSelect(b.CreateICmpUGE(magnitude, i(bits, 0x47800000)), special, result);
  return b.CreateTrunc(b.CreateOr(result, b.CreateLShr(sign, i(bits, 16))), intType(x, 16));
}

Value *FloatMath::fromBFloat(Value *bits) {
  Value *wide = b.CreateZExt(bits, intType(bits));
  return asFloat(b.CreateShl(wide, i(wide, 16)));
}

Value *FloatMath::toBFloat(Value *x) {
  Value *bits = asInt(x);
  Value *high = b.CreateLShr(bits, i(bits, 16));
  Value *rounded = b.CreateAdd(b.CreateAdd(bits, i(bits, 0x7fff)), b.CreateAnd(high, i(bits, 1)));
  Value *quiet = b.CreateOr(high, i(bits, 0x40));
  Value *result = b.CreateSelect(b.CreateFCmpUNO(x, x), quiet, b.CreateLShr(rounded, i(bits, 16)));
  return b.CreateTrunc(result, intType(x, 16));
}

Value *FloatMath::fromFloat8(Value *bits, bool isE5M2) {
  Value *half = b.CreateZExt(bits, intType(bits, 16));
  if (isE5M2) // the upper half of an f16
    return fromHalf(b.CreateShl(half, i(half, 8)));
  // With its fields moved to those of f16, the value is 2^-8 times the number, because the exponent biases differ by 8.
  Value *magnitude = b.CreateAnd(half, i(half, 0x7f));
  Value *sign = b.CreateShl(b.CreateAnd(half, i(half, 0x80)), i(half, 8));
  Value *number = fromHalf(b.CreateOr(sign, b.CreateShl(magnitude, i(half, 7))));
  return b.CreateSelect(b.CreateICmpEQ(magnitude, i(half, 0x7f)), f(number, std::numeric_limits<double>::quiet_NaN()),
                        b.CreateFMul(number, f(number, 256.0)));
}

Value *FloatMath::toFloat8(Value *x, bool isE5M2) {
  const int cut = isE5M2 ? 21 : 20; // extra digits of f32
  const int64_t smallest = isE5M2 ? 127 - 14 : 127 - 6; // the exponent of the smallest normal number
  Value *bits = asInt(x);
  Value *magnitude = b.CreateAnd(bits, i(bits, 0x7fffffff));
  // As in toHalf: normal numbers round to nearest even with a carry; denormals, by adding a number whose last digit is
  // that of denormals.
  Value *odd = b.CreateAnd(b.CreateLShr(magnitude, i(bits, cut)), i(bits, 1));
  Value *rounded = b.CreateAdd(b.CreateAdd(magnitude, i(bits, (1 << (cut - 1)) - 1 - ((smallest - 1) << 23))), odd);
  Value *normal =
      b.CreateBinaryIntrinsic(Intrinsic::umin, b.CreateLShr(rounded, i(bits, cut)), i(bits, isE5M2 ? 0x7b : 0x7e));
  Value *digit = i(bits, (smallest + cut) << 23);
  Value *denormal = b.CreateSub(asInt(b.CreateFAdd(asFloat(magnitude), asFloat(digit))), digit);
  Value *result = b.CreateSelect(b.CreateICmpULT(magnitude, i(bits, smallest << 23)), denormal, normal);
  result = b.CreateOr(result, b.CreateAnd(b.CreateLShr(bits, i(bits, 24)), i(bits, 0x80)));
  result = b.CreateSelect(b.CreateICmpUGT(magnitude, i(bits, 0x7f800000)), i(bits, 0x7f), result);
  return b.CreateTrunc(result, intType(x, 8));
}

Value *FloatMath::truncateToOdd(Value *x) {
  Value *nearest = b.CreateFPTrunc(x, floatType(x));
  Value *back = b.CreateFPExt(nearest, x->getType());
  Value *bits = asInt(nearest);
  auto magnitude = [&](Value *v) { return unary(Intrinsic::fabs, v); };
  // If rounding went away from zero, step towards zero. Then set the last bit to record that digits were cut off.
  Value *away = b.CreateFCmpOGT(magnitude(back), magnitude(x));
  Value *towardsZero = b.CreateSub(bits, b.CreateZExt(away, bits->getType()));
  Value *odd = b.CreateOr(towardsZero, i(bits, 1));
  return asFloat(b.CreateSelect(b.CreateFCmpONE(back, x), odd, bits));
}
