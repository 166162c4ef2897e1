//===- KernelJob.cpp - the work behind the steps of an input with kernels -----------------------------------------===//
//
// KernelActions.cpp lists these steps.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/KernelJob.h"
#include "builder/KernelLibrary.h"
#include "builder/SpillRetry.h"
#include "compile/Descriptor.h"
#include "compile/Fusion.h"
#include "driver/Diagnostics.h"
#include "driver/HostCompiler.h"
#include "driver/HostTarget.h"
#include "driver/InstalledPaths.h"
#include "driver/Launcher.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "driver/ResourceUsage.h"
#include "driver/SourceOptions.h"
#include "driver/StepCommands.h"
#include "driver/TargetArchs.h"
#include "driver/TileWarnings.h"
#include "driver/TileirasRemarks.h"
#include "targets/Registry.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

KernelUnit *KernelJob::unit() {
  if (kernelUnit)
    return kernelUnit.get();
  kernelUnit = std::make_unique<KernelUnit>(ctx);
  auto print = [this](StringRef text) { simt ? simt->messages.print(text) : printWhole(text); };
  if (!readKernels(ctx, input, output, print, simt ? simt->rule : nullptr, *kernelUnit) ||
      !selectKernels(ctx, input, *kernelUnit))
    return nullptr;
  return kernelUnit.get();
}

bool KernelJob::hasTileKernelsAlone() {
  // Relocatable SIMT code may contain only functions, and tile kernels of such a source get code at the device link.
  if (ctx.relocatable || !mayHaveTileCode(ctx, input) || !unit() || unit()->kernels.empty())
    return false;
  // Clang registers kernels and variables of SIMT code with the CUDA runtime.
  return none_of(ArrayRef<StringRef>{"__cudaRegisterFunction", "__cudaRegisterVar"}, [&](StringRef name) {
    const Function *callee = hostModule().getFunction(name);
    return callee && !callee->use_empty();
  });
}

/// Adds to `options` the bitcode of the SIMT functions that kernels call in each thread. Returns false if it has
/// reported an error.
bool KernelJob::addThreadCode(CompileOptions &options) {
  bool isNeeded = input.simt && options.form >= Form::TTGIR && !unit()->linked &&
                  any_of(unit()->kernels, [](Kernel &kernel) { return tt::usesThreadCode(*kernel.ttir); });
  if (!isNeeded)
    return true;
  if (!simt)
    simt = std::make_shared<SimtJob>(ctx, input);
  for (const Target &target : options.targets) {
    if (!target.isGpu() || target.backend->asGpu()->getAssemblyName() != "ptx")
      continue;
    std::optional<std::string> bitcode = simt->getCodeForTiles(target);
    if (!bitcode)
      return false;
    options.threadCode[target.name] = std::move(*bitcode);
  }
  return true;
}

/// Returns PTX without kernels. As with nvcc, the printed steps make such files from a source that has only host code.
static std::vector<TargetCode> codeOfNothing(ArrayRef<Target> targets, Form form) {
  std::vector<TargetCode> codes;
  for (const Target &target : targets) {
    LLVMContext context;
    std::vector<std::unique_ptr<Module>> modules;
    modules.push_back(std::make_unique<Module>("kernels", context));
    codes.push_back(
        {target, cantFail(target.backend->createCodeGenerator({})->emit(std::move(modules), target, form))});
  }
  return codes;
}

