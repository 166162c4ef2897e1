//===- NoPolly.cpp - an empty Polly for static builds -------------------------------------------------------------===//
//
// Clang's back end registers the passes of every extension that LLVM was built with. Debian's LLVM was built with
// Polly, which has an archive of its own. tcc does not use it, so a static build defines an empty Polly. The shared
// libLLVM includes Polly.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder &) {}};
}
