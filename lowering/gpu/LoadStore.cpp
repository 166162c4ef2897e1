//===- LoadStore.cpp - loads and stores of global memory ----------------------------------------------------------===//
//
// Accesses are as wide as alignment, contiguity and mask allow (analysis/AccessWidth). If several threads hold copies
// of an element, only one of them stores it.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AccessWidth.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Returns the modifiers of an access. PTX does not allow both a cache operator and an eviction priority. The operator,
/// which is more specific, takes precedence.
AccessModifiers getModifiers(OpBuilder &builder, Location loc, const TargetInfo &target, tt::CacheModifier cache,
                             tt::EvictionPolicy eviction, bool isVolatile) {
  AccessModifiers modifiers;
  modifiers.isVolatile = isVolatile;
  if (isVolatile)
    return modifiers;
  if (cache != tt::CacheModifier::NONE) {
    modifiers.cacheOperator = tt::stringifyCacheModifier(cache);
  } else if (eviction != tt::EvictionPolicy::NORMAL) {
    modifiers.eviction = tt::stringifyEvictionPolicy(eviction);
    modifiers.policy = target.createCachePolicy(builder, loc, modifiers.eviction);
  }
  return modifiers;
}

/// Returns, for each register of a load of single elements, the first register that is known to be loaded from the same
/// address.
SmallVector<unsigned> findFirstLoads(tt::LoadOp op, ValueRange others, const AxisInfoAnalysis &axisInfo) {
  auto type = cast<RankedTensorType>(op.getPtr().getType());
  SmallVector<unsigned> first = findFirstCopies(type, axisInfo.get(op.getPtr())), masks;
  if (op.getMask())
    masks = findFirstCopies(cast<RankedTensorType>(op.getMask().getType()), axisInfo.get(op.getMask()));
  for (unsigned reg = 0; reg < first.size(); ++reg)
    if (unsigned from = first[reg];
        (op.getMask() && masks[reg] != masks[from]) || (!others.empty() && others[reg] != others[from]))
      first[reg] = reg;
  return first;
}

