//===- CodeObjectResources.h - resource usage of AMD GPU kernels -------------------------------------------*- C++ -*-//
//
// The metadata of a code object records the resources of its kernels. The driver prints them as a table
// (--resource-usage), and warns about spills.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_CODEOBJECTRESOURCES_H
#define TILECC_TARGETS_AMD_CODEOBJECTRESOURCES_H

#include "targets/Resources.h"

namespace tilecc::amd {

/// Reads the resources of all kernels from a code object that writeCodeObject() has written.
std::vector<CodeResources> readResources(llvm::StringRef codeObject);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_CODEOBJECTRESOURCES_H
