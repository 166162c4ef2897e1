//===- Target.h - what kernels are compiled for ---------------------------------------------------------*- C++ -*-===//

#ifndef TILECC_TARGETS_TARGET_H
#define TILECC_TARGETS_TARGET_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tilecc {

class Backend;

/// A back end and one of the machines that it generates code for. Only the back end knows what the name means.
struct Target {
  const Backend *backend; ///< one of allBackends()
  std::string name; ///< "sm_90a"; "cpu", "cpu:3"

  const std::string &str() const { return name; }
  /// The target that has this name in any back end, or nothing.
  static std::optional<Target> parse(llvm::StringRef name);

  bool isGpu() const;
  bool operator==(const Target &) const = default;
};

} // namespace tilecc

#endif // TILECC_TARGETS_TARGET_H
