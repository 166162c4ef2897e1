//===- Resources.h - resource usage of AMD GPU kernels -----------------------------------------------------*- C++ -*-//
//
// Read from the metadata of a code object. The driver prints a table (--resource-usage) and warns about spills.
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
  unsigned vgprs = 0; ///< vector registers per lane; on CDNA, this includes AGPRs
  unsigned sgprs = 0; ///< scalar registers per wave
  unsigned spilledVgprs = 0; ///< spilled to scratch memory
  unsigned spilledSgprs = 0; ///< spilled to lanes of VGPRs
  unsigned scratchBytes = 0; ///< per lane
  unsigned ldsBytes = 0; ///< per work-group
};

/// Reads a code object that writeCodeObject() has written.
std::vector<Resources> readResources(llvm::StringRef codeObject);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_RESOURCES_H
