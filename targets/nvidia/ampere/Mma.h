//===- Mma.h - the instructions of mma.sync ---------------------------------------------------------------*- C++ -*-//
#ifndef TILECC_TARGETS_NVIDIA_AMPERE_MMA_H
#define TILECC_TARGETS_NVIDIA_AMPERE_MMA_H

#include "lowering/dialects/tt/TT.h"
#include "targets/nvidia/Architectures.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace tilecc {

/// An instruction of mma.sync: a warp multiplies a 16 x depth by a depth x 8 matrix and adds a 16 x 8 matrix. Operands
/// and accumulators are distributed over lanes as in mmaOperandLayout and mmaResultLayout.
struct MatrixInstruction {
  enum class OperandType { F16, BF16, TF32, F64, S8, U8, E4M3, E5M2 };
  OperandType a, b;
  mlir::Type sum; ///< f16, f32, f64 or i32
  unsigned depth;

  unsigned getOperandBits() const;
};

/// Returns the architecture's instruction for operand types `a` and `b` and accumulator type `sum`; nothing if there is
/// none. Integers are treated as signed, and f32 operands as numbers that may be rounded to tf32.
std::optional<MatrixInstruction> getMatrixInstruction(const nvidia::Facts &facts, mlir::Type a, mlir::Type b,
                                                      mlir::Type sum);
/// Returns the instruction that computes `op`; nothing if none has the required precision.
std::optional<MatrixInstruction> getMatrixInstruction(const nvidia::Facts &facts, tt::DotOp op);

/// Emits one instruction. Returns a lane's part of the result: 4 scalars. A lane supplies 4 words of the 16-row operand
/// `a` (rows 0-7 and 8-15 of the first half along K, then of the second half), and 2 words of `b`. A word is an i32
/// with elements that are adjacent along K, or an f64.
llvm::SmallVector<mlir::Value> multiplyMatrices(mlir::OpBuilder &builder, mlir::Location loc,
                                                const nvidia::Facts &facts, const MatrixInstruction &instruction,
                                                mlir::ValueRange a, mlir::ValueRange b, mlir::ValueRange c);

/// An attribute of a dot of i8 tiles: an array of two booleans, each of which is true if that operand is unsigned.
inline constexpr llvm::StringLiteral unsignedOperandsAttr = "ttg.unsigned-operands";

} // namespace tilecc

#endif
