//===- Gather.cpp - gathers and histograms ------------------------------------------------------------------------===//
//
// Both operations move elements to positions that depend on data: by an exchange, by shuffles, or through scratch
// space, as GatherPlan decides.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/GatherPlan.h"
#include "lowering/gpu/Lowering.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

namespace {

//===--- gather ---------------------------------------------------------------------------------------------------===//

class Gather {
public:
  Gather(tt::GatherOp op, OpBuilder &builder, const TargetInfo &target)
      : op(op), builder(builder), target(target), loc(op.getLoc()), plan(op) {}

  SmallVector<Value> run(ValueRange source, ValueRange indices) {
    switch (plan.kind) {
    case GatherPlan::Kind::Exchange: return exchange(source);
    case GatherPlan::Kind::Shuffles: return shuffle(source, indices);
    case GatherPlan::Kind::Shared: return throughShared(source, indices);
    }
    llvm_unreachable("a kind of its own");
  }

private:
  SmallVector<Value> exchange(ValueRange source) {
    SmallVector<Value> results;
    for (unsigned reg = 0; reg < source.size(); ++reg) {
      Value partner = source[reg ^ plan.registerDistance];
      if (plan.laneDistance)
        partner = shuffleAnyType(builder, loc, partner,
                                 [&](Value word) { return target.shuffleXor(builder, loc, word, plan.laneDistance); });
      results.push_back(partner);
    }
    return results;
  }

  /// Wraps an index into the axis by keeping its low bits.
  Value inRange(Value index) {
    unsigned bits = plan.source.getOutBits(axis(plan.axisIndex));
    unsigned width = index.getType().getIntOrFloatBitWidth();
    if (width > 32)
      index = arith::TruncIOp::create(builder, loc, builder.getI32Type(), index);
    if (width < 32)
      index = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), index);
    return arith::AndIOp::create(builder, loc, index, constantI32(builder, loc, (1u << bits) - 1));
  }

  /// Returns the contribution of `index` to one output of plan.fromIndex.
  Value applyToIndex(Value index, Dim out) {
    SmallVector<uint64_t> columns;
    for (unsigned bit = 0; bit < plan.fromIndex.getInBits(Dim::Offset); ++bit)
      columns.push_back(plan.fromIndex.getBasis(Dim::Offset, bit, out));
    Value result = applyColumns(builder, loc, index, columns);
    return result ? result : constantI32(builder, loc, 0);
  }

  SmallVector<Value> shuffle(ValueRange source, ValueRange indices) {
    ThreadPosition place = getThreadPosition(builder, loc, target);
    SmallVector<Dim> places = {Dim::Register, Dim::Lane, Dim::Warp};
    LinearLayout toLane = plan.fromLocation.sublayout(places, {Dim::Lane});
    LinearLayout toRegister = plan.fromLocation.sublayout(places, {Dim::Register});
    Value laneBase = applyLayout(builder, loc, toLane, place),
          registerBase = applyLayout(builder, loc, toRegister, place);
    SmallVector<Value> results;
    for (unsigned reg = 0; reg < indices.size(); ++reg) {
      Value index = inRange(indices[reg]);
      Value lane = arith::XOrIOp::create(builder, loc, addRegister(builder, loc, toLane, laneBase, reg),
                                         applyToIndex(index, Dim::Lane));
      Value wanted = arith::XOrIOp::create(builder, loc, addRegister(builder, loc, toRegister, registerBase, reg),
                                           applyToIndex(index, Dim::Register));
      Value result;
      for (unsigned candidate : plan.candidates) {
        unsigned from = candidate ^ unsigned(toRegister.apply(uint64_t(reg)));
        Value got = shuffleAnyType(builder, loc, source[from],
                                   [&](Value word) { return target.shuffleIndex(builder, loc, word, lane); });
        if (!result) {
          result = got;
          continue;
        }
        Value isThis =
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, wanted, constantI32(builder, loc, from));
        result = arith::SelectOp::create(builder, loc, isThis, got, result);
      }
      results.push_back(result);
    }
    return results;
  }

  SmallVector<Value> throughShared(ValueRange source, ValueRange indices) {
    ThreadPosition place = getThreadPosition(builder, loc, target);
    Type element = source[0].getType(), inMemory = getMemoryType(element);
    Value scratch = getScratch(builder, op, target);
    auto addressOf = [&](Value position) {
      return LLVM::GEPOp::create(builder, loc, scratch.getType(), inMemory, scratch, ArrayRef<LLVM::GEPArg>{position});
    };
    Value storedBase = applyLayout(builder, loc, plan.stored, place),
          loadedBase = applyLayout(builder, loc, plan.loaded, place);
    SmallVector<Value> results(indices.size());
    for (unsigned round = 0; round < plan.getNumRounds(); ++round) {
      if (round > 0)
        wait();
      for (unsigned reg = 0; reg < source.size(); ++reg) // copies write the same value more than once
        if (plan.getRoundOfSource(reg) == round)
          LLVM::StoreOp::create(builder, loc, toMemory(builder, loc, source[reg]),
                                addressOf(addRegister(builder, loc, plan.stored, storedBase, reg)));
      wait();
      for (unsigned reg = 0; reg < indices.size(); ++reg)
        if (plan.getRoundOfResult(reg) == round) {
          Value position = addRegister(builder, loc, plan.loaded, loadedBase, reg);
          position = arith::XOrIOp::create(builder, loc, position, shiftedIndex(indices[reg]));
          Value loaded = LLVM::LoadOp::create(builder, loc, inMemory, addressOf(position));
          results[reg] = fromMemory(builder, loc, loaded, element);
        }
    }
    return results;
  }

  void wait() { plan.isWithinWarps ? target.warpBarrier(builder, loc) : target.sharedBarrier(builder, loc); }

  /// Returns the contribution of the index to an offset in scratch space.
  Value shiftedIndex(Value index) {
    if (plan.exchangedBits)
      return constantI32(builder, loc, *plan.exchangedBits << plan.indexShift);
    return arith::ShLIOp::create(builder, loc, inRange(index), constantI32(builder, loc, plan.indexShift));
  }

  tt::GatherOp op;
  OpBuilder &builder;
  const TargetInfo &target;
  Location loc;
  GatherPlan plan;
};

