//===- MatrixInstructions.h - MFMA and WMMA ----------------------------------------------------------------*- C++ -*-//
//
// The one table of AMD's matrix instructions, read by the pass that chooses one for a product and by the pattern that
// multiplies with it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_MATRIXINSTRUCTIONS_H
#define TILECC_TARGETS_AMD_MATRIXINSTRUCTIONS_H

#include "mlir/IR/Builders.h"
#include "targets/amd/Architectures.h"

namespace tilecc::amd {

/// An instruction with which a wave multiplies a `size` by `depth` matrix by a `depth` by `size` one, and adds the
/// product to a `size` by `size` one. Lanes hold the operands and the sums as an AmdMatrixTile says.
struct MatrixInstruction {
  enum class Element { F16, BF16, F32, F64, I8, Float8 };
  /// How LLVM's intrinsic takes what a lane has of an operand: as one element, a vector of elements, a vector of i16,
  /// an i32, an i64 or a vector of i32.
  enum class Form { One, Elements, Shorts, Word, Long, Words };

  Family first, last; ///< the architectures that have it
  Element element;
  unsigned size, depth;
  Form form;
  llvm::StringLiteral name; ///< of LLVM's intrinsic, behind "llvm.amdgcn." and, with Float8, before the types

  bool isMfma() const { return last <= Family::CDNA4; }
  /// Elements of an operand that a lane has.
  unsigned getElementsPerLane(const Facts &facts) const;
};

/// Returns the instruction of an architecture that multiplies elements of types `a` and `b` and adds to `sum`, or null
/// if there is none. It is the one that contracts the most elements of the `depth` that there are. If all contract
/// more, it is the one that contracts the least.
const MatrixInstruction *findMatrixInstruction(const Facts &facts, mlir::Type a, mlir::Type b, mlir::Type sum,
                                               unsigned size, int64_t depth);

/// Executes `instruction`. Of each operand, `a` and `b` have the elements of this lane, which have the types `aType`
/// and `bType`. `sum` is a vector.
mlir::Value multiplyMatrices(mlir::OpBuilder &builder, mlir::Location loc, const MatrixInstruction &instruction,
                             mlir::Type aType, mlir::ValueRange a, mlir::Type bType, mlir::ValueRange b,
                             mlir::Value sum);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_MATRIXINSTRUCTIONS_H
