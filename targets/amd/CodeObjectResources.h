//===- CodeObjectResources.h - resource usage of AMD GPU kernels -------------------------------------------*- C++ -*-//
//
// The usage is read from the metadata of a code object. The driver prints a table (--resource-usage) and warns about
// spills.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_CODEOBJECTRESOURCES_H
#define TILECC_TARGETS_AMD_CODEOBJECTRESOURCES_H

#include "targets/Resources.h"

namespace tilecc::amd {

/// Reads a code object that writeCodeObject() has written.
std::vector<CodeResources> readResources(llvm::StringRef codeObject);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_CODEOBJECTRESOURCES_H
