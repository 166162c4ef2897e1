//===- CpuLowering.cpp - TTIR to LLVM IR for CPUs -----------------------------------------------------------------===//
//
// This is the entry point of the back end. It prepares the kernel, and emits a function for each instruction set level.
// The driver and tcc-cpu call it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/CpuLowering.h"
#include "lowering/passes/Waits.h"
#include "targets/cpu/JoinPrograms.h"
#include "targets/cpu/KernelEmitter.h"
#include "targets/cpu/MatrixUnit.h"
#include "targets/cpu/PrepareTTIR.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include <mutex>

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

void cpu::initializeLLVM() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTarget();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVAsmPrinter();
    LLVMInitializeRISCVAsmParser();
  });
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(const CpuOptions &options) {
  initializeLLVM();
  llvm::Triple triple(options.triple.empty() ? llvm::sys::getDefaultTargetTriple() : options.triple);
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError(error);
  llvm::TargetOptions targetOptions;
  targetOptions.UseInitArray = true; // of the object that the device link creates
  targetOptions.FunctionSections = targetOptions.DataSections = true;
  // Each function has its own target processor; this is only the base. On RISC-V, the object records it, and the linker
  // compares this with the host's objects.
  StringRef features;
  if (triple.isRISCV64()) {
    features = isaLevels(triple).back().features;
    targetOptions.MCOptions.ABIName = "lp64d";
  }
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, "", features, targetOptions, llvm::Reloc::PIC_, std::nullopt,
                                  options.unoptimized ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default));
  if (!machine)
    return llvm::createStringError("no code generator for " + triple.str());
  return machine;
}

/// Runs the passes that the emitted code still needs. Tiles of a few vectors must become registers (sroa), and formulas
/// are emitted without regard to values that are already available (early-cse) or loop-invariant (licm). The code is
/// already vectorized and unrolled, so O3 would take twice as long for no gain.
static llvm::Error optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, "function(sroa,early-cse,loop-mssa(licm),simplifycfg)"))
    return error;
  passes.run(module, modules);
  return llvm::Error::success();
}

/// Returns the only kernel of the module. If there is not exactly one, reports an error and fails.
static FailureOr<tt::FuncOp> findKernel(ModuleOp module) {
  tt::FuncOp kernel;
  for (auto func : module.getOps<tt::FuncOp>()) {
    if (!func.isKernel())
      continue;
    if (kernel)
      return func.emitOpError("is a second kernel in one module");
    kernel = func;
  }
  if (!kernel)
    return module.emitError("there is no kernel in this module");
  return kernel;
}

