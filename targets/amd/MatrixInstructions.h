//===- MatrixInstructions.h - MFMA and WMMA ----------------------------------------------------------------*- C++ -*-//
//
// The table of AMD's matrix instructions. The pass that chooses an instruction for a dot, and the pattern that lowers
// the dot, both read it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_MATRIXINSTRUCTIONS_H
#define TILECC_TARGETS_AMD_MATRIXINSTRUCTIONS_H

#include "mlir/IR/Builders.h"
#include "targets/amd/Architectures.h"

namespace tilecc::amd {

/// An instruction with which a wave multiplies a `size` by `depth` matrix by a `depth` by `size` matrix, and adds the
/// product to a `size` by `size` accumulator. AmdMatrixTile describes how lanes hold the operands and the accumulator.
struct MatrixInstruction {
  enum class Element { F16, BF16, F32, F64, I8, Float8 };
  /// The type in which LLVM's intrinsic takes the elements of an operand that one lane holds: one element, a vector of
  /// elements, a vector of i16, an i32, an i64 or a vector of i32.
  enum class Form { One, Elements, Shorts, Word, Long, Words };

  Family first, last; ///< the first and the last architecture that have it
  Element element;
  unsigned size, depth;
  Form form;
  llvm::StringLiteral name; ///< the name of LLVM's intrinsic, without "llvm.amdgcn." and, for Float8, without the types

  bool isMfma() const { return last <= Family::CDNA4; }
  /// Returns the number of elements of an operand that a lane holds.
  unsigned getElementsPerLane(const Facts &facts) const;
};

/// Returns the instruction with which an architecture multiplies elements of types `a` and `b` and accumulates in type
/// `sum`, or null if there is none. Among the instructions that contract at most `depth` elements, it returns the one
/// that contracts the most. If all instructions contract more, it returns the one that contracts the fewest.
const MatrixInstruction *findMatrixInstruction(const Facts &facts, mlir::Type a, mlir::Type b, mlir::Type sum,
                                               unsigned size, int64_t depth);

/// Emits `instruction`. `a` and `b` are the elements of the operands that this lane holds, of types `aType` and
/// `bType`. `sum` is the accumulator, a vector.
mlir::Value multiplyMatrices(mlir::OpBuilder &builder, mlir::Location loc, const MatrixInstruction &instruction,
                             mlir::Type aType, mlir::ValueRange a, mlir::Type bType, mlir::ValueRange b,
                             mlir::Value sum);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_MATRIXINSTRUCTIONS_H
