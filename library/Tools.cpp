//===- Tools.cpp - runs ptxas and links libraries ----------------------------------------------------------------===//
//
// Build.cpp uses these functions to run ptxas as a program, and LLD in process.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "library/Tools.h"
#include "library/Installation.h"
#include "targets/Backend.h"
#include "targets/Linker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include <dlfcn.h>

using namespace llvm;

namespace tilecc {

Expected<Cubin> assemble(Temporaries &files, const AssemblerOptions &options, const Target &target,
                         StringRef assembly) {
  const Assembler &assembler = *target.backend->asGpu()->getAssembler();
  Expected<std::string> source = files.write("kernels.ptx", assembly), cubin = files.path("kernels.cubin");
  if (!source)
    return source.takeError();
  if (!cubin)
    return cubin.takeError();
  std::string said = *cubin + ".log";
  std::vector<std::string> words = assembler.getCommand(options, target, *source, *cubin);
  SmallVector<StringRef> args(words.begin(), words.end());
  std::string error;
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(said), StringRef(said)};
  int status =
      sys::ExecuteAndWait(options.path, args, std::nullopt, redirects, /*SecondsToWait=*/0, /*MemoryLimit=*/0, &error);
  Expected<std::string> messages = readFile(said);
  if (!messages)
    consumeError(messages.takeError());
  std::string text = messages ? *messages : std::string();
  if (status == 0) {
    Expected<std::string> bytes = readFile(*cubin);
    if (!bytes)
      return bytes.takeError();
    assembler.recordUsualThreads({bytes->data(), bytes->size()});
    return Cubin{std::move(*bytes), assembler.parseOutput(text)};
  }
  return createStringError(Twine(options.path) +
                           (status < 0 ? ": " + error : " failed with exit status " + Twine(status)) +
                           (text.empty() ? text : "\n" + text));
}

/// Returns the file from which this process loaded a library. A new library must link to that file, whatever else is
/// installed.
static std::string fileWith(const char *symbol) {
  Dl_info info;
  void *address = dlsym(RTLD_DEFAULT, symbol);
  return address && dladdr(address, &info) ? info.dli_fname : std::string();
}

Expected<std::string> linkLibrary(Temporaries &files, ArrayRef<StringRef> objects) {
  std::vector<std::string> words = {
      "-shared", "--no-undefined", "--gc-sections", "--eh-frame-hdr", "--hash-style=gnu", "-z", "now", "-z", "relro"};
  for (auto [i, object] : enumerate(objects)) {
    Expected<std::string> path = files.write("kernels" + std::to_string(i) + ".o", object);
    if (!path)
      return path;
    words.push_back(*path);
  }
  // The runtime provides conversions of 16-bit floats and functions of libdevice, which have no dependencies.
  if (std::string runtime = installed("lib/libtilecc_rt.a"); sys::fs::exists(runtime))
    words.push_back(runtime);
  words.push_back("--as-needed");
  for (const char *symbol : {"pow", "memcpy"})
    if (std::string file = fileWith(symbol); !file.empty())
      words.push_back(file);
  Expected<std::string> output = files.path("kernels.so");
  if (!output)
    return output;
  words.insert(words.end(), {"-o", *output});
  if (Error error = runElfLinker(words))
    return createStringError("the kernels' code cannot be linked: " + toString(std::move(error)));
  return readFile(*output);
}

} // namespace tilecc
