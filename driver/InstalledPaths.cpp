//===- InstalledPaths.cpp - where this installation has its files -------------------------------------------------===//
//
// Used by everything that reads headers and libraries of the installation.
//
//===----------------------------------------------------------------------------------------------------------------===//

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
