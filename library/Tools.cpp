//===- Tools.cpp - runs ptxas and links libraries ----------------------------------------------------------------===//
//
// Build.cpp uses these functions to run ptxas as a program, and LLD in process.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "library/Tools.h"
#include "builder/KernelLibrary.h"
#include "library/Installation.h"
#include "targets/Backend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Program.h"

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

Expected<std::string> linkLibrary(Temporaries &files, ArrayRef<StringRef> objects) {
  std::vector<std::string> paths;
  for (auto [i, object] : enumerate(objects)) {
    Expected<std::string> path = files.write("kernels" + std::to_string(i) + ".o", object);
    if (!path)
      return path;
    paths.push_back(*path);
  }
  Expected<std::string> output = files.path("kernels.so");
  if (!output)
    return output;
  if (Error error = linkKernelLibrary(paths, installed("lib/libtilecc_rt.a"), *output))
    return error;
  return readFile(*output);
}

} // namespace tilecc
