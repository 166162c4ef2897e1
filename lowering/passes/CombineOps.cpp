//===- CombineOps.cpp - small rewrites of TTIR --------------------------------------------------------------------===//
//
// Peephole patterns that canonicalization does not have, on operations of the tile dialect.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONCOMBINE
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// True for a constant, scalar or tile, of zeros.
bool isZero(Value value) { return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat()); }

/// dot(a, b, 0) + c -> dot(a, b, c): the product accumulates anyway.
template <typename AddOp> struct AddToDot : OpRewritePattern<AddOp> {
  using OpRewritePattern<AddOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    for (unsigned i : {0, 1}) {
      auto dot = op->getOperand(i).template getDefiningOp<tt::DotOp>();
      Value addend = op->getOperand(1 - i);
      // The product may not move before its addend, so it must be computed here, and for this sum alone.
      if (!dot || !dot->hasOneUse() || !isZero(dot.getC()) || dot->getBlock() != op->getBlock())
        continue;
      rewriter.replaceOpWithNewOp<tt::DotOp>(op, dot.getType(), dot.getA(), dot.getB(), addend,
                                             dot.getInputPrecision(), dot.getMaxNumImpreciseAcc());
      rewriter.eraseOp(dot);
      return success();
    }
    return failure();
  }
};

/// addptr(addptr(p, a), b) -> addptr(p, a + b) where both offsets are constants of one type.
struct CombineAddPtr : OpRewritePattern<tt::AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::AddPtrOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getPtr().getDefiningOp<tt::AddPtrOp>();
    if (!inner || inner.getOffset().getType() != op.getOffset().getType() ||
        !inner.getOffset().getDefiningOp<arith::ConstantOp>() || !op.getOffset().getDefiningOp<arith::ConstantOp>())
      return failure();
    Value offset = arith::AddIOp::create(rewriter, op.getLoc(), inner.getOffset(), op.getOffset());
    rewriter.replaceOpWithNewOp<tt::AddPtrOp>(op, op.getType(), inner.getPtr(), offset);
    return success();
  }
};

/// select(m, load(p, m, _), other) -> load(p, m, other).
struct SelectOfLoad : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    auto load = op.getTrueValue().getDefiningOp<tt::LoadOp>();
    if (!load || !load.getMask() || !load->hasOneUse() || load.getIsVolatile())
      return failure();
    Value condition = op.getCondition();
    if (auto splat = load.getMask().getDefiningOp<tt::SplatOp>(); splat && splat.getSrc() == condition)
      condition = load.getMask();
    // The other value has to be known where the load is.
    Operation *other = op.getFalseValue().getDefiningOp();
    if (condition != load.getMask() || (other && !isa<arith::ConstantOp>(other)))
      return failure();
    rewriter.setInsertionPoint(load);
    Value value = other ? rewriter.clone(*other)->getResult(0) : op.getFalseValue();
    auto combined = tt::LoadOp::create(rewriter, load.getLoc(), load.getType(), load.getPtr(), load.getMask(), value,
                                       load.getCache(), load.getEvict(), load.getIsVolatile());
    rewriter.replaceOp(op, combined);
    rewriter.eraseOp(load);
    return success();
  }
};

struct Combine : tilecc::impl::TritonCombineBase<Combine> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<AddToDot<arith::AddFOp>, AddToDot<arith::AddIOp>, CombineAddPtr, SelectOfLoad>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
