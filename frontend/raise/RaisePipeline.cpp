//===- RaisePipeline.cpp - the pipeline that structures raised kernels --------------------------------------------===//
//
// This pipeline runs on each kernel after the raise. In tcc-opt, each of its passes is an option.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Passes.h"
#include "frontend/raise/Raise.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#define GEN_PASS_REGISTRATION
namespace tilecc {
namespace {
#include "frontend/raise/Passes.h.inc"
} // namespace

void registerRaisePasses() {
  registerTileCCRaisePasses();
  mlir::PassPipelineRegistration<>("tt-structure", "Structure a raised kernel", buildStructuringPipeline);
  mlir::PassPipelineRegistration<>("tt-inline", "Inline the functions that a Triton kernel calls",
                                   buildInliningPipeline);
}

void buildStructuringPipeline(mlir::OpPassManager &pm) {
  pm.addPass(createTTLiftControlFlow());
  // There are no branches left. Every loop is an scf.while whose body precedes its condition.
  pm.addPass(createTTSinkIntoIf());
  pm.addPass(createTTMoveWhileBody());
  pm.addPass(createTTHoistWhileCondition());
  // The condition of a counted loop is now a single comparison with a loop-invariant value.
  pm.addPass(createTTWhileToFor());
  // Overflow flags are no longer needed. Without them, selects of bools can become and/or.
  pm.addPass(createTTStripOverflowFlags());
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
}

void buildInliningPipeline(mlir::OpPassManager &pm) {
  pm.addPass(createTTLiftControlFlow({.kernels = false}));
  pm.addPass(mlir::createInlinerPass({}, [](mlir::OpPassManager &) {})); // no other passes
  pm.addPass(mlir::createSymbolDCEPass());
}

} // namespace tilecc
