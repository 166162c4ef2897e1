//===- KernelActions.cpp - kernels from source to the stage asked for ---------------------------------------------===//
//
// The driver's main way. A source is parsed once, which gives the host's module and each kernel as TTIR; compile()
// takes the kernels to PTX for each GPU and to an object for the CPU, side by side:
//
//   TTIR --variants--> TTIR --> TTGIR --> LLVM --> PTX --ptxas--> cubin --fatbinary--> fatbin
//   TTIR --> LLVM --> object
//
// and the images are embedded in the host's module with a descriptor, whose object is combined with the CPU's. The
// steps of an input share a KernelJob: what one pasted command reads from a file, the next step here has at hand.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/KernelActions.h"
#include "compile/Compile.h"
#include "compile/Descriptor.h"
#include "compile/Fusion.h"
#include "driver/HostCompiler.h"
#include "driver/Images.h"
#include "driver/Kernels.h"
#include "driver/Launcher.h"
#include "driver/Options.h"
#include "driver/Programs.h"
#include "driver/SimtActions.h"
#include "driver/SpillRetry.h"
#include "driver/StepCommands.h"
#include "driver/TileWarnings.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

namespace {
class KernelJob {
public:
  KernelJob(Context &ctx, const Input &input, std::string output)
      : ctx(ctx), input(input), output(std::move(output)) {}

  /// The kernels, read when they are first asked for. Null after an Error.
  KernelUnit *unit();

  /// What compile() makes of all kernels for `targets`. Nothing after an Error.
  std::optional<std::vector<TargetCode>> compileFor(std::vector<Target> targets, Form form, StringRef variant);

  /// GPU and CPU code of all kernels, for an object or a fatbinary. False after an Error.
  bool compileAll(bool withCpu);

  bool printStage();
  bool writePtx();
  bool assemble();
  bool makeFatbin();
  bool finishHost();
  bool writeJson();
  bool writeCLauncher();

  Context &ctx;
  const Input &input;
  std::string output;
  std::vector<TargetFile> files; ///< of each target whose PTX is a file
  Command fatbinary;
  std::string fatbin;      ///< the file; empty: none is made
  std::string ptxVariants; ///< that are in the files
  std::shared_ptr<SimtJob> simt; ///< the other half of a source with SIMT code

private:
  bool emitHost(TranslationUnit::Output kind, std::string &bytes);
  bool writePtx(ArrayRef<TargetCode> ptx);
  bool assembleAgain();

  std::unique_ptr<KernelUnit> kernelUnit;
  std::optional<std::vector<TargetCode>> codes; ///< of ctx.targets, in their order, and then of the CPU
};
} // namespace

KernelUnit *KernelJob::unit() {
  if (kernelUnit)
    return kernelUnit.get();
  kernelUnit = std::make_unique<KernelUnit>(ctx);
  auto print = [this](StringRef text) { simt ? simt->messages.print(text) : printWhole(text); };
  if (!readKernels(ctx, input, output, print, *kernelUnit) || !selectKernels(ctx, input, *kernelUnit))
    return nullptr;
  return kernelUnit.get();
}

/// PTX without a kernel: what pasted steps make of a source of host code alone, as nvcc does.
static std::vector<TargetCode> codeOfNothing(ArrayRef<Target> targets, Form form) {
  std::vector<TargetCode> codes;
  for (const Target &target : targets) {
    LLVMContext context;
    std::vector<std::unique_ptr<Module>> modules;
    modules.push_back(std::make_unique<Module>("kernels", context));
    codes.push_back({target, cantFail(createNvidiaBackend({})->emit(std::move(modules), target, form))});
  }
  return codes;
}

std::optional<std::vector<TargetCode>> KernelJob::compileFor(std::vector<Target> targets, Form form, StringRef variant) {
  KernelUnit *unit = this->unit();
  if (!unit)
    return std::nullopt;
  if (unit->kernels.empty())
    return codeOfNothing(targets, form);
  CompileOptions options;
  options.floats = ctx.floats;
  options.libdevice = ctx.cuda.libdevice;
  options.tensorMaps = ctx.tensorMaps;
  options.checkReplicas = ctx.args.hasArg(options::OPT_fcheck_replicas);
  if (unit->host && (unit->host->hasDebugInfo() || ctx.deviceDebug))
    options.cpuDebugFolder = unit->host->debugFolder();
  options.cpuUnoptimized = ctx.deviceDebug;
  options.cpuChecks = ctx.cpuChecks;
  options.targets = std::move(targets);
  options.form = form;
  options.variant = variant.str();
  options.reproducedPass = ctx.reproducedPass;
  options.threads = ctx.threads;
  options.timing = [this](StringRef what, std::chrono::nanoseconds time) { noteTime(ctx, what, time); };
  auto result = compile(unit->kernels, options); // errors have been counted
  if (!result)
    return std::nullopt;
  if (ctx.args.hasArg(options::OPT_source_in_ptx) && (form == Form::Assembly || form == Form::Object))
    for (TargetCode &code : *result)
      if (code.target.backend == Target::Nvidia)
        code.code = withSource(code.code);
  bool isForCpus = any_of(options.targets, [](const Target &target) { return target.backend == Target::Cpu; });
  for (const Kernel &kernel : unit->kernels)
    if (isForCpus && !kernel.noCpuCode.empty()) {
      if (isForCpu(ctx.stage))
        Error(ctx) << kernel.displayName << ": " << kernel.noCpuCode;
      else
        warnOfKernel(ctx, TileWarning::Cpu, &kernel, kernel.displayName, kernel.noCpuCode);
    }
  return result;
}