std::optional<std::vector<TargetCode>> KernelJob::compileFor(std::vector<Target> targets, Form form,
                                                             StringRef variant) {
  KernelUnit *unit = this->unit();
  if (!unit)
    return std::nullopt;
  if (unit->kernels.empty())
    return codeOfNothing(targets, form);
  CompileOptions options;
  options.floats = unit->floats;
  options.libdevice = ctx.cuda.libdevice;
  options.tensorMaps = ctx.tensorMaps;
  options.staticShared = ctx.staticShared;
  options.launchedByDevice = unit->linked && unit->linked->isLaunched;
  options.checkReplicas = ctx.args.hasArg(options::OPT_fcheck_replicas);
  options.profile = ctx.args.hasArg(options::OPT_fprofile_tile);
  options.cpuDebugFolder = unit->cpuDebugFolder;
  options.cpuUnoptimized = ctx.deviceDebug;
  options.cpuChecks = ctx.cpuChecks;
  options.targets = std::move(targets);
  options.form = form;
  options.variant = variant.str();
  options.reproducedPass = ctx.reproducedPass;
  options.threads = ctx.threads;
  page::RemarkCollector ownCollector, *collector = observer;
  if (!collector && (wantsOperationRemarks(ctx) || wantsTileirasRemarks(ctx)))
    collector = &ownCollector;
  options.observer = collector;
  options.timing = [this](StringRef what, std::chrono::nanoseconds time) { noteTime(ctx, what, time); };
  if (!addThreadCode(options))
    return std::nullopt;
  auto result = compile(unit->kernels, options); // errors have been counted
  if (!result)
    return std::nullopt;
  if (ctx.args.hasArg(options::OPT_source_in_ptx) && (form == Form::Assembly || form == Form::Object))
    for (TargetCode &code : *result)
      if (code.target.isGpu())
        code.code = withSource(code.code);
  for (const Kernel &kernel : unit->kernels) {
    remarkOnBlocks(ctx, kernel);
    if (collector)
      remarkOnOperations(ctx, kernel, options.targets, *collector);
  }
  if (collector && ctx.args.hasArg(options::OPT_ftile_record_file_EQ) &&
      !writeTileRecord(ctx, unit->kernels, options.targets, *collector))
    return std::nullopt;
  if (collector && wantsTileirasRemarks(ctx) && !writeTileirasRemarks(ctx, unit->kernels, options.targets, *collector))
    return std::nullopt;
  bool isForCpus = any_of(options.targets, [](const Target &target) { return !target.isGpu(); });
  for (const Kernel &kernel : unit->kernels)
    if (isForCpus && !kernel.noCpuCode.empty()) {
      if (isForCpu(ctx.stage))
        Error(ctx) << kernel.displayName << ": " << kernel.noCpuCode;
      else if (!tt::usesThreadCode(*kernel.ttir)) // such a kernel says so itself
        warnOfKernel(ctx, TileWarning::Cpu, &kernel, kernel.displayName, kernel.noCpuCode);
    }
  return result;
}

bool KernelJob::compileAll(bool withCpu) {
  if (codes)
    return true;
  std::vector<Target> targets;
  for (const TargetArch &target : ctx.targets)
    targets.push_back(target.arch);
  append_range(targets, ctx.portableTargets);
  if (withCpu)
    targets.push_back(ctx.cpu);
  codes = compileFor(std::move(targets), Form::Object, "all");
  return codes.has_value();
}

//===--- the steps ------------------------------------------------------------------------------------------------===//

/// Returns the target that a single-target stage outputs.
static Target targetOfStage(const Context &ctx) {
  if (isForCpu(ctx.stage))
    return ctx.cpu;
  if (StringRef assembly = portableAssemblyOf(ctx.stage); !assembly.empty())
    return *find_if(reverse(ctx.portableTargets),
                    [&](const Target &target) { return target.backend->asGpu()->getAssemblyName() == assembly; });
  if (ctx.targets.empty())
    return ctx.portableTargets.back();
  return shownTarget(ctx).arch;
}

/// Implements the stages that print text: IR, PTX, SPIR-V, and assembly for AMD GPUs.
bool KernelJob::printStage() {
  auto shown = compileFor({targetOfStage(ctx)}, *formOf(ctx.stage), ctx.variantFilter);
  if (shown && formOf(ctx.stage) == Form::Object)
    reportRecordedResources(ctx, input.path, unit()->kernels, *shown);
  return shown && !ctx.errors && writeOutput(ctx, output, shown->front().code);
}

/// Writes each target's PTX to its file.
bool KernelJob::writePtx() {
  startPtxasEarly(ctx, files);
  if (!unit())
    return false;
  if (unit()->kernels.empty() && hasHostCode(ctx.stage)) {
    files.clear(); // a source with only host code has no images
    return true;
  }
  std::vector<TargetCode> ptx;
  if (ptxVariants == "all") {
    if (!compileAll(hasHostCode(ctx.stage)))
      return false;
    ptx = *codes;
  } else {
    auto code = compileFor({files.front().target.arch}, Form::Assembly, ptxVariants);
    if (!code)
      return false;
    ptx = std::move(*code);
  }
  return writePtx(ptx);
}

bool KernelJob::writePtx(ArrayRef<TargetCode> ptx) {
  return all_of(zip_first(files, ptx), [&](auto both) {
    auto &&[file, code] = both;
    if (file.early && file.early->give(code.code))
      return true;
    file.early.reset();
    return writeOutput(ctx, file.ptx, code.code);
  });
}

std::vector<Target> KernelJob::targetsOfFiles() {
  std::vector<Target> targets;
  for (const TargetFile &file : files)
    targets.push_back(file.target.arch);
  return targets;
}

/// Like writePtx(), for targets that need not be those of the context.
bool KernelJob::writePtxOfEach() {
  auto ptx = compileFor(targetsOfFiles(), Form::Assembly, "all");
  return ptx && writePtx(*ptx);
}

