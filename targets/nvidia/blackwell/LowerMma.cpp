//===- LowerMma.cpp - makes synchronous dots asynchronous -------------------------------------------------------===//
//
// Passes.td describes the effect of this pass.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/pipeliner/SlotBarriers.h"
#include "targets/nvidia/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAMMALOWERING
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

void waitFor(ttng::MMAv5OpInterface dot) {
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  // The dot fills the only slot, and nothing empties it.
  pipeline::SlotBarriers done(builder, loc, /*count=*/1, /*fillers=*/1, pipeline::SlotReaders{0});
  Value slot = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  dot.getBarriersMutable().assign(done.getFull(builder, loc, slot));
  dot.getBarrierPredsMutable().assign(dot.getPred());
  dot.setIsAsync(true);
  builder.setInsertionPointAfter(dot);
  Value barrier = dot.getBarriers().front();
  SmallVector<Value> accessed;
  for (OpOperand *operand : dot.getReadOperands())
    accessed.push_back(operand->get());
  accessed.push_back(dot.getD());
  ttng::WaitBarrierOp::create(builder, loc, barrier, slot, dot.getPred(), accessed);
  done.destroy(builder, loc);
}

struct LowerMma : tilecc::impl::TritonNvidiaMMALoweringBase<LowerMma> {
  void runOnOperation() override {
    getOperation().walk([](ttng::MMAv5OpInterface dot) {
      if (!dot.getIsAsync())
        waitFor(dot);
    });
  }
};

} // namespace
