//===- DotWarps.h - distributes the warps of a program over a dot ------------------------------------------*- C++ -*-//
//
// For every step along the contracted axis, a warp loads its rows of the left operand and its columns of the right
// operand. The number of such loads is smallest if the instructions of each warp cover about as many rows as columns.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_ANALYSIS_DOTWARPS_H
#define TILECC_LOWERING_ANALYSIS_DOTWARPS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Returns the number of warps along each axis of the result of `dot`. One instruction computes `rowsOfInstruction` by
/// `columnsOfInstruction` elements.
llvm::SmallVector<unsigned> distributeWarpsOfDot(tt::DotOp dot, unsigned numWarps, unsigned rowsOfInstruction,
                                                 unsigned columnsOfInstruction);

/// Returns true if the warps of `dot` should be distributed along rows, as long as there are enough rows, because its
/// result becomes the left operand of another dot, or is added to a result that does. The warp that accumulates a row
/// is then the warp that needs it.
bool isDistributedByRows(tt::DotOp dot);

/// Returns true if the left operand of `dot` depends on the result of another dot in the same block.
bool hasDotAsLeftOperand(tt::DotOp dot);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_DOTWARPS_H
