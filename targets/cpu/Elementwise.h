//===- Elementwise.h - operations on single elements -------------------------------------------------------*- C++ -*-//
//
// Emits one elementwise operation of arith, math or tt on values that have already been computed: scalars, or vectors
// of any number of lanes. This class knows neither tiles nor memory.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_ELEMENTWISE_H
#define TILECC_TARGETS_CPU_ELEMENTWISE_H

#include "targets/cpu/EmitContext.h"
#include "targets/cpu/FloatMath.h"

namespace tilecc::cpu {

class Elementwise {
public:
  explicit Elementwise(EmitContext &ctx) : ctx(ctx), b(ctx.b), math(ctx.b, ctx.target) {}
  Elementwise(const Elementwise &) = delete;

  /// Returns the result of `op` for the given operands. If `op` has no code for the CPU, it is rejected
  /// (EmitContext::reject), and the result is poison.
  llvm::Value *emit(mlir::Operation *op, llvm::ArrayRef<llvm::Value *> operands);
  /// Returns `value` as a constant of this element type.
  llvm::Constant *constant(mlir::Attribute value, mlir::Type element);
  /// Converts between float types. Narrow floats are integers in LLVM (EmitContext::registerType).
  llvm::Value *convertFloat(llvm::Value *v, mlir::Type from, mlir::Type to);
  /// Returns x * y + z, fused if the processor has such an instruction.
  llvm::Value *fma(llvm::Value *x, llvm::Value *y, llvm::Value *z) { return math.fma(x, y, z); }
  /// Returns x / d, computed with the reciprocal of the scalar `d`, which is computed only once.
  llvm::Value *divideByUniform(llvm::Value *x, llvm::Value *d);

private:
  llvm::Value *emitIntDivision(mlir::Operation *op, llvm::Value *lhs, llvm::Value *rhs);
  llvm::Value *emitProduct(mlir::Operation *op, llvm::Value *x, llvm::Value *y);
  llvm::Value *emitDivision(mlir::Operation *op, llvm::Value *x, llvm::Value *y);
  llvm::Value *emitFloatOp(mlir::Operation *op, llvm::ArrayRef<llvm::Value *> operands);
  llvm::Value *emitMath(mlir::Operation *op, llvm::ArrayRef<llvm::Value *> operands);
  llvm::Value *emitLibraryCall(tt::ExternElementwiseOp op, llvm::ArrayRef<llvm::Value *> in, llvm::Type *resultType);

  EmitContext &ctx;
  llvm::IRBuilder<> &b;
  FloatMath math;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_ELEMENTWISE_H
