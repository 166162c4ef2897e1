//===- VectorArithmetic.h - formulas as vector code --------------------------------------------------------*- C++ -*-//
//
// The CPU lowering's implementation of Arithmetic (lowering/math): formulas become LLVM vector instructions.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_CPU_VECTORARITHMETIC_H
#define TILECC_TARGETS_CPU_VECTORARITHMETIC_H

#include "targets/cpu/FloatMath.h"
#include "lowering/math/Arithmetic.h"

namespace tilecc::cpu {

/// Implements the operations that formulas use, on f32 or f64 vectors of any number of lanes, or on scalars.
class VectorArithmetic final : public Arithmetic {
public:
  /// Computes on values of the type of `like`.
  VectorArithmetic(llvm::IRBuilder<> &b, const Isa &isa, llvm::Value *like);

  Real wrap(llvm::Value *value) { return {{this, value}}; }
  static llvm::Value *unwrap(void *value) { return static_cast<llvm::Value *>(value); }

  void *emit(Op op, llvm::ArrayRef<void *> operands) override;
  void *makeReal(double value) override;
  void *makeInteger(int64_t value) override;
  void *lookUp(llvm::StringRef name, llvm::ArrayRef<uint64_t> table, void *index) override;
  /// Emits a branch that is taken if any lane needs the rare case. The code in the branch processes the lanes one by
  /// one, which is short and rarely executed.
  llvm::SmallVector<void *> rarely(void *condition, llvm::ArrayRef<void *> usual, void *x,
                                   llvm::function_ref<llvm::SmallVector<void *>(void *)> rare) override;
  void *fastExp2(void *x) override;

private:
  llvm::Value *emitFma(llvm::Value *x, llvm::Value *y, llvm::Value *z);
  llvm::Type *ofShape(llvm::Type *element) const;

  llvm::IRBuilder<> &b;
  llvm::IRBuilderBase::FastMathFlagGuard userFlags; ///< formulas must not be contracted
  const Isa &isa;
  FloatMath math;
  unsigned lanes; ///< 0: scalar
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_VECTORARITHMETIC_H
