//===- BackendPlugin.cpp - loads back ends from shared libraries --------------------------------------------------===//
//
// The driver calls loadBackend() for --load-backend and TILECC_BACKENDS, before it reads the rest of the command line.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/BackendPlugin.h"
#include "targets/Registry.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <dlfcn.h>

using namespace llvm;

namespace tilecc {

static constexpr const char *entryPoint = "tileccGetBackendPlugin";

static Error checkTargets(const GpuBackend &backend) {
  for (const Target &target : backend.listTargets())
    for (const Backend *other : allBackends())
      if (other->hasTarget(target.name))
        return createStringError("has the target '" + target.name + "', as another back end does");
  return Error::success();
}

Error loadBackend(StringRef path) {
  SmallString<128> file(path);
  if (sys::fs::exists(file))
    sys::fs::make_absolute(file); // otherwise dlopen would search a name without a slash in the folders of libraries
  // Never closed: targets and the MLIR context refer to it until the process ends.
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return createStringError("cannot be loaded: " + std::string(dlerror()));
  auto *getPlugin = reinterpret_cast<const BackendPlugin *(*)()>(dlsym(library, entryPoint));
  if (!getPlugin)
    return createStringError("is no back end of tcc: it does not define " + Twine(entryPoint) + "()");
  const BackendPlugin &plugin = *getPlugin();
  if (plugin.version != backendPluginVersion)
    return createStringError("is built for version " + Twine(plugin.version) +
                             " of the interface for back ends, and this tcc has version " +
                             Twine(backendPluginVersion) + "; compile it with the headers of this tcc");
  if (plugin.llvmVersion != StringRef(LLVM_VERSION_STRING))
    return createStringError("is built with LLVM " + Twine(plugin.llvmVersion) + ", and this tcc with LLVM " +
                             LLVM_VERSION_STRING + "; compile it with the headers of that LLVM");
  if (is_contained(allBackends(), plugin.backend))
    return Error::success();
  if (Error error = checkTargets(*plugin.backend))
    return error;
  addBackend(*plugin.backend);
  return Error::success();
}

} // namespace tilecc