static bool hasUnitDots(tt::FuncOp kernel) {
  return kernel.walk([](tt::DotOp dot) { return isUnitDot(dot) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// Checks that regions that are applied to elements have a single block or structured control flow, because LLVM blocks
/// are created only for the blocks of the kernel itself.
static LogicalResult checkRegions(tt::FuncOp kernel) {
  return failure(
      kernel.getBody()
          .walk([](Operation *op) {
            if (llvm::none_of(op->getRegions(), [](Region &region) { return region.getBlocks().size() > 1; }))
              return WalkResult::advance();
            op->emitOpError("has a region of several blocks, which the CPU target takes as scf alone "
                            "(lift-cf-to-scf makes it of them)");
            return WalkResult::interrupt();
          })
          .wasInterrupted());
}

FailureOr<std::vector<CpuKernel>> cpu::lowerToCpu(ModuleOp ttir, const CpuOptions &options, llvm::Module &dest) {
  auto machine = createTargetMachine(options);
  if (!machine)
    return ttir.emitError(llvm::toString(machine.takeError()));
  const llvm::Triple &triple = (*machine)->getTargetTriple();
  llvm::ArrayRef<Isa> levels = isaLevels(triple);
  if (levels.empty())
    return ttir.emitError("there is no CPU target for ") << triple.str();

  OwningOpRef<ModuleOp> copy = ttir.clone();
  FailureOr<tt::FuncOp> kernel = findKernel(*copy);
  if (failed(kernel) || failed(checkRegions(*kernel)))
    return failure();
  kernel->walk([](tt::WaitSignalOp wait) { expandWait(wait); });
  removeHints(*kernel);
  expandDivisions(*kernel);
  scalarizeInductions(*kernel);
  AccessChecks checks;
  if (options.checkAccesses)
    checks = prepareAccessChecks(*kernel);
  AffineAnalysis affine;

  // Use a separate module, so that the passes run only on the new functions.
  auto own = std::make_unique<llvm::Module>(kernel->getSymName(), dest.getContext());
  llvm::Module &module = *own;
  module.setTargetTriple(triple);
  module.setDataLayout((*machine)->createDataLayout());
  std::string prefix = options.symbolPrefix.empty() ? kernel->getSymName().str() : options.symbolPrefix;
  std::vector<CpuKernel> kernels;
  for (const Isa &isa : levels) {
    // Levels with a matrix unit are emitted only if the kernel has dots that the unit can compute.
    if (options.onlyLevel ? *options.onlyLevel != isa.level : isa.matrixUnit && !hasUnitDots(*kernel))
      continue;
    std::string symbol = prefix + ".cpu." + isa.suffix;
    llvm::Function *functionOfOne = nullptr;
    auto emit = [&](tt::FuncOp func, AffineAnalysis &affine, Twins twins,
                    const std::string &symbol) -> FailureOr<CpuKernel> {
      unsigned programs = twins.getProgramCount();
      Schedule schedule(func, affine, isa.lanes(), std::move(twins));
      KernelEmitter emitter(func, schedule, isa, module, symbol, options.fmad);
      if (options.checkAccesses)
        emitter.addChecks(checks);
      if (options.linesAlone)
        emitter.addDebugInfo("", DebugDetail::LinesAlone);
      else if (options.debugFolder)
        emitter.addDebugInfo(*options.debugFolder,
                             options.unoptimized ? DebugDetail::VariablesInMemory : DebugDetail::Variables);
      emitter.setFunctionOfOne(functionOfOne);
      if (failed(emitter.run()))
        return failure();
      functionOfOne = emitter.getFunction();
      return CpuKernel{symbol, isa.level, programs, emitter.getScratchBytes()};
    };
    FailureOr<CpuKernel> one = emit(*kernel, affine, {}, symbol);
    if (failed(one))
      return failure();
    // A function that runs a single program is easier to debug.
    bool isForDebuggers = options.debugFolder && !options.linesAlone;
    if (isa.hasRegistersForTwo() && !options.checkAccesses && !isForDebuggers && canJoinPrograms(*kernel)) {
      OwningOpRef<ModuleOp> joined = copy->clone();
      tt::FuncOp func = *findKernel(*joined);
      AffineAnalysis affine;
      Twins twins = joinPrograms(func);
      FailureOr<CpuKernel> two = emit(func, affine, std::move(twins), symbol + ".two");
      if (failed(two))
        return failure();
      kernels.push_back(*two);
    }
    kernels.push_back(*one);
  }
  std::string problem;
  llvm::raw_string_ostream problems(problem);
  if (llvm::verifyModule(module, &problems))
    llvm::reportFatalInternalError("a kernel became invalid LLVM IR: " + llvm::Twine(problem));
  if (!options.skipLLVMPasses && !options.unoptimized)
    if (llvm::Error error = optimize(module, **machine))
      llvm::reportFatalInternalError(llvm::Twine(llvm::toString(std::move(error))));

  if (dest.getTargetTriple().empty()) {
    dest.setTargetTriple(module.getTargetTriple());
    dest.setDataLayout(module.getDataLayout());
  }
  llvm::Linker::linkModules(dest, std::move(own));
  return kernels;
}

namespace {
/// Disables loop strength reduction. The emitted addresses of innermost loops already have the form that instructions
/// take, and the pass would spend a third of the time of code generation on looking for better addresses. (The pass
/// gate knows loop passes by their names.)
class NoLoopStrengthReduction final : public llvm::OptPassGate {
public:
  bool shouldRunPass(StringRef pass, StringRef) const override { return pass != "Loop Strength Reduction"; }
  bool isEnabled() const override { return true; }
};
} // namespace

static llvm::Error emit(llvm::Module &module, const CpuOptions &options, llvm::raw_pwrite_stream &out,
                        llvm::CodeGenFileType type) {
  auto machine = createTargetMachine(options);
  if (!machine)
    return machine.takeError();
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, out, nullptr, type, /*DisableVerify=*/true))
    return llvm::createStringError("the target cannot write this kind of file");
  NoLoopStrengthReduction gate;
  llvm::OptPassGate &before = module.getContext().getOptPassGate();
  module.getContext().setOptPassGate(gate);
  passes.run(module);
  module.getContext().setOptPassGate(before);
  return llvm::Error::success();
}

llvm::Error cpu::emitObject(llvm::Module &module, const CpuOptions &options, llvm::raw_pwrite_stream &out) {
  return emit(module, options, out, llvm::CodeGenFileType::ObjectFile);
}

llvm::Error cpu::emitAssembly(llvm::Module &module, const CpuOptions &options, llvm::raw_pwrite_stream &out) {
  return emit(module, options, out, llvm::CodeGenFileType::AssemblyFile);
}
