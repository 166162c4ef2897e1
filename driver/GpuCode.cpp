//===- GpuCode.cpp - kernels for GPUs -------------------------------------------------------------------------------===//

#include "driver/GpuCode.h"
#include "driver/Options.h"
#include "driver/ResourceUsage.h"
#include "driver/Steps.h"
#include "lowering/nvidia/PTX.h"
#include "compile/PassPipelines.h"
#include "compile/Variants.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

//===--- one variant of one kernel ----------------------------------------------------------------------------------===//

namespace {
struct Lowered {
  uint32_t demands = 0;
  std::string variant, symbol;
  GpuEntry launch;
  std::unique_ptr<Module> module;
};
} // namespace

static GpuLibrary gpuLibrary(const Context &ctx) { return {ctx.cuda.libdevice, ctx.floats}; }

static GpuOptions gpuOptions(const Context &ctx, const nvidia::Architecture &arch, const Kernel &kernel) {
  return {arch, kernel.numWarps, kernel.numStages, kernel.numCtas, gpuLibrary(ctx)};
}

/// Takes a kernel in TTIR or TTGIR to `stage`, at most to the LLVM dialect. False after an Error.
static bool runPasses(Context &ctx, mlir::ModuleOp module, const GpuOptions &options, Stage stage) {
  mlir::PassManager pm(module.getContext());
  bool hasLayouts = module->hasAttr("ttg.num-warps");
  if (!hasLayouts) {
    buildTTIRPipeline(pm);
    if (stage >= Stage::TTGIR)
      buildTTGIRPipeline(pm, options);
  }
  if (stage >= Stage::LLVM)
    buildGPUToLLVMPipeline(pm, options);
  unsigned errorsBefore = ctx.errors;
  if (succeeded(pm.run(module)))
    return true;
  if (ctx.errors == errorsBefore)
    mlir::emitError(module.getLoc(), "this kernel cannot be compiled for ") << options.target.sm();
  return false;
}

/// `variant` as LLVM IR. False after an Error.
static bool lowerVariant(Context &ctx, const Kernel &kernel, Variant &variant, const nvidia::Architecture &arch,
                         LLVMContext &llvm, Lowered &lowered) {
  GpuOptions options = gpuOptions(ctx, arch, kernel);
  Timed timed(ctx, arch.sm() + " code of " + variant.symbol);
  CrashReproducer reproducer(variant.symbol, printModule(*variant.module));
  if (!runPasses(ctx, *variant.module, options, Stage::LLVM))
    return false;
  lowered.demands = variant.demands;
  lowered.variant = variant.name.str();
  lowered.symbol = variant.symbol;
  LaunchInfo info;
  auto module = translateToLLVM(*variant.module, llvm, info);
  if (failed(module))
    return false;
  lowered.module = std::move(*module);
  lowered.launch = {info.threads, info.sharedBytes, info.cluster};
  return true;
}

//===--- all kernels of an input for one target ---------------------------------------------------------------------===//

namespace {
/// What the kernels became for one target. The LLVM context is its own, so that targets are lowered side by side.
struct TargetCode {
  explicit TargetCode(TargetArch target) : target(target) {}
  TargetArch target;
  LLVMContext llvm;
  std::vector<std::vector<Lowered>> kernels; ///< the variants of each kernel
  std::string ptx;
};
} // namespace

static bool isWanted(const Context &ctx, const Variant &variant, bool isFirst) {
  return ctx.variantFilter.empty() ? isFirst : ctx.variantFilter == "all" || ctx.variantFilter == variant.name;
}

/// A kernel's variants as --variant selects them; for an object, all of them. A kernel given as IR, whose arguments carry
/// their promises already, and one that has layouts, is taken as it is.
static std::vector<Variant> variantsOf(Context &ctx, const Input &input, const Kernel &kernel, bool all) {
  std::vector<Variant> variants;
  if (input.kind == InputKind::TileSource) {
    for (Variant &variant : makeVariants(*kernel.ttir))
      if (all || isWanted(ctx, variant, variants.empty()))
        variants.push_back(std::move(variant));
  } else {
    variants.push_back({"generic", 0, kernel.symbol, cast<mlir::ModuleOp>((*kernel.ttir)->clone())});
  }
  if (variants.empty())
    Error(ctx) << kernel.displayName << ": has no variant " << ctx.variantFilter
               << ", because it has no parameters of that kind";
  return variants;
}

