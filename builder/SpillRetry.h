//===- SpillRetry.h - more warps and registers for kernels that do not fit ------------------------------------*- C++ -*-//

#ifndef TILECC_BUILDER_SPILLRETRY_H
#define TILECC_BUILDER_SPILLRETRY_H

#include "builder/Resources.h"
#include <functional>
#include <optional>

namespace tilecc {

/// What assembling kernels takes. Each returns false, or nothing, after an error.
struct AssemblySteps {
  /// Assembles what the kernels have been compiled to, for each GPU of theirs in order.
  std::function<std::optional<std::vector<TargetReport>>()> assemble;
  /// Compiles the kernels again, whose options have changed, for these GPUs.
  std::function<bool()> compileAgain;
  /// Told of each kernel that has got more warps.
  std::function<void(const Kernel &)> gotMoreWarps;
};

/// Assembles kernels, and does so again, with more warps and all registers, for those that spill; what does not help is taken back. False
/// after an error.
bool assembleWithRetries(std::vector<Kernel> &kernels, const AssemblySteps &steps);

} // namespace tilecc

#endif // TILECC_BUILDER_SPILLRETRY_H
