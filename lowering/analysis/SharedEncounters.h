//===- SharedEncounters.h - accesses to shared memory without a barrier between them --------------------*- C++ -*-===//
//
// Used by the allocation of shared memory.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_SHAREDENCOUNTERS_H
#define TILECC_LOWERING_ANALYSIS_SHAREDENCOUNTERS_H

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilecc {

/// Finds pairs of buffers that are accessed without a barrier in between: if they overlapped, a barrier would be
/// needed. Does not support functions with structured control flow.
class SharedEncounters {
public:
  explicit SharedEncounters(mlir::FunctionOpInterface func);

  enum class Often {
    Never,
    Once, ///< or as often as branches lead there
    Repeatedly, ///< in each iteration of a loop
  };
  /// Returns how often two buffers are accessed without a barrier in between. They are given by their owners:
  /// allocations, or operations with scratch space.
  Often lookup(mlir::Operation *a, mlir::Operation *b) const { return met.lookup(std::minmax(a, b)); }

private:
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Operation *>, Often> met;
};

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_SHAREDENCOUNTERS_H
