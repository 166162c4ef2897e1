//===- Elementwise.cpp - operations that do not exchange elements between threads ---------------------------------===//
//
// Each operation is lowered to a scalar operation for every register.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Lowers any elementwise operation, by cloning it once per register that may have a distinct value.
struct ElementwisePattern : ConversionPattern {
  ElementwisePattern(const TileTypeConverter &types, MLIRContext *context, const AxisInfoAnalysis &axisInfo)
      : ConversionPattern(types, Pattern::MatchAnyOpTypeTag(), /*benefit=*/1, context), axisInfo(axisInfo) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1 || op->getNumRegions() != 0)
      return failure();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op->getResult(0).getType(), types)))
      return failure();
    SmallVector<unsigned> copies(1, 0);
    if (auto tile = dyn_cast<RankedTensorType>(op->getResult(0).getType()))
      copies = findFirstCopies(tile, axisInfo.get(op->getResult(0)));
    SmallVector<Value> results;
    for (auto [reg, type] : llvm::enumerate(types)) {
      if (copies[reg] != reg) {
        results.push_back(results[copies[reg]]);
        continue;
      }
      SmallVector<Value> scalars;
      for (ValueRange operand : operands) // a select may have a scalar condition and tile operands
        scalars.push_back(operand.size() == 1 ? operand[0] : operand[reg]);
      OperationState state(op->getLoc(), op->getName(), scalars, type, op->getDiscardableAttrDictionary().getValue());
      state.propertiesAttr = op->getPropertiesAsAttribute();
      results.push_back(rewriter.create(state)->getResult(0));
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }

private:
  const AxisInfoAnalysis &axisInfo;
};

/// Truncates two numbers at a time, which GPUs round and pack with one instruction.
struct TruncatePattern : TilePattern<arith::TruncFOp> {
  TruncatePattern(const TileTypeConverter &types, MLIRContext *context, const LoweringContext &lowering)
      : TilePattern(types, context, lowering, /*benefit=*/2) {} // takes precedence over ElementwisePattern
  LogicalResult matchAndRewrite(arith::TruncFOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = getElementTypeOrSelf(op.getType());
    ValueRange values = adaptor.getIn();
    if (values.size() % 2 || !values[0].getType().isF32() || !(element.isF16() || element.isBF16()) ||
        op.getRoundingmode())
      return failure();
    SmallVector<Value> results;
    for (unsigned i = 0; i < values.size(); i += 2) {
      Value pair = packVector(rewriter, loc, {values[i], values[i + 1]});
      pair = LLVM::FPTruncOp::create(rewriter, loc, VectorType::get(2, element), pair);
      llvm::append_range(results, unpackVector(rewriter, loc, pair));
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

/// Returns true if every element of `bytes` is known to be less than 128: masked bytes, or bytes shifted to the right.
bool isBelow128(Value bytes) {
  Operation *op = bytes.getDefiningOp();
  APInt number;
  if (!isa_and_nonnull<arith::AndIOp, arith::ShRUIOp>(op) || !matchPattern(op->getOperand(1), m_ConstantInt(&number)))
    return false;
  return isa<arith::AndIOp>(op) ? number.isNonNegative() : !number.isZero();
}

/// Packs four bytes into a word. If the same mask or shift is applied to all of them, it is applied to the word
/// instead.
Value packBytes(OpBuilder &builder, Location loc, ValueRange bytes) {
  Operation *first = bytes[0].getDefiningOp();
  APInt number;
  bool areAlike = isa_and_nonnull<arith::AndIOp, arith::ShRUIOp>(first) &&
                  matchPattern(first->getOperand(1), m_ConstantInt(&number)) && llvm::all_of(bytes, [&](Value byte) {
                    Operation *op = byte.getDefiningOp();
                    return op && op->getName() == first->getName() && op->getOperand(1) == first->getOperand(1);
                  });
  if (!areAlike)
    return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), packVector(builder, loc, bytes));
  SmallVector<Value> sources;
  for (Value byte : bytes)
    sources.push_back(byte.getDefiningOp()->getOperand(0));
  Value word = packBytes(builder, loc, sources);
  if (isa<arith::ShRUIOp>(first)) {
    word = arith::ShRUIOp::create(builder, loc, word, constantI32(builder, loc, number.getZExtValue()));
    number = APInt::getLowBitsSet(8, 8 - number.getZExtValue());
  }
  return arith::AndIOp::create(builder, loc, word,
                               constantI32(builder, loc, APInt::getSplat(32, number).getSExtValue()));
}

/// Converts groups of four bytes to f16 by adding them to a number, because GPUs convert integers at an eighth of the
/// speed of additions. If a byte is put in the mantissa of an f16 with the exponent of 1024, the f16 is 1024 + byte.
/// Subtracting 1024 gives the result. All of this is exact. Bytes below 128 are converted to bf16 in the same way. (The
/// mantissa of bf16 is too short for larger bytes. They would need f32, which is not faster.)
template <typename OpT> struct BytesToHalvesPattern : TilePattern<OpT> {
  BytesToHalvesPattern(const TileTypeConverter &types, MLIRContext *context, const LoweringContext &lowering)
      : TilePattern<OpT>(types, context, lowering, /*benefit=*/2) {} // takes precedence over ElementwisePattern
  LogicalResult matchAndRewrite(OpT op, typename TilePattern<OpT>::OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = getElementTypeOrSelf(op.getType());
    ValueRange bytes = adaptor.getIn();
    bool isSmall = isBelow128(op.getIn());
    if (bytes.size() % 4 || !bytes[0].getType().isInteger(8) || !(element.isF16() || (element.isBF16() && isSmall)))
      return failure();
    bool hasSign = std::is_same_v<OpT, arith::SIToFPOp> && !isSmall;
    auto constant = [&](VectorType type, Attribute value) -> Value {
      return arith::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(type, value));
    };
    auto word = VectorType::get(4, rewriter.getI8Type()), halves = VectorType::get(2, element);
    Value turn = constant(word, rewriter.getI8IntegerAttr(-128));
    Value exponent =
        constant(word, rewriter.getI8IntegerAttr(element.isF16() ? 0x64 : 0x43)); // the upper byte of 1024, or of 128
    Value one = constant(halves, rewriter.getFloatAttr(element, 1)),
          less = constant(halves, rewriter.getFloatAttr(element, -128));
    Value offset = constant(halves, rewriter.getFloatAttr(element, 1024 + (hasSign ? 128 : 0)));
    SmallVector<Value> results;
    for (unsigned i = 0; i < bytes.size(); i += 4) {
      Value four = LLVM::BitcastOp::create(rewriter, loc, word, packBytes(rewriter, loc, bytes.slice(i, 4)));
      if (hasSign) // XOR adds 128, which makes the byte unsigned
        four = arith::XOrIOp::create(rewriter, loc, four, turn);
      for (int32_t j : {0, 2}) {
        Value words = LLVM::ShuffleVectorOp::create(rewriter, loc, four, exponent, ArrayRef<int32_t>{j, 4, j + 1, 5});
        Value pair = LLVM::BitcastOp::create(rewriter, loc, halves, words);
        // sm_80 adds bf16 only by FMA.
        pair = element.isF16() ? arith::SubFOp::create(rewriter, loc, pair, offset).getResult()
                               : LLVM::FMAOp::create(rewriter, loc, pair, one, less).getResult();
        llvm::append_range(results, unpackVector(rewriter, loc, pair));
      }
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

struct ConstantPattern : TilePattern<arith::ConstantOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(arith::ConstantOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    auto value = splat ? cast<TypedAttr>(splat.getSplatValue<Attribute>()) : op.getValue();
    Type element = types.convertElement(value.getType());
    if (element != value.getType() && isa<FloatAttr>(value)) // an 8-bit float
      value = IntegerAttr::get(element, cast<FloatAttr>(value).getValue().bitcastToAPInt());
    else if (!splat)
      return failure();
    Value scalar = arith::ConstantOp::create(rewriter, op.getLoc(), value);
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>(type ? ttg::getElementsPerThread(type) : 1, scalar)});
    return success();
  }
};

