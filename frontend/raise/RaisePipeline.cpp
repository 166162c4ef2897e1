//===- RaisePipeline.cpp - the order in which raised kernels get structure ---------------------------------------------===//
//
// Run on each kernel that was just raised, and by tcc-opt, where each pass is an option.
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
  mlir::PassPipelineRegistration<>("tt-structure", "Give a raised kernel structure", buildStructuringPipeline);
  mlir::PassPipelineRegistration<>("tt-inline", "Give a kernel of Triton's the functions it calls", buildInliningPipeline);
}

void buildStructuringPipeline(mlir::OpPassManager &pm) {
  pm.addPass(createTTLiftControlFlow());
  // No branches are left. Every loop is an scf.while whose body stands before its condition.
  pm.addPass(createTTSinkIntoIf());
  pm.addPass(createTTMoveWhileBody());
  pm.addPass(createTTHoistWhileCondition());
  // The condition of a counted loop is a lone comparison with a value from outside the loop.
  pm.addPass(createTTWhileToFor());
  // Overflow flags have served their purpose; selects of bools may become and, or only without them.
  pm.addPass(createTTStripOverflowFlags());
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
}

void buildInliningPipeline(mlir::OpPassManager &pm) {
  pm.addPass(createTTLiftControlFlow({.kernels = false}));
  pm.addPass(mlir::createInlinerPass({}, [](mlir::OpPassManager &) {})); // and nothing else
  pm.addPass(mlir::createSymbolDCEPass());
}

} // namespace tilecc
