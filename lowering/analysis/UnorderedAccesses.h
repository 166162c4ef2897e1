//===- UnorderedAccesses.h - accesses to shared memory without a barrier between them -------------------*- C++ -*-===//
//
// The allocation of shared memory (Allocation.cpp) uses this analysis.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_UNORDEREDACCESSES_H
#define TILECC_LOWERING_ANALYSIS_UNORDEREDACCESSES_H

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilecc {

/// Finds pairs of buffers that are accessed without a barrier between the accesses, so that a barrier would be needed
/// if the buffers overlapped. Does not support functions with structured control flow.
class UnorderedAccesses {
public:
  explicit UnorderedAccesses(mlir::FunctionOpInterface func);

  enum class Often {
    Never,
    Once, ///< once, or more often if branches lead there again
    Repeatedly, ///< in each iteration of a loop
  };
  /// Returns how often two buffers are accessed without a barrier between the accesses. Each buffer is identified by
  /// its allocation or by the operation that uses it as scratch space.
  Often lookup(mlir::Operation *a, mlir::Operation *b) const { return frequencies.lookup(std::minmax(a, b)); }

private:
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Operation *>, Often> frequencies;
};

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_UNORDEREDACCESSES_H
