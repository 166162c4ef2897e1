//===- BlockAccess.cpp - builds the pointers and the mask of a block of a tensor ----------------------------------===//
//
// The passes that rewrite descriptors and block pointers to pointers and masks use this class. Bounds checks are
// unsigned comparisons, so that one comparison detects both a negative index and an index past the end.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/BlockAccess.h"

using namespace mlir;

namespace tilecc {

void BlockAccess::addAxis(unsigned axis, Value first, bool isChecked) {
  Value wide = arith::ExtSIOp::create(builder, loc, builder.getI64Type(), first);
  if (strides[axis])
    wide = arith::MulIOp::create(builder, loc, wide, strides[axis]);
  offset = offset ? arith::AddIOp::create(builder, loc, offset, wide).getResult() : wide;
  auto type = RankedTensorType::get(shape[axis], builder.getI32Type());
  Value range = tt::MakeRangeOp::create(builder, loc, type, builder.getI32IntegerAttr(0),
                                        builder.getI32IntegerAttr(static_cast<int32_t>(shape[axis])));
  if (isChecked)
    limit(axis, arith::AddIOp::create(builder, loc, tt::SplatOp::create(builder, loc, type, first), range));
  steps.emplace_back(axis, range);
}

void BlockAccess::addIndices(unsigned axis, Value indices) {
  limit(axis, indices);
  steps.emplace_back(axis, indices);
}

void BlockAccess::limit(unsigned axis, Value indices) {
  auto type = cast<RankedTensorType>(tt::withElementType(indices.getType(), sizes[axis].getType()));
  if (type != indices.getType())
    indices = arith::ExtSIOp::create(builder, loc, type, indices);
  Value size = tt::SplatOp::create(builder, loc, type, sizes[axis]);
  Value isWithin = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, indices, size);
  Value all = spread(axis, isWithin);
  mask = mask ? arith::AndIOp::create(builder, loc, mask, all).getResult() : all;
}

Value BlockAccess::getPointers() {
  if (offset)
    base = tt::AddPtrOp::create(builder, loc, base.getType(), base, offset);
  auto type = RankedTensorType::get(shape, base.getType());
  Value result = tt::SplatOp::create(builder, loc, type, base);
  for (auto [axis, step] : steps) {
    if (strides[axis]) {
      auto wide = cast<RankedTensorType>(tt::withElementType(step.getType(), builder.getI64Type()));
      step = arith::ExtSIOp::create(builder, loc, wide, step);
      step = arith::MulIOp::create(builder, loc, step, tt::SplatOp::create(builder, loc, wide, strides[axis]));
    }
    result = tt::AddPtrOp::create(builder, loc, type, result, spread(axis, step));
  }
  return result;
}

Value createPadding(OpBuilder &builder, Location loc, RankedTensorType type, tt::PaddingOption padding) {
  auto floatType = dyn_cast<FloatType>(type.getElementType());
  if (padding == tt::PaddingOption::PAD_NAN && floatType)
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, APFloat::getNaN(floatType.getFloatSemantics())));
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
}

namespace {
struct RewriteSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values;
    Value condition = adaptor.getCondition().front();
    for (auto [yes, no] : llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      values.push_back(yes == no ? yes
                                 : arith::SelectOp::create(rewriter, op.getLoc(), condition, yes, no).getResult());
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>{values});
    return success();
  }
};
} // namespace

void populateSelectPatterns(RewritePatternSet &patterns, const TypeConverter &types) {
  patterns.add<RewriteSelect>(types, patterns.getContext());
}

} // namespace tilecc
