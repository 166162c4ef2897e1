//===- TileCompiler.cpp - kernels from source to the stage asked for ------------------------------------------------===//
//
// The driver's main road. A source is parsed once, which gives the host's module and each kernel as TTIR. From there
//
//   TTIR --variants--> TTIR --> TTGIR --> LLVM --> PTX --ptxas--> cubin --fatbinary--> fatbin   (GpuCode)
//   TTIR --> LLVM --> object                                                                    (CpuCode)
//
// and the images are embedded in the host's module with a descriptor, whose object is combined with the CPU's.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "driver/TileCompiler.h"
#include "driver/CpuCode.h"
#include "driver/Descriptor.h"
#include "driver/GpuCode.h"
#include "driver/HostCompiler.h"
#include "driver/Kernels.h"
#include "driver/Options.h"
#include "driver/Steps.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <future>

using namespace llvm;

namespace tilecc {

static bool isHostStage(Stage stage) {
  return stage == Stage::HostLLVM || stage == Stage::HostAsm || stage == Stage::Object || stage == Stage::Link;
}

//===--- dry run ----------------------------------------------------------------------------------------------------===//

/// The steps of an object as commands: what tcc does in process is a tcc command of its own.
static void printSteps(Context &ctx, const Input &input, StringRef output) {
  std::vector<std::string> self = {ctx.programName};
  if (input.kind == InputKind::TileSource)
    self.insert(self.end(), ctx.hostArgs.begin(), ctx.hostArgs.end());
  auto step = [&](std::vector<std::string> args) {
    std::vector<std::string> command = self;
    command.insert(command.end(), args.begin(), args.end());
    printStep(ctx, command);
  };
  bool wantsImages = ctx.stage == Stage::Fatbin || isHostStage(ctx.stage);
  if (!wantsImages && ctx.stage != Stage::Cubin && ctx.stage != Stage::SASS) {
    // Everything happens in this process: the step is the command itself.
    std::vector<std::string> command = {ctx.programName};
    for (const opt::Arg *arg : ctx.args)
      if (!arg->getOption().matches(options::OPT_dryrun))
        command.push_back(arg->getAsString(ctx.args));
    printStep(ctx, command);
    return;
  }
  std::vector<TargetFile> files;
  for (const TargetArch &target : ctx.targets) {
    std::string ptx = ctx.intermediate(sys::path::stem(input.path), "-" + target.arch.sm() + ".ptx");
    step({"--emit=ptx", "--variant=" + (wantsImages ? "all" : ctx.variantFilter.empty() ? "a16" : ctx.variantFilter),
          "-arch=" + target.arch.compute(), input.path, "-o", ptx});
    files.push_back({target, ptx, {}, {}});
  }
  std::string fatbin = ctx.stage == Stage::Fatbin ? output.str() : ctx.intermediate(sys::path::stem(input.path), ".fatbin");
  if (wantsImages ? !assembleFatbin(ctx, files, fatbin) : !assemble(ctx, files.back(), output))
    return;
  if (isHostStage(ctx.stage)) {
    std::vector<std::string> args;
    if (!ctx.cuda.fatbinary.empty())
      args.push_back("--include-fatbin=" + fatbin);
    args.insert(args.end(), {ctx.stage == Stage::HostAsm ? "-S" : ctx.stage == Stage::HostLLVM ? "--emit=host-llvm" : "-c",
                             input.path, "-o", output.str()});
    step(args);
  }
}

//===--- the object -------------------------------------------------------------------------------------------------===//

static uint32_t paramKind(const KernelParam &param) {
  if (param.noSpecialize)
    return TILECC_PARAM_OTHER; // the launch does not look at it
  switch (param.kind) {
  case KernelParam::Pointer: return TILECC_PARAM_POINTER;
  case KernelParam::Integer: return TILECC_PARAM_INTEGER;
  case KernelParam::Other: return TILECC_PARAM_OTHER;
  }
  llvm_unreachable("a kind of parameter that is none");
}

/// GPU and CPU code of all kernels, described in the host's module, and the CPU's object. False after an Error.
static bool buildKernels(Context &ctx, const Input &input, KernelUnit &unit, std::string &cpuObject) {
  ModuleEntry entry;
  entry.source = input.path;

  // The CPU's code is made while other threads make the GPUs'.
  auto cpuCode = std::async(std::launch::async, [&] { return compileForCpu(ctx, unit.kernels); });
  GpuCode gpu = compileForGpus(ctx, input, unit.kernels);
  CpuCode cpu = cpuCode.get();
  if (ctx.errors)
    return false;

  for (auto [i, kernel] : llvm::enumerate(unit.kernels)) {
    KernelEntry described{kernel.symbol, kernel.displayName, {}, gpu.variants[i], cpu.entries[i]};
    for (const KernelParam &param : kernel.params)
      described.params.push_back({param.size, param.offset, param.align, paramKind(param)});
    entry.kernels.push_back(std::move(described));
  }
  entry.images = std::move(gpu.images);
  entry.fatbin = std::move(gpu.fatbin);
  addDescriptor(unit.host->hostModule(), entry);
  cpuObject = std::move(cpu.object);
  return true;
}

static bool emitHost(Context &ctx, KernelUnit &unit, TranslationUnit::Output kind, std::string &bytes) {
  SmallString<0> buffer;
  if (!unit.host->emitHost(kind, std::make_unique<raw_svector_ostream>(buffer))) {
    ++ctx.errors; // Clang has said why
    return false;
  }
  bytes = buffer.str().str();
  return true;
}

static bool compileToHostStage(Context &ctx, const Input &input, KernelUnit &unit, StringRef output) {
  std::string cpuObject, bytes;
  if (!unit.kernels.empty() && !buildKernels(ctx, input, unit, cpuObject))
    return false;
  TranslationUnit::Output kind = ctx.stage == Stage::HostLLVM  ? TranslationUnit::Output::LLVMText
                                 : ctx.stage == Stage::HostAsm ? TranslationUnit::Output::Assembly
                                                               : TranslationUnit::Output::Object;
  {
    Timed timed(ctx, "host code generation");
    if (!emitHost(ctx, unit, kind, bytes))
      return false;
  }
  if (kind != TranslationUnit::Output::Object || cpuObject.empty())
    return writeOutput(ctx, output, bytes);

  // One object: the host's code and the CPU's, which has its own code generator settings.
  std::string stem = sys::path::stem(input.path).str();
  std::string hostFile = ctx.intermediate(stem, ".host.o"), cpuFile = ctx.intermediate(stem, ".cpu.o"),
              whole = ctx.intermediate(stem, ".whole.o");
  if (!writeOutput(ctx, hostFile, bytes) || !writeOutput(ctx, cpuFile, cpuObject) ||
      !combineObjects(ctx, {hostFile, cpuFile}, whole))
    return false;
  auto combined = MemoryBuffer::getFile(whole);
  if (!combined) {
    Error(ctx) << whole << ": " << combined.getError().message();
    return false;
  }
  return writeOutput(ctx, output, (*combined)->getBuffer());
}

//===--- stages -----------------------------------------------------------------------------------------------------===//

bool compileKernels(Context &ctx, const Input &input, StringRef output) {
  unsigned errorsBefore = ctx.errors;
  if (ctx.dryRun) {
    printSteps(ctx, input, output);
    return true;
  }
  if (input.kind == InputKind::PTX || input.kind == InputKind::Cubin || input.kind == InputKind::Fatbin)
    return assembleInput(ctx, input, output);
  if (ctx.stage == Stage::Preprocess || ctx.stage == Stage::Dependencies)
    return preprocess(ctx, input, output);

  KernelUnit unit(ctx);
  if (!readKernels(ctx, input, output, unit) || !selectKernels(ctx, input, unit))
    return false;
  switch (ctx.stage) {
  case Stage::Syntax:
    return true; // the front end has looked into every kernel
  case Stage::HostLLVM:
  case Stage::HostAsm:
  case Stage::Object:
  case Stage::Link:
    compileToHostStage(ctx, input, unit, output);
    break;
  case Stage::CpuLLVM:
  case Stage::CpuAsm:
    if (auto text = printCpuCode(ctx, unit.kernels))
      writeOutput(ctx, output, *text);
    break;
  case Stage::TTIR:
  case Stage::TTGIR:
  case Stage::LLVM:
  case Stage::PTX:
    if (auto text = printGpuCode(ctx, input, unit.kernels))
      writeOutput(ctx, output, *text);
    break;
  case Stage::Cubin:
  case Stage::SASS:
  case Stage::Fatbin:
    writeGpuImage(ctx, input, unit.kernels, output);
    break;
  case Stage::Preprocess:
  case Stage::Dependencies:
    break;
  }
  return ctx.errors == errorsBefore;
}

} // namespace tilecc
