//===- AmdCodeGenerator.cpp - kernels to code objects of AMD's GPUs -----------------------------------------------===//
//
// TTIR -> TTGIR -> LLVM -> amdgcn -> hsaco, for compile(). The passes are those that know of no vendor.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/amd/AmdCodeGenerator.h"
#include "compile/Attempt.h"
#include "compile/Compile.h"
#include "compile/Warps.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/passes/TTIRPipeline.h"
#include "targets/GpuPipeline.h"
#include "targets/Observer.h"
#include "targets/RunPasses.h"
#include "targets/amd/Architectures.h"
#include "targets/amd/CodeObject.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc::amd {

namespace {
class AmdCodeGenerator final : public CodeGenerator {
public:
  explicit AmdCodeGenerator(const CodeOptions &options)
      : library{"", options.floats}, reproducedPass(options.reproducedPass), observer(options.observer) {}

  mlir::LogicalResult transform(const Kernel &kernel, Variant &variant, const Target &target,
                                Form form) const override {
    mlir::ModuleOp module = *variant.module;
    if (failed(checkPortable(module, "AMD's GPUs")))
      return mlir::failure();
    GpuOptions options = gpuOptions(kernel, target, library);
    mlir::PassManager pm(module.getContext());
    PipelineObservation observation(observer, {kernel, variant, target});
    bool hasLayouts = ttg::hasLayouts(module);
    if (auto made = module->getAttrOfType<mlir::StringAttr>(ttg::targetAttr); made && made != options.target)
      return mlir::emitError(locationOf(kernel)) << "TTGIR is made for " << made.getValue() << "; " << target.str()
                                                 << " takes TTIR, or TTGIR for " << options.target;
    if (!hasLayouts) {
      buildTTIRPipeline(pm);
      observation.reaches(Form::TTIR, pm);
    }
    if (!hasLayouts && form >= Form::TTGIR) {
      if (hasDescriptors(module) || takesDescriptors(module))
        buildPointerPipeline(pm);
      buildPortableTTGIRPipeline(pm, options, findFacts(target.name)->warpSize);
    }
    observation.reaches(Form::TTGIR, pm);
    if (form >= Form::LLVM)
      buildGPUToLLVMPipeline(pm, options);
    return runPasses(pm, module, reproducedPass, observation.getListener());
  }

  mlir::FailureOr<LoweredVariant> lower(const Kernel &kernel, Variant &variant, const Target &target,
                                        LLVMContext &context) const override {
    if (failed(transform(kernel, variant, target, Form::LLVM)))
      return mlir::failure();
    LoweredVariant lowered;
    auto module = translateToLLVM(*variant.module, context, lowered.launch);
    if (failed(module))
      return mlir::failure();
    lowered.module = std::move(*module);
    // The code object says how much LDS a kernel has; a launch adds nothing to it.
    defineSharedMemory(*lowered.module, variant.symbol, lowered.launch.sharedBytes);
    lowered.launch.sharedBytes = 0;
    return lowered;
  }

  Expected<std::string> emit(std::vector<std::unique_ptr<Module>> modules, const Target &target,
                             Form form) const override {
    const Facts &facts = *findFacts(target.name);
    if (form > Form::LLVM)
      return write(linkKernels(modules, facts, library.floats), target, form);
    std::string all;
    for (std::unique_ptr<Module> &module : modules) {
      Expected<std::string> written = write(linkKernels(module, facts, library.floats), target, form);
      if (!written)
        return written;
      all += (all.empty() ? "" : "\n// -----\n\n") + *written;
    }
    return all;
  }

  std::string retarget(StringRef, const Target &) const override {
    reportFatalInternalError("code for one of AMD's GPUs is no other's");
  }

private:
  Expected<std::string> write(std::unique_ptr<Module> module, const Target &target, Form form) const {
    const Facts &facts = *findFacts(target.name);
    Attempt attempt(*module, target);
    optimize(*module, facts);
    if (observer)
      observer->sawLLVM(*module, target);
    if (form == Form::Assembly)
      return writeAssembly(*module, facts);
    if (form == Form::Object)
      return writeCodeObject(*module, facts);
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
  return std::make_unique<AmdCodeGenerator>(options);
}

} // namespace tilecc::amd
