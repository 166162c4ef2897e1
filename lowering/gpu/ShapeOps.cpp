//===- ShapeOps.cpp - reshape, trans, join, cat, split as renamed registers ---------------------------------------===//
//
// After layout propagation, the layout of the result is the layout of the operand in the new coordinates, so the
// lowering only lists the registers in another order. If the TTGIR specifies another layout, elements move as in any
// conversion.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Lowers operations with one operand and one result, which need at most a conversion.
struct RenamePattern : ConversionPattern {
  RenamePattern(const TileTypeConverter &types, MLIRContext *context, const LoweringContext &lowering)
      : ConversionPattern(types, Pattern::MatchInterfaceOpTypeTag(), tt::LayoutTransform::getInterfaceID(),
                          /*benefit=*/1, context),
        target(lowering.target) {}
  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (op->getNumOperands() != 1 || op->getNumResults() != 1 || isa<ttg::Fp4ToFpOp>(op))
      return failure();
    rewriter.replaceOpWithMultiple(op, {convertLayout(rewriter, op, planMovement(op), operands[0], target)});
    return success();
  }
  const TargetInfo &target;
};

/// Lowers tt.join and tt.cat. The registers of the two operands alternate: the lowest bit of a register's number is 0
/// for an element of the left operand, and 1 for an element of the right operand.
template <typename OpT> struct PairPattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;
  using TilePattern<OpT>::target;
  LogicalResult matchAndRewrite(OpT op, typename TilePattern<OpT>::OneToNOpAdaptor adaptor,
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
  patterns.add<RenamePattern, PairPattern<tt::JoinOp>, PairPattern<tt::CatOp>, SplitPattern>(
      types, patterns.getContext(), lowering);
}
