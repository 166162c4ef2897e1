//===- SpirvCodeGenerator.cpp - compiles kernels to SPIR-V --------------------------------------------------------===//
//
// For compile(), the stages are TTIR -> TTGIR -> LLVM -> SPIR-V. The vendor-neutral passes and those of Passes.td run.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/SpirvCodeGenerator.h"
#include "compile/Compile.h"
#include "lowering/dialects/ttg/TTG.h"
#include "targets/PortableCodeGenerator.h"
#include "targets/spirv/MissingTypes.h"
#include "targets/spirv/Passes.h"
#include "targets/spirv/SpirvModule.h"
#include "targets/spirv/SpirvTargets.h"

using namespace llvm;

namespace tilecc::spirv {

namespace {
class SpirvCodeGenerator final : public PortableCodeGenerator {
public:
  using PortableCodeGenerator::PortableCodeGenerator;

  std::string retarget(StringRef, const Target &) const override {
    reportFatalInternalError("code for one sub-group size cannot be retargeted to another");
  }

protected:
  StringRef getFamily() const override { return "SPIR-V"; }
  unsigned getThreadsPerWarp(const Target &target) const override { return findFacts(target.name)->warpSize; }
  void addDotPasses(mlir::OpPassManager &pm) const override { pm.addPass(createTritonIntelGPUAccelerateMatmul()); }
  mlir::LogicalResult checkLayouts(const Kernel &kernel, mlir::ModuleOp module, const Target &target,
                                   StringRef) const override {
    if (!ttg::hasLayouts(module))
      return mlir::success();
    return mlir::emitError(locationOf(kernel)) << "TTGIR is made for one GPU; " << target.str() << " takes TTIR";
  }
  void prepare(mlir::ModuleOp module) const override { useOpenCLTypes(module); }

  // Assembly is one module, for tools that read SPIR-V. In an object, each variant is a separate module, because a
  // device can only build whole modules.
  bool isOneModule(Form form) const override { return form == Form::Assembly; }
  std::unique_ptr<Module> link(MutableArrayRef<std::unique_ptr<Module>> kernels, const Target &) const override {
    return linkKernels(kernels);
  }
  void optimize(Module &module, const Target &) const override { spirv::optimize(module, library.floats.fmad); }
  Expected<std::string> writeCode(Module &module, const Target &, Form) const override { return writeBinary(module); }
};
} // namespace

std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options) {
  return std::make_unique<SpirvCodeGenerator>(options);
}

} // namespace tilecc::spirv
