//===- NvidiaCodeGenerator.cpp - compiles kernels to PTX ----------------------------------------------------------===//
//
// For compile(), the stages are TTIR -> TTGIR -> LLVM -> PTX. The differences between NVIDIA's GPUs are in
// targets/nvidia/Architectures.cpp.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "compile/Attempt.h"
#include "targets/nvidia/Architectures.h"
#include "targets/nvidia/NvidiaCodeGenerator.h"
#include "lowering/analysis/DotChains.h"
#include "lowering/passes/Passes.h"
#include "lowering/passes/TTIRPipeline.h"
#include "targets/GpuPipeline.h"
#include "targets/nvidia/OperationFeatures.h"
#include "targets/nvidia/PassPipelines.h"
#include "targets/Observer.h"
#include "targets/RunPasses.h"
#include "compile/Warps.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/gpu/Lowering.h"
#include "targets/nvidia/ProfileRecords.h"
#include "targets/nvidia/PTX.h"
#include "targets/nvidia/Passes.h"
#include "targets/nvidia/ThreadCode.h"
#include "targets/nvidia/blackwell/ScaledDots.h"
#include "targets/nvidia/hopper/OwnTensorMaps.h"
#include "targets/nvidia/hopper/TileTensorMaps.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

static bool hasBFloat16Arithmetic(const Module &module) {
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (instruction.getType()->getScalarType()->isBFloatTy() && isa<BinaryOperator, UnaryOperator>(instruction))
        return true;
  return false;
}

/// Returns true if LLVM's back end emits the same code for two architectures. Up to 9.0, the code is the same for all
/// architectures, except for bf16 arithmetic. For newer architectures, the back end selects additional instructions by
/// itself.
static bool isOneForLLVM(const nvidia::Architecture &a, const nvidia::Architecture &b) {
  return a.number == b.number || (a.number <= 90 && b.number <= 90);
}

/// Returns the options that a source specifies for its kernel on a target.
static std::tuple<std::optional<int>, std::optional<int>, bool, std::optional<int>> hintsFor(const Kernel &kernel,
                                                                                             const Target &target) {
  GpuOptions options = gpuOptions(kernel, target);
  return {options.numWarps, options.numStages, options.tensorMaps, hintFor(kernel, target, TargetHint::Occupancy)};
}

/// Returns true if a kernel is faster with tensor maps than with 16-byte copies by threads, even if each block first
/// has to look the maps up. On an H200, attention in tiles of 128x128 takes 0.95 of the time with heads of 64, and 0.5
/// to 0.6 with heads of 128. Attention in tiles of 64x64 takes 1.05 to 1.09 of the time, and matrix multiplication 0.95
/// to 1.25 (bench/gpu/NOTES.md).
static bool areOwnTensorMapsFaster(mlir::ModuleOp module) {
  constexpr int64_t fewestRows = 128;
  return any_of(findDotChains(module),
                [](DotChain chain) { return chain.first.getType().getShape().end()[-2] >= fewestRows; });
}

/// Returns true if the target has tensor copies. Call this only for kernels whose code depends on the result, because
/// targets with the same results share code.
static bool copiesTensors(const Target &target) {
  return nvidia::findFacts(nvidia::architectureOf(target))->has(nvidia::Feature::TensorCopies);
}

/// Up to this size of shared memory, launches need not raise the limit of a function. Code for sm_90a and similar
/// targets may have more static shared memory.
constexpr uint32_t unlimitedShared = 48 * 1024;

/// Reports an error for a kernel that needs more shared memory than `launcher` can provide.
static mlir::LogicalResult checkShared(const Kernel &kernel, const Launch &launch, const Target &target,
                                       StringRef launcher) {
  nvidia::Architecture arch = nvidia::architectureOf(target);
  if (launch.sharedBytes <= unlimitedShared || arch.suffix == 'a')
    return mlir::success();
  std::string sm = arch.sm();
  return mlir::emitError(locationOf(kernel))
         << kernel.displayName << " needs " << launch.sharedBytes << " bytes of shared memory on " << sm << ", where "
         << launcher << " has " << unlimitedShared << " at most: use smaller tiles or fewer stages"
         << (arch.number >= 90 ? ", or compile and link with -arch=" + sm + "a, which has more" : "");
}

