//===- GpuPipeline.cpp - from TTGIR to LLVM IR, for every GPU -----------------------------------------------------===//
//
// The code generators of the back ends for GPUs use this file, and so do tcc-opt and tcc-translate.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/GpuPipeline.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/dialects/tt/SignalOps.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/gpu/Lowering.h"
#include "lowering/passes/Passes.h"
#include "targets/Registry.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"

using namespace mlir;

namespace tilecc {

LogicalResult checkPortable(ModuleOp module, StringRef target, PortableExtras extras) {
  bool fails = false;
  auto refuse = [&](Operation *op, const llvm::Twine &what) {
    emitError(op->getLoc()) << what << " has no code for " << target;
    fails = true;
  };
  module.walk([&](Operation *op) {
    if (isa<tt::ElementwiseInlineAsmOp>(op) && !extras.hasAssembly)
      refuse(op, "assembly of NVIDIA's GPUs");
    else if (isa<tt::CallThreadsOp>(op))
      refuse(op, "a call of SIMT code");
    else if (isa<tt::MultimemSumOp, tt::MultimemStoreOp, tt::MultimemAddOp>(op))
      refuse(op, "multicast memory");
    else if (isa<tt::PrintOp>(op))
      refuse(op, "device_print");
    else if (isa<tt::AssertOp>(op) && !extras.hasAssertions)
      refuse(op, "device_assert, which -DNDEBUG leaves out,");
    else if (auto call = dyn_cast<tt::ExternElementwiseOp>(op); call && call.getLibname() == tt::threadLibrary)
      refuse(op, "a call of SIMT code");
    else if (call && call.getLibname() != tt::ownLibrary && !hasFormula(call.getSymbol()))
      refuse(op, "the function '" + call.getSymbol() + "' of libdevice");
  });
  return failure(fails);
}

void buildPortableTTGIRPipeline(OpPassManager &pm, const GpuOptions &options, unsigned threadsPerWarp,
                                llvm::function_ref<void(OpPassManager &)> addDotPasses,
                                llvm::function_ref<void(OpPassManager &)> addLoopPasses) {
  pm.addPass(createTritonPromoteProducts()); // before layouts, so that the conversions get their operands' layouts
  ConvertTritonToTritonGPUOptions convert;
  convert.target = options.target;
  convert.numWarps = *options.numWarps;
  convert.threadsPerWarp = threadsPerWarp;
  pm.addPass(createConvertTritonToTritonGPU(convert));
  // From here on, every tile has a layout.
  pm.addPass(createTritonGPUCoalesce());
  pm.addPass(createTritonGPUF32DotTC({.emuTF32 = false})); // products of f32 are exact here
  pm.addPass(createTritonGPURemoveLayoutConversions());
  pm.addPass(createTritonGPUOptimizeThreadLocality());
  addDotPasses(pm);
  pm.addPass(createTritonGPURemoveLayoutConversions());
  pm.addPass(createTritonGPUSplitRunningSums());
  pm.addPass(createTritonGPUOptimizeDotOperands());
  pm.addPass(createCSEPass());
  pm.addPass(createTritonGPUCombineTensorSelectAndIf());
  addLoopPasses(pm);
  pm.addPass(createCSEPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createCanonicalizerPass());
}

void buildPortableLoopPasses(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createTritonGPUReduceDataDuplication());
  pm.addPass(createTritonGPUReorderInstructions());
}

void buildGPUToLLVMPipeline(OpPassManager &pm, const GpuOptions &options) {
  pm.addPass(createTritonGPUPlanCTA()); // only for Triton's TTGIR, whose encodings distribute tiles over blocks
  pm.addPass(createTritonGPUOutlinePartitions());
  pm.addPass(createTritonGPUStageDotOperands());
  if (options.checkReplicas)
    pm.addPass(createTritonGPUCheckReplicas());
  pm.addPass(createTritonGPULowerControlFlow()); // the insertion of barriers needs a control-flow graph
  std::string error;
  if (const GpuBackend *backend = findGpuBackend(options.target, error)) // if there is none, the conversion reports it
    backend->buildMemoryPasses(pm);
  pm.addPass(createAllocateSharedMemory());
  pm.addPass(createTritonGPUMembar());
  const FloatOptions &floats = options.library.floats;
  pm.addPass(createConvertTritonGPUToLLVM({.fmad = floats.fmad,
                                           .ftz = floats.ftz,
                                           .precDiv = floats.precDiv,
                                           .precSqrt = floats.precSqrt,
                                           .fastMath = floats.fastMath,
                                           .libdevice = options.library.libdevice}));
  pm.addPass(createReconcileUnrealizedCastsPass());
  // From here on, the code is that of a single thread, and there are no tiles.
  pm.addPass(createNormalizeLocations());
  LLVM::DIScopeForLLVMFuncOpPassOptions debug;
  debug.emissionKind =
      LLVM::DIEmissionKind::DebugDirectivesOnly; // emit only lines; with any other kind, ptxas would not optimize
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(debug));
}

