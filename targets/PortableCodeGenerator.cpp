//===- PortableCodeGenerator.cpp - code generation by vendor-neutral passes ---------------------------------------===//
//
// The header describes this class. The code generators for AMD's GPUs and for SPIR-V derive from it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/PortableCodeGenerator.h"
#include "compile/Attempt.h"
#include "compile/Compile.h"
#include "compile/Warps.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/passes/TTIRPipeline.h"
#include "targets/Observer.h"
#include "targets/RunPasses.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

mlir::LogicalResult PortableCodeGenerator::transform(const Kernel &kernel, Variant &variant, const Target &target,
                                                     Form form) const {
  mlir::ModuleOp module = *variant.module;
  GpuOptions options = gpuOptions(kernel, target, library);
  if (profile)
    return mlir::emitError(locationOf(kernel))
           << kernel.displayName << ": records of -fprofile-tile have no code for " << getFamily();
  if (failed(checkLayouts(kernel, module, target, options.target)) ||
      failed(checkPortable(module, getFamily(), getExtras())))
    return mlir::failure();
  mlir::PassManager pm(module.getContext());
  PipelineObservation observation(observer, {kernel, variant, target});
  bool hasLayouts = ttg::hasLayouts(module);
  if (!hasLayouts) {
    buildTTIRPipeline(pm);
    observation.reaches(Form::TTIR, pm);
  }
  if (form >= Form::TTGIR) {
    if (!hasLayouts) {
      if (hasDescriptors(module) || takesDescriptors(module))
        buildPointerPipeline(pm);
      buildPortableTTGIRPipeline(
          pm, options, getThreadsPerWarp(target), [&](mlir::OpPassManager &passes) { addDotPasses(passes); },
          [&](mlir::OpPassManager &passes) { addLoopPasses(passes, options); });
    }
    observation.reaches(Form::TTGIR, pm);
  }
  if (form >= Form::LLVM)
    buildGPUToLLVMPipeline(pm, options);
  return runPasses(pm, module, reproducedPass, observation.getListener());
}

mlir::FailureOr<LoweredVariant> PortableCodeGenerator::lower(const Kernel &kernel, Variant &variant,
                                                             const Target &target, LLVMContext &context) const {
  if (failed(transform(kernel, variant, target, Form::LLVM)))
    return mlir::failure();
  prepare(*variant.module);
  LoweredVariant lowered;
  auto module = translateToLLVM(*variant.module, context, lowered.launch);
  if (failed(module))
    return mlir::failure();
  lowered.module = std::move(*module);
  // The code itself must define the size of a kernel's shared memory, because a launch cannot.
  defineSharedMemory(*lowered.module, variant.symbol, lowered.launch.sharedBytes);
  lowered.launch.sharedBytes = getLaunchedSharedBytes(lowered.launch.sharedBytes);
  return lowered;
}

Expected<std::string> PortableCodeGenerator::emit(std::vector<std::unique_ptr<Module>> modules, const Target &target,
                                                  Form form) const {
  if (isOneModule(form))
    return write(link(modules, target), target, form);
  std::string all;
  for (std::unique_ptr<Module> &module : modules) {
    Expected<std::string> written = write(link(module, target), target, form);
    if (!written)
      return written;
    all += (form == Form::LLVM && !all.empty() ? "\n// -----\n\n" : "") + *written;
  }
  return all;
}

Expected<std::string> PortableCodeGenerator::write(std::unique_ptr<Module> module, const Target &target,
                                                   Form form) const {
  Attempt attempt(*module, target);
  optimize(*module, target);
  if (observer)
    observer->sawLLVM(*module, target);
  if (form > Form::LLVM)
    return writeCode(*module, target, form);
  std::string text;
  raw_string_ostream(text) << *module;
  return text;
}

} // namespace tilecc
