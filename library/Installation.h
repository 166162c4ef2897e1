//===- Installation.h - where this library lies, and what lies beside it ------------------------------------*- C++
//-*-//

#ifndef TILECC_LIBRARY_INSTALLATION_H
#define TILECC_LIBRARY_INSTALLATION_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilecc {

/// A path in the installation (or the build folder, which looks like one): installed("include").
std::string installed(llvm::StringRef relative);

/// The linker's hash of this library, in hexadecimal digits: the same compiler.
const std::string &buildId();

} // namespace tilecc

#endif // TILECC_LIBRARY_INSTALLATION_H
