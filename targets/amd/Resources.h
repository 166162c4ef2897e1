//===- Resources.h - what kernels take of an AMD GPU -------------------------------------------------------*- C++ -*-//
//
// A code object says it in its metadata. The driver has a table of it (--resource-usage), and warns of spills.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_RESOURCES_H
#define TILECC_TARGETS_AMD_RESOURCES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tilecc::amd {

struct Resources {
  std::string symbol;
  unsigned vgprs = 0;        ///< vector registers of a lane; on CDNA, AGPRs are among them
  unsigned sgprs = 0;        ///< scalar registers of a wave
  unsigned spilledVgprs = 0; ///< kept in scratch memory at times
  unsigned spilledSgprs = 0; ///< kept in lanes of VGPRs at times
  unsigned scratchBytes = 0; ///< of a lane
  unsigned ldsBytes = 0;     ///< of a work-group
};

/// Reads a code object that writeCodeObject() has written.
std::vector<Resources> readResources(llvm::StringRef codeObject);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_RESOURCES_H