static void lowerKernels(Context &ctx, const Input &input, std::vector<Kernel> &kernels, bool all, TargetCode &code) {
  for (Kernel &kernel : kernels) {
    std::vector<Lowered> variants;
    for (Variant &variant : variantsOf(ctx, input, kernel, all)) {
      Lowered lowered;
      if (!lowerVariant(ctx, kernel, variant, code.target.arch, code.llvm, lowered))
        return; // errors are the same for every variant: once is enough
      variants.push_back(std::move(lowered));
    }
    code.kernels.push_back(std::move(variants));
  }
}

/// Drops variants that are the same code as the next, less demanding one, for every target.
static void foldVariants(std::vector<std::unique_ptr<TargetCode>> &targets) {
  for (size_t k = 0; k < targets.front()->kernels.size(); ++k)
    for (size_t v = targets.front()->kernels[k].size() - 1; v-- > 0;) {
      bool same = all_of(targets, [&](const auto &code) {
        const Lowered &lowered = code->kernels[k][v], &next = code->kernels[k][v + 1];
        return lowered.launch == next.launch && isSameCode(*lowered.module, *next.module);
      });
      if (same)
        for (auto &code : targets)
          code->kernels[k].erase(code->kernels[k].begin() + v);
    }
}

static void generatePtx(Context &ctx, TargetCode &code) {
  Timed timed(ctx, code.target.arch.sm() + " code generation");
  std::vector<std::unique_ptr<Module>> modules;
  for (auto &variants : code.kernels)
    for (Lowered &lowered : variants)
      modules.push_back(std::move(lowered.module));
  auto ptx = emitPTX(std::move(modules), code.target.arch, /*ptxVersion=*/0,
                     gpuLibrary(ctx));
  if (ptx)
    code.ptx = std::move(*ptx);
  else
    Error(ctx) << code.target.arch.sm() << ": " << toString(ptx.takeError());
}

/// Lowers everything for every target, targets side by side. Null after an Error.
static std::vector<std::unique_ptr<TargetCode>> lowerForTargets(Context &ctx, const Input &input,
                                                                std::vector<Kernel> &kernels, bool all) {
  std::vector<std::unique_ptr<TargetCode>> targets;
  for (const TargetArch &target : ctx.targets)
    targets.push_back(std::make_unique<TargetCode>(target));
  DefaultThreadPool pool(hardware_concurrency(ctx.threads));
  for (auto &code : targets)
    pool.async([&] { lowerKernels(ctx, input, kernels, all, *code); });
  pool.wait();
  if (ctx.errors)
    return {};
  if (all)
    foldVariants(targets);
  for (auto &code : targets)
    pool.async([&] { generatePtx(ctx, *code); });
  pool.wait();
  if (ctx.errors)
    return {};
  return targets;
}

//===--- text -------------------------------------------------------------------------------------------------------===//

/// The target that stages of one architecture show: the newest, of those with code where the stage is code.
static TargetArch shownTarget(const Context &ctx) {
  if (ctx.stage == Stage::Cubin || ctx.stage == Stage::SASS)
    for (const TargetArch &target : reverse(ctx.targets))
      if (target.cubin)
        return target;
  return ctx.targets.back();
}

