// Rewrites of TTIR that only the CPU target needs.
#ifndef TILECC_TARGETS_CPU_PREPARETTIR_H
#define TILECC_TARGETS_CPU_PREPARETTIR_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc::cpu {

/// Removes copies that only carry an access hint (tt::multiple_of of a loop-carried value) and hide the formula of a
/// tile.
void removeHints(tt::FuncOp func);

/// Replaces divisions that round up or down by divisions that round towards zero, with a correction.
void expandDivisions(tt::FuncOp func);

/// Replaces a tile that a loop only advances, by the same amount for all elements, by a loop-carried scalar. The tile
/// becomes the initial tile plus the scalar, which is a formula. `p += BLOCK_K` on a tile of pointers is the common
/// case.
void scalarizeInductions(tt::FuncOp func);

/// Values that are used to check accesses (-fsanitize=tile).
struct AccessChecks {
  /// For accesses whose offsets are computed in 32 bits: an i1 per pointer, true if the offset did not overflow.
  llvm::DenseMap<mlir::Operation *, mlir::Value> exact;
};
/// Computes `exact` before each access. Only the check uses it.
AccessChecks prepareAccessChecks(tt::FuncOp func);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_PREPARETTIR_H