bool KernelJob::compileAll(bool withCpu) {
  if (codes)
    return true;
  std::vector<Target> targets;
  for (const TargetArch &target : ctx.targets)
    targets.push_back(Target::gpu(target.arch));
  if (withCpu)
    targets.push_back(Target::cpu(ctx.cpuLevel));
  codes = compileFor(std::move(targets), Form::Object, "all");
  return codes.has_value();
}

//===--- the steps ------------------------------------------------------------------------------------------------===//

/// Stages that are text, and PTX.
bool KernelJob::printStage() {
  Target target = isForCpu(ctx.stage) ? Target::cpu(ctx.cpuLevel) : Target::gpu(shownTarget(ctx).arch);
  auto shown = compileFor({target}, *formOf(ctx.stage), ctx.variantFilter);
  return shown && !ctx.errors && writeOutput(ctx, output, shown->front().code);
}

/// Each target's PTX to its file.
bool KernelJob::writePtx() {
  if (!unit())
    return false;
  if (unit()->kernels.empty() && hasHostCode(ctx.stage)) {
    files.clear(); // a source of host code alone has no images
    return true;
  }
  std::vector<TargetCode> ptx;
  if (ptxVariants == "all") {
    if (!compileAll(hasHostCode(ctx.stage)))
      return false;
    ptx = *codes;
  } else {
    auto code = compileFor({Target::gpu(files.front().target.arch)}, Form::Assembly, ptxVariants);
    if (!code)
      return false;
    ptx = std::move(*code);
  }
  return writePtx(ptx);
}

bool KernelJob::writePtx(ArrayRef<TargetCode> ptx) {
  return all_of(zip_first(files, ptx), [&](auto both) {
    const auto &[file, code] = both;
    return writeOutput(ctx, file.ptx, code.code);
  });
}

bool KernelJob::assemble() {
  if (files.empty())
    return true;
  if (!assembleFiles(ctx, files))
    return false;
  if (input.kind == InputKind::PTX)
    return reportFiles(ctx, input, {}, files);
  std::vector<Kernel> &kernels = unit()->kernels;
  std::vector<SpilledKernel> spilled = giveMoreWarps(kernels, files);
  if (!spilled.empty() && !assembleAgain())
    return false;
  if (takeWarpsBack(ctx, spilled, kernels, files) && !assembleAgain())
    return false;
  return reportFiles(ctx, input, kernels, files);
}

/// The kernels' warps have changed. The CPU's code has none.
bool KernelJob::assembleAgain() {
  std::vector<Target> targets;
  for (const TargetFile &file : files)
    targets.push_back(Target::gpu(file.target.arch));
  auto ptx = compileFor(std::move(targets), Form::Assembly, ptxVariants);
  if (!ptx)
    return false;
  if (codes)
    copy(*ptx, codes->begin());
  return writePtx(*ptx) && assembleFiles(ctx, files);
}

bool KernelJob::makeFatbin() {
  if (!files.empty())
    return runProgram(ctx, fatbinary.args);
  fatbin.clear();
  return true;
}

bool KernelJob::emitHost(TranslationUnit::Output kind, std::string &bytes) {
  Timed timed(ctx, "host code generation");
  SmallString<0> buffer;
  if (!unit()->host->emitHost(kind, std::make_unique<raw_svector_ostream>(buffer))) {
    ++ctx.errors; // Clang has said why
    return false;
  }
  bytes = buffer.str().str();
  return true;
}

static uint32_t archCode(const nvidia::Architecture &arch) {
  return arch.number | (arch.suffix == 'a' ? TILECC_ARCH_SPECIFIC : arch.suffix == 'f' ? TILECC_ARCH_FAMILY : 0);
}