std::optional<std::string> printGpuCode(Context &ctx, const Input &input, std::vector<Kernel> &kernels) {
  if (ctx.stage == Stage::PTX) {
    ctx.targets = {shownTarget(ctx)};
    auto targets = lowerForTargets(ctx, input, kernels, ctx.variantFilter == "all");
    if (targets.empty())
      return std::nullopt;
    return std::move(targets.front()->ptx);
  }
  std::string text;
  raw_string_ostream stream(text);
  for (Kernel &kernel : kernels)
    for (Variant &variant : variantsOf(ctx, input, kernel, /*all=*/false)) {
      if (!text.empty())
        stream << "\n// -----\n\n"; // as mlir-opt's tests separate modules
      nvidia::Architecture arch = shownTarget(ctx).arch;
      if (ctx.stage == Stage::LLVM) {
        LLVMContext llvm;
        Lowered lowered;
        if (!lowerVariant(ctx, kernel, variant, arch, llvm, lowered))
          return std::nullopt;
        if (llvm::Error error = optimize(*lowered.module, arch, gpuLibrary(ctx))) {
          Error(ctx) << arch.sm() << ": " << toString(std::move(error));
          return std::nullopt;
        }
        stream << *lowered.module;
      } else {
        if (!runPasses(ctx, *variant.module, gpuOptions(ctx, arch, kernel), ctx.stage))
          return std::nullopt;
        stream << printModule(*variant.module);
      }
    }
  return ctx.errors ? std::nullopt : std::optional(text);
}

//===--- images -----------------------------------------------------------------------------------------------------===//

static uint32_t archCode(const nvidia::Architecture &arch) {
  return arch.number | (arch.suffix == 'a' ? TILECC_ARCH_SPECIFIC : arch.suffix == 'f' ? TILECC_ARCH_FAMILY : 0);
}

/// Writes each target's PTX to a file, in their order.
static std::optional<std::vector<TargetFile>> writePtx(Context &ctx, const Input &input,
                                                       std::vector<std::unique_ptr<TargetCode>> &targets) {
  std::vector<TargetFile> files;
  for (auto &code : targets) {
    std::string path = ctx.intermediate(sys::path::stem(input.path), "-" + code->target.arch.sm() + ".ptx");
    if (!writeOutput(ctx, path, code->ptx))
      return std::nullopt;
    files.push_back({code->target, path, {}, {}});
  }
  return files;
}

static std::string readFile(Context &ctx, StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (file)
    return (*file)->getBuffer().str();
  Error(ctx) << path << ": " << file.getError().message();
  return {};
}

/// Warns of what ptxas found, and prints the table of --resource-usage.
static void reportResources(Context &ctx, const Input &input, std::vector<Kernel> &kernels,
                            std::vector<std::unique_ptr<TargetCode>> &targets, ArrayRef<TargetFile> files) {
  std::vector<ResourceRow> rows;
  for (auto [code, file] : zip_equal(targets, files))
    for (auto [kernel, variants] : zip_equal(kernels, code->kernels))
      for (const Lowered &lowered : variants)
        for (const KernelResources &used : file.report.kernels)
          if (used.symbol == lowered.symbol)
            rows.push_back({&kernel, kernel.displayName, lowered.variant, file.target.arch.sm(), used,
                            lowered.launch.sharedBytes, lowered.launch.threads});
  reportResources(ctx, input.path, rows);
}

GpuCode compileForGpus(Context &ctx, const Input &input, std::vector<Kernel> &kernels) {
  GpuCode result;
  auto targets = lowerForTargets(ctx, input, kernels, /*all=*/true);
  if (targets.empty())
    return result;

  // One row of the descriptor for each image; which image a GPU takes is the runtime's choice.
  struct Image {
    uint32_t kind;
    TargetCode *code;
  };
  std::vector<Image> images;
  for (auto &code : targets) {
    if (code->target.cubin)
      images.push_back({TILECC_IMAGE_CUBIN, code.get()});
    if (code->target.ptx)
      images.push_back({TILECC_IMAGE_PTX, code.get()});
  }
  for (const Image &image : images)
    result.images.push_back({image.kind, archCode(image.code->target.arch),
                             image.kind == TILECC_IMAGE_PTX ? image.code->ptx : std::string()});
  for (size_t k = 0; k < kernels.size(); ++k) {
    std::vector<VariantEntry> variants;
    for (size_t v = 0; v < targets.front()->kernels[k].size(); ++v) {
      const Lowered &first = targets.front()->kernels[k][v];
      VariantEntry entry{first.demands, first.symbol, {}};
      for (const Image &image : images)
        entry.gpu.push_back(image.code->kernels[k][v].launch);
      variants.push_back(std::move(entry));
    }
    result.variants.push_back(std::move(variants));
  }

  if (const opt::Arg *arg = ctx.args.getLastArg(options::OPT_include_fatbin_EQ)) {
    result.fatbin = readFile(ctx, arg->getValue());
  } else if (!ctx.cuda.fatbinary.empty()) {
    auto files = writePtx(ctx, input, targets);
    std::string fatbin = ctx.intermediate(sys::path::stem(input.path), ".fatbin");
    if (files && assembleFatbin(ctx, *files, fatbin)) {
      reportResources(ctx, input, kernels, targets, *files);
      result.fatbin = readFile(ctx, fatbin);
    }
  }
  return result;
}

