//===- SqueezeUnitDims.cpp - removes dimensions of size one from tiles --------------------------------------------===//
//
// A kernel may read a tensor of rank 4 in tiles of 1x1x64x64, and reshape these to matrices for a dot. Because of the
// reshape, neither the pipeliner nor the choice of layouts recognizes that the load feeds the dot. So this pass removes
// the dimensions of size one from all operations on tiles of rank 3 and more. Then the reshapes cancel out.
//
// The pass is a dialect conversion on types. An operation without a pattern here (a gather, a message) keeps its
// shapes, and its operands are reshaped.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/TT.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONSQUEEZEUNITDIMS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

//===--- shapes ---------------------------------------------------------------------------------------------------===//

/// Tiles of rank 2 keep their unit dimensions, because such a column or row is usually broadcast.
bool hasUnits(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && tile.getRank() > 2 && !tile.getEncoding() && llvm::is_contained(tile.getShape(), 1);
}
bool hasUnits(Operation *op) {
  auto any = [](TypeRange types) { return llvm::any_of(types, [](Type type) { return hasUnits(type); }); };
  return any(op->getOperandTypes()) || any(op->getResultTypes());
}

/// Returns the dimensions of `type` that are kept.
SmallVector<int64_t> keptDims(RankedTensorType type) {
  SmallVector<int64_t> dims;
  for (auto [d, size] : llvm::enumerate(type.getShape()))
    if (size != 1 || !hasUnits(type))
      dims.push_back(d);
  return dims.empty() ? SmallVector<int64_t>{0} : dims;
}
RankedTensorType withDims(RankedTensorType type, ArrayRef<int64_t> dims) {
  auto sizes = llvm::map_to_vector(dims, [&](int64_t d) { return type.getDimSize(d); });
  return RankedTensorType::get(sizes, type.getElementType());
}
RankedTensorType squeezed(RankedTensorType type) { return withDims(type, keptDims(type)); }

Value reshaped(OpBuilder &builder, Location loc, Value tile, RankedTensorType to) {
  if (tile.getType() == to)
    return tile;
  return tt::ReshapeOp::create(builder, loc, to, tile, /*allow_reorder=*/false, /*efficient_layout=*/false);
}

//===--- operations -----------------------------------------------------------------------------------------------===//

/// Returns true if each element of the results depends only on the elements of the operands at the same position.
bool worksByPosition(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::ElementwiseInlineAsmOp,
             tt::MapElementwiseOp, tt::SplatOp, ub::PoisonOp>(op);
}

/// Restricts a hint with one number per dimension (tt.divisibility and the like) to the dimensions that are kept.
NamedAttribute squeezedHint(NamedAttribute attr, RankedTensorType type) {
  auto values = dyn_cast<DenseIntElementsAttr>(attr.getValue());
  if (!values || !values.getElementType().isInteger(32) || values.getNumElements() != type.getRank())
    return attr;
  SmallVector<int32_t> all(values.getValues<int32_t>()), kept;
  for (int64_t d : keptDims(type))
    kept.push_back(all[d]);
  auto shape = RankedTensorType::get(kept.size(), values.getElementType());
  return {attr.getName(), DenseElementsAttr::get(shape, ArrayRef(kept))};
}

/// Creates the operation `state`, with the regions of `op`.
Operation *createWithRegions(Operation *op, OperationState &state, ConversionPatternRewriter &rewriter) {
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *result = rewriter.create(state);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), result->getRegions()))
    rewriter.inlineRegionBefore(from, to, to.end());
  return result;
}

struct ByPlace : ConversionPattern {
  ByPlace(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (!worksByPosition(op) || failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    OperationState state(op->getLoc(), op->getName(), operands, types);
    state.propertiesAttr = op->getPropertiesAsAttribute();
    auto tile = op->getNumResults() ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : nullptr;
    for (NamedAttribute attr : op->getDiscardableAttrs())
      state.attributes.push_back(tile ? squeezedHint(attr, tile) : attr);
    rewriter.replaceOp(op, createWithRegions(op, state, rewriter));
    return success();
  }
};

struct Constant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto elements = cast<DenseElementsAttr>(op.getValue());
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   elements.reshape(squeezed(cast<RankedTensorType>(op.getType()))));
    return success();
  }
};

/// reshape and expand_dims preserve the elements and their order.
template <typename OpT> struct SameElements : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType to = squeezed(cast<RankedTensorType>(op.getType()));
    if constexpr (std::is_same_v<OpT, tt::ReshapeOp>)
      if (op.getAllowReorder() || op.getEfficientLayout()) {
        auto again = tt::ReshapeOp::create(rewriter, op.getLoc(), to, adaptor.getSrc(), op.getAllowReorder(),
                                           op.getEfficientLayout());
        rewriter.replaceOp(op, again);
        return success();
      }
    rewriter.replaceOp(op, reshaped(rewriter, op.getLoc(), adaptor.getSrc(), to));
    return success();
  }
};

struct Broadcast : OpConversionPattern<tt::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::BroadcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType(), to = squeezed(type);
    RankedTensorType from = withDims(cast<RankedTensorType>(op.getSrc().getType()), keptDims(type));
    Value source = reshaped(rewriter, op.getLoc(), adaptor.getSrc(), from);
    rewriter.replaceOpWithNewOp<tt::BroadcastOp>(op, to, source);
    return success();
  }
};

