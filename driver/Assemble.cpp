//===- Assemble.cpp - ptxas and fatbinary ----------------------------------------------------------------------------===//

#include "driver/GpuCode.h"
#include "driver/Options.h"
#include "driver/Steps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace tilecc {

bool assemble(Context &ctx, TargetFile &file, StringRef cubin) {
  std::string arch = file.target.arch.sm();
  if (!ctx.cuda.hasPtxas()) {
    CudaToolkit::reportMissing(ctx, "ptxas", "a cubin");
    return false;
  }
  std::vector<std::string> command = {ctx.cuda.ptxas, "-arch=" + arch, "-O3", "-v"};
  if (ctx.args.hasArg(options::OPT_lineinfo))
    command.push_back("-lineinfo");
  if (StringRef registers = ctx.args.getLastArgValue(options::OPT_maxrregcount_EQ); !registers.empty())
    command.insert(command.end(), {"-maxrregcount", registers.str()});
  for (const std::string &value : ctx.args.getAllArgValues(options::OPT_Xptxas))
    for (StringRef part : split(value, ','))
      command.push_back(part.str());
  // What ptxas says is read, not shown, unless somebody asked ptxas itself to talk.
  bool isRelayed = is_contained(ArrayRef(command).drop_front(4), "-v") || is_contained(command, "--verbose");
  command.insert(command.end(), {file.ptx, "-o", cubin.str()});
  std::string messages;
  if (!runStepForMessages(ctx, command, messages))
    return false;
  file.report = parsePtxasOutput(messages);
  printWhole(isRelayed ? messages : file.report.rest);
  return true;
}

bool assembleFatbin(Context &ctx, std::vector<TargetFile> &files, StringRef fatbin) {
  bool succeeded = true;
  {
    DefaultThreadPool pool(hardware_concurrency(ctx.threads));
    std::vector<std::shared_future<bool>> results;
    for (TargetFile &file : files) {
      if (!file.target.cubin)
        continue;
      file.cubin = StringRef(file.ptx).drop_back(strlen(".ptx")).str() + ".cubin";
      if (ctx.dryRun) // in order
        succeeded &= assemble(ctx, file, file.cubin);
      else
        results.push_back(pool.async([&ctx, &file] { return assemble(ctx, file, file.cubin); }));
    }
    for (auto &result : results)
      succeeded &= result.get();
  }
  if (!succeeded)
    return false;
  if (ctx.cuda.fatbinary.empty())
    return true;
  std::vector<std::string> command = {ctx.cuda.fatbinary, "--create=" + fatbin.str(), "-64"};
  // Not compressed unless asked: the PTX in an executable can be read.
  StringRef compression = ctx.args.getLastArgValue(options::OPT_compress_mode_EQ, "none");
  if (compression == "none")
    command.push_back("--compress=false");
  else
    command.insert(command.end(), {"--compress-all", "--compress-mode=" + compression.str()});
  for (const TargetFile &file : files) {
    std::string arch = file.target.arch.str();
    if (file.target.cubin)
      command.push_back("--image3=kind=elf,sm=" + arch + ",file=" + file.cubin);
    if (file.target.ptx)
      command.push_back("--image3=kind=ptx,sm=" + arch + ",file=" + file.ptx);
  }
  return runStep(ctx, command);
}

} // namespace tilecc