/// The file of --tune-table; empty without one.
static std::string readTuneTable(Context &ctx) {
  const opt::Arg *arg = ctx.args.getLastArg(options::OPT_tune_table_EQ);
  if (!arg)
    return {};
  std::string text = readFile(ctx, arg->getValue());
  if (!ctx.errors && !StringRef(text).starts_with(TILECC_TUNE_TABLE_HEADER))
    Error(ctx) << arg->getAsString(ctx.args) << ": the file is no table of tuned choices";
  return text;
}

/// The host's module with the descriptor of all kernels, as the stage says.
bool KernelJob::finishHost() {
  if (!unit())
    return false;
  std::string cpuObject;
  if (!unit()->kernels.empty()) {
    if (!compileAll(/*withCpu=*/true))
      return false;
    cpuObject = codes->back().code;
    // One row for each image; which of them a GPU takes is the runtime's choice.
    std::vector<Image> images;
    for (auto [t, target] : enumerate(ctx.targets)) {
      if (target.cubin)
        images.push_back({TILECC_IMAGE_CUBIN, archCode(target.arch), t, {}});
      if (target.ptx)
        images.push_back({TILECC_IMAGE_PTX, archCode(target.arch), t, (*codes)[t].code});
    }
    std::string bytes = fatbin.empty() ? std::string() : readFile(ctx, fatbin);
    if (ctx.errors)
      return false;
    std::string tuneTable = readTuneTable(ctx);
    if (ctx.errors)
      return false;
    if (ctx.args.hasArg(options::OPT_ffusion))
      for (Kernel &kernel : unit()->kernels)
        kernel.keptTTIR = ttirForFusion(kernel, ctx.floats);
    addDescriptor(unit()->host->hostModule(), nameInObject(ctx, input.source), unit()->kernels, images, bytes, tuneTable);
  }
  if (simt)
    embedSimtFatbin(unit()->host->hostModule(), readFile(ctx, simt->fatbin));
  if (ctx.errors)
    return false;

  TranslationUnit::Output kind = ctx.stage == Stage::HostLLVM  ? TranslationUnit::Output::LLVMText
                                 : ctx.stage == Stage::HostAsm ? TranslationUnit::Output::Assembly
                                                               : TranslationUnit::Output::Object;
  std::string bytes;
  if (!emitHost(kind, bytes))
    return false;
  if (kind != TranslationUnit::Output::Object || cpuObject.empty())
    return writeOutput(ctx, output, bytes);

  // One object: the host's code and the CPU's, which has its own code generator settings.
  std::string hostFile = ctx.intermediate(input, ".host.o"), cpuFile = ctx.intermediate(input, ".cpu.o"),
              whole = ctx.intermediate(input, ".whole.o");
  if (!writeOutput(ctx, hostFile, bytes) || !writeOutput(ctx, cpuFile, cpuObject) ||
      !combineObjects(ctx, {hostFile, cpuFile}, whole))
    return false;
  bytes = readFile(ctx, whole);
  return !ctx.errors && writeOutput(ctx, output, bytes);
}

bool KernelJob::writeJson() {
  return compileAll(/*withCpu=*/false) && !ctx.errors &&
         writeOutput(ctx, output, writeMetadata({input.path, unit()->kernels, ctx.targets}));
}

/// The pair of files.
bool KernelJob::writeCLauncher() {
  if (!compileAll(/*withCpu=*/false))
    return false;
  std::string bytes = readFile(ctx, fatbin);
  if (ctx.errors)
    return false;
  SmallString<128> stem(output);
  sys::path::replace_extension(stem, "");
  Launcher launcher = writeLauncher({input.path, unit()->kernels, ctx.targets}, stem, bytes);
  return writeOutput(ctx, (stem + ".h").str(), launcher.header) && writeOutput(ctx, output, launcher.code);
}

//===--- the list -------------------------------------------------------------------------------------------------===//

