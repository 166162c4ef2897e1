//===- TTIRPipeline.cpp - the passes on TTIR, for every target ----------------------------------------------------===//
//
// The back ends run this pipeline for each variant of a kernel, and tcc-opt runs it as --tcc-ttir.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/TTIRPipeline.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/passes/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "targets/RunPasses.h"

using namespace mlir;

namespace tilecc {

void buildTTIRPipeline(OpPassManager &pm, KeepsScaledDot keeps) {
  pm.addPass(createInlinerPass()); // tiles have no calling convention
  pm.addPass(createTritonRewriteTensorPointer());
  pm.addPass(createTritonDecomposeScaledDot(std::move(keeps)));
  // From here on, all pointers point to elements, and targets can multiply the operands of all dots.
  pm.addPass(createTritonSqueezeUnitDims()); // before any pass looks for loads or dots
  pm.addPass(createTritonCombine());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createTritonReorderBroadcast()); // after canonicalization, which turns broadcasts into splats
  pm.addPass(createCSEPass());
  pm.addPass(createTritonForwardStores()); // so that the loads that remain are real memory accesses
  pm.addPass(createTritonLoopInvariantCodeMotion());
  pm.addPass(createTritonSplitLoops()); // after LICM, so that invariants are outside
  pm.addPass(createTritonHoistScales()); // after splitting: most iterations have no mask before the maximum
  pm.addPass(createSymbolDCEPass()); // removes inlined functions
  pm.addPass(createTritonLoopUnroll());
}

void buildPointerPipeline(OpPassManager &pm, KeepsScaledDot keeps) {
  pm.addPass(createTritonRewriteTensorDescriptorToPointer());
  buildTTIRPipeline(pm, std::move(keeps));
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
  return takesDescriptors(module) || module
                                         .walk([](Operation *op) {
                                           return isa<tt::MakeTensorDescOp, tt::MakeTensorPtrOp, tt::DotScaledOp>(op)
                                                      ? WalkResult::interrupt()
                                                      : WalkResult::advance();
                                         })
                                         .wasInterrupted();
}

LogicalResult expandDescriptorArguments(ModuleOp module) {
  if (!takesDescriptors(module))
    return success();
  PassManager pm(module.getContext());
  pm.addPass(createTritonRewriteTensorDescriptorToPointer({.expandArguments = true}));
  return runPasses(pm, module);
}

} // namespace tilecc
