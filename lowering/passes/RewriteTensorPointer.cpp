//===- RewriteTensorPointer.cpp - replaces block pointers by pointers and masks -----------------------------------===//
//
// The pass replaces a block pointer by the values from which the block pointer was created: the address, the sizes and
// strides, and the offsets of the block's first element. Loads and stores through the block pointer become loads and
// stores through a tile of pointers, with a mask along the axes for which they check bounds.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/BlockAccess.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONREWRITETENSORPOINTER
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// The values that represent a block pointer, in this order.
struct BlockPointer {
  RankedTensorType block;
  Value base;
  ValueRange sizes, strides, offsets; ///< i64, i64, i32

  BlockPointer(ValueRange values, Type type)
      : block(tt::getBlockOf(type)), base(values.front()), sizes(values.slice(1, block.getRank())),
        strides(values.slice(1 + block.getRank(), block.getRank())),
        offsets(values.slice(1 + 2 * block.getRank(), block.getRank())) {}

  static LogicalResult convert(tt::PointerType type, RankedTensorType block, SmallVectorImpl<Type> &types) {
    Builder builder(type.getContext());
    types.push_back(tt::getBaseType(type));
    types.append(2 * block.getRank(), builder.getI64Type());
    types.append(block.getRank(), builder.getI32Type());
    return success();
  }

  BlockAccess access(OpBuilder &builder, Location loc, ArrayRef<int32_t> checked) const {
    SmallVector<Value> factors;
    for (Value stride : strides)
      factors.push_back(matchPattern(stride, m_One()) ? Value() : stride);
    BlockAccess result(builder, loc, base, sizes, factors, block.getShape());
    for (auto [axis, offset] : llvm::enumerate(offsets))
      result.addAxis(axis, offset, llvm::is_contained(checked, int32_t(axis)));
    return result;
  }
};

//===--- patterns -------------------------------------------------------------------------------------------------===//

struct MakePointer : OpConversionPattern<tt::MakeTensorPtrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::MakeTensorPtrOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values = {adaptor.getBase()};
    for (ValueRange more : {adaptor.getShape(), adaptor.getStrides(), adaptor.getOffsets()})
      llvm::append_range(values, more);
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>{values});
    return success();
  }
};

struct RewriteAdvance : OpConversionPattern<tt::AdvanceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::AdvanceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values(adaptor.getPtr());
    MutableArrayRef<Value> offsets = MutableArrayRef<Value>(values).take_back(adaptor.getOffsets().size());
    for (auto [offset, step] : llvm::zip_equal(offsets, adaptor.getOffsets()))
      if (!matchPattern(step.front(), m_Zero()))
        offset = arith::AddIOp::create(rewriter, op.getLoc(), offset, step.front());
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>{values});
    return success();
  }
};

struct RewriteLoad : OpConversionPattern<tt::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    BlockPointer pointer(adaptor.getPtr(), op.getPtr().getType());
    BlockAccess access = pointer.access(rewriter, op.getLoc(), op.getBoundaryCheck());
    Value padding;
    if (access.getMask() && op.getPadding())
      padding = createPadding(rewriter, op.getLoc(), pointer.block, *op.getPadding());
    rewriter.replaceOpWithNewOp<tt::LoadOp>(op, pointer.block, access.getPointers(), access.getMask(), padding,
                                            op.getCache(), op.getEvict(), op.getIsVolatile());
    return success();
  }
};

struct RewriteStore : OpConversionPattern<tt::StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    BlockPointer pointer(adaptor.getPtr(), op.getPtr().getType());
    BlockAccess access = pointer.access(rewriter, op.getLoc(), op.getBoundaryCheck());
    rewriter.replaceOpWithNewOp<tt::StoreOp>(op, access.getPointers(), adaptor.getValue().front(), access.getMask(),
                                             op.getCache(), op.getEvict());
    return success();
  }
};

/// Replaces a comparison of indices and sizes that were all extended from i32 to i64 by a comparison of the i32 values.
/// This is the same comparison, because an extension preserves the order.
struct NarrowComparison : OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::CmpIOp op, PatternRewriter &rewriter) const override {
    auto indices = op.getLhs().getDefiningOp<arith::ExtSIOp>();
    if (!indices || !isa<RankedTensorType>(op.getLhs().getType()))
      return failure();
    auto type = cast<RankedTensorType>(indices.getIn().getType());
    Value size;
    APInt number;
    if (matchPattern(op.getRhs(), m_ConstantInt(&number)) && number.isSignedIntN(type.getElementTypeBitWidth()))
      size = arith::ConstantOp::create(rewriter, op.getLoc(),
                                       DenseElementsAttr::get(type, number.trunc(type.getElementTypeBitWidth())));
    else if (auto splat = op.getRhs().getDefiningOp<tt::SplatOp>())
      if (auto wide = splat.getSrc().getDefiningOp<arith::ExtSIOp>();
          wide && wide.getIn().getType() == type.getElementType())
        size = tt::SplatOp::create(rewriter, op.getLoc(), type, wide.getIn());
    if (!size)
      return failure();
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, op.getPredicate(), indices.getIn(), size);
    return success();
  }
};

//===--- the pass -------------------------------------------------------------------------------------------------===//

bool isBlockPointer(Type type) { return bool(tt::getBlockOf(type)); }
bool hasBlockPointer(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isBlockPointer) || llvm::any_of(op->getResultTypes(), isBlockPointer);
}

struct RewriteTensorPointer : tilecc::impl::TritonRewriteTensorPointerBase<RewriteTensorPointer> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>())
      for (BlockArgument argument : func.isExternal() ? Block::BlockArgListType() : func.getArguments())
        if (isBlockPointer(argument.getType())) {
          mlir::emitError(argument.getLoc())
              << "a block pointer cannot be a parameter of a kernel: pass the address, sizes "
                 "and strides, and make it in the kernel (tt.make_tensor_ptr)";
          return signalPassFailure();
        }
    WalkResult found = getOperation().walk(
        [](Operation *op) { return hasBlockPointer(op) ? WalkResult::interrupt() : WalkResult::advance(); });
    if (!found.wasInterrupted())
      return;

    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion([](tt::PointerType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
      RankedTensorType block = tt::getBlockOf(type);
      return block ? std::optional(BlockPointer::convert(type, block, types)) : std::nullopt;
    });
    RewritePatternSet patterns(&getContext());
    patterns.add<MakePointer, RewriteAdvance, RewriteLoad, RewriteStore>(converter, &getContext());
    populateSelectPatterns(patterns, converter);
    ConversionTarget target(getContext());
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    target.markUnknownOpDynamicallyLegal([](Operation *op) { return !hasBlockPointer(op); });
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();

    // Remove the sizes and strides from the values that loops carry, since these are the same in each iteration.
    RewritePatternSet cleanup(&getContext());
    cleanup.add<NarrowComparison>(&getContext());
    for (StringRef name :
         {scf::ForOp::getOperationName(), scf::IfOp::getOperationName(), scf::WhileOp::getOperationName()})
      RegisteredOperationName::lookup(name, &getContext())->getCanonicalizationPatterns(cleanup, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(cleanup))))
      signalPassFailure();
  }
};

} // namespace
