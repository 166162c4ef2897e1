//===- LoadStore.cpp - global memory, as wide as alignment, contiguity and mask allow ------------------------------===//
//
// A masked load becomes LLVM's masked intrinsic with one mask bit for all elements. The backend makes a branch of it and
// ptxas a predicate, so it costs what inline assembly would, while LLVM still sees a load. Cache modifiers and volatile
// loads exist only as assembly.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

namespace {

constexpr unsigned widestAccessBits = 128;

/// How many registers in a row one access through `ptr` can take.
unsigned getAccessWidth(Value ptr, Value mask, const AxisInfoAnalysis &axisInfo) {
  auto type = dyn_cast<RankedTensorType>(ptr.getType());
  if (!type)
    return 1;
  SmallVector<unsigned> order = axisInfo.getOrder(ptr);
  SmallVector<Dim> outs;
  for (unsigned d : order)
    outs.push_back(axis(d));
  LinearLayout layout = ttg::toLinearLayout(type).transpose({Dim::Register, Dim::Lane, Dim::Warp}, outs);
  unsigned bits = getBytesInMemory(cast<tt::PointerType>(type.getElementType()).getPointeeType()) * 8;
  int64_t width = std::min<int64_t>({layout.getNumConsecutive(), axisInfo.getAlignedContiguity(ptr, order[0]),
                                     std::max(1u, widestAccessBits / bits)});
  if (mask)
    width = std::min(width, axisInfo.getMaskConstancy(mask, order[0]));
  return width;
}

/// The modifier of an access in PTX's spelling; nothing for a plain one. A cache operator and an eviction priority do
/// not go together: the operator, which says more, stays.
StringRef getModifier(tt::CacheModifier cache, tt::EvictionPolicy eviction, bool isVolatile) {
  if (isVolatile)
    return ".volatile";
  switch (cache) {
  case tt::CacheModifier::NONE: break;
  case tt::CacheModifier::CA: return ".ca";
  case tt::CacheModifier::CG: return ".cg";
  case tt::CacheModifier::CS: return ".cs";
  case tt::CacheModifier::WB: return ".wb";
  case tt::CacheModifier::WT: return ".wt";
  case tt::CacheModifier::CV: return ".cv";
  }
  switch (eviction) {
  case tt::EvictionPolicy::NORMAL: return "";
  case tt::EvictionPolicy::EVICT_FIRST: return ".L1::evict_first";
  case tt::EvictionPolicy::EVICT_LAST: return ".L1::evict_last";
  }
  llvm_unreachable("all modifiers are listed");
}

/// The words that assembly moves `width` elements of `element` in.
Type getWordType(Type element, unsigned width) {
  unsigned bits = element.getIntOrFloatBitWidth() * width, word = std::min(32u, bits);
  if (element.getIntOrFloatBitWidth() == 64)
    word = 64;
  Type integer = IntegerType::get(element.getContext(), word);
  return bits == word ? integer : VectorType::get(bits / word, integer);
}

struct LoadPattern : TilePattern<tt::LoadOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = types.convertElement(getElementTypeOrSelf(op.getType())), inMemory = getMemoryType(element);
    unsigned width = getAccessWidth(op.getPtr(), op.getMask(), lowering.axisInfo);
    StringRef modifier = getModifier(op.getCache(), op.getEvict(), op.getIsVolatile());
    unsigned alignment = width * inMemory.getIntOrFloatBitWidth() / 8;
    auto vectorType = VectorType::get(width, inMemory);
    SmallVector<Value> results;
    for (unsigned reg = 0; reg < adaptor.getPtr().size(); reg += width) {
      Value ptr = adaptor.getPtr()[reg];
      Value mask = adaptor.getMask().empty() ? Value() : adaptor.getMask()[reg];
      Value other;
      if (!adaptor.getOther().empty()) {
        SmallVector<Value> values;
        for (Value value : adaptor.getOther().slice(reg, width))
          values.push_back(toMemory(rewriter, loc, value));
        other = packVector(rewriter, loc, values);
      } else if (mask) {
        // Elements that are masked off are anything, but the same thing each time they are looked at: a poison value that
        // reaches a branch (the expansion of a division has some) is undefined behavior.
        other = LLVM::ZeroOp::create(rewriter, loc, vectorType);
      }
      Value vector;
      if (!modifier.empty()) {
        Value predicate = mask ? mask : constantI1(rewriter, loc, true);
        vector = target.loadWith(rewriter, loc, getWordType(inMemory, width), ptr, predicate, modifier);
        vector = LLVM::BitcastOp::create(rewriter, loc, vectorType, vector);
        if (other)
          vector = arith::SelectOp::create(rewriter, loc, mask, vector, other);
      } else if (mask) {
        Value masks = packVector(rewriter, loc, SmallVector<Value>(width, mask));
        vector = LLVM::MaskedLoadOp::create(rewriter, loc, vectorType, ptr, masks, other,
                                            rewriter.getI32IntegerAttr(alignment), UnitAttr());
      } else {
        vector = LLVM::LoadOp::create(rewriter, loc, vectorType, ptr, alignment);
      }
      for (Value value : unpackVector(rewriter, loc, vector))
        results.push_back(fromMemory(rewriter, loc, value, element));
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

struct StorePattern : TilePattern<tt::StoreOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned width = getAccessWidth(op.getPtr(), op.getMask(), lowering.axisInfo);
    StringRef modifier = getModifier(op.getCache(), op.getEvict(), false);
    // Threads that hold copies would all write.
    Place place = getPlace(rewriter, loc, target);
    Value writes;
    if (auto type = dyn_cast<RankedTensorType>(op.getPtr().getType()))
      writes = isRepresentative(rewriter, loc, ttg::toLinearLayout(type), place);
    else
      writes = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, target.getThreadId(rewriter, loc),
                                     constantI32(rewriter, loc, 0));
    for (unsigned reg = 0; reg < adaptor.getPtr().size(); reg += width) {
      Value ptr = adaptor.getPtr()[reg], mask = writes;
      if (!adaptor.getMask().empty()) {
        Value given = adaptor.getMask()[reg];
        mask = mask ? arith::AndIOp::create(rewriter, loc, mask, given).getResult() : given;
      }
      SmallVector<Value> values;
      for (Value value : adaptor.getValue().slice(reg, width))
        values.push_back(toMemory(rewriter, loc, value));
      target.store(rewriter, loc, packVector(rewriter, loc, values), ptr, mask, modifier);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilecc::populateMemoryPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                    const LoweringContext &lowering) {
  patterns.add<LoadPattern, StorePattern>(types, patterns.getContext(), lowering);
}
