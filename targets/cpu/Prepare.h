// Rewrites of TTIR that only the CPU target wants.
#ifndef TILECC_TARGETS_CPU_PREPARE_H
#define TILECC_TARGETS_CPU_PREPARE_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc::cpu {

/// Removes copies that only carry a hint about accesses (tt::multiple_of of a loop-carried value) and hide the formula
/// of a tile.
void removeHints(tt::FuncOp func);

/// Replaces divisions that round up or down by divisions that round towards zero, with a correction.
void expandDivisions(tt::FuncOp func);

/// A tile that a loop only moves by the same amount for all its elements becomes a scalar that the loop carries: the
/// tile is the initial one plus the scalar, a formula again. `p += BLOCK_K` on a tile of pointers is the common case.
void scalarizeInductions(tt::FuncOp func);

/// What accesses are checked against (-fsanitize=tile).
struct AccessChecks {
  /// For accesses whose offsets are computed in 32 bits: whether these were enough, an i1 beside each pointer.
  llvm::DenseMap<mlir::Operation *, mlir::Value> exact;
};
/// Computes what is exact, before each access, for the check alone.
AccessChecks prepareAccessChecks(tt::FuncOp func);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_PREPARE_H