std::vector<Action> planKernels(Context &ctx, const Input &input, const std::string &output) {
  if (showsSimtCode(ctx, input))
    return planSimtStage(ctx, input, output);
  auto job = std::make_shared<KernelJob>(ctx, input, output);
  std::vector<Action> actions;
  auto add = [&](std::string name, std::vector<Command> commands, bool (KernelJob::*run)()) {
    actions.push_back({std::move(name), std::move(commands), [job, run] { return (job.get()->*run)(); }});
  };
  auto addPtx = [&](ArrayRef<TargetArch> targets, StringRef variants) {
    std::vector<Command> commands;
    job->ptxVariants = variants;
    for (const TargetArch &target : targets) {
      std::string stem = "-" + target.arch.sm();
      job->files.push_back({target, ctx.intermediate(input, stem + ".ptx"), ctx.intermediate(input, stem + ".cubin"), {}});
      commands.push_back(ptxCommand(ctx, input, job->files.back(), variants));
    }
    add("kernels of " + input.path + " to PTX", std::move(commands), &KernelJob::writePtx);
  };
  auto addAssembly = [&] {
    std::vector<Command> commands;
    for (TargetFile &file : job->files)
      if (file.target.cubin)
        commands.push_back({file.ptxas = ptxasCommand(ctx, file), {}});
    add("PTX to cubins", std::move(commands), &KernelJob::assemble);
  };
  auto addFatbin = [&] {
    addPtx(ctx.targets, "all");
    addAssembly();
    job->fatbin = ctx.intermediate(input, ".fatbin");
    job->fatbinary = {fatbinaryCommand(ctx, job->files, job->fatbin), {}};
    add("fatbinary", {job->fatbinary}, &KernelJob::makeFatbin);
  };

  Stage stage = ctx.stage;
  if (stage == Stage::Preprocess || stage == Stage::Dependencies) {
    actions.push_back({"preprocess", {stageCommand(ctx, input, output)}, [&ctx, &input, output] {
                         return preprocess(ctx, input, output);
                       }});
  } else if (stage == Stage::Syntax) {
    // The front end looks into every kernel.
    actions.push_back({"check", {stageCommand(ctx, input, output)}, [job] { return job->unit() != nullptr; }});
  } else if (input.kind == InputKind::PTX && stage == Stage::PTX) {
    actions.push_back(copyAction(ctx, input.path, output));
  } else if (input.kind == InputKind::Cubin || input.kind == InputKind::Fatbin) {
    actions.push_back(disassembleAction(ctx, input.path, input.kind == InputKind::Fatbin, output));
  } else if (formOf(stage)) {
    add("kernels", {stageCommand(ctx, input, output)}, &KernelJob::printStage);
  } else if (stage == Stage::Cubin || stage == Stage::SASS) {
    if (!ctx.cuda.hasPtxas()) {
      CudaToolkit::reportMissing(ctx, "ptxas", "a cubin");
      return {};
    }
    TargetArch target = shownTarget(ctx);
    target.cubin = true;
    if (input.kind == InputKind::PTX)
      job->files.push_back({target, input.path, ctx.intermediate(input, ".cubin"), {}});
    else
      addPtx(target, ctx.variantFilter);
    addAssembly();
    const std::string &cubin = job->files.front().cubin;
    actions.push_back(stage == Stage::Cubin ? copyAction(ctx, cubin, output)
                                            : disassembleAction(ctx, cubin, /*isFatbin=*/false, output));
  } else if (stage == Stage::Fatbin) {
    if (ctx.cuda.fatbinary.empty()) {
      CudaToolkit::reportMissing(ctx, "fatbinary", "a fatbinary");
      return {};
    }
    addFatbin();
    actions.push_back(copyAction(ctx, job->fatbin, output));
  } else if (stage == Stage::Json) {
    add("metadata", {stageCommand(ctx, input, output)}, &KernelJob::writeJson);
  } else if (stage == Stage::CLauncher) {
    Command command = stageCommand(ctx, input, output);
    if (const opt::Arg *arg = ctx.args.getLastArg(options::OPT_include_fatbin_EQ))
      job->fatbin = arg->getValue();
    else if (!ctx.cuda.fatbinary.empty())
      addFatbin();
    else {
      CudaToolkit::reportMissing(ctx, "fatbinary", "a launcher's images");
      return {};
    }
    command.args.insert(command.args.end() - 3, "--include-fatbin=" + job->fatbin);
    add("launcher in C", {command}, &KernelJob::writeCLauncher);
  } else {
    Command command = stageCommand(ctx, input, output);
    if (input.simt) {
      job->simt = std::make_shared<SimtJob>(ctx, input);
      if (const opt::Arg *arg = ctx.args.getLastArg(options::OPT_include_simt_fatbin_EQ))
        job->simt->fatbin = arg->getValue();
      else // side by side with the host's parse
        addSimtFatbin(job->simt, actions, [job] { job->unit(); });
    }
    if (const opt::Arg *arg = ctx.args.getLastArg(options::OPT_include_fatbin_EQ))
      job->fatbin = arg->getValue();
    else if (!ctx.cuda.fatbinary.empty())
      addFatbin();
    if (!job->fatbin.empty())
      command.args.insert(command.args.end() - 3, "--include-fatbin=" + job->fatbin);
    if (job->simt)
      command.args.insert(command.args.end() - 3, "--include-simt-fatbin=" + job->simt->fatbin);
    add("host code of " + input.path, {command}, &KernelJob::finishHost);
  }
  return actions;
}

} // namespace tilecc
