//===- SpillRetry.h - retries kernels that spill with more warps and registers -----------------------*- C++ -*-===//
//
// Only the assembler finds out that a kernel spills. The driver and libtilecc then compile it once more, with options
// that give it more registers.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_BUILDER_SPILLRETRY_H
#define TILECC_BUILDER_SPILLRETRY_H

#include "builder/ResourceRows.h"
#include <functional>
#include <optional>

namespace tilecc {

/// The steps that the caller implements. A step reports its errors, and then returns false or no reports.
struct AssemblySteps {
  /// Assembles the compiled kernels, for each of their GPUs in order.
  std::function<std::optional<std::vector<TargetReport>>()> assemble;
  /// Compiles the kernels whose options have changed again, for the same GPUs.
  std::function<bool()> compileAgain;
  /// Called for each kernel that is kept in the version with more warps.
  std::function<void(const Kernel &)> gotMoreWarps;
  /// Saves the current code and images, and returns a function that restores them. It is optional: without it, kernels
  /// are compiled once more instead.
  std::function<std::function<bool()>()> keep = {};
};

/// Assembles the kernels. Kernels that spill are compiled and assembled again, with more warps and all registers. If
/// this does not reduce the spills of a kernel, the change is undone. Returns false after an error.
bool assembleWithRetries(std::vector<Kernel> &kernels, const AssemblySteps &steps);

} // namespace tilecc

#endif // TILECC_BUILDER_SPILLRETRY_H
