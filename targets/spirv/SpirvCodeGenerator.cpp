//===- SpirvCodeGenerator.cpp - kernels to SPIR-V -----------------------------------------------------------------===//
//
// TTIR -> TTGIR -> LLVM -> SPIR-V, for compile(). The passes are those that know of no vendor.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/SpirvCodeGenerator.h"
#include "compile/Attempt.h"
#include "compile/Compile.h"
#include "compile/Warps.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/passes/TTIRPipeline.h"
#include "targets/GpuPipeline.h"
#include "targets/Observer.h"
#include "targets/RunPasses.h"
#include "targets/spirv/OpenCLTypes.h"
#include "targets/spirv/SpirvModule.h"
#include "targets/spirv/SpirvTargets.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc::spirv {

namespace {
class SpirvCodeGenerator final : public CodeGenerator {
public:
  explicit SpirvCodeGenerator(const CodeOptions &options)
      : library{"", options.floats}, reproducedPass(options.reproducedPass), observer(options.observer) {}

  mlir::LogicalResult transform(const Kernel &kernel, Variant &variant, const Target &target,
                                Form form) const override {
    mlir::ModuleOp module = *variant.module;
    if (ttg::hasLayouts(module))
      return mlir::emitError(locationOf(kernel)) << "TTGIR is made for one GPU; " << target.str() << " takes TTIR";
    if (failed(checkPortable(module, "SPIR-V")))
      return mlir::failure();
    GpuOptions options = gpuOptions(kernel, target, library);
    mlir::PassManager pm(module.getContext());
    PipelineObservation observation(observer, {kernel, variant, target});
    buildTTIRPipeline(pm);
    observation.reaches(Form::TTIR, pm);
    if (form >= Form::TTGIR) {
      if (hasDescriptors(module) || takesDescriptors(module))
        buildPointerPipeline(pm);
      buildPortableTTGIRPipeline(pm, options, *parseName(target.name));
      observation.reaches(Form::TTGIR, pm);
    }
    if (form >= Form::LLVM)
      buildGPUToLLVMPipeline(pm, options);
    return runPasses(pm, module, reproducedPass, observation.getListener());
  }

  mlir::FailureOr<LoweredVariant> lower(const Kernel &kernel, Variant &variant, const Target &target,
                                        LLVMContext &context) const override {
    if (failed(transform(kernel, variant, target, Form::LLVM)))
      return mlir::failure();
    useOpenCLTypes(*variant.module);
    LoweredVariant lowered;
    auto module = translateToLLVM(*variant.module, context, lowered.launch);
    if (failed(module))
      return mlir::failure();
    lowered.module = std::move(*module);
    // OpenCL has no shared memory whose size only a launch knows.
    defineSharedMemory(*lowered.module, variant.symbol, lowered.launch.sharedBytes);
    return lowered;
  }

  Expected<std::string> emit(std::vector<std::unique_ptr<Module>> modules, const Target &target,
                             Form form) const override {
    // Assembly is one module, for tools that read SPIR-V. In an object each variant is a module, since a device builds
    // a module as a whole.
    if (form == Form::Assembly)
      return write(linkKernels(modules), target, form);
    std::string all;
    for (std::unique_ptr<Module> &module : modules) {
      Expected<std::string> written = write(linkKernels(module), target, form);
      if (!written)
        return written;
      all += (form == Form::LLVM && !all.empty() ? "\n// -----\n\n" : "") + *written;
    }
    return all;
  }

  std::string retarget(StringRef, const Target &) const override {
    reportFatalInternalError("code for one size of sub-groups is no other's");
  }

private:
  Expected<std::string> write(std::unique_ptr<Module> module, const Target &target, Form form) const {
    Attempt attempt(*module, target);
    optimize(*module, library.floats.fmad);
    if (observer)
      observer->sawLLVM(*module, target);
    if (form > Form::LLVM)
      return writeBinary(*module);
    std::string text;
    raw_string_ostream(text) << *module;
    return text;
  }

  GpuLibrary library;
  std::optional<unsigned> reproducedPass;
  CompileObserver *observer;
};
} // namespace

std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options) {
  return std::make_unique<SpirvCodeGenerator>(options);
}

} // namespace tilecc::spirv
