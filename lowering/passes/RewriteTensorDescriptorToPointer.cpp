//===- RewriteTensorDescriptorToPointer.cpp - replaces tensor descriptors by pointers -----------------------------===//
//
// This pass is for targets that cannot copy blocks of tensors in hardware. It replaces a descriptor by the values from
// which the descriptor was created: the address, the sizes and strides, and the padding. Loads and stores through the
// descriptor become loads and stores through a tile of pointers with a mask.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/BlockAccess.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONREWRITETENSORDESCRIPTORTOPOINTER
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// The values that represent a descriptor, in this order.
struct Descriptor {
  Value base;
  ValueRange shape, strides; ///< i32, i64
  Value padsWithNaN; ///< i1

  Descriptor(ValueRange values, tt::TensorDescType type)
      : base(values.front()), shape(values.slice(1, type.getBlockType().getRank())),
        strides(values.slice(1 + type.getBlockType().getRank(), type.getBlockType().getRank())),
        padsWithNaN(values.back()) {}

  static LogicalResult convert(tt::TensorDescType type, SmallVectorImpl<Type> &types) {
    Builder builder(type.getContext());
    RankedTensorType block = type.getSignlessBlockType();
    types.push_back(tt::PointerType::get(block.getElementType()));
    types.append(block.getRank(), builder.getI32Type());
    types.append(block.getRank(), builder.getI64Type());
    types.push_back(builder.getI1Type());
    return success();
  }
};

/// Returns the access to a block of the tensor. The last stride is always 1, even if a loop carries the descriptor.
BlockAccess makeAccess(OpBuilder &builder, Location loc, const Descriptor &desc, ArrayRef<int64_t> shape) {
  SmallVector<Value> strides(desc.strides);
  strides.back() = Value();
  return BlockAccess(builder, loc, desc.base, desc.shape, strides, shape);
}

template <typename OpT> BlockAccess makeBlock(OpBuilder &builder, OpT op, const Descriptor &desc, ValueRange indices) {
  BlockAccess block = makeAccess(builder, op.getLoc(), desc, op.getDesc().getType().getBlockType().getShape());
  for (auto [axis, index] : llvm::enumerate(indices))
    block.addAxis(axis, index);
  return block;
}
template <typename OpT>
BlockAccess makeRows(OpBuilder &builder, OpT op, const Descriptor &desc, ArrayRef<int64_t> shape) {
  BlockAccess block = makeAccess(builder, op.getLoc(), desc, shape);
  block.addIndices(0, op.getXOffsets());
  block.addAxis(1, op.getYOffset());
  return block;
}

/// Returns `tile` reshaped to a shape that differs only in axes of size one. (The tile of an access may omit leading
/// axes of size one of the descriptor's block.)
Value reshape(OpBuilder &builder, Location loc, Value tile, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tile.getType());
  return type.getShape() == shape
             ? tile
             : tt::ReshapeOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType()), tile)
                   .getResult();
}

/// Returns the padding of a load: the zeros or NaNs that elements outside the tensor have.
Value makePadding(OpBuilder &builder, Location loc, const Descriptor &desc, RankedTensorType type) {
  if (!isa<FloatType>(type.getElementType()) || matchPattern(desc.padsWithNaN, m_Zero()))
    return createPadding(builder, loc, type, tt::PaddingOption::PAD_ZERO);
  Value nans = createPadding(builder, loc, type, tt::PaddingOption::PAD_NAN);
  if (matchPattern(desc.padsWithNaN, m_One()))
    return nans;
  Value zeros = createPadding(builder, loc, type, tt::PaddingOption::PAD_ZERO);
  return arith::SelectOp::create(builder, loc, desc.padsWithNaN, nans, zeros);
}

Value makeLoad(OpBuilder &builder, Location loc, const Descriptor &desc, BlockAccess block, RankedTensorType type,
               tt::CacheModifier cache, tt::EvictionPolicy evict) {
  Value padding = makePadding(builder, loc, desc, type);
  return tt::LoadOp::create(builder, loc, type, block.getPointers(), block.getMask(), padding, cache, evict,
                            /*isVolatile=*/false);
}

//===--- patterns -------------------------------------------------------------------------------------------------===//

template <typename OpT> struct DescriptorPattern : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<OpT>::OneToNOpAdaptor;

  static Descriptor getDescriptor(OpT op, Adaptor adaptor) {
    return Descriptor(adaptor.getDesc(), op.getDesc().getType());
  }
  /// Returns the indices of an access. Only descriptors are converted to several values, so each index is a single
  /// value.
  static SmallVector<Value> getIndices(Adaptor adaptor) {
    return llvm::map_to_vector(adaptor.getIndices(), [](ValueRange index) { return index.front(); });
  }
};

