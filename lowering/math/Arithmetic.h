//===- Arithmetic.h - the abstract arithmetic of math formulas ------------------------------------------*- C++ -*-===//
//
// A sine is the same formula on a GPU and on a CPU. So it is written once (Formulas.h), with operators on the values of
// an abstract machine. Each target implements this machine: the GPU lowering emits scalar MLIR operations, and the CPU
// lowering emits LLVM vector instructions. Numbers are f32 or f64, all of the same width within one formula, and
// integers also have this width. Nothing is contracted or reordered: every product is rounded, unless it is part of an
// fma. The formulas depend on this, because they represent some intermediate results as the sum of two numbers.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_MATH_ARITHMETIC_H
#define TILECC_LOWERING_MATH_ARITHMETIC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tilecc {

class Arithmetic;

/// A value of the target's IR.
struct Handle {
  Arithmetic *a = nullptr;
  void *value = nullptr;
};
struct Real : Handle {};
struct Integer : Handle {};
struct Truth : Handle {};

class Arithmetic {
public:
  enum Op {
    // Floating point. MulAdd may round the product; Fma may not. Round is to the nearest integer, ties to even.
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    MulAdd,
    Neg,
    Abs,
    CopySign,
    Round,
    Less,
    Equal,
    Unordered,
    // Integers. MulHigh is the upper half of an unsigned product; ShiftRight is a logical shift.
    IAdd,
    ISub,
    IMul,
    MulHigh,
    IAnd,
    IOr,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    ILess,
    ILessUnsigned,
    IEqual,
    // Conversions: the bits of a number and back, and a signed integer to a number.
    ToBits,
    FromBits,
    ToReal,
    // Booleans, and select.
    And,
    Or,
    Not,
    Select
  };

  explicit Arithmetic(bool isDouble) : isDouble(isDouble) {}
  virtual ~Arithmetic() = default;

  virtual void *emit(Op op, llvm::ArrayRef<void *> operands) = 0;
  virtual void *makeReal(double value) = 0;
  virtual void *makeInteger(int64_t value) = 0;
  /// Returns element `index` of a constant table named `name`. The entries are as wide as the numbers of the formula,
  /// and `index` is in bounds.
  virtual void *lookUp(llvm::StringRef name, llvm::ArrayRef<uint64_t> table, void *index) = 0;
  /// Returns `rare`(x) where `condition` is true, and `usual` elsewhere. It is used for long code that is rarely
  /// needed, which the target skips by a branch. `rare` is called once, possibly on a part of x.
  virtual llvm::SmallVector<void *> rarely(void *condition, llvm::ArrayRef<void *> usual, void *x,
                                           llvm::function_ref<llvm::SmallVector<void *>(void *)> rare) = 0;
  /// Returns 2^x for an f32, computed quickly with a relative error of at most 2^-22.
  virtual void *fastExp2(void *x) = 0;

  Real real(double value) { return {{this, makeReal(value)}}; }
  Integer integer(int64_t value) { return {{this, makeInteger(value)}}; }

  const bool isDouble;
};

namespace detail {
template <class R> R emit(Arithmetic::Op op, Handle x) { return {{x.a, x.a->emit(op, {x.value})}}; }
template <class R> R emit(Arithmetic::Op op, Handle x, Handle y) { return {{x.a, x.a->emit(op, {x.value, y.value})}}; }
template <class R> R emit(Arithmetic::Op op, Handle x, Handle y, Handle z) {
  return {{x.a, x.a->emit(op, {x.value, y.value, z.value})}};
}
} // namespace detail

#define TILECC_REAL(op, kind)                                                                                          \
  inline Real operator op(Real x, Real y) { return detail::emit<Real>(Arithmetic::kind, x, y); }                       \
  inline Real operator op(Real x, double y) { return x op x.a->real(y); }                                              \
  inline Real operator op(double x, Real y) { return y.a->real(x) op y; }