struct GatherPattern : TilePattern<tt::GatherOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::GatherOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {Gather(op, rewriter, target).run(adaptor.getSrc(), adaptor.getIndices())});
    return success();
  }
};

//===--- histogram ------------------------------------------------------------------------------------------------===//

/// Counts elements in bins in shared memory with atomic additions.
struct HistogramPattern : TilePattern<tt::HistogramOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::HistogramOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    int64_t numBins = op.getType().getNumElements();
    unsigned numThreads = ttg::getNumWarps(op) * target.facts.warpSize;
    Value bins = getScratch(rewriter, op, target), thread = target.getThreadId(rewriter, loc);
    auto addressOf = [&](Value bin) {
      return LLVM::GEPOp::create(rewriter, loc, bins.getType(), i32, bins, ArrayRef<LLVM::GEPArg>{bin});
    };
    // If there are more threads than bins, several threads write zero to the same bin.
    for (int64_t first = 0; first < numBins; first += numThreads) {
      Value bin = arith::AddIOp::create(rewriter, loc, thread, constantI32(rewriter, loc, first));
      bin = arith::AndIOp::create(rewriter, loc, bin, constantI32(rewriter, loc, numBins - 1));
      LLVM::StoreOp::create(rewriter, loc, constantI32(rewriter, loc, 0), addressOf(bin));
    }
    target.sharedBarrier(rewriter, loc);

    // If several threads hold the same element, one of them counts it.
    ThreadPosition place = getThreadPosition(rewriter, loc, target);
    Value counts = isRepresentative(rewriter, loc, ttg::toLinearLayout(op.getSrc().getType()), place);
    for (unsigned reg = 0; reg < adaptor.getSrc().size(); ++reg) {
      Value value = adaptor.getSrc()[reg];
      unsigned width = value.getType().getIntOrFloatBitWidth();
      Type type = value.getType();
      Value isCounted;
      if (width > unsigned(llvm::Log2_64(numBins))) {
        Value limit = arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(type, numBins));
        isCounted = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, value, limit);
      }
      auto also = [&](Value condition) {
        isCounted = !isCounted ? condition : arith::AndIOp::create(rewriter, loc, isCounted, condition).getResult();
      };
      if (!adaptor.getMask().empty())
        also(adaptor.getMask()[reg]);
      if (counts)
        also(counts);
      if (width > 32)
        value = arith::TruncIOp::create(rewriter, loc, i32, value);
      if (width < 32)
        value = arith::ExtUIOp::create(rewriter, loc, i32, value);
      // An element that is not counted adds zero to some bin.
      Value bin = arith::AndIOp::create(rewriter, loc, value, constantI32(rewriter, loc, numBins - 1));
      Value one =
          isCounted ? arith::ExtUIOp::create(rewriter, loc, i32, isCounted).getResult() : constantI32(rewriter, loc, 1);
      LLVM::AtomicRMWOp::create(rewriter, loc, LLVM::AtomicBinOp::add, addressOf(bin), one,
                                LLVM::AtomicOrdering::monotonic);
    }
    target.sharedBarrier(rewriter, loc);

    LinearLayout layout = ttg::toLinearLayout(op.getType());
    Value base = applyLayout(rewriter, loc, layout, place);
    SmallVector<Value> results;
    for (unsigned reg = 0; reg < 1u << layout.getInBits(Dim::Register); ++reg)
      results.push_back(
          LLVM::LoadOp::create(rewriter, loc, i32, addressOf(addRegister(rewriter, loc, layout, base, reg))));
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

} // namespace

void tilecc::populateGatherPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                    const LoweringContext &lowering) {
  patterns.add<GatherPattern, HistogramPattern>(types, patterns.getContext(), lowering);
}
