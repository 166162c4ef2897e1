//===- SpirvModule.cpp - from LLVM IR to SPIR-V -------------------------------------------------------------------===//
//
// Called by the SPIR-V code generator for all kernels of a source.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/SpirvModule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

using namespace llvm;

// LLVM's SPIR-V back end as a function (SPIRVAPI.cpp), which has no header.
extern "C" bool SPIRVTranslate(Module *module, std::string &binary, std::string &error,
                               const std::vector<std::string> &extensions, CodeGenOptLevel level, Triple triple);

namespace tilecc::spirv {

static constexpr StringLiteral tripleOfDevices = "spirv64v1.3-unknown-unknown";

std::unique_ptr<Module> linkKernels(std::vector<std::unique_ptr<Module>> kernels) {
  std::unique_ptr<Module> module = std::move(kernels.front());
  Linker linker(*module);
  for (std::unique_ptr<Module> &kernel : drop_begin(kernels))
    if (linker.linkInModule(std::move(kernel)))
      reportFatalInternalError("two kernels of one file have the same symbol");
  Triple triple(tripleOfDevices);
  module->setTargetTriple(triple);
  module->setDataLayout(triple.computeDataLayout());
  StripDebugInfo(*module);
  return module;
}

/// Joins a product and the sum that alone uses it where both may be contracted. OpenCL could be told to do so, but for a
/// whole kernel only, and there are formulas that depend on each rounding.
static void contractProducts(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      bool isDifference = instruction.getOpcode() == Instruction::FSub;
      if ((!isDifference && instruction.getOpcode() != Instruction::FAdd) || !instruction.hasAllowContract())
        continue;
      for (unsigned side : {0u, 1u}) {
        auto *product = dyn_cast<BinaryOperator>(instruction.getOperand(side));
        if (!product || product->getOpcode() != Instruction::FMul || !product->hasAllowContract() || !product->hasOneUse())
          continue;
        IRBuilder<> builder(&instruction);
        Value *x = product->getOperand(0), *other = instruction.getOperand(1 - side);
        if (isDifference && side == 0)
          other = builder.CreateFNeg(other);
        if (isDifference && side == 1)
          x = builder.CreateFNeg(x);
        instruction.replaceAllUsesWith(
            builder.CreateIntrinsic(instruction.getType(), Intrinsic::fma, {x, product->getOperand(1), other}));
        instruction.eraseFromParent();
        product->eraseFromParent();
        break;
      }
    }
}

static std::unique_ptr<TargetMachine> createTargetMachine() {
  Triple triple(tripleOfDevices);
  std::string error;
  const Target *backend = TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    reportFatalInternalError("LLVM was built without SPIR-V: " + Twine(error));
  return std::unique_ptr<TargetMachine>(backend->createTargetMachine(triple, "", "", TargetOptions(), std::nullopt));
}

void optimize(Module &module, bool fmad) {
  std::unique_ptr<TargetMachine> machine = createTargetMachine();
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.LoopInterleaving = false;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder builder(machine.get(), tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(module, modules);
  if (fmad)
    contractProducts(module);
}

Expected<std::string> writeBinary(Module &module) {
  // Which extensions there are LLVM keeps in an option of the process.
  static std::mutex oneAtATime;
  std::string binary, error;
  {
    std::lock_guard lock(oneAtATime);
    // No optimization: loop strength reduction makes addresses in bytes that are then written in units of elements.
    if (!SPIRVTranslate(&module, binary, error, {"SPV_EXT_shader_atomic_float_add"}, CodeGenOptLevel::None,
                        module.getTargetTriple()))
      return createStringError(error);
  }
  if (Error problem = checkModule(binary))
    return std::move(problem);
  return binary;
}

} // namespace tilecc::spirv
