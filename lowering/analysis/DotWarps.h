//===- DotWarps.h - distributes the warps of a program over a dot ------------------------------------------*- C++ -*-//
//
// In every step along the contracted axis, a warp loads its rows of the left operand and its columns of the right
// operand. It loads the fewest elements if it computes about as many rows as columns of the result, so the warps are
// distributed accordingly.
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

/// Returns true if the warps of `dot` should be distributed along rows only, as long as there are enough rows. This is
/// the case if the result becomes the left operand of another dot, or is added to a result that does: the warp that
/// accumulates a row is then the warp that needs it.
bool isDistributedByRows(tt::DotOp dot);

/// Returns true if the left operand of `dot` depends on the result of another dot in the same block.
bool hasDotAsLeftOperand(tt::DotOp dot);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_DOTWARPS_H
