//===- KernelLibrary.cpp - shared libraries of kernels ------------------------------------------------------------===//

#include "builder/KernelLibrary.h"
#include "targets/Linker.h"
#include "llvm/Support/FileSystem.h"
#include <dlfcn.h>
#include <vector>

using namespace llvm;

namespace tilecc {

/// Returns the file from which this process loaded a library. A new library must link to that file, whatever else is
/// installed.
static std::string fileWith(const char *symbol) {
  Dl_info info;
  void *address = dlsym(RTLD_DEFAULT, symbol);
  return address && dladdr(address, &info) ? info.dli_fname : std::string();
}

Error linkKernelLibrary(ArrayRef<std::string> objects, const std::string &runtime, const std::string &output) {
  std::vector<std::string> words = {
      "-shared", "--no-undefined", "--gc-sections", "--eh-frame-hdr", "--hash-style=gnu", "-z", "now", "-z", "relro"};
  words.insert(words.end(), objects.begin(), objects.end());
  // The runtime provides conversions of 16-bit floats and functions of libdevice, which have no dependencies.
  if (sys::fs::exists(runtime))
    words.push_back(runtime);
  words.push_back("--as-needed");
  for (const char *symbol : {"pow", "memcpy"})
    if (std::string file = fileWith(symbol); !file.empty())
      words.push_back(file);
  words.insert(words.end(), {"-o", output});
  if (Error error = runElfLinker(words))
    return createStringError("the kernels' code cannot be linked: " + toString(std::move(error)));
  return Error::success();
}

} // namespace tilecc
