//===- KernelActions.cpp - takes kernels from source to the requested stage ---------------------------------------===//
//
// The main path of the driver. The front end parses a source once and returns the host module and each kernel as TTIR.
// compile() then takes the kernels to PTX for each GPU and to an object for the CPU, in parallel:
//
//   TTIR --variants--> TTIR --> TTGIR --> LLVM --> PTX --ptxas--> cubin --fatbinary--> fatbin
//   TTIR --> LLVM --> object
//
// The images and a descriptor are embedded in the host module. Its object is combined with the CPU object.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/KernelActions.h"
#include "driver/KernelJob.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "driver/StepCommands.h"
#include "llvm/Support/FileSystem.h"
#include "driver/Diagnostics.h"
#include "driver/InstalledPaths.h"
#include "driver/SourceOptions.h"
#include "driver/TargetArchs.h"

using namespace llvm;

namespace tilecc {

//===--- the list of steps ----------------------------------------------------------------------------------------===//

static SmallVector<const char *> pointersTo(const std::vector<std::string> &strings) {
  return SmallVector<const char *>(map_range(strings, [](const std::string &s) { return s.c_str(); }));
}

/// Implements -E, -M and -MM for a source with kernels.
static bool preprocess(Context &ctx, const Input &input, StringRef output) {
  noteDialect(ctx, input);
  std::vector<std::string> args = sourceArguments(ctx, input);
  if (ctx.stage == Stage::Preprocess)
    args.push_back("-E");
  const std::vector<std::string> forDevices = args; // Clang's driver allows no -o for several GPUs
  args.insert(args.end(), {"-o", output == "-" ? "-" : followLinks(output)});
  if (input.simt && !input.isPreprocessed())
    return preprocessSimt(ctx, input, pointersTo(args), pointersTo(forDevices), output);
  if (runPreprocessor(pointersTo(args), frontendOptions(ctx, &input)))
    return true;
  ++ctx.errors;
  return false;
}

std::vector<Action> planKernels(Context &ctx, const Input &input, const std::string &output) {
  auto job = std::make_shared<KernelJob>(ctx, input, output);
  if (showsSimtCode(ctx, input) && !job->hasTileKernelsAlone())
    return ctx.errors ? std::vector<Action>() : planSimtStage(ctx, input, output);
  using enum Stage;
  if (!ctx.hasGpuTargets() && !hasHostCode(ctx.stage) && !isForCpu(ctx.stage) &&
      !is_contained({Preprocess, Dependencies, Syntax}, ctx.stage)) {
    reportTooOldForTiles(ctx, input);
    return {};
  }
  std::vector<Action> actions;
  auto add = [&](std::string name, std::vector<Command> commands, bool (KernelJob::*run)()) {
    actions.push_back({std::move(name), std::move(commands), [job, run] { return (job.get()->*run)(); }});
  };
  auto addPtx = [&](ArrayRef<TargetArch> targets, StringRef variants) {
    std::vector<Command> commands;
    job->ptxVariants = variants;
    for (const TargetArch &target : targets) {
      std::string stem = "." + target.arch.name;
      job->files.push_back(
          {target, ctx.intermediate(input, stem + ".ptx"), ctx.intermediate(input, stem + ".cubin"), {}});
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
    // The front end checks every kernel. Device parses check the SIMT code.
    actions.push_back({"check", {stageCommand(ctx, input, output)}, [&ctx, &input, job] {
                         if (input.simt && !ctx.tileOnly) {
                           job->simt = std::make_shared<SimtJob>(ctx, input);
                           job->simt->check([job] { job->unit(); });
                         }
                         return job->unit() != nullptr && !ctx.errors;
                       }});
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
  } else if (stage == Stage::CpuLibrary) {
    add("library for the CPU", {stageCommand(ctx, input, output)}, &KernelJob::writeCpuLibrary);
  } else if (stage == Stage::Json) {
    add("metadata", {stageCommand(ctx, input, output)}, &KernelJob::writeJson);
  } else if (stage == Stage::Html) {
    add("page", {stageCommand(ctx, input, output)}, &KernelJob::writePage);
  } else if (stage == Stage::Annotations) {
    add("annotations", {stageCommand(ctx, input, output)}, &KernelJob::writeAnnotations);
  } else if (stage == Stage::CLauncher) {
    if (const opt::Arg *arg = ctx.args.getLastArg(options::OPT_include_fatbin_EQ))
      job->fatbin = arg->getValue();
    else if (!ctx.cuda.fatbinary.empty())
      addFatbin();
    else {
      CudaToolkit::reportMissing(ctx, "fatbinary", "a launcher's images");
      return {};
    }
    add("launcher in C", {stageCommand(ctx, input, output, {"--include-fatbin=" + job->fatbin})},
        &KernelJob::writeCLauncher);
  } else {
    std::vector<std::string> images;
    if (input.simt) {
      job->simt = std::make_shared<SimtJob>(ctx, input);
      if (const opt::Arg *arg = ctx.args.getLastArg(options::OPT_include_simt_fatbin_EQ))
        job->simt->fatbin = arg->getValue();
      else // in parallel with the host parse
        addSimtFatbin(job->simt, actions, [job] { job->unit(); });
    }
    if (const opt::Arg *arg = ctx.args.getLastArg(options::OPT_include_fatbin_EQ))
      job->fatbin = arg->getValue();
    else if (!ctx.cuda.fatbinary.empty() && !ctx.targets.empty())
      addFatbin();
    if (!job->fatbin.empty())
      images.push_back("--include-fatbin=" + job->fatbin);
    if (job->simt)
      images.push_back("--include-simt-fatbin=" + job->simt->fatbin);
    add("host code of " + input.path, {stageCommand(ctx, input, output, images)}, &KernelJob::finishHost);
  }
  return actions;
}

std::vector<Action> planRelocatableCode(Context &ctx, const Input &input, std::vector<TargetFile> &files) {
  if (!ctx.cuda.hasPtxas()) {
    CudaToolkit::reportMissing(ctx, "ptxas", "a launch of tile kernels by SIMT code");
    return {};
  }
  auto job = std::make_shared<KernelJob>(ctx, input, "");
  std::vector<Command> ptx, cubins;
  for (TargetFile &file : files) {
    std::string stem = "." + file.target.arch.name;
    file.ptx = ctx.intermediate(input, stem + ".ptx");
    file.cubin = ctx.intermediate(input, stem + ".cubin");
    file.isRelocatable = true;
    file.ptxas = ptxasCommand(ctx, file);
    ptx.push_back(ptxCommand(ctx, input, file, "all"));
    cubins.push_back({file.ptxas, {}});
  }
  job->files = files;
  return {{"kernels that SIMT code launches to PTX", std::move(ptx), [job] { return job->writePtxOfEach(); }},
          {"PTX to relocatable cubins", std::move(cubins), [job] { return assembleFiles(job->ctx, job->files); }}};
}

void precompileHeaders(Context &ctx) {
  FrontendOptions options = frontendOptions(ctx);
  std::string header = installed(ctx, "include/tilecc/detail/language.h");
  if (std::error_code error = sys::fs::create_directories(options.precompiledDir)) {
    Error(ctx) << options.precompiledDir << ": " << error.message();
    return;
  }
  for (StringRef dialect : {"gnu++20", "c++20", "gnu++23", "c++23"}) {
    std::string standard = ("-std=" + dialect).str(), output = options.precompiledDir + "/" + dialect.str() + ".pch";
    if (!precompileLanguage({standard.c_str(), "-c", header.c_str()}, options, output))
      ++ctx.errors;
  }
  precompileSimtHeaders(ctx);
}

} // namespace tilecc
