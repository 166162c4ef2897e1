//===- LowerControlFlow.cpp - lowers structured control flow to branches ------------------------------------------===//
//
// The pass skips the regions of reductions and similar operations, because the patterns that lower these operations
// copy and lower their regions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPULOWERCONTROLFLOW
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct LowerControlFlow : tilecc::impl::TritonGPULowerControlFlowBase<LowerControlFlow> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *op) {
      return !isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::ParallelOp, scf::ExecuteRegionOp, scf::IndexSwitchOp,
                  scf::ForallOp>(op) ||
             tt::getElementParent(op);
    });
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