/// Returns the tensor maps that the module's kernel takes.
static std::vector<TensorMap> getTensorMaps(ModuleOp module) {
  std::vector<TensorMap> maps;
  module.walk([&](LLVM::LLVMFuncOp func) {
    auto described = func->getAttrOfType<ArrayAttr>(ttng::tensorMapsAttr);
    if (!described)
      return;
    for (auto attr : described.getAsRange<DictionaryAttr>()) {
      TensorMap &map = maps.emplace_back();
      auto number = [&](StringRef name) { return attr.getAs<IntegerAttr>(name).getInt(); };
      auto copy = [&](StringRef name, auto *to) { llvm::copy(attr.getAs<DenseI64ArrayAttr>(name).asArrayRef(), to); };
      map.bytes = number("bytes");
      map.swizzle = number("swizzle");
      map.base = number("base");
      copy("box", map.box);
      if (attr.contains("image_dimensions")) {
        map.imageDimensions = number("image_dimensions");
        map.code = attr.getAs<DenseI64ArrayAttr>("code").asArrayRef().vec();
        continue;
      }
      map.parameter = number("parameter");
      copy("limits", map.limits);
      copy("sizes", map.sizes);
      copy("strides", map.strides);
    }
  });
  return maps;
}

FailureOr<std::unique_ptr<llvm::Module>> translateToLLVM(ModuleOp module, llvm::LLVMContext &context, Launch &launch) {
  int64_t warps = ttg::getModuleInteger(module, ttg::totalNumWarpsAttr, ttg::getNumWarps(module));
  launch.threads = warps * ttg::getThreadsPerWarp(module);
  launch.sharedBytes = ttg::getModuleInteger(module, ttg::sharedAttr, 0);
  launch.cluster = ttg::getModuleInteger(module, ttg::numCTAsAttr, 1);
  launch.maxBlocks = ttg::getModuleInteger(module, ttng::maxBlocksAttr, 1);
  launch.maps = getTensorMaps(module);
  module.walk([&](LLVM::LLVMFuncOp func) {
    launch.persistentAxes = std::max(launch.persistentAxes, ttng::getNumber(func, ttng::persistentAttr));
    launch.numberedAxes = std::max(launch.numberedAxes, ttng::getNumber(func, ttng::numberedAttr));
    launch.clusterBytes = std::max(launch.clusterBytes, ttng::getNumber(func, ttng::clusterBytesAttr));
    launch.leastIterations = std::max(launch.leastIterations, ttng::getNumber(func, tt::leastIterationsAttr));
    launch.waits |= func->hasAttr(tt::waitsAttr);
    if (func->hasAttr(ttng::blockPairsAttr))
      launch.maxBlocks = 2;
  });
  launch.programs = ttg::getProgramsPerBlock(module);
  launch.axis = ttg::getModuleInteger(module, ttg::programsAxisAttr, 0);
  std::unique_ptr<llvm::Module> result = translateModuleToLLVMIR(module, context, "kernels");
  if (!result)
    return failure();
  std::string problem;
  llvm::raw_string_ostream problems(problem);
  if (llvm::verifyModule(*result, &problems)) // otherwise later stages would crash
    llvm::reportFatalInternalError("a kernel became invalid LLVM IR: " + llvm::Twine(problem));
  return result;
}

std::unique_ptr<llvm::Module> linkModules(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels) {
  assert(!kernels.empty() && "code of no kernel");
  std::unique_ptr<llvm::Module> module = std::move(kernels.front());
  llvm::Linker linker(*module); // use a single linker, because each one would search everything that is linked so far
  for (std::unique_ptr<llvm::Module> &kernel : kernels.drop_front())
    if (linker.linkInModule(std::move(kernel)))
      llvm::reportFatalInternalError("two kernels of one file have the same symbol");
  return module;
}

void defineSharedMemory(llvm::Module &module, llvm::StringRef kernel, unsigned bytes) {
  llvm::GlobalVariable *declared = module.getNamedGlobal(sharedMemorySymbol);
  if (!declared)
    return;
  auto *type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), bytes);
  auto *defined = new llvm::GlobalVariable(module, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
                                           llvm::UndefValue::get(type), kernel + "$shared", nullptr,
                                           llvm::GlobalValue::NotThreadLocal, declared->getAddressSpace());
  defined->setAlignment(declared->getAlign());
  declared->replaceAllUsesWith(defined);
  declared->eraseFromParent();
}

void optimizeForGpu(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.LoopInterleaving = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

} // namespace tilecc
