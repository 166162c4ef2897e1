//===- DotWarps.h - distributes the warps of a program over a dot -------------------------------------------*- C++ -*-//
//
// For every step along the contracted axis, a warp loads its rows of the left operand and its columns of the right one.
// These loads are fewest per dot if each warp has about as many rows as columns of instructions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_ANALYSIS_DOTWARPS_H
#define TILECC_LOWERING_ANALYSIS_DOTWARPS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Returns the warps along each axis of the result of `dot`, where one instruction computes `rowsOfInstruction` by
/// `columnsOfInstruction` elements.
llvm::SmallVector<unsigned> distributeProduct(tt::DotOp dot, unsigned numWarps, unsigned rowsOfInstruction,
                                              unsigned columnsOfInstruction);

/// Returns true if the result of `dot` is distributed by rows alone, as far as there are rows, because it becomes the
/// left operand of another dot, or is added to one that does. The warp that accumulates a row is then the one that
/// needs it.
bool isDistributedByRows(tt::DotOp dot);

/// Returns true if the left operand of `dot` depends on the result of another dot in the same block.
bool hasProductAsLeftOperand(tt::DotOp dot);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_DOTWARPS_H
