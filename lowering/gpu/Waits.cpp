//===- Waits.cpp - programs that wait for signals -----------------------------------------------------------------===//
//
// One thread polls each signal, so that the polls of a program do not slow each other down. The barrier behind the
// loops lets all threads of the program see what these threads have acquired. Membar relies on it.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/SignalOps.h"
#include "lowering/gpu/Lowering.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;

namespace {

struct WaitSignalPattern : TilePattern<tt::WaitSignalOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(tt::WaitSignalOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto tile = dyn_cast<RankedTensorType>(op.getPtr().getType());
    Value acts =
        tile ? isRepresentative(rewriter, loc, ttg::toLinearLayout(tile), getThreadPosition(rewriter, loc, target))
             : isFirstThread(rewriter, loc, target);
    const bool isMasked = op.getMask() && !matchPattern(op.getMask(), m_One());
    for (auto [reg, ptr] : llvm::enumerate(adaptor.getPtr())) {
      Value condition = isMasked ? adaptor.getMask()[reg] : Value();
      if (acts)
        condition = condition ? arith::AndIOp::create(rewriter, loc, acts, condition).getResult() : acts;
      poll(loc, ptr, adaptor.getValue()[reg], condition, rewriter);
    }
    target.barrier(rewriter, loc);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Loads the signal until it is at least `value`, if `condition` (may be null) holds.
  void poll(Location loc, Value ptr, Value value, Value condition, OpBuilder &builder) const {
    OpBuilder::InsertionGuard guard(builder);
    if (condition) {
      auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    auto loop = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
    builder.createBlock(&loop.getAfter());
    scf::YieldOp::create(builder, loc);
    builder.createBlock(&loop.getBefore());
    Value loaded = target.loadSignal(builder, loc, ptr, value);
    Value distance = arith::SubIOp::create(builder, loc, loaded, value);
    Value missing =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, distance, constantI32(builder, loc, 0));
    scf::ConditionOp::create(builder, loc, missing, ValueRange());
  }
};

} // namespace

void tilecc::populateWaitPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                  const LoweringContext &lowering) {
  patterns.add<WaitSignalPattern>(types, patterns.getContext(), lowering);
}
