//===- SpillRetry.h - more warps and registers for kernels that do not fit ------------------------------------*- C++
//-*-//

#ifndef TILECC_BUILDER_SPILLRETRY_H
#define TILECC_BUILDER_SPILLRETRY_H

#include "builder/Resources.h"
#include <functional>
#include <optional>

namespace tilecc {

/// The steps that the caller provides. Each returns false, or no reports, after an error.
struct AssemblySteps {
  /// Assembles what the kernels have been compiled to, for each GPU of theirs in order.
  std::function<std::optional<std::vector<TargetReport>>()> assemble;
  /// Compiles the kernels again, whose options have changed, for these GPUs.
  std::function<bool()> compileAgain;
  /// Told of each kernel that has got more warps.
  std::function<void(const Kernel &)> gotMoreWarps;
};

/// Assembles the kernels. Those that spill are compiled and assembled again, with more warps and all registers; if a
/// kernel does not spill less then, its change is undone. Returns false after an error.
bool assembleWithRetries(std::vector<Kernel> &kernels, const AssemblySteps &steps);

} // namespace tilecc

#endif // TILECC_BUILDER_SPILLRETRY_H
