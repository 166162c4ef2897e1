//===- Mma.h - the instructions of mma.sync ---------------------------------------------------------------*- C++ -*-//
//
// The pass tritongpu-accelerate-matmul chooses these instructions, and the lowering of tt.dot emits them.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_AMPERE_MMA_H
#define TILECC_TARGETS_NVIDIA_AMPERE_MMA_H

#include "lowering/dialects/tt/TT.h"
#include "targets/nvidia/Architectures.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace tilecc {

/// An instruction of mma.sync. A warp multiplies a 16 x depth matrix by a depth x 8 matrix, and adds a 16 x 8 matrix.
/// The operands and the accumulator are distributed over lanes as in mmaOperandLayout and mmaResultLayout.
struct MatrixInstruction {
  enum class OperandType { F16, BF16, TF32, F64, S8, U8, E4M3, E5M2 };
  OperandType a, b;
  mlir::Type sum; ///< the type of the accumulator: f16, f32, f64 or i32
  unsigned depth;

  unsigned getOperandBits() const;
};

/// Returns the instruction of the architecture for operands of types `a` and `b` and an accumulator of type `sum`, or
/// nothing if there is none. Integers are treated as signed, and f32 operands as numbers that may be rounded to tf32.
std::optional<MatrixInstruction> getMatrixInstruction(const nvidia::Facts &facts, mlir::Type a, mlir::Type b,
                                                      mlir::Type sum);
/// Returns the instruction that computes `op`, or nothing if no instruction has the required precision.
std::optional<MatrixInstruction> getMatrixInstruction(const nvidia::Facts &facts, tt::DotOp op);

/// Emits one instruction. Returns the part of the result that a lane holds, 4 scalars. A lane supplies 4 words of the
/// 16-row operand `a` (rows 0-7 and 8-15 of the first half along K, then of the second half), and 2 words of `b`. A
/// word is an i32 that contains elements adjacent along K, or an f64.
llvm::SmallVector<mlir::Value> multiplyMatrices(mlir::OpBuilder &builder, mlir::Location loc,
                                                const nvidia::Facts &facts, const MatrixInstruction &instruction,
                                                mlir::ValueRange a, mlir::ValueRange b, mlir::ValueRange c);

/// An attribute of a dot of i8 tiles: an array of two booleans. Each is true if the corresponding operand is unsigned.
inline constexpr llvm::StringLiteral unsignedOperandsAttr = "ttg.unsigned-operands";

} // namespace tilecc

#endif
