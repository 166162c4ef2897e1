//===- Cubins.cpp - makes cubins and fat binaries with ptxas and fatbinary ----------------------------------------===//
//
// Implements the steps of KernelActions.cpp that run programs of the CUDA toolkit.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/Cubins.h"
#include "driver/Actions.h"
#include "driver/CommandLine.h"
#include "compile/Compile.h"
#include "driver/Diagnostics.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"

using namespace llvm;

namespace tilecc {

bool isForPtxFile(const Context &ctx) { return ctx.stage == Stage::PTX && ctx.args.hasArg(options::OPT_ptx); }

TargetArch shownTarget(const Context &ctx) {
  if (isForPtxFile(ctx))
    return ctx.simtTargets.back(); // as named: sm_90 is not sm_90a here
  if (ctx.stage == Stage::Cubin || ctx.stage == Stage::SASS)
    for (const TargetArch &target : reverse(ctx.targets))
      if (target.cubin)
        return target;
  return ctx.targets.back();
}

bool mayCopyTensors(const Context &ctx) {
  if (isForCpu(ctx.stage) || !portableAssemblyOf(ctx.stage).empty())
    return false;
  auto copies = [](const TargetArch &target) {
    const GpuBackend &gpu = *target.arch.backend->asGpu();
    std::string error;
    return gpu.findFacts(gpu.spell(target.arch), error)->hasTensorCopies();
  };
  const bool isForOne = is_contained({Stage::TTGIR, Stage::LLVM, Stage::PTX, Stage::Cubin, Stage::SASS}, ctx.stage);
  return isForOne && !ctx.targets.empty() ? copies(shownTarget(ctx)) : any_of(ctx.targets, copies);
}

static const Assembler &getAssembler(const TargetFile &file) {
  return *file.target.arch.backend->asGpu()->getAssembler();
}

std::vector<std::string> ptxasCommand(const Context &ctx, const TargetFile &file) {
  AssemblerOptions ptxas;
  ptxas.path = ctx.cuda.ptxas;
  ptxas.isDebug = file.isSimt && ctx.deviceDebug;
  ptxas.isRelocatable = file.isRelocatable || (file.isSimt && ctx.relocatable);
  ptxas.lineInfo = ctx.lineInfo;
  // ptxas does not support jobservers, and hangs if one of its threads fails to start.
  if (ctx.threads)
    ptxas.threads = std::min(ptxas.threads, ctx.threads);
  if (ptxas.threads > 1 && (findJobserver() != Jobserver::None || !hasThreadsForOthers()))
    ptxas.threads = 1;
  ptxas.maxRegisters = ctx.args.getLastArgValue(options::OPT_maxrregcount_EQ).str();
  for (const std::string &value : ctx.args.getAllArgValues(options::OPT_Xptxas_EQ))
    for (StringRef part : split(value, ','))
      ptxas.others.push_back(part.str());
  return getAssembler(file).getCommand(ptxas, file.target.arch, file.ptx, file.cubin);
}

std::vector<std::string> fatbinaryCommand(const Context &ctx, ArrayRef<TargetFile> files, StringRef fatbin) {
  // fatbinary ends a file name at a comma or quote, even if it is quoted. The files usually share a folder; if the
  // folder's name has such a character, run fatbinary inside the folder with relative names.
  StringRef folder = sys::path::parent_path(fatbin);
  bool isInFolder =
      folder.find_first_of(notInImageNames) != StringRef::npos && all_of(files, [&](const TargetFile &file) {
        return (!file.target.cubin || sys::path::parent_path(file.cubin) == folder) &&
               (!file.target.ptx || sys::path::parent_path(file.ptx) == folder);
      });
  auto named = [&](StringRef path) { return (isInFolder ? sys::path::filename(path) : path).str(); };
  std::vector<std::string> command;
  if (isInFolder)
    command = {"/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.str()};
  command.insert(command.end(), {ctx.cuda.fatbinary, "--create=" + named(fatbin), "-64"});
  // Not compressed by default, so that the PTX in an executable stays readable.
  StringRef compression = ctx.args.getLastArgValue(options::OPT_compress_mode_EQ, "none");
  std::vector<std::string> asked;
  for (const std::string &value : ctx.args.getAllArgValues(options::OPT_Xfatbin_EQ))
    append_range(asked, splitList(value));
  if (none_of(asked, [](StringRef option) { return option.ltrim('-').starts_with("compress"); })) {
    if (compression == "none")
      command.push_back("--compress=false");
    else
      command.insert(command.end(), {"--compress-all", "--compress-mode=" + compression.str()});
  }
  append_range(command, asked);
  for (const TargetFile &file : files) {
    std::string arch = StringRef(file.target.arch.name).substr(strlen("sm_")).str();
    if (file.target.cubin)
      command.push_back("--image3=kind=elf,sm=" + arch + ",file=" + named(file.cubin));
    if (file.target.ptx)
      command.push_back("--image3=kind=ptx,sm=" + arch + ",file=" + named(file.ptx));
  }
  return command;
}

/// Checks that a ptxas that reported success has written a cubin.
static bool checkCubin(Context &ctx, const TargetFile &file) {
  auto cubin = WritableMemoryBuffer::getFile(file.cubin);
  StringRef bytes = cubin ? StringRef((*cubin)->getBufferStart(), (*cubin)->getBufferSize()) : StringRef();
  if (bytes.starts_with(ELF::ElfMagic)) {
    bool isOther = getAssembler(file).recordUsualThreads({(*cubin)->getBufferStart(), (*cubin)->getBufferSize()});
    return !isOther || writeOutput(ctx, file.cubin, bytes);
  }
  Error(ctx) << file.cubin << ": " << ctx.cuda.ptxas << " reports success, but wrote "
             << (bytes.empty() ? "nothing" : "no cubin");
  return false;
}

/// Explains the failure of a ptxas that is too old for the PTX version that tcc writes.
static void reportTooOld(Context &ctx) {
  std::string version = ctx.cuda.version();
  unsigned major = 0, minor = 0;
  if (StringRef rest = version;
      rest.consumeInteger(10, major) || !rest.consume_front(".") || rest.consumeInteger(10, minor))
    return;
  if (std::pair(major, minor) < std::pair(12u, 8u))
    Error(ctx) << ctx.cuda.ptxas << " is too old: it belongs to CUDA " << version << ", and tcc needs 12.8 or later";
}

void startPtxasEarly(const Context &ctx, MutableArrayRef<TargetFile> files) {
  if (ctx.keep || findJobserver() != Jobserver::None) // an error would leave an empty file behind
    return;
  size_t cores = ctx.threads ? ctx.threads : hardware_concurrency().compute_thread_count();
  for (TargetFile &file : files)
    if (!file.ptxas.empty() && cores > 1) {
      file.early = EarlyProgram::start(file.ptxas, file.ptx);
      --cores;
    }
}

bool assembleFiles(Context &ctx, std::vector<TargetFile> &files) {
  // ptxas's output is parsed, not shown, unless an option for ptxas itself requests output.
  bool isRelayed = any_of(ctx.args.getAllArgValues(options::OPT_Xptxas_EQ), [](StringRef value) {
    return is_contained(SmallVector<StringRef>(split(value, ',')), "-v") || value.contains("--verbose");
  });
  std::atomic<bool> succeeded = true;
  runSideBySide(ctx.threads, files.size(), [&](size_t i) {
    TargetFile &file = files[i];
    if (file.ptxas.empty())
      return;
    std::string messages;
    Timed timed(ctx, "ptxas for " + file.target.arch.name);
    std::shared_ptr<EarlyProgram> early = std::move(file.early);
    if (!runProgram(ctx, file.ptxas, nullptr, &messages, early.get())) {
      if (succeeded.exchange(false))
        reportTooOld(ctx);
      return;
    }
    if (!checkCubin(ctx, file)) {
      succeeded = false;
      return;
    }
    file.report = getAssembler(file).parseOutput(messages);
    printWhole(isRelayed ? messages : file.report.rest);
  });
  return succeeded;
}

std::vector<TargetReport> reportsOf(ArrayRef<TargetFile> files) {
  std::vector<TargetReport> reports;
  for (const TargetFile &file : files)
    reports.push_back({file.target.arch, file.report});
  return reports;
}

bool reportFiles(Context &ctx, const Input &input, ArrayRef<Kernel> kernels, ArrayRef<TargetFile> files) {
  unsigned errorsBefore = ctx.errors;
  reportResources(ctx, input.path, resourceRows(kernels, reportsOf(files)));
  return ctx.errors == errorsBefore;
}

} // namespace tilecc
