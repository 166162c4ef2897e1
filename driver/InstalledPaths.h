//===- InstalledPaths.h - paths of this installation's files --------------------------------------------*- C++ -*-===//
//
// tcc finds its headers, libraries and tools relative to its own executable, so that an installation can be moved.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_INSTALLEDPATHS_H
#define TILECC_DRIVER_INSTALLEDPATHS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilecc {

struct Context;

/// Returns the path of a file or folder of this installation. `relative` is relative to the folder that contains bin/.
std::string installed(const Context &ctx, llvm::StringRef relative);

/// Returns the folder of Clang's own headers (stddef.h etc.).
std::string resourceDir(const Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_INSTALLEDPATHS_H