struct LoadPattern : TilePattern<tt::LoadOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = types.convertElement(getElementTypeOrSelf(op.getType())), inMemory = getMemoryType(element);
    unsigned width = getAccessWidth(lowering.axisInfo, op.getPtr(), op.getMask());
    AccessModifiers modifiers = getModifiers(rewriter, loc, target, op.getCache(), op.getEvict(), op.getIsVolatile());
    auto vectorType = VectorType::get(width, inMemory);
    GlobalAddresses addresses(rewriter, loc, op.getPtr(), adaptor.getPtr(), types, lowering);
    std::optional<BufferAddresses> buffer;
    if (auto tile = lowering.buffers.find(op.getPtr()); tile != lowering.buffers.end() && !op.getIsVolatile())
      buffer.emplace(rewriter, loc, op.getPtr(), tile->second, lowering);
    SmallVector<Value> results;
    SmallVector<unsigned> first;
    if (width == 1 && !op.getIsVolatile() && isa<RankedTensorType>(op.getPtr().getType()))
      first = findFirstLoads(op, adaptor.getOther(), lowering.axisInfo);
    for (unsigned reg = 0; reg < adaptor.getPtr().size(); reg += width) {
      if (!first.empty() && first[reg] != reg) {
        results.push_back(results[first[reg]]);
        continue;
      }
      Value mask = adaptor.getMask().empty() ? Value() : adaptor.getMask()[reg], other;
      if (!adaptor.getOther().empty()) {
        SmallVector<Value> values;
        for (Value value : adaptor.getOther().slice(reg, width))
          values.push_back(toMemory(rewriter, loc, value));
        auto isZero = [](Value value) {
          return matchPattern(value, m_Zero()) || matchPattern(value, m_PosZeroFloat());
        };
        if (!llvm::all_of(values, isZero)) // zeros need no register
          other = packVector(rewriter, loc, values);
      }
      Value vector = buffer ? target.loadBuffer(rewriter, loc, vectorType, buffer->get(reg), mask, other, modifiers)
                            : target.load(rewriter, loc, vectorType, addresses.get(reg), mask, other, modifiers);
      for (Value value : unpackVector(rewriter, loc, vector))
        results.push_back(fromMemory(rewriter, loc, value, element));
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

/// Marks stores that follow the conversion of their value, with no memory access in between.
constexpr StringLiteral followsConversionAttr = "tilecc.follows_conversion";

struct StorePattern : TilePattern<tt::StoreOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned width = getAccessWidth(lowering.axisInfo, op.getPtr(), op.getMask());
    AccessModifiers modifiers = getModifiers(rewriter, loc, target, op.getCache(), op.getEvict(), false);
    // If a conversion takes several rounds, its last rounds can overlap with the stores of the elements of the first
    // rounds.
    Block *block = op->getBlock();
    bool isInRounds = op->hasAttr(followsConversionAttr);
    auto moveBehind = [&](ValueRange operands) {
      Operation *last = nullptr;
      for (Value operand : operands) {
        Operation *made = operand ? operand.getDefiningOp() : nullptr;
        if (made && made->getBlock() == block && (!last || last->isBeforeInBlock(made)))
          last = made;
      }
      if (isInRounds && last)
        rewriter.setInsertionPointAfter(last);
    };
    if (isInRounds)
      rewriter.setInsertionPointToStart(block);
    // Without this condition, all threads that hold copies of an element would write it.
    ThreadPosition position = getThreadPosition(rewriter, loc, target);
    Value writes;
    if (auto type = dyn_cast<RankedTensorType>(op.getPtr().getType()))
      writes = isRepresentative(rewriter, loc, ttg::toLinearLayout(type), position);
    else
      writes = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, target.getThreadId(rewriter, loc),
                                     constantI32(rewriter, loc, 0));
    // All addresses are computed before the first store.
    SmallVector<Value> pointers;
    SmallVector<BufferAddress> places;
    if (auto tile = lowering.buffers.find(op.getPtr()); tile != lowering.buffers.end()) {
      moveBehind(rewriter.getRemappedValue(tile->second.base));
      BufferAddresses addresses(rewriter, loc, op.getPtr(), tile->second, lowering);
      for (unsigned reg = 0; reg < adaptor.getPtr().size(); reg += width)
        places.push_back(addresses.get(reg));
    } else {
      GlobalAddresses addresses(rewriter, loc, op.getPtr(), adaptor.getPtr(), types, lowering);
      moveBehind(addresses.getRegisters());
      for (unsigned reg = 0; reg < adaptor.getPtr().size(); reg += width)
        pointers.push_back(addresses.get(reg));
    }
    for (unsigned reg = 0; reg < adaptor.getPtr().size(); reg += width) {
      Value given = adaptor.getMask().empty() ? Value() : adaptor.getMask()[reg], mask = writes;
      SmallVector<Value> operands = {given, writes};
      if (places.empty())
        operands.push_back(pointers[reg / width]);
      else
        operands.append({places[reg / width].base, places[reg / width].ofThread, places[reg / width].ofProgram});
      llvm::append_range(operands, adaptor.getValue().slice(reg, width));
      moveBehind(operands);
      if (given) {
        mask = mask ? arith::AndIOp::create(rewriter, loc, mask, given).getResult() : given;
      }
      SmallVector<Value> values;
      for (Value value : adaptor.getValue().slice(reg, width))
        values.push_back(toMemory(rewriter, loc, value));
      Value vector = packVector(rewriter, loc, values);
      if (places.empty())
        target.store(rewriter, loc, vector, pointers[reg / width], mask, modifiers);
      else
        target.storeBuffer(rewriter, loc, vector, places[reg / width], mask, modifiers);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilecc::markStoresOfConversions(ModuleOp module) {
  module.walk([](tt::StoreOp store) {
    auto convert = store.getValue().getDefiningOp<ttg::ConvertLayoutOp>();
    if (!convert || convert->getBlock() != store->getBlock())
      return;
    for (Operation *op = convert->getNextNode(); op != store; op = op->getNextNode())
      if (!isMemoryEffectFree(op) || getScratchBytes(op))
        return;
    store->setAttr(followsConversionAttr, UnitAttr::get(store.getContext()));
  });
}

void tilecc::populateMemoryPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                    const LoweringContext &lowering) {
  patterns.add<LoadPattern, StorePattern>(types, patterns.getContext(), lowering);
}