bool KernelJob::assemble() {
  if (files.empty())
    return true;
  if (input.kind == InputKind::PTX)
    return assembleFiles(ctx, files) && reportFiles(ctx, input, {}, files);
  std::vector<Kernel> &kernels = unit()->kernels;
  AssemblySteps steps{[&]() -> std::optional<std::vector<TargetReport>> {
                        return assembleFiles(ctx, files) ? std::optional(reportsOf(files)) : std::nullopt;
                      },
                      [&] { return compileAgain(); }, [&](const Kernel &kernel) { remarkOnWarps(ctx, kernel); },
                      [&] { return keepCode(); }};
  return assembleWithRetries(kernels, steps) && reportFiles(ctx, input, kernels, files);
}

/// Recompiles after the kernels' warps or registers have changed. CPU code does not depend on them.
bool KernelJob::compileAgain() {
  std::vector<Target> targets = targetsOfFiles();
  if (codes)
    append_range(targets, ctx.portableTargets);
  auto again = compileFor(std::move(targets), codes ? Form::Object : Form::Assembly, ptxVariants);
  if (!again)
    return false;
  if (codes)
    copy(*again, codes->begin());
  return writePtx(ArrayRef(*again).take_front(files.size()));
}

/// Copies the code of all kernels and the files created from it. Returns a function that restores the copies.
std::function<bool()> KernelJob::keepCode() {
  struct FileCopy {
    std::string ptx, cubin;
    AssemblerReport report;
  };
  std::vector<FileCopy> copies;
  for (const TargetFile &file : files)
    copies.push_back(
        {readFile(ctx, file.ptx), file.ptxas.empty() ? std::string() : readFile(ctx, file.cubin), file.report});
  return [this, kept = codes, copies = std::move(copies)] {
    codes = kept;
    return all_of(zip_equal(files, copies), [this](auto both) {
      auto &&[file, copy] = both;
      file.report = copy.report;
      return writeOutput(ctx, file.ptx, copy.ptx) && (file.ptxas.empty() || writeOutput(ctx, file.cubin, copy.cubin));
    });
  };
}

bool KernelJob::makeFatbin() {
  if (!files.empty())
    return runProgram(ctx, fatbinary.args);
  fatbin.clear();
  return true;
}

Module &KernelJob::hostModule() {
  if (unit()->host)
    return unit()->host->hostModule();
  if (!linkModule) {
    linkModule = std::make_unique<Module>("device link", linkContext);
    linkModule->setTargetTriple(hostTriple(ctx));
    defineLinkedTiles(*linkModule, unit()->linked->ids, unit()->kernels);
  }
  return *linkModule;
}

/// Embeds what the device link needs from this object.
void KernelJob::embedRelocatable() {
  TileUnit &relocatable = unit()->relocatable;
  if (!ctx.relocatable || unit()->linked)
    return;
  for (Kernel &kernel : unit()->kernels) // those that have been compiled
    if (!hostModule().getNamedValue(kernel.symbol)->hasLocalLinkage())
      relocatable.launchable.push_back(std::move(kernel));
  if (relocatable.kernels.empty() && relocatable.functions.empty() && relocatable.launchable.empty() &&
      relocatable.launches.empty())
    return;
  relocatable.source = nameInObject(ctx, input.source);
  relocatable.ids = {unitId(ctx, input)};
  relocatable.floats = unit()->floats;
  relocatable.debugFolder = unit()->cpuDebugFolder;
  embedTileUnit(hostModule(), relocatable, unit()->context);
}

bool KernelJob::emitHost(TranslationUnit::Output kind, std::string &bytes) {
  Timed timed(ctx, "host code generation");
  if (unit()->linked) {
    hostModule(); // creates it if there are no kernels
    Expected<std::string> object = emitHostObject(std::move(linkModule));
    if (!object) {
      Error(ctx) << input.path << ": " << toString(object.takeError());
      return false;
    }
    bytes = std::move(*object);
    return true;
  }
  SmallString<0> buffer;
  if (!unit()->host->emitHost(kind, std::make_unique<raw_svector_ostream>(buffer))) {
    ++ctx.errors; // Clang has reported it
    return false;
  }
  bytes = buffer.str().str();
  return true;
}

/// Returns the contents of the --tune-table file; empty if the option is not given.
static std::string readTuneTable(Context &ctx) {
  const opt::Arg *arg = ctx.args.getLastArg(options::OPT_tune_table_EQ);
  if (!arg)
    return {};
  std::string text = readFile(ctx, arg->getValue());
  if (!ctx.errors && !StringRef(text).starts_with(TILECC_TUNE_TABLE_HEADER))
    Error(ctx) << arg->getAsString(ctx.args) << ": the file is no table of tuned choices";
  return text;
}