struct MakeDescriptor : OpConversionPattern<tt::MakeTensorDescOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::MakeTensorDescOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // The address and all strides except the last are multiples of 16 bytes, as for tensor maps.
    constexpr int64_t alignment = 16;
    int64_t bytes = llvm::divideCeil(op.getType().getBlockType().getElementTypeBitWidth(), 8);
    auto multipleOf = [&](Value value, int64_t n) -> Value {
      auto type = RankedTensorType::get(1, rewriter.getI32Type());
      auto same = tt::BitcastOp::create(rewriter, op.getLoc(), value.getType(), value);
      same->setDiscardableAttr(tt::divisibilityAttr, DenseElementsAttr::get(type, int32_t(n)));
      return same;
    };
    SmallVector<Value> values = {multipleOf(adaptor.getBase(), alignment)};
    llvm::append_range(values, adaptor.getShape());
    for (Value stride : adaptor.getStrides().drop_back())
      values.push_back(multipleOf(stride, std::max<int64_t>(alignment / bytes, 1)));
    values.push_back(adaptor.getStrides().back());
    bool padsWithNaN = op.getPadding() == tt::PaddingOption::PAD_NAN;
    values.push_back(arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getBoolAttr(padsWithNaN)));
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>{values});
    return success();
  }
};

struct RewriteLoad : DescriptorPattern<tt::DescriptorLoadOp> {
  using DescriptorPattern::DescriptorPattern;
  LogicalResult matchAndRewrite(tt::DescriptorLoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Descriptor desc = getDescriptor(op, adaptor);
    SmallVector<Value> indices = getIndices(adaptor);
    Value block = makeLoad(rewriter, op.getLoc(), desc, makeBlock(rewriter, op, desc, indices),
                           op.getDesc().getType().getSignlessBlockType(), op.getCache(), op.getEvict());
    rewriter.replaceOp(op, reshape(rewriter, op.getLoc(), block, cast<RankedTensorType>(op.getType()).getShape()));
    return success();
  }
};

struct RewriteStore : DescriptorPattern<tt::DescriptorStoreOp> {
  using DescriptorPattern::DescriptorPattern;
  LogicalResult matchAndRewrite(tt::DescriptorStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Descriptor desc = getDescriptor(op, adaptor);
    SmallVector<Value> indices = getIndices(adaptor);
    BlockAccess block = makeBlock(rewriter, op, desc, indices);
    Value tile = reshape(rewriter, op.getLoc(), op.getSrc(), op.getDesc().getType().getBlockType().getShape());
    rewriter.replaceOpWithNewOp<tt::StoreOp>(op, block.getPointers(), tile, block.getMask());
    return success();
  }
};

struct RewriteGather : DescriptorPattern<tt::DescriptorGatherOp> {
  using DescriptorPattern::DescriptorPattern;
  LogicalResult matchAndRewrite(tt::DescriptorGatherOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Descriptor desc = getDescriptor(op, adaptor);
    RankedTensorType type = op.getType();
    rewriter.replaceOp(op, makeLoad(rewriter, op.getLoc(), desc, makeRows(rewriter, op, desc, type.getShape()), type,
                                    tt::CacheModifier::NONE, tt::EvictionPolicy::NORMAL));
    return success();
  }
};

struct RewriteScatter : DescriptorPattern<tt::DescriptorScatterOp> {
  using DescriptorPattern::DescriptorPattern;
  LogicalResult matchAndRewrite(tt::DescriptorScatterOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Descriptor desc = getDescriptor(op, adaptor);
    BlockAccess rows = makeRows(rewriter, op, desc, cast<RankedTensorType>(op.getSrc().getType()).getShape());
    rewriter.replaceOpWithNewOp<tt::StoreOp>(op, rows.getPointers(), op.getSrc(), rows.getMask());
    return success();
  }
};

std::optional<tt::RMWOp> convertKind(tt::DescriptorReduceKind kind, Type element) {
  bool isFloat = isa<FloatType>(element), isUnsigned = element.isUnsignedInteger();
  switch (kind) {
  case tt::DescriptorReduceKind::ADD: return isFloat ? tt::RMWOp::FADD : tt::RMWOp::ADD;
  case tt::DescriptorReduceKind::MIN:
    return isFloat ? std::nullopt : std::optional(isUnsigned ? tt::RMWOp::UMIN : tt::RMWOp::MIN);
  case tt::DescriptorReduceKind::MAX:
    return isFloat ? std::nullopt : std::optional(isUnsigned ? tt::RMWOp::UMAX : tt::RMWOp::MAX);
  case tt::DescriptorReduceKind::AND: return tt::RMWOp::AND;
  case tt::DescriptorReduceKind::OR: return tt::RMWOp::OR;
  case tt::DescriptorReduceKind::XOR: return tt::RMWOp::XOR;
  default: return std::nullopt;
  }
}