/// Implements --static-shared: turns shared memory into a static variable of the kernel, and lets the kernel create its
/// tensor maps. Reports an error for kernels that need additional launch arguments.
static mlir::LogicalResult defineStaticShared(Module &module, const Kernel &kernel, StringRef symbol, Launch &launch,
                                              const Target &target) {
  if (kernel.globalScratchBytes || launch.persistentAxes || launch.numberedAxes || launch.programs > 1)
    return mlir::emitError(locationOf(kernel)) << kernel.displayName << " takes parameters of tcc's own ("
                                               << (kernel.globalScratchBytes ? "scratch space" : "a number of programs")
                                               << "), which --static-shared rules out";
  if (!launch.maps.empty())
    makeOwnTensorMaps(module, symbol, launch);
  if (failed(checkShared(kernel, launch, target, "static shared memory")))
    return mlir::failure();
  if (launch.sharedBytes)
    defineSharedMemory(module, symbol, launch.sharedBytes);
  launch.sharedBytes = 0;
  return mlir::success();
}

/// Defines the constants that SIMT code reads when it launches the kernel: the number of threads of a block, and the
/// bytes of dynamic shared memory. Device code cannot raise a function's limit of dynamic shared memory.
static mlir::LogicalResult defineLaunch(Module &module, const Kernel &kernel, StringRef symbol, Launch &launch,
                                        const Target &target) {
  if (failed(checkShared(kernel, launch, target, "a launch by SIMT code")))
    return mlir::failure();
  Type *i32 = Type::getInt32Ty(module.getContext());
  if (launch.sharedBytes > unlimitedShared) {
    defineSharedMemory(module, symbol, launch.sharedBytes);
    launch.sharedBytes = 0;
  }
  constexpr unsigned constantMemory = 4;
  Constant *values =
      ConstantDataArray::get(module.getContext(), ArrayRef<uint32_t>{launch.threads, launch.sharedBytes, 1, 0});
  auto *constant = new GlobalVariable(module, ArrayType::get(i32, 4), /*isConstant=*/true, GlobalValue::ExternalLinkage,
                                      values, symbol + "$launch", nullptr, GlobalValue::NotThreadLocal, constantMemory);
  constant->setAlignment(Align(16));
  return mlir::success();
}

/// Returns a mask of the warps that write records (tilecc/profile.h): the first of each warp group and of each
/// partition.
static uint32_t getRecordingWarps(mlir::ModuleOp module) {
  uint32_t warps = 0x11111111;
  module.walk([&](mlir::LLVM::LLVMFuncOp func) {
    if (auto first = func->getAttrOfType<mlir::IntegerAttr>(ttg::firstWarpAttr))
      warps |= 1u << first.getInt();
  });
  return warps;
}

namespace {
class NvidiaCodeGenerator final : public CodeGenerator {
public:
  explicit NvidiaCodeGenerator(const CodeOptions &options)
      : library{options.libdevice, options.floats}, tensorMaps(options.tensorMaps && !options.launchedByDevice),
        staticShared(options.staticShared), checkReplicas(options.checkReplicas), profile(options.profile),
        launchedByDevice(options.launchedByDevice), reproducedPass(options.reproducedPass), observer(options.observer),
        threadCode(options.threadCode) {}