/// Adds the descriptor of all kernels to the host module and emits it for ctx.stage.
bool KernelJob::finishHost() {
  if (!unit())
    return false;
  std::string cpuObject;
  if (!unit()->kernels.empty() && !ctx.hasGpuTargets()) {
    reportTooOldForTiles(ctx, input);
    return false;
  }
  if (!unit()->kernels.empty()) {
    if (!compileAll(/*withCpu=*/true))
      return false;
    reportRecordedResources(ctx, input.path, unit()->kernels, *codes);
    cpuObject = codes->back().code;
    // One row for each image; the runtime chooses the image for a GPU.
    std::vector<Image> images;
    for (auto [t, target] : enumerate(ctx.targets)) {
      EmbeddedImage image = target.arch.backend->asGpu()->getEmbeddedImage(target.arch);
      if (target.cubin)
        images.push_back({TILECC_IMAGE_CUBIN, image.arch, t, {}, {}, {}});
      if (target.ptx)
        images.push_back({TILECC_IMAGE_PTX, image.arch, t, {}, {}, (*codes)[t].code});
    }
    for (auto [p, target] : enumerate(ctx.portableTargets)) {
      size_t t = ctx.targets.size() + p;
      EmbeddedImage image = target.backend->asGpu()->getEmbeddedImage(target);
      images.push_back({image.kind, image.arch, t, image.bundleSection, image.bundleEntry, (*codes)[t].code});
    }
    std::string bytes = fatbin.empty() ? std::string() : readFile(ctx, fatbin);
    if (ctx.errors)
      return false;
    std::string tuneTable = readTuneTable(ctx);
    if (ctx.errors)
      return false;
    if (ctx.args.hasArg(options::OPT_ffusion))
      for (Kernel &kernel : unit()->kernels)
        kernel.keptTTIR = ttirForFusion(kernel, unit()->floats);
    std::string source = unit()->linked ? unit()->linked->source : nameInObject(ctx, input.source);
    addDescriptor(hostModule(), source, unit()->kernels, images, bytes, tuneTable);
  }
  embedRelocatable();
  if (simt)
    embedSimtFatbin(hostModule(), readFile(ctx, simt->fatbin));
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

  // Combine the host code and the CPU code, which has its own code generator settings, into one object.
  std::string hostFile = ctx.intermediate(input, ".host.o"), cpuFile = ctx.intermediate(input, ".cpu.o"),
              whole = ctx.intermediate(input, ".whole.o");
  if (!writeOutput(ctx, hostFile, bytes) || !writeOutput(ctx, cpuFile, cpuObject) ||
      !combineObjects(ctx, {hostFile, cpuFile}, whole))
    return false;
  bytes = readFile(ctx, whole);
  return !ctx.errors && writeOutput(ctx, output, bytes);
}

/// Writes a shared library with CPU code, for ttLibraryLoadData. IR of kernels has no host code, so the library
/// consists of the kernels and their tables.
bool KernelJob::writeCpuLibrary() {
  if (!unit())
    return false;
  std::vector<Kernel> &kernels = unit()->kernels;
  std::optional<std::vector<TargetCode>> code;
  if (!kernels.empty() && !(code = compileFor({ctx.cpu}, Form::Object, "all")))
    return false;
  auto module = std::make_unique<Module>("library", linkContext);
  module->setTargetTriple(hostTriple(ctx));
  addLibrary(*module, nameInObject(ctx, input.source), kernels, /*images=*/{});
  Expected<std::string> tables = emitHostObject(std::move(module));
  if (!tables) {
    Error(ctx) << input.path << ": " << toString(tables.takeError());
    return false;
  }
  std::vector<std::string> objects = {ctx.intermediate(input, ".tables.o")};
  if (ctx.errors || !writeOutput(ctx, objects.back(), *tables))
    return false;
  if (code) {
    objects.push_back(ctx.intermediate(input, ".cpu.o"));
    if (!writeOutput(ctx, objects.back(), code->front().code))
      return false;
  }
  std::string library = ctx.intermediate(input, ".so");
  if (llvm::Error error = linkKernelLibrary(objects, installed(ctx, "lib/libtilecc_rt.a"), library)) {
    Error(ctx) << input.path << ": " << toString(std::move(error));
    return false;
  }
  std::string bytes = readFile(ctx, library);
  return !ctx.errors && writeOutput(ctx, output, bytes);
}

bool KernelJob::writeJson() {
  return compileAll(/*withCpu=*/false) && !ctx.errors &&
         writeOutput(ctx, output, writeMetadata({input.path, unit()->kernels, ctx.targets, ctx.portableTargets}));
}

/// Writes the header and the source file.
bool KernelJob::writeCLauncher() {
  if (!compileAll(/*withCpu=*/false))
    return false;
  std::string bytes = readFile(ctx, fatbin);
  if (ctx.errors)
    return false;
  SmallString<128> stem(output);
  sys::path::replace_extension(stem, "");
  Launcher launcher = writeLauncher({input.path, unit()->kernels, ctx.targets, {}}, stem, bytes);
  return writeOutput(ctx, (stem + ".h").str(), launcher.header) && writeOutput(ctx, output, launcher.code);
}

} // namespace tilecc
