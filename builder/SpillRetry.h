//===- SpillRetry.h - retries kernels that spill with more warps and registers -----------------------*- C++ -*-===//

#ifndef TILECC_BUILDER_SPILLRETRY_H
#define TILECC_BUILDER_SPILLRETRY_H

#include "builder/ResourceRows.h"
#include <functional>
#include <optional>

namespace tilecc {

/// Steps that the caller provides. Each returns false, or no reports, after an error.
struct AssemblySteps {
  /// Assembles the compiled kernels, for each of their GPUs in order.
  std::function<std::optional<std::vector<TargetReport>>()> assemble;
  /// Recompiles the kernels whose options have changed, for the same GPUs.
  std::function<bool()> compileAgain;
  /// Called for each kernel that keeps the larger number of warps.
  std::function<void(const Kernel &)> gotMoreWarps;
  /// Copies the current code and images, and returns a function that restores them. Without it, the kernels are
  /// compiled once more instead.
  std::function<std::function<bool()>()> keep = {};
};

/// Assembles the kernels. Those that spill are compiled and assembled again, with more warps and all registers. If that
/// does not reduce a kernel's spills, its change is undone. Returns false after an error.
bool assembleWithRetries(std::vector<Kernel> &kernels, const AssemblySteps &steps);

} // namespace tilecc

#endif // TILECC_BUILDER_SPILLRETRY_H
