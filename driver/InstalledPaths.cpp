//===- InstalledPaths.cpp - paths of this installation's files ----------------------------------------------------===//
//
// Code that reads the installation's headers and libraries calls these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/InstalledPaths.h"
#include "driver/Context.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tilecc {

std::string installed(const Context &ctx, StringRef relative) {
  SmallString<256> path(sys::path::parent_path(sys::path::parent_path(ctx.programPath)));
  sys::path::append(path, relative);
  return path.str().str();
}

std::string resourceDir(const Context &ctx) { return installed(ctx, "lib/tilecc/clang"); }

} // namespace tilecc