struct RewriteReduce : DescriptorPattern<tt::DescriptorReduceOp> {
  using DescriptorPattern::DescriptorPattern;
  LogicalResult matchAndRewrite(tt::DescriptorReduceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = op.getDesc().getType().getBlockType().getElementType();
    std::optional<tt::RMWOp> kind = convertKind(op.getKind(), element);
    if (!kind)
      return op.emitOpError("has no counterpart through pointers for '")
             << tt::stringifyEnum(op.getKind()) << "' of elements of type " << element;
    Descriptor desc = getDescriptor(op, adaptor);
    SmallVector<Value> indices = getIndices(adaptor);
    BlockAccess block = makeBlock(rewriter, op, desc, indices);
    Value pointers = block.getPointers();
    Value tile = reshape(rewriter, op.getLoc(), op.getSrc(), op.getDesc().getType().getBlockType().getShape());
    tt::AtomicRMWOp::create(rewriter, op.getLoc(), tile.getType(), *kind, pointers, tile, block.getMask(),
                            tt::MemSemantic::RELAXED, tt::MemSyncScope::GPU);
    rewriter.eraseOp(op);
    return success();
  }
};

//===--- the pass -------------------------------------------------------------------------------------------------===//

bool hasDescriptor(TypeRange types) { return llvm::any_of(types, llvm::IsaPred<tt::TensorDescType>); }

/// Replaces argument `index`, a descriptor, by the arguments that Triton's launchers pass to kernels without tensor
/// maps: the address, the sizes and strides (i64), and whether reads outside the tensor yield NaNs (i1).
LogicalResult expandArgument(tt::FuncOp func, unsigned index) {
  BlockArgument argument = func.getArgument(index);
  auto type = cast<tt::TensorDescType>(argument.getType());
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  RankedTensorType block = type.getSignlessBlockType();
  unsigned rank = block.getRank();
  SmallVector<Type> types = {tt::PointerType::get(block.getElementType())};
  types.append(2 * rank, builder.getI64Type());
  types.push_back(builder.getI1Type());
  SmallVector<unsigned> places(types.size(), index + 1);
  SmallVector<DictionaryAttr> attributes(types.size(), builder.getDictionaryAttr({}));
  SmallVector<Location> locations(types.size(), argument.getLoc());
  if (failed(func.insertArguments(places, types, attributes, locations)))
    return failure();
  ValueRange values = func.getArguments().slice(index + 1, types.size());
  SmallVector<Value> sizes;
  for (Value size : values.slice(1, rank))
    sizes.push_back(arith::TruncIOp::create(builder, argument.getLoc(), builder.getI32Type(), size));
  auto make = [&](tt::PaddingOption padding) {
    return tt::MakeTensorDescOp::create(builder, argument.getLoc(), type, values[0], sizes,
                                        values.slice(1 + rank, rank), padding);
  };
  Value descriptor = make(tt::PaddingOption::PAD_ZERO);
  if (isa<FloatType>(block.getElementType()))
    descriptor = arith::SelectOp::create(builder, argument.getLoc(), values.back(), make(tt::PaddingOption::PAD_NAN),
                                         descriptor);
  argument.replaceAllUsesWith(descriptor);
  return func.eraseArgument(index);
}

struct RewriteTensorDescriptorToPointer
    : tilecc::impl::TritonRewriteTensorDescriptorToPointerBase<RewriteTensorDescriptorToPointer> {
  using TritonRewriteTensorDescriptorToPointerBase::TritonRewriteTensorDescriptorToPointerBase;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>())
      for (unsigned i = 0; !func.isExternal() && i < func.getNumArguments(); ++i) {
        if (!isa<tt::TensorDescType>(func.getArgument(i).getType()))
          continue;
        if (expandArguments) {
          if (failed(expandArgument(func, i)))
            return signalPassFailure();
          continue;
        }
        mlir::emitError(func.getArgument(i).getLoc())
            << "a descriptor that is a parameter is a tensor map, for GPUs that copy tensors, sm_90 and later; "
               "compiled for "
               "other targets alone, the kernel takes the pointer, sizes, strides and padding in its place";
        return signalPassFailure();
      }
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion([](tt::TensorDescType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
      return Descriptor::convert(type, types);
    });
    RewritePatternSet patterns(&getContext());
    patterns.add<MakeDescriptor, RewriteLoad, RewriteStore, RewriteGather, RewriteScatter, RewriteReduce>(
        converter, &getContext());
    populateSelectPatterns(patterns, converter);
    ConversionTarget target(getContext());
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    target.markUnknownOpDynamicallyLegal(
        [](Operation *op) { return !hasDescriptor(op->getOperandTypes()) && !hasDescriptor(op->getResultTypes()); });
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
