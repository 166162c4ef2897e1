// Rewrites of TTIR that only the CPU target wants.
#ifndef TILECC_TARGETS_CPU_PREPARE_H
#define TILECC_TARGETS_CPU_PREPARE_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc::cpu {

/// Copies that only carry a hint about accesses (tt::multiple_of of what a loop carries) hide what a tile is made of.
void removeHints(tt::FuncOp func);

/// Quotients that are rounded up or down become such that are rounded towards zero, and a correction.
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
