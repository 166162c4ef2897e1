//===- ShapeOps.cpp - reshape, trans, join, split: other names for registers ------------------------------------------===//
//
// Where the result's layout is what the operand's becomes under the new coordinates, as it is after layout propagation,
// nothing happens but that registers are listed in another order. TTGIR may ask for another layout; then elements move as
// in any conversion.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

namespace {

template <typename OpT> struct RenamePattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;
  LogicalResult matchAndRewrite(OpT op, typename TilePattern<OpT>::OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ConversionPlan plan = planMovement(op);
    rewriter.replaceOpWithMultiple(op, {convertLayout(rewriter, op, plan, adaptor.getSrc(), this->target)});
    return success();
  }
};

/// The lowest bit of a register's number selects the side.
struct JoinPattern : TilePattern<tt::JoinOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::JoinOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> both;
    for (auto [left, right] : llvm::zip_equal(adaptor.getLhs(), adaptor.getRhs()))
      both.append({left, right});
    rewriter.replaceOpWithMultiple(op, {convertLayout(rewriter, op, planMovement(op), both, target)});
    return success();
  }
};

struct SplitPattern : TilePattern<tt::SplitOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::SplitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> sides[2];
    for (auto [reg, value] : llvm::enumerate(convertLayout(rewriter, op, planMovement(op), adaptor.getSrc(), target)))
      sides[reg % 2].push_back(value);
    rewriter.replaceOpWithMultiple(op, {sides[0], sides[1]});
    return success();
  }
};

} // namespace

void tilecc::populateShapePatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                   const LoweringContext &lowering) {
  patterns.add<RenamePattern<tt::ReshapeOp>, RenamePattern<tt::TransOp>, JoinPattern, SplitPattern>(
      types, patterns.getContext(), lowering);
}
