//===- CombineOps.cpp - small rewrites of TTIR --------------------------------------------------------------------===//
//
// Peephole patterns on the tile dialect that canonicalization does not have.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONCOMBINE
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Returns true for a scalar zero or a tile of zeros.
bool isZero(Value value) { return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat()); }

/// dot(a, b, 0) + c -> dot(a, b, c): a dot adds its accumulator operand at no cost.
template <typename AddOp> struct AddToDot : OpRewritePattern<AddOp> {
  using OpRewritePattern<AddOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    for (unsigned i : {0, 1}) {
      auto dot = op->getOperand(i).template getDefiningOp<tt::DotOp>();
      Value addend = op->getOperand(1 - i);
      // The new dot needs `addend`, so it is placed at the addition. It must not execute more often there, and no other
      // user may need the product without the addend.
      if (!dot || !dot->hasOneUse() || !isZero(dot.getC()) || dot->getBlock() != op->getBlock())
        continue;
      rewriter.replaceOpWithNewOp<tt::DotOp>(op, dot.getType(), dot.getA(), dot.getB(), addend, dot.getInputPrecision(),
                                             dot.getMaxNumImpreciseAcc());
      rewriter.eraseOp(dot);
      return success();
    }
    return failure();
  }
};

/// truncf(extf(a) * extf(b)) -> a * b, and likewise for sums and differences. The type in between has more than twice
/// as many bits of precision, so rounding twice gives the same number. GPUs compute two numbers of 16 bits at a time.
struct NarrowArithmetic : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    Operation *wide = op.getIn().getDefiningOp();
    Type element = getElementTypeOrSelf(op.getType());
    if (!isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MulFOp>(wide) || !wide->hasOneUse() ||
        op.getRoundingmode() || !(element.isF16() || element.isBF16()) ||
        !getElementTypeOrSelf(op.getIn().getType()).isF32())
      return failure();
    SmallVector<Value> operands;
    for (Value operand : wide->getOperands()) {
      auto extension = operand.getDefiningOp<arith::ExtFOp>();
      if (!extension || extension.getIn().getType() != op.getType())
        return failure();
      operands.push_back(extension.getIn());
    }
    OperationState narrow(wide->getLoc(), wide->getName(), operands, op.getType(), wide->getAttrs());
    rewriter.replaceOp(op, rewriter.create(narrow));
    return success();
  }
};

/// addptr(addptr(p, a), b) -> addptr(p, a + b) if both offsets are constants of the same type.
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
    // The new load is at the position of the old load, so the other value must be available there.
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

/// Matches y ^ xor_reduce(y) along an axis of two elements, which swaps the two elements. Returns y and the axis.
std::optional<std::pair<Value, unsigned>> matchReversedPairs(arith::XOrIOp op) {
  for (unsigned i : {0, 1}) {
    Value y = op->getOperand(i);
    auto broadcast = op->getOperand(1 - i).getDefiningOp<tt::BroadcastOp>();
    Operation *line = broadcast ? broadcast.getSrc().getDefiningOp() : nullptr;
    auto reduce = isa_and_nonnull<tt::ExpandDimsOp, tt::ReshapeOp>(line)
                      ? line->getOperand(0).getDefiningOp<tt::ReduceOp>()
                      : tt::ReduceOp();
    if (!reduce || reduce.getSrcs().size() != 1 || reduce.getSrcs()[0] != y)
      continue;
    // The reduction must be broadcast back along the axis that it reduced, which has two elements.
    SmallVector<int64_t> shape(cast<RankedTensorType>(y.getType()).getShape());
    if (std::exchange(shape[reduce.getAxis()], 1) != 2 || broadcast.getSrc().getType().getShape() != ArrayRef(shape))
      continue;
    Block &combiner = reduce->getRegion(0).front();
    auto combined = dyn_cast<arith::XOrIOp>(combiner.front());
    if (combined && combined->getNextNode() == combiner.getTerminator() &&
        llvm::all_of(combined->getOperands(), llvm::IsaPred<BlockArgument>) && combined.getLhs() != combined.getRhs() &&
        combiner.getTerminator()->getOperand(0) == combined)
      return std::pair(y, unsigned(reduce.getAxis()));
  }
  return std::nullopt;
}

/// Matches the expansion of Triton's tl.flip: a reshape to axes of two elements, swaps along some of them, and a
/// reshape back. Each such axis is one bit of a coordinate, so inverting any number of them is a single exchange.
struct ReversedBits : OpRewritePattern<tt::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::ReshapeOp op, PatternRewriter &rewriter) const override {
    SmallVector<unsigned> axes;
    Value y = op.getSrc();
    while (auto inverted = y.getDefiningOp<arith::XOrIOp>()) {
      auto reversed = matchReversedPairs(inverted);
      if (!reversed)
        break;
      y = reversed->first;
      axes.push_back(reversed->second);
    }
    auto taken = y.getDefiningOp<tt::ReshapeOp>();
    if (axes.empty() || !taken || taken.getSrc().getType() != op.getType() || taken.getAllowReorder() ||
        op.getAllowReorder())
      return failure();
    ArrayRef<int64_t> pairs = taken.getType().getShape(), shape = op.getType().getShape();
    SmallVector<int64_t> bits(shape.size(), 0);
    for (unsigned axis : axes) {
      int64_t distance = 1;
      for (int64_t size : pairs.drop_front(axis + 1))
        distance *= size;
      unsigned d = shape.size();
      for (; distance >= shape[--d];)
        distance /= shape[d];
      bits[d] ^= distance;
    }
    Value result = taken.getSrc();
    for (auto [d, inverted] : llvm::enumerate(bits))
      if (inverted)
        result = exchange(rewriter, op.getLoc(), result, d, inverted);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  /// Returns `tile` with `bits` of the coordinate along axis `d` inverted.
  static Value exchange(OpBuilder &builder, Location loc, Value tile, unsigned d, int64_t bits) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(tile.getType()).getShape();
    auto line = RankedTensorType::get({shape[d]}, builder.getI32Type());
    Value place = tt::MakeRangeOp::create(builder, loc, line, 0, shape[d]);
    Value inverted = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(line, APInt(32, bits)));
    Value index = arith::XOrIOp::create(builder, loc, place, inverted);
    return tt::GatherOp::create(builder, loc, tile, tt::createSpread(builder, loc, index, d, shape), int(d));
  }
};

struct Combine : tilecc::impl::TritonCombineBase<Combine> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<AddToDot<arith::AddFOp>, AddToDot<arith::AddIOp>, CombineAddPtr, SelectOfLoad, ReversedBits,
                 NarrowArithmetic>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
