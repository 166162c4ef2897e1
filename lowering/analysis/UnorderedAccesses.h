//===- UnorderedAccesses.h - accesses to shared memory without a barrier between them -------------------*- C++ -*-===//
//
// The allocation of shared memory uses this analysis to decide which buffers should not overlap.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_UNORDEREDACCESSES_H
#define TILECC_LOWERING_ANALYSIS_UNORDEREDACCESSES_H

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilecc {

/// Finds pairs of buffers whose accesses have no barrier between them. If two such buffers overlapped, a barrier would
/// have to be inserted. Functions with structured control flow are not supported.
class UnorderedAccesses {
public:
  explicit UnorderedAccesses(mlir::FunctionOpInterface func);

  enum class Often {
    Never,
    Once, ///< once, or more often if branches lead to the accesses again
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
