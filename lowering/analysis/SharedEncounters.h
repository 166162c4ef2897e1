//===- SharedEncounters.h - accesses to shared memory with no barrier between them ---------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_ANALYSIS_SHAREDENCOUNTERS_H
#define TILECC_LOWERING_ANALYSIS_SHAREDENCOUNTERS_H

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilecc {

/// Which buffers of a function meet: a barrier would be needed between their accesses if they lay in one place, and there is
/// none yet. Of a function with control flow among its regions nothing is said.
class SharedEncounters {
public:
  explicit SharedEncounters(mlir::FunctionOpInterface func);

  enum class Often {
    Never,
    Once,       ///< or as often as branches lead there
    Repeatedly, ///< in each iteration of a loop
  };
  /// How often the owners of two buffers (allocations, or operations with scratch space) meet.
  Often lookup(mlir::Operation *a, mlir::Operation *b) const { return met.lookup(std::minmax(a, b)); }

private:
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Operation *>, Often> met;
};

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_SHAREDENCOUNTERS_H
