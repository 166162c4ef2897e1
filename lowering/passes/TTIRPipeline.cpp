//===- TTIRPipeline.cpp - the passes before layouts, for every target -------------------------------------------------===//
//
// Run by the back ends for each variant of a kernel, and by tcc-opt as --tcc-ttir.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/TTIRPipeline.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/passes/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "targets/RunPasses.h"

using namespace mlir;

namespace tilecc {

void buildTTIRPipeline(OpPassManager &pm) {
  pm.addPass(createInlinerPass()); // tiles have no calling convention
  pm.addPass(createTritonRewriteTensorPointer());
  pm.addPass(createTritonDecomposeScaledDot());
  // From here on there are pointers to elements, and products of what targets multiply.
  pm.addPass(createTritonSqueezeUnitDims()); // before anything looks for a load, or a product
  pm.addPass(createTritonCombine());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createTritonReorderBroadcast()); // after canonicalization, which leaves splats where broadcasts were
  pm.addPass(createCSEPass());
  pm.addPass(createTritonForwardStores()); // what is left is loaded from memory
  pm.addPass(createTritonLoopInvariantCodeMotion());
  pm.addPass(createTritonSplitLoops()); // what is the same in every iteration is outside now
  pm.addPass(createTritonHoistScales()); // no mask is between a product and its maximum in most iterations
  pm.addPass(createSymbolDCEPass()); // what was inlined
  pm.addPass(createTritonLoopUnroll());
}

void buildPointerPipeline(OpPassManager &pm) {
  pm.addPass(createTritonRewriteTensorDescriptorToPointer());
  buildTTIRPipeline(pm);
}

bool takesDescriptors(ModuleOp module) {
  return llvm::any_of(module.getOps<tt::FuncOp>(), [](tt::FuncOp func) {
    return llvm::any_of(func.getArgumentTypes(), llvm::IsaPred<tt::TensorDescType>);
  });
}

bool hasDescriptors(ModuleOp module) {
  return module.walk([](tt::MakeTensorDescOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

bool needsPointerPipeline(ModuleOp module) {
  return takesDescriptors(module) || module.walk([](Operation *op) {
    return isa<tt::MakeTensorDescOp, tt::MakeTensorPtrOp, tt::DotScaledOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  }).wasInterrupted();
}

LogicalResult expandDescriptorArguments(ModuleOp module) {
  if (!takesDescriptors(module))
    return success();
  PassManager pm(module.getContext());
  pm.addPass(createTritonRewriteTensorDescriptorToPointer({.expandArguments = true}));
  return runPasses(pm, module);
}

} // namespace tilecc