struct Trans : OpConversionPattern<tt::TransOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::TransOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    SmallVector<int64_t> from = keptDims(cast<RankedTensorType>(op.getSrc().getType()));
    SmallVector<int32_t> order;
    for (int32_t d : op.getOrder())
      if (auto at = llvm::find(from, d); at != from.end())
        order.push_back(static_cast<int32_t>(at - from.begin()));
    if (llvm::is_sorted(order))
      rewriter.replaceOp(op, adaptor.getSrc());
    else
      rewriter.replaceOpWithNewOp<tt::TransOp>(op, squeezed(op.getType()), adaptor.getSrc(), order);
    return success();
  }
};

/// An axis of size one: reduce and scan leave each element unchanged.
template <typename OpT> struct Combine : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType source = op.getInputTypes().front();
    SmallVector<int64_t> kept = keptDims(source);
    SmallVector<Value> results(adaptor.getSrcs());
    if (source.getDimSize(op.getAxis()) != 1) {
      SmallVector<Type> types;
      unsigned axis = llvm::find(kept, op.getAxis()) - kept.begin();
      for (auto [value, result] : llvm::zip_equal(adaptor.getSrcs(), op.getResultTypes()))
        types.push_back(resultType(cast<RankedTensorType>(value.getType()), axis));
      OperationState state(op.getLoc(), op->getName(), adaptor.getSrcs(), types);
      state.propertiesAttr = op->getPropertiesAsAttribute();
      state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
      auto squeezedOp = cast<OpT>(createWithRegions(op, state, rewriter));
      squeezedOp.setAxis(axis);
      results = squeezedOp->getResults();
    }
    for (auto [result, type] : llvm::zip_equal(results, op.getResultTypes())) {
      RankedTensorType to = squeezed(cast<RankedTensorType>(type));
      if (isa<RankedTensorType>(result.getType()))
        result = reshaped(rewriter, op.getLoc(), result, to);
      else
        result = tt::SplatOp::create(rewriter, op.getLoc(), to, result);
    }
    rewriter.replaceOp(op, results);
    return success();
  }

  static Type resultType(RankedTensorType source, unsigned axis) {
    if (std::is_same_v<OpT, tt::ScanOp>)
      return source;
    SmallVector<int64_t> sizes(source.getShape());
    sizes.erase(sizes.begin() + axis);
    return sizes.empty() ? source.getElementType() : RankedTensorType::get(sizes, source.getElementType());
  }
};

/// A batched dot with a batch size of one becomes a dot of two matrices, even if a side of these matrices is 1.
struct Dot : OpConversionPattern<tt::DotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::DotOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    auto matrix = [&](Value squeezedValue, Value whole) {
      RankedTensorType type = withDims(cast<RankedTensorType>(whole.getType()), {1, 2});
      return reshaped(rewriter, op.getLoc(), squeezedValue, type);
    };
    Value c = matrix(adaptor.getC(), op.getC());
    auto dot =
        tt::DotOp::create(rewriter, op.getLoc(), c.getType(), matrix(adaptor.getA(), op.getA()),
                          matrix(adaptor.getB(), op.getB()), c, op.getInputPrecision(), op.getMaxNumImpreciseAcc());
    dot->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, reshaped(rewriter, op.getLoc(), dot, squeezed(cast<RankedTensorType>(op.getType()))));
    return success();
  }
};

//===--- the pass -------------------------------------------------------------------------------------------------===//

/// Returns true if there is a pattern for `op`.
bool isSqueezed(Operation *op) {
  if (auto dot = dyn_cast<tt::DotOp>(op)) {
    auto type = cast<RankedTensorType>(dot.getType());
    return type.getRank() == 3 && type.getDimSize(0) == 1;
  }
  return worksByPosition(op) || isa<arith::ConstantOp, tt::ReshapeOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp,
                                    tt::ReduceOp, tt::ScanOp>(op);
}

struct SqueezeUnitDims : tilecc::impl::TritonSqueezeUnitDimsBase<SqueezeUnitDims> {
  void runOnOperation() override {
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion([](RankedTensorType type) { return squeezed(type); });
    auto materialize = [](OpBuilder &builder, RankedTensorType type, ValueRange values, Location loc) {
      return reshaped(builder, loc, values.front(), type);
    };
    converter.addSourceMaterialization(materialize);
    converter.addTargetMaterialization(materialize);

    RewritePatternSet patterns(&getContext());
    patterns.add<ByPlace, Constant, SameElements<tt::ReshapeOp>, SameElements<tt::ExpandDimsOp>, Broadcast, Trans,
                 Combine<tt::ReduceOp>, Combine<tt::ScanOp>, Dot>(converter, &getContext());
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *op) { return !isSqueezed(op) || !hasUnits(op); });
    // A broadcast needs the dimensions of size one of its operand.
    target.addDynamicallyLegalOp<tt::BroadcastOp>([](tt::BroadcastOp op) { return !hasUnits(op.getType()); });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