  mlir::LogicalResult transform(const Kernel &kernel, Variant &variant, const Target &target,
                                Form form) const override {
    mlir::ModuleOp module = *variant.module;
    mlir::PassManager pm(module.getContext());
    GpuOptions options = gpuOptions(kernel, variant, target, library);
    options.checkReplicas = checkReplicas;
    options.tensorMaps &= tensorMaps && (variant.demands || !kernel.hasVariants);
    options.makesTensorMaps = options.tensorMaps && staticShared;
    mlir::Builder builder(module.getContext());
    // Without variants, there is no fallback for a launch whose image no map can describe.
    if (options.tensorMaps && (!kernel.hasVariants || options.makesTensorMaps))
      module.walk([&](tt::FuncOp func) { func->setAttr(tt::noImagesAttr, builder.getUnitAttr()); });
    if (options.makesTensorMaps)
      module.walk([&, isFaster = areOwnTensorMapsFaster(module)](tt::FuncOp func) {
        func->setAttr(pipeline::makesMapsAttr, builder.getBoolAttr(isFaster));
      });
    bool hasLayouts = ttg::hasLayouts(module);
    const nvidia::Facts &facts = *nvidia::findFacts(nvidia::architectureOf(target));
    if (form >= Form::TTGIR && tt::usesThreadCode(module) &&
        failed(prepareThreadCalls(module, getThreadCode(target),
                                  facts.arch.suffix == 'a' ? facts.sharedBytes : unlimitedShared)))
      return mlir::failure();
    PipelineObservation observation(observer, {kernel, variant, target});
    auto keepsScaledDot = [&facts, numWarps = *options.numWarps, numCtas = options.getNumCtas()](tt::DotScaledOp dot) {
      return numCtas == 1 && blackwell::isSuitedToTensorMemory(dot, numWarps, facts);
    };
    if (!hasLayouts) {
      buildTTIRPipeline(pm, keepsScaledDot);
      observation.reaches(Form::TTIR, pm);
    }
    if (!hasLayouts && form >= Form::TTGIR) {
      if (hasDescriptors(module) || (takesDescriptors(module) && !copiesTensors(target)))
        buildPointerPipeline(pm, keepsScaledDot);
      buildTTGIRPipeline(pm, options);
    }
    if (profile && form >= Form::TTGIR)
      pm.addPass(createTritonInsertRecords());
    if (hasLayouts || form >= Form::TTGIR)
      observation.reaches(Form::TTGIR, pm);
    if (hasLayouts && form >= Form::LLVM) {
      nvidia::Architecture arch = nvidia::architectureOf(target);
      if (failed(nvidia::checkOperationFeatures(module, *nvidia::findFacts(arch))))
        return mlir::failure();
      // Triton names GPUs only by their number: its "cuda:100" is sm_100a.
      module->setAttr(ttg::targetAttr, mlir::StringAttr::get(module.getContext(), nvidia::spellTarget(arch)));
    }
    // In finished TTGIR, an accumulator that is reset may be selected before the branch that waits for its last dot.
    // With such a select, ptxas would make every dot wait (warning C7514).
    if (hasLayouts && form >= Form::LLVM)
      pm.addPass(createTritonGPUCombineTensorSelectAndIf());
    // Kernels without variants are launched by others than tcc's runtime.
    if (form >= Form::LLVM && kernel.hasVariants)
      pm.addPass(createTritonNvidiaGPUOverlapLaunches());
    if (form >= Form::LLVM)
      buildGPUToLLVMPipeline(pm, options);
    return runPasses(pm, module, reproducedPass, observation.getListener());
  }

