//===- ReorderBroadcast.cpp - computes before broadcasting --------------------------------------------------------===//
//
// An elementwise operation on tiles that are all splats, or broadcasts from one shape, is applied to their sources
// instead.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONREORDERBROADCAST
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

bool isMovable(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         isMemoryEffectFree(op) && isa<RankedTensorType>(op->getResult(0).getType());
}

/// Clones `op` with other operands and another result type.
Value cloneOn(Operation *op, ValueRange operands, Type type, PatternRewriter &rewriter) {
  OperationState state(op->getLoc(), op->getName(), operands, type, op->getAttrs());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return rewriter.create(state)->getResult(0);
}

/// f(splat(a), splat(b), constant) -> splat(f(a, b, constant's element)).
struct ElementwiseOfSplats : RewritePattern {
  explicit ElementwiseOfSplats(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isMovable(op) || op->getNumOperands() == 0)
      return failure();
    bool anySplat = false;
    for (Value operand : op->getOperands()) {
      DenseElementsAttr constant;
      bool isSplat = operand.getDefiningOp<tt::SplatOp>();
      bool isSplatConstant = matchPattern(operand, m_Constant(&constant)) && constant.isSplat();
      bool isScalar = !isa<RankedTensorType>(operand.getType());
      if (!isSplat && !isSplatConstant && !isScalar)
        return failure();
      anySplat |= isSplat;
    }
    if (!anySplat)
      return failure();
    SmallVector<Value> scalars;
    for (Value operand : op->getOperands()) {
      DenseElementsAttr constant;
      if (auto splat = operand.getDefiningOp<tt::SplatOp>())
        scalars.push_back(splat.getSrc());
      else if (matchPattern(operand, m_Constant(&constant)) && constant.isSplat())
        scalars.push_back(
            arith::ConstantOp::create(rewriter, op->getLoc(), cast<TypedAttr>(constant.getSplatValue<Attribute>())));
      else
        scalars.push_back(operand);
    }
    Type type = op->getResult(0).getType();
    Value scalar = cloneOn(op, scalars, getElementTypeOrSelf(type), rewriter);
    rewriter.replaceOpWithNewOp<tt::SplatOp>(op, type, scalar);
    return success();
  }
};

/// f(broadcast(a), broadcast(b), splat(c)) -> broadcast(f(a, b, splat(c))) if a and b have the same shape.
struct ElementwiseOfBroadcasts : RewritePattern {
  explicit ElementwiseOfBroadcasts(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isMovable(op))
      return failure();
    ArrayRef<int64_t> shape;
    for (Value operand : op->getOperands()) {
      auto broadcast = operand.getDefiningOp<tt::BroadcastOp>();
      DenseElementsAttr constant;
      if (broadcast) {
        if (!shape.empty() && shape != broadcast.getSrc().getType().getShape())
          return failure();
        shape = broadcast.getSrc().getType().getShape();
      } else if (!operand.getDefiningOp<tt::SplatOp>() && isa<RankedTensorType>(operand.getType()) &&
                 !(matchPattern(operand, m_Constant(&constant)) && constant.isSplat())) {
        return failure();
      }
    }
    if (shape.empty())
      return failure();
    auto reshaped = [&](Type type) {
      auto tile = cast<RankedTensorType>(type);
      return RankedTensorType::get(shape, tile.getElementType(), tile.getEncoding());
    };
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      DenseElementsAttr constant;
      if (auto broadcast = operand.getDefiningOp<tt::BroadcastOp>())
        operands.push_back(broadcast.getSrc());
      else if (auto splat = operand.getDefiningOp<tt::SplatOp>())
        operands.push_back(tt::SplatOp::create(rewriter, op->getLoc(), reshaped(splat.getType()), splat.getSrc()));
      else if (matchPattern(operand, m_Constant(&constant)) && constant.isSplat())
        operands.push_back(
            arith::ConstantOp::create(rewriter, op->getLoc(), constant.resizeSplat(reshaped(constant.getType()))));
      else
        operands.push_back(operand);
    }
    Type type = op->getResult(0).getType();
    Value small = cloneOn(op, operands, reshaped(type), rewriter);
    rewriter.replaceOpWithNewOp<tt::BroadcastOp>(op, type, small);
    return success();
  }
};

struct ReorderBroadcast : tilecc::impl::TritonReorderBroadcastBase<ReorderBroadcast> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ElementwiseOfSplats, ElementwiseOfBroadcasts>(&getContext());
    tt::BroadcastOp::getCanonicalizationPatterns(patterns, &getContext());
    tt::ExpandDimsOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
