//===- AmdCodeGenerator.cpp - compiles kernels to AMD GPU code objects --------------------------------------------===//
//
// For compile(), the stages are TTIR -> TTGIR -> LLVM -> amdgcn -> hsaco. The vendor-independent passes and the passes
// of Passes.td run.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/amd/AmdCodeGenerator.h"
#include "compile/Compile.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/passes/Passes.h"
#include "targets/PortableCodeGenerator.h"
#include "targets/amd/Architectures.h"
#include "targets/amd/CodeObjectWriter.h"
#include "targets/amd/Passes.h"

using namespace llvm;

namespace tilecc::amd {

namespace {
class AmdCodeGenerator final : public PortableCodeGenerator {
public:
  using PortableCodeGenerator::PortableCodeGenerator;

  std::string retarget(StringRef, const Target &) const override {
    reportFatalInternalError("code for one AMD GPU cannot be retargeted to another");
  }

protected:
  StringRef getFamily() const override { return "AMD's GPUs"; }
  PortableExtras getExtras() const override { return {.hasAssertions = true, .hasAssembly = true}; }
  unsigned getThreadsPerWarp(const Target &target) const override { return findFacts(target.name)->warpSize; }
  void addDotPasses(mlir::OpPassManager &pm) const override {
    pm.addPass(createTritonAMDGPUAccelerateMatmul());
    pm.addPass(createTritonAMDGPUInThreadTranspose());
  }
  void addLoopPasses(mlir::OpPassManager &pm, const GpuOptions &options) const override {
    pm.addPass(createTritonGPUFitStages({.numStages = *options.numStages}));
  }
  mlir::LogicalResult checkLayouts(const Kernel &kernel, mlir::ModuleOp module, const Target &target,
                                   StringRef spelling) const override {
    auto made = module->getAttrOfType<mlir::StringAttr>(ttg::targetAttr);
    if (!made || made == spelling)
      return mlir::success();
    return mlir::emitError(locationOf(kernel)) << "TTGIR is made for " << made.getValue() << "; " << target.str()
                                               << " takes TTIR, or TTGIR for " << spelling;
  }
  // The code object contains the LDS size of a kernel, and a launch adds nothing to it.
  unsigned getLaunchedSharedBytes(unsigned) const override { return 0; }

  bool isOneModule(Form form) const override { return form > Form::LLVM; }
  std::unique_ptr<Module> link(MutableArrayRef<std::unique_ptr<Module>> kernels, const Target &target) const override {
    return linkKernels(kernels, *findFacts(target.name), library.floats);
  }
  void optimize(Module &module, const Target &target) const override { amd::optimize(module, *findFacts(target.name)); }
  Expected<std::string> writeCode(Module &module, const Target &target, Form form) const override {
    const Facts &facts = *findFacts(target.name);
    return form == Form::Assembly ? writeAssembly(module, facts) : writeCodeObject(module, facts);
  }
};
} // namespace

std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options) {
  return std::make_unique<AmdCodeGenerator>(options);
}

} // namespace tilecc::amd
