//===- BackendPlugin.h - back ends in shared libraries --------------------------------------------------*- C++ -*-===//
//
// A shared library that tcc --load-backend=<file> loads provides one back end. It defines one function:
//
//   const tilecc::BackendPlugin *tileccGetBackendPlugin() {
//     static const MyBackend backend;
//     static const tilecc::BackendPlugin plugin = {tilecc::backendPluginVersion, LLVM_VERSION_STRING, &backend};
//     return &plugin;
//   }
//
// The library contains no copy of LLVM: its references to LLVM, MLIR and tcc resolve to the copies in libtilecc. It
// must therefore be compiled with the headers of the same release of LLVM. docs/plug-ins.md describes how to build such
// a library.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_BACKENDPLUGIN_H
#define TILECC_TARGETS_BACKENDPLUGIN_H

#include "targets/Backend.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Error.h"

namespace tilecc {

/// The version of the interface between libtilecc and a back end. The interface consists of this file and the headers
/// that are installed for back ends. The version must be incremented when one of them changes.
inline constexpr uint32_t backendPluginVersion = 1;

struct BackendPlugin {
  uint32_t version; ///< backendPluginVersion; always the first member
  const char *llvmVersion; ///< LLVM_VERSION_STRING
  const GpuBackend *backend; ///< must remain valid until the process ends
};

/// Loads the shared library `path`, and adds its back end to allBackends(). A name without a slash is first tried as a
/// file, and then searched for like any shared library. Loading a library again has no effect. Must be called before
/// threads are started.
llvm::Error loadBackend(llvm::StringRef path);

/// Adds a back end to allBackends(), as loadBackend() does.
void addBackend(const GpuBackend &backend);

} // namespace tilecc

/// Every library with a back end defines this function.
extern "C" __attribute__((visibility("default"))) const tilecc::BackendPlugin *tileccGetBackendPlugin();

#endif // TILECC_TARGETS_BACKENDPLUGIN_H
