//===- NoPolly.cpp - an empty Polly for static builds -------------------------------------------------------------===//
//
// Clang's back end registers the passes of every extension that LLVM was built with. Debian's LLVM was built with
// Polly, whose archive is not part of LLVM's; tcc does not use it. The shared libLLVM includes its own.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder &) {}};
}
