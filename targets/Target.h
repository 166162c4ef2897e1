//===- Target.h - the machines for which kernels are compiled -------------------------------------------*- C++ -*-===//
//
// A target is the smallest unit for which kernels are compiled: an architecture of GPUs, or a level of the CPU.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_TARGET_H
#define TILECC_TARGETS_TARGET_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tilecc {

class Backend;

/// A back end, and the name of one of the machines for which it generates code. Only the back end interprets the name.
struct Target {
  const Backend *backend; ///< one of allBackends()
  std::string name; ///< "sm_90a"; "cpu", "cpu:3"

  const std::string &str() const { return name; }
  /// Returns the target of this name, from whichever back end has it, or nothing.
  static std::optional<Target> parse(llvm::StringRef name);

  bool isGpu() const;
  bool operator==(const Target &) const = default;
};

} // namespace tilecc

#endif // TILECC_TARGETS_TARGET_H