//===--- images as outputs ------------------------------------------------------------------------------------------===//

/// Disassembles a cubin. False after an Error.
static bool disassemble(Context &ctx, StringRef cubin, StringRef output) {
  std::vector<std::string> command;
  if (!ctx.cuda.nvdisasm.empty()) {
    command = {ctx.cuda.nvdisasm, "-c", cubin.str()};
  } else if (!ctx.cuda.cuobjdump.empty()) {
    command = {ctx.cuda.cuobjdump, "-sass", cubin.str()};
  } else {
    CudaToolkit::reportMissing(ctx, "nvdisasm or cuobjdump", "--emit=sass");
    return false;
  }
  std::string text;
  return runStepForOutput(ctx, command, text) && writeOutput(ctx, output, text);
}

/// A cubin to what the stage asks for: itself, or its disassembly.
static bool finishCubin(Context &ctx, StringRef cubin, StringRef output) {
  if (ctx.stage == Stage::SASS)
    return disassemble(ctx, cubin, output);
  std::string bytes = readFile(ctx, cubin);
  return !ctx.errors && writeOutput(ctx, output, bytes);
}

bool writeGpuImage(Context &ctx, const Input &input, std::vector<Kernel> &kernels, StringRef output) {
  bool isFatbin = ctx.stage == Stage::Fatbin;
  if (isFatbin ? ctx.cuda.fatbinary.empty() : !ctx.cuda.hasPtxas()) {
    CudaToolkit::reportMissing(ctx, isFatbin ? "fatbinary" : "ptxas", isFatbin ? "a fatbinary" : "a cubin");
    return false;
  }
  if (!isFatbin)
    ctx.targets = {shownTarget(ctx)};
  auto targets = lowerForTargets(ctx, input, kernels, /*all=*/isFatbin || ctx.variantFilter == "all");
  if (targets.empty())
    return false;
  auto files = writePtx(ctx, input, targets);
  if (!files)
    return false;
  std::string image = ctx.intermediate(sys::path::stem(input.path), isFatbin ? ".fatbin" : ".cubin");
  if (isFatbin ? !assembleFatbin(ctx, *files, image) : !assemble(ctx, files->front(), image))
    return false;
  reportResources(ctx, input, kernels, targets, *files);
  return finishCubin(ctx, image, output);
}

bool assembleInput(Context &ctx, const Input &input, StringRef output) {
  if (input.kind == InputKind::Fatbin || input.kind == InputKind::Cubin)
    return finishCubin(ctx, input.path, output);
  TargetFile file{shownTarget(ctx), input.path, {}, {}};
  std::string cubin = ctx.intermediate(sys::path::stem(input.path), ".cubin");
  if (ctx.stage == Stage::PTX)
    return writeOutput(ctx, output, readFile(ctx, input.path));
  if (!assemble(ctx, file, cubin))
    return false;
  std::vector<ResourceRow> rows;
  for (const KernelResources &used : file.report.kernels)
    rows.push_back({nullptr, used.symbol, "", file.target.arch.sm(), used, 0, 0});
  reportResources(ctx, input.path, rows);
  return finishCubin(ctx, cubin, output);
}

} // namespace tilecc
