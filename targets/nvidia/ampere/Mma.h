//===- Mma.h - the instructions of mma.sync ---------------------------------------------------------------*- C++ -*-//
#ifndef TILECC_TARGETS_NVIDIA_AMPERE_MMA_H
#define TILECC_TARGETS_NVIDIA_AMPERE_MMA_H

#include "lowering/dialects/tt/TT.h"
#include "targets/nvidia/Architectures.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace tilecc {

/// An instruction of mma.sync: a warp multiplies a 16 x depth by a depth x 8 matrix and adds a 16 x 8 one. Its lanes
/// hold operands and sums as mmaOperandLayout and mmaResultLayout say.
struct MatrixInstruction {
  enum class OperandType { F16, BF16, TF32, F64, S8, U8, E4M3, E5M2 };
  OperandType a, b;
  mlir::Type sum; ///< f16, f32, f64 or i32
  unsigned depth;

  unsigned getOperandBits() const;
};

/// The instruction of an architecture that adds products of elements of types `a` and `b` to elements of type `sum`;
/// nothing where there is none. Integers count as signed, f32 as what may be rounded to tf32.
std::optional<MatrixInstruction> getMatrixInstruction(const nvidia::Facts &facts, mlir::Type a, mlir::Type b, mlir::Type sum);
/// The one that computes `op`; nothing where none does as precisely as `op` asks.
std::optional<MatrixInstruction> getMatrixInstruction(const nvidia::Facts &facts, tt::DotOp op);

/// What a lane has of the sum: 4 scalars. Of the 16-row operand `a` it gives 4 words (rows 0-7 and 8-15 of the first
/// half of the depth, then of the second), of `b` 2. A word is an i32 with neighbours along the depth, or an f64.
llvm::SmallVector<mlir::Value> multiplyMatrices(mlir::OpBuilder &builder, mlir::Location loc, const nvidia::Facts &facts,
                                                const MatrixInstruction &instruction, mlir::ValueRange a,
                                                mlir::ValueRange b, mlir::ValueRange c);

/// On a product of i8 tiles: which of the two operands are unsigned (an array of two truth values).
inline constexpr llvm::StringLiteral unsignedOperandsAttr = "ttg.unsigned-operands";

} // namespace tilecc

#endif
