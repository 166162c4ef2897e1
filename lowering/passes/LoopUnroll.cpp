//===- LoopUnroll.cpp - unrolls loops by a factor -----------------------------------------------------------------===//
//
// MLIR's unrolling computes the trip count as an unsigned (hi - lo) / step. That is correct for every distance, even
// one that overflows a signed number, as long as lo <= hi. So the pass first replaces hi by max(lo, hi). An epilogue
// loop executes the remaining iterations. It is not pipelined, because they are few.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/LoopAttributes.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONLOOPUNROLL
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct LoopUnroll : tilecc::impl::TritonLoopUnrollBase<LoopUnroll> {
  void runOnOperation() override {
    // Unroll inner loops first, so that unrolling an outer loop copies the unrolled inner loops.
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr(tt::loopUnrollFactorAttr))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (failed(unroll(loop)))
        return signalPassFailure();
  }

  static LogicalResult unroll(scf::ForOp loop) {
    auto factor = dyn_cast<IntegerAttr>(loop->removeAttr(tt::loopUnrollFactorAttr));
    if (!factor || factor.getInt() < 1)
      return loop.emitError() << "a loop's " << tt::loopUnrollFactorAttr << " is an integer from 1";
    if (factor.getInt() == 1)
      return success();
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value lo = loop.getLowerBound(), hi = loop.getUpperBound();
    // An unknown step may be so large that a multiple of it overflows its type.
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    unsigned width = lo.getType().isIndex() ? 64 : lo.getType().getIntOrFloatBitWidth();
    int64_t limit = width < 64 ? (int64_t(1) << (width - 1)) - 1 : std::numeric_limits<int64_t>::max();
    if (!step || *step < 1 || *step > limit / factor.getInt())
      return success();
    if (!getConstantIntValue(lo) || !getConstantIntValue(hi) || *getConstantIntValue(hi) < *getConstantIntValue(lo))
      loop.setUpperBound(loop.getUnsignedCmp() ? Value(arith::MaxUIOp::create(builder, loc, lo, hi))
                                               : Value(arith::MaxSIOp::create(builder, loc, lo, hi)));
    FailureOr<UnrolledLoopInfo> unrolled = loopUnrollByFactor(loop, factor.getInt());
    if (failed(unrolled))
      return loop.emitError("this loop cannot be unrolled");
    if (unrolled->epilogueLoopOp)
      (*unrolled->epilogueLoopOp)->setAttr(tt::numStagesAttr, builder.getI32IntegerAttr(1));
    return success();
  }
};

} // namespace
