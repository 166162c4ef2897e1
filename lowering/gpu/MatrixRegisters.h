//===- MatrixRegisters.h - the registers of a matrix unit's tiles ---------------------------------------*- C++ -*-===//
//
// The patterns that lower dots to the matrix units of AMD's and Intel's GPUs find the elements of an instruction by
// these functions. A lane multiplies elements of its registers, so only coordinates relative to those of the lane and
// the warp matter.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_GPU_MATRIXREGISTERS_H
#define TILECC_LOWERING_GPU_MATRIXREGISTERS_H

#include "lowering/gpu/Lowering.h"
#include <array>
#include <map>

namespace tilecc {

/// The coordinates of an element: batch (0 if there is none), row, column.
using MatrixCoordinates = std::array<uint32_t, 3>;

/// Returns the register of each element of a tile that a lane holds. If several registers hold copies of an element,
/// returns the last one.
std::map<MatrixCoordinates, unsigned> getMatrixRegisters(mlir::Value tile);

/// The elements of an operand that a lane holds, for each row (column) of each batch, in order along the contracted
/// axis.
using MatrixLines = std::map<std::pair<uint32_t, uint32_t>, llvm::SmallVector<mlir::Value>>;

/// Returns the lines of operand `operand`, whose elements are `registers`. `contracted` is the index of the contracted
/// axis in MatrixCoordinates.
MatrixLines getMatrixLines(mlir::Value operand, mlir::ValueRange registers, unsigned contracted);

} // namespace tilecc

#endif // TILECC_LOWERING_GPU_MATRIXREGISTERS_H
