// Rewrites of TTIR that only the CPU target needs.
#ifndef TILECC_TARGETS_CPU_PREPARETTIR_H
#define TILECC_TARGETS_CPU_PREPARETTIR_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc::cpu {

/// Removes copies of values that exist only to carry a hint (tt::multiple_of on a loop-carried value). They would hide
/// the formula of a tile.
void removeHints(tt::FuncOp func);

/// Replaces integer divisions that round up or down by divisions that round towards zero, followed by a correction.
void expandDivisions(tt::FuncOp func);

/// If a loop only adds the same amount to all elements of a loop-carried tile, replaces the tile by a loop-carried
/// scalar. The tile becomes the sum of its initial value and the scalar, which is a formula. `p += BLOCK_K` on a tile
/// of pointers is the common case.
void scalarizeInductions(tt::FuncOp func);

/// Values that are used to check accesses (-fsanitize=tile).
struct AccessChecks {
  /// For each access whose offsets are computed in 32 bits: an i1 for each pointer, which is true if its offset did not
  /// overflow.
  llvm::DenseMap<mlir::Operation *, mlir::Value> exact;
};
/// Computes `exact` before each access. These values have no other use than the check.
AccessChecks prepareAccessChecks(tt::FuncOp func);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_PREPARETTIR_H
