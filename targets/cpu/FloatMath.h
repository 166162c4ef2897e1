//===-- FloatMath.h - elementary functions and narrow floats --------------------------------------------*- C++ -*-===//
//
// Emits elementary functions, and conversions of narrow floats, as plain vector code.
//
// Calls of a vector math library would spill registers around every call, and would tie programs to that library; LLVM
// itself expands vector exp and log to scalar calls. The polynomials here work for any number of lanes at any
// instruction set level. If the processor has no conversions of narrow floats, they are expanded inline, because the
// functions that LLVM would call (__truncsfhf2, __truncsfbf2) are missing from the run-time library of GCC 12.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_CPU_FLOATMATH_H
#define TILECC_TARGETS_CPU_FLOATMATH_H

#include "targets/cpu/Isa.h"
#include "llvm/IR/IRBuilder.h"

namespace tilecc::cpu {

/// All functions take f32 scalars or vectors, unless they say otherwise. f16 and bf16 are represented as i16.
class FloatMath {
public:
  FloatMath(llvm::IRBuilder<> &b, const Isa &isa) : b(b), isa(isa) {}

  /// Returns e^x, with an error of at most 1 ulp if the processor has fma. It is faster if x is known not to be
  /// positive.
  llvm::Value *exp(llvm::Value *x, bool atMostZero = false);
  llvm::Value *exp2(llvm::Value *x, bool atMostZero = false);
  llvm::Value *rsqrt(llvm::Value *x); // within 1.5 ulp
  llvm::Value *log(llvm::Value *x); // within 2 ulp
  llvm::Value *log2(llvm::Value *x); // within 2 ulp

  /// Returns x * y + z, fused if the processor has fma.
  llvm::Value *fma(llvm::Value *x, llvm::Value *y, llvm::Value *z);

  llvm::Value *fromHalf(llvm::Value *bits);
  llvm::Value *toHalf(llvm::Value *x);
  llvm::Value *fromBFloat(llvm::Value *bits);
  llvm::Value *toBFloat(llvm::Value *x);
  /// Convert 8-bit floats in the format e5m2 or e4m3fn, represented as i8. Numbers that are too large become the
  /// largest number.
  llvm::Value *fromFloat8(llvm::Value *bits, bool isE5M2);
  llvm::Value *toFloat8(llvm::Value *x, bool isE5M2);
  /// Converts f64 to f32, rounding to odd. If the result is then rounded to f16 or bf16, the final result is the same
  /// as if the f64 had been rounded once.
  llvm::Value *truncateToOdd(llvm::Value *x);

private:
  llvm::Constant *f(llvm::Value *like, double value);
  llvm::Constant *i(llvm::Value *like, int64_t value); // a constant with the width of the elements of `like`
  llvm::Type *intType(llvm::Value *v, unsigned bits = 32);
  llvm::Type *floatType(llvm::Value *v);
  llvm::Value *asInt(llvm::Value *v) { return b.CreateBitCast(v, intType(v)); }
  llvm::Value *asFloat(llvm::Value *v) { return b.CreateBitCast(v, floatType(v)); }
  llvm::Value *unary(llvm::Intrinsic::ID id, llvm::Value *x) { return b.CreateUnaryIntrinsic(id, x); }
  llvm::Value *polynomial(llvm::Value *x, llvm::ArrayRef<double> coefficients);
  llvm::Value *limit(llvm::Value *x, double low, std::optional<double> high);
  llvm::Value *scale(llvm::Value *x, llvm::Value *n, llvm::Value *bits);
  llvm::Value *scaleBySve(llvm::Value *x, llvm::Value *exponent);
  /// Returns 1 / sqrt(x), precise to 14 bits, or null if the processor has no instruction for it.
  llvm::Value *estimateRsqrt(llvm::Value *x);
  /// Returns e^r * 2^n for |r| <= ln(2)/2 and -254 <= n <= 128. `shifted` is n + roundingShift, and `coarse` is r with
  /// an error of at most 2^-21.
  llvm::Value *expReduced(llvm::Value *r, llvm::Value *coarse, llvm::Value *shifted, llvm::Value *n);
  struct LogParts {
    llvm::Value *exponent, *f, *tail; // log(x) = exponent * ln(2) + f + tail
  };
  LogParts logParts(llvm::Value *x);
  llvm::Value *logSpecials(llvm::Value *x, llvm::Value *result);

  llvm::IRBuilder<> &b;
  const Isa &isa;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_FLOATMATH_H