  mlir::FailureOr<LoweredVariant> lower(const Kernel &kernel, Variant &variant, const Target &target,
                                        LLVMContext &context) const override {
    const bool usesThreadCode = tt::usesThreadCode(*variant.module);
    nvidia::Answers answers;
    nvidia::Answers::Listener listener(answers);
    if (failed(transform(kernel, variant, target, Form::LLVM)))
      return mlir::failure();
    LoweredVariant lowered;
    auto module = translateToLLVM(*variant.module, context, lowered.launch);
    if (failed(module))
      return mlir::failure();
    lowered.module = std::move(*module);
    defineProfile(*lowered.module, variant.symbol, getRecordingWarps(*variant.module), lowered.launch.threads);
    std::optional<int> blocks = hintFor(kernel, target, TargetHint::Occupancy);
    Function *function = lowered.module->getFunction(variant.symbol);
    // If warps pass registers to others, the code relies on the number of registers at the start, which is for a single
    // block.
    const bool passesRegisters = function->hasFnAttribute("nvvm.minctasm");
    if ((blocks || kernel.wantsAllRegisters) && !passesRegisters)
      function->addFnAttr("nvvm.minctasm", std::to_string(blocks.value_or(1)));
    if (hasBFloat16Arithmetic(*lowered.module))
      // This records the query that LLVM's back end will make.
      nvidia::findFacts(nvidia::architectureOf(target))->has(nvidia::Feature::BFloat16Arithmetic);
    lowered.isFor = [answers, &kernel, target](const Target &other) {
      return isOneForLLVM(nvidia::architectureOf(target), nvidia::architectureOf(other)) &&
             answers.areThoseOf(*nvidia::findFacts(nvidia::architectureOf(other))) &&
             hintsFor(kernel, target) == hintsFor(kernel, other);
    };
    if (usesThreadCode) // each architecture has its own functions
      lowered.isFor = nullptr;
    if (staticShared && failed(defineStaticShared(*lowered.module, kernel, variant.symbol, lowered.launch, target)))
      return mlir::failure();
    if (launchedByDevice && failed(defineLaunch(*lowered.module, kernel, variant.symbol, lowered.launch, target)))
      return mlir::failure();
    return lowered;
  }

  Expected<std::string> emit(std::vector<std::unique_ptr<Module>> modules, const Target &target,
                             Form form) const override {
    const nvidia::Architecture arch = nvidia::architectureOf(target);
    if (form >= Form::Assembly) {
      auto all = linkKernels(modules, arch, library, getThreadCode(target));
      if (!all)
        return all.takeError();
      Attempt attempt(**all, target);
      return emitPTX(**all, arch, 0, [&](Module &optimized) {
        if (observer)
          observer->sawLLVM(optimized, target);
      });
    }
    std::string text;
    raw_string_ostream stream(text);
    for (std::unique_ptr<Module> &module : modules) {
      SmallVector<std::unique_ptr<Module>> one;
      one.push_back(std::move(module));
      auto linked = linkKernels(one, arch, library, getThreadCode(target));
      if (!linked)
        return linked.takeError();
      Attempt attempt(**linked, target);
      if (Error error = optimize(**linked, arch))
        return std::move(error);
      stream << (text.empty() ? "" : "\n// -----\n\n") << **linked;
    }
    return text;
  }

  /// Kernels that call SIMT code cannot be compiled separately, because that code has variables that all kernels share.
  bool isSeparable(const Target &target, Form form) const override {
    return form >= Form::Assembly && getThreadCode(target).empty();
  }
  std::string join(ArrayRef<std::string> parts) const override { return joinPTX(parts); }

  std::string retarget(StringRef assembly, const Target &target) const override {
    return retargetPTX(assembly, nvidia::architectureOf(target));
  }

private:
  StringRef getThreadCode(const Target &target) const {
    auto known = threadCode.find(target.name);
    return known == threadCode.end() ? StringRef() : StringRef(known->second);
  }

  GpuLibrary library;
  bool tensorMaps, staticShared, checkReplicas, profile, launchedByDevice;
  std::optional<unsigned> reproducedPass;
  CompileObserver *observer;
  std::map<std::string, std::string> threadCode; ///< by target
};
} // namespace

std::unique_ptr<CodeGenerator> createNvidiaCodeGenerator(const CodeOptions &options) {
  return std::make_unique<NvidiaCodeGenerator>(options);
}

} // namespace tilecc
