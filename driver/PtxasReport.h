//===- PtxasReport.h - what ptxas says of the code it makes -----------------------------------------------------*- C++ -*-//
//
// ptxas always runs with -v. Its report tells what no earlier stage knows: how many registers a kernel takes, and
// whether they sufficed. tcc warns of what costs speed without a word otherwise, and prints the rest if it is asked for.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_PTXASREPORT_H
#define TILECC_DRIVER_PTXASREPORT_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tilecc {

/// One kernel for one target. Bytes are those of one thread, but for shared memory, which a program has.
struct KernelResources {
  std::string symbol;
  unsigned registers = 0, stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  unsigned sharedBytes = 0; ///< declared in the PTX; what a launch adds is not in it
  std::vector<std::string> remarks; ///< potential losses of performance
};

struct PtxasReport {
  std::vector<KernelResources> kernels; ///< in the order of the PTX
  std::string rest;                     ///< lines that are no information: warnings and errors, as they were
};

/// Reads what `ptxas -v` printed.
PtxasReport parsePtxasOutput(llvm::StringRef text);

} // namespace tilecc

#endif // TILECC_DRIVER_PTXASREPORT_H
