//===- Resources.h - the resources that kernels use on a GPU --------------------------------------------*- C++ -*-===//
//
// For --resource-usage, warnings about spills, and the pages of --emit=html.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_RESOURCES_H
#define TILECC_TARGETS_RESOURCES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tilecc {

/// The number of blocks that run on a multiprocessor at the same time.
struct Occupancy {
  unsigned blocks = 0, warps = 0;
  unsigned maxWarps = 0; ///< the maximum for any kernel
  llvm::StringRef limit; ///< the limiting resource: "registers", "shared memory", "threads" or "blocks"

  /// Returns, for example, "50 % (registers)".
  std::string str() const { return std::to_string(warps * 100 / maxWarps) + " % (" + limit.str() + ")"; }
};

/// The resources of one kernel, as recorded in its code.
struct CodeResources {
  struct Number {
    llvm::StringLiteral name; ///< the header of its column in the table of --resource-usage
    unsigned value;
  };
  std::string symbol;
  std::vector<Number> numbers; ///< the same names for all kernels of a back end
  llvm::StringLiteral registerName; ///< "VGPRs"
  unsigned registers, spilledRegisters; ///< of a thread
};

} // namespace tilecc

#endif // TILECC_TARGETS_RESOURCES_H
