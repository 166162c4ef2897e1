//===- NoPolly.cpp - an empty Polly for static builds -------------------------------------------------------------===//
//
// Clang's backend lets every extension that LLVM was built with register its passes. Debian's LLVM was built with Polly,
// whose archive is not among LLVM's; tcc does not use it. The shared libLLVM brings its own.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder &) {}};
}