struct PoisonPattern : TilePattern<ub::PoisonOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ub::PoisonOp op, OneToNOpAdaptor, ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> registers;
    if (failed(types.convertType(op.getType(), registers)))
      return failure();
    Value scalar = LLVM::PoisonOp::create(rewriter, op.getLoc(), registers.front());
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>(registers.size(), scalar)});
    return success();
  }
};

struct SplatPattern : TilePattern<tt::SplatOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::SplatOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    unsigned count = ttg::getElementsPerThread(cast<RankedTensorType>(op.getType()));
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>(count, adaptor.getSrc().front())});
    return success();
  }
};

struct UnsplatPattern : TilePattern<tt::UnsplatOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::UnsplatOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSrc().front()); // every thread holds the single element
    return success();
  }
};

struct MakeRangePattern : TilePattern<tt::MakeRangeOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::MakeRangeOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    LinearLayout layout = ttg::toLinearLayout(type);
    Value base = applyLayout(rewriter, loc, layout, getThreadPosition(rewriter, loc, target));
    SmallVector<Value> results;
    for (unsigned reg = 0; reg < 1u << layout.getInBits(Dim::Register); ++reg) {
      Value value = addRegister(rewriter, loc, layout, base, reg);
      if (op.getStart() != 0)
        value = arith::AddIOp::create(rewriter, loc, value, constantI32(rewriter, loc, op.getStart()));
      results.push_back(value);
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

/// Returns, for each register of `result`, the register of `source` that holds the same element, whose coordinates are
/// computed by `project`. The registers are the same in all threads, because both layouts use lanes and warps in the
/// same way.
SmallVector<unsigned> matchRegisters(const LinearLayout &result, const LinearLayout &source,
                                     llvm::function_ref<uint64_t(LinearLayout::Index)> project) {
  DenseMap<uint64_t, unsigned> registerAt;
  for (unsigned reg = 0; reg < 1u << source.getInBits(Dim::Register); ++reg)
    registerAt[source.apply(uint64_t(reg))] = reg;
  SmallVector<unsigned> matches;
  for (unsigned reg = 0; reg < 1u << result.getInBits(Dim::Register); ++reg) {
    auto it = registerAt.find(project(result.apply(LinearLayout::Index{{Dim::Register, reg}})));
    assert(it != registerAt.end() && "the layouts were verified to fit");
    matches.push_back(it->second);
  }
  return matches;
}

/// Packs coordinates in the order of `layout`.
uint64_t pack(const LinearLayout &layout, ArrayRef<uint32_t> coordinates) {
  uint64_t packed = 0;
  unsigned shift = 0;
  for (auto [extent, value] : llvm::zip_equal(layout.getOuts(), coordinates)) {
    packed |= uint64_t(value) << shift;
    shift += extent.bits;
  }
  return packed;
}

/// Lowers operations that move elements within threads (tt::IndexingMap) by selecting registers. ShapeOps.cpp lowers
/// the operations that may exchange elements between threads (tt::LayoutTransform).
struct IndexingMapPattern : ConversionPattern {
  IndexingMapPattern(const TileTypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, Pattern::MatchInterfaceOpTypeTag(), tt::IndexingMap::getInterfaceID(), /*benefit=*/1,
                          context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (isa<tt::LayoutTransform>(op))
      return failure();
    LinearLayout source = ttg::toLinearLayout(cast<RankedTensorType>(op->getOperand(0).getType()));
    SmallVector<SmallVector<Value>> results;
    for (OpResult value : op->getResults()) {
      AffineMap map = cast<tt::IndexingMap>(op).getIndexingMap(value.getResultNumber());
      LinearLayout result = ttg::toLinearLayout(cast<RankedTensorType>(value.getType()));
      auto registers = matchRegisters(result, source, [&](const LinearLayout::Index &index) {
        SmallVector<uint32_t> coordinates;
        for (AffineExpr coordinate : map.getResults()) {
          auto dim = dyn_cast<AffineDimExpr>(coordinate);
          coordinates.push_back(dim ? index[dim.getPosition()].second
                                    : cast<AffineConstantExpr>(coordinate).getValue());
        }
        return pack(source, coordinates);
      });
      SmallVector<Value> &moved = results.emplace_back();
      for (unsigned reg : registers)
        moved.push_back(operands[0][reg]);
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
};

struct AddPtrPattern : TilePattern<tt::AddPtrOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::AddPtrOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto pointer = cast<tt::PointerType>(getElementTypeOrSelf(op.getType()));
    Type element = getMemoryType(types.convertElement(pointer.getPointeeType()));
    SmallVector<Value> results;
    for (auto [ptr, offset] : llvm::zip_equal(adaptor.getPtr(), adaptor.getOffset()))
      results.push_back(LLVM::GEPOp::create(rewriter, op.getLoc(), ptr.getType(), element, ptr, offset));
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

/// Lowers casts with a scalar form in LLVM: ptr_to_int, int_to_ptr, bitcast.
template <typename OpT> struct CastPattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;
  LogicalResult matchAndRewrite(OpT op, typename OpT::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = this->types.convertElement(getElementTypeOrSelf(op.getType()));
    SmallVector<Value> results;
    for (Value value : adaptor.getSrc())
      results.push_back(cast(op.getLoc(), value, type, rewriter));
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
  static Value cast(Location loc, Value value, Type type, OpBuilder &builder) {
    bool fromPtr = isa<LLVM::LLVMPointerType>(value.getType()), toPtr = isa<LLVM::LLVMPointerType>(type);
    if (value.getType() == type)
      return value;
    if (fromPtr)
      return LLVM::PtrToIntOp::create(builder, loc, type, value);
    if (toPtr)
      return LLVM::IntToPtrOp::create(builder, loc, type, value);
    return LLVM::BitcastOp::create(builder, loc, type, value);
  }
};

struct ClampPattern : TilePattern<tt::ClampFOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::ClampFOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    bool nan = op.getPropagateNan() == tt::PropagateNan::ALL;
    SmallVector<Value> results;
    for (auto [x, low, high] : llvm::zip_equal(adaptor.getX(), adaptor.getMin(), adaptor.getMax())) {
      Value value = nan ? arith::MaximumFOp::create(rewriter, loc, x, low).getResult()
                        : arith::MaxNumFOp::create(rewriter, loc, x, low).getResult();
      results.push_back(nan ? arith::MinimumFOp::create(rewriter, loc, value, high).getResult()
                            : arith::MinNumFOp::create(rewriter, loc, value, high).getResult());
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

} // namespace

void tilecc::populateElementwisePatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                         const LoweringContext &lowering) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ElementwisePattern>(types, context, lowering.axisInfo);
  patterns.add<IndexingMapPattern>(types, context);
  patterns.add<ConstantPattern, PoisonPattern, SplatPattern, UnsplatPattern, MakeRangePattern, AddPtrPattern,
               CastPattern<tt::PtrToIntOp>, CastPattern<tt::IntToPtrOp>, CastPattern<tt::BitcastOp>, ClampPattern,
               TruncatePattern, BytesToHalvesPattern<arith::SIToFPOp>, BytesToHalvesPattern<arith::UIToFPOp>>(
      types, context, lowering);
}
