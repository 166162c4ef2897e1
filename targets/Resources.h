//===- Resources.h - the resources that kernels use on a GPU --------------------------------------------*- C++ -*-===//
//
// --resource-usage, warnings about spills, and the pages of --emit=html show these numbers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_RESOURCES_H
#define TILECC_TARGETS_RESOURCES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tilecc {

/// How many blocks and warps run on a multiprocessor at the same time.
struct Occupancy {
  unsigned blocks = 0, warps = 0;
  unsigned maxWarps = 0; ///< the most warps that a multiprocessor can run
  llvm::StringRef limit; ///< what limits it: "registers", "shared memory", "threads" or "blocks"

  /// Returns a text such as "50 % (registers)".
  std::string str() const { return std::to_string(warps * 100 / maxWarps) + " % (" + limit.str() + ")"; }
};

/// The resources of one kernel, as its code records them.
struct CodeResources {
  struct Number {
    llvm::StringLiteral name; ///< the header of its column in the table of --resource-usage
    unsigned value;
  };
  std::string symbol;
  std::vector<Number> numbers; ///< all kernels of a back end have the same names
  llvm::StringLiteral registerName; ///< "VGPRs"
  unsigned registers, spilledRegisters; ///< of a thread
};

} // namespace tilecc

#endif // TILECC_TARGETS_RESOURCES_H
