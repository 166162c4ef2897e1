//===- Installation.h - locates this library and the files next to it ---------------------------------*- C++ -*-===//
//
// libtilecc finds its headers and libraries relative to its own file.
//
//===-------------------------------------------------------------------------------------------------------------===//
//

#ifndef TILECC_LIBRARY_INSTALLATION_H
#define TILECC_LIBRARY_INSTALLATION_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilecc {

/// Returns the path of a file or folder in the installation, or in the build folder, which has the same layout:
/// installed("include").
std::string installed(llvm::StringRef relative);

/// Returns the hash that the linker has computed of this library, in hexadecimal digits. It identifies the compiler.
const std::string &buildId();

} // namespace tilecc

#endif // TILECC_LIBRARY_INSTALLATION_H