TILECC_REAL(+, Add)
TILECC_REAL(-, Sub)
TILECC_REAL(*, Mul)
TILECC_REAL(/, Div)
#undef TILECC_REAL
inline Real operator-(Real x) { return detail::emit<Real>(Arithmetic::Neg, x); }
inline Real abs(Real x) { return detail::emit<Real>(Arithmetic::Abs, x); }
inline Real round(Real x) { return detail::emit<Real>(Arithmetic::Round, x); }
inline Real copySign(Real x, Real sign) { return detail::emit<Real>(Arithmetic::CopySign, x, sign); }
inline Real fma(Real x, Real y, Real z) { return detail::emit<Real>(Arithmetic::Fma, x, y, z); }
inline Real mulAdd(Real x, Real y, Real z) { return detail::emit<Real>(Arithmetic::MulAdd, x, y, z); }
inline Real mulAdd(Real x, double y, Real z) { return mulAdd(x, x.a->real(y), z); }
inline Real mulAdd(Real x, Real y, double z) { return mulAdd(x, y, x.a->real(z)); }
inline Truth operator<(Real x, Real y) { return detail::emit<Truth>(Arithmetic::Less, x, y); }
inline Truth operator<(Real x, double y) { return x < x.a->real(y); }
inline Truth operator<(double x, Real y) { return y.a->real(x) < y; }
inline Truth operator>(Real x, double y) { return y < x; }
inline Truth operator==(Real x, Real y) { return detail::emit<Truth>(Arithmetic::Equal, x, y); }
inline Truth operator==(Real x, double y) { return x == x.a->real(y); }
inline Truth unordered(Real x, Real y) { return detail::emit<Truth>(Arithmetic::Unordered, x, y); }

#define TILECC_INTEGER(op, kind)                                                                                       \
  inline Integer operator op(Integer x, Integer y) { return detail::emit<Integer>(Arithmetic::kind, x, y); }           \
  inline Integer operator op(Integer x, int64_t y) { return x op x.a->integer(y); }
TILECC_INTEGER(+, IAdd)
TILECC_INTEGER(-, ISub)
TILECC_INTEGER(*, IMul)
TILECC_INTEGER(&, IAnd)
TILECC_INTEGER(|, IOr)
TILECC_INTEGER(<<, ShiftLeft)
TILECC_INTEGER(>>, ShiftRight)
#undef TILECC_INTEGER
inline Integer shiftSigned(Integer x, int64_t y) {
  return detail::emit<Integer>(Arithmetic::ShiftRightSigned, x, x.a->integer(y));
}
inline Integer mulHigh(Integer x, Integer y) { return detail::emit<Integer>(Arithmetic::MulHigh, x, y); }
inline Truth lessSigned(Integer x, Integer y) { return detail::emit<Truth>(Arithmetic::ILess, x, y); }
inline Truth lessUnsigned(Integer x, Integer y) { return detail::emit<Truth>(Arithmetic::ILessUnsigned, x, y); }
inline Truth operator==(Integer x, int64_t y) { return detail::emit<Truth>(Arithmetic::IEqual, x, x.a->integer(y)); }

inline Integer bitsOf(Real x) { return detail::emit<Integer>(Arithmetic::ToBits, x); }
inline Real fromBits(Integer x) { return detail::emit<Real>(Arithmetic::FromBits, x); }
inline Real toReal(Integer x) { return detail::emit<Real>(Arithmetic::ToReal, x); }
inline Integer lookUp(llvm::StringRef name, llvm::ArrayRef<uint64_t> table, Integer index) {
  return {{index.a, index.a->lookUp(name, table, index.value)}};
}

inline Truth operator&(Truth x, Truth y) { return detail::emit<Truth>(Arithmetic::And, x, y); }
inline Truth operator|(Truth x, Truth y) { return detail::emit<Truth>(Arithmetic::Or, x, y); }
inline Truth operator!(Truth x) { return detail::emit<Truth>(Arithmetic::Not, x); }
inline Real select(Truth c, Real x, Real y) { return detail::emit<Real>(Arithmetic::Select, c, x, y); }
inline Real select(Truth c, Real x, double y) { return select(c, x, x.a->real(y)); }
inline Real select(Truth c, double x, Real y) { return select(c, y.a->real(x), y); }
inline Integer select(Truth c, Integer x, Integer y) { return detail::emit<Integer>(Arithmetic::Select, c, x, y); }

} // namespace tilecc

#endif // TILECC_LOWERING_MATH_ARITHMETIC_H
