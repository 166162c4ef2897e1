//===- Reduce.cpp - reductions within threads, warps and the program ----------------------------------------------===//
//
// Each thread combines its own registers. Lanes that share the axis exchange values by shuffles, or by the target's
// warp-wide instruction, until all of them have the result of the warp. If several warps share the axis, one lane of
// each warp writes its partial result to shared memory. After one barrier, every thread combines all partial results of
// the elements that it needs. This takes more loads and operations than a second round of shuffles, but saves a barrier
// and a round trip through shared memory.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/CombinerRegion.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Returns the warp-wide reduction that the target may have for the combiner.
std::optional<WarpReduction> toWarpReduction(Operation *combiner) {
  return llvm::TypeSwitch<Operation *, std::optional<WarpReduction>>(combiner)
      .Case<arith::AddIOp>([](auto) { return WarpReduction::Add; })
      .Case<arith::AndIOp>([](auto) { return WarpReduction::And; })
      .Case<arith::OrIOp>([](auto) { return WarpReduction::Or; })
      .Case<arith::XOrIOp>([](auto) { return WarpReduction::Xor; })
      .Case<arith::MaxSIOp>([](auto) { return WarpReduction::MaxS; })
      .Case<arith::MinSIOp>([](auto) { return WarpReduction::MinS; })
      .Case<arith::MaxUIOp>([](auto) { return WarpReduction::MaxU; })
      .Case<arith::MinUIOp>([](auto) { return WarpReduction::MinU; })
      .Default(std::nullopt);
}

class Reduction : Combiner {
public:
  Reduction(tt::ReduceOp op, const ReductionPlan &plan, OpBuilder &builder, const TargetInfo &target)
      : Combiner(op, op.getCombineOp(), builder, target, plan.scratchOffsets), reduce(op), plan(plan),
        results(sliceCoordinates(plan.source, plan.axisIndex)) {}

  SmallVector<SmallVector<Value>> run(ArrayRef<ValueRange> sources) {
    // Group the registers of each result element; they are along the axis.
    llvm::MapVector<uint64_t, SmallVector<Elements>> groups;
    for (unsigned reg = 0; reg < sources[0].size(); ++reg) {
      Elements elements;
      for (ValueRange source : sources)
        elements.push_back(source[reg]);
      groups[results.apply(uint64_t(reg))].push_back(elements);
    }
    SmallVector<std::pair<uint64_t, Elements>> partials;
    for (auto &[coordinates, members] : groups)
      partials.push_back({coordinates, acrossLanes(combineAll(members, addsProducts()))});
    if (plan.needsScratch())
      acrossWarps(partials);
    SmallVector<SmallVector<Value>> registers(sources.size());
    for (auto &[coordinates, value] : partials)
      for (auto [i, element] : llvm::enumerate(value))
        registers[i].push_back(element);
    return registers;
  }

private:
  /// Combines pairwise, which avoids one long dependency chain. Products are added in short chains, because a product
  /// and an addition are one FMA.
  Elements combineAll(SmallVector<Elements> values, bool areProducts = false) {
    constexpr unsigned chainLength = 8;
    unsigned length = areProducts ? chainLength : 2;
    while (values.size() > 1) {
      SmallVector<Elements> next;
      for (unsigned i = 0; i < values.size(); i += length)
        next.push_back(accumulate(ArrayRef(values).slice(i, std::min<size_t>(length, values.size() - i))));
      values = std::move(next);
      length = 2;
    }
    return values.front();
  }

  bool addsProducts() {
    return isa_and_nonnull<arith::AddFOp>(reduce.getSingleCombiner()) &&
           reduce.getSrcs()[0].getDefiningOp<arith::MulFOp>();
  }

  Elements accumulate(ArrayRef<Elements> values) {
    Elements sum = values.front();
    for (const Elements &value : values.drop_front())
      sum = combine(sum, value);
    return sum;
  }

  Elements acrossLanes(Elements value) {
    if (Value whole = acrossWarpAtOnce(value))
      return {whole};
    uint32_t mask = 0;
    for (unsigned bit : llvm::reverse(plan.laneBits)) {
      Elements other = shuffle(value, [&](Value word) { return target.shuffleXor(builder, loc, word, 1u << bit); });
      value = combine(value, other, /*roundsEach=*/true);
      mask |= 1u << bit;
    }
    // After an exchange, each of two lanes has combined its own value first. If the order matters (either of two equal
    // elements may be the maximum), all lanes use the result of the first lane, so that copies do not differ.
    if (reduce.getSingleCombiner() || !mask || plan.needsScratch())
      return value;
    Value lane = getThreadPosition(builder, loc, target).lane;
    Value first = arith::AndIOp::create(builder, loc, lane, constant(~mask));
    return shuffle(value, [&](Value word) { return target.shuffleIndex(builder, loc, word, first); });
  }

  /// Reduces by the target's instruction for small integers of a warp. Returns null if it has none.
  Value acrossWarpAtOnce(const Elements &value) {
    Operation *combiner = reduce.getSingleCombiner();
    std::optional<WarpReduction> kind = combiner ? toWarpReduction(combiner) : std::nullopt;
    if (!kind || 1u << plan.laneBits.size() != target.facts.warpSize)
      return {};
    Type type = value[0].getType(), i32 = builder.getI32Type();
    unsigned bits = type.getIntOrFloatBitWidth();
    if (bits > 32)
      return {};
    Value word = value[0];
    bool isSigned = kind == WarpReduction::MaxS || kind == WarpReduction::MinS;
    if (bits < 32)
      word = isSigned ? arith::ExtSIOp::create(builder, loc, i32, word).getResult()
                      : arith::ExtUIOp::create(builder, loc, i32, word).getResult();
    word = target.reduceWarp(builder, loc, word, *kind);
    return word && bits < 32 ? arith::TruncIOp::create(builder, loc, type, word).getResult() : word;
  }

  /// The partial results of element e are at e * partials + (the number of the warp among the warps that share e).
  void acrossWarps(SmallVectorImpl<std::pair<uint64_t, Elements>> &partials) {
    ThreadPosition place = getThreadPosition(builder, loc, target);
    Value element = applyLayout(builder, loc, results, place);
    Value slot = applyLayout(builder, loc, numberOfWarp(), place);
    auto position = [&](uint64_t coordinates) {
      Value at = builder.createOrFold<arith::XOrIOp>(loc, element, constant(coordinates));
      return arith::MulIOp::create(builder, loc, at, constant(plan.getNumPartials())).getResult();
    };
    // One lane writes, and only one of several warps with the same data. Lanes and warps whose numbers do not affect
    // the result that they hold have copies …
    uint32_t laneCopies = 0, warpCopies = 0;
    for (unsigned bit = 0; bit < results.getInBits(Dim::Lane); ++bit)
      if (results.getColumns(Dim::Lane)[bit] == 0)
        laneCopies |= 1u << bit;
    for (unsigned bit = 0; bit < results.getInBits(Dim::Warp); ++bit)
      // … unless their partial results differ
      if (results.getColumns(Dim::Warp)[bit] == 0 && !llvm::is_contained(plan.warpBits, bit))
        warpCopies |= 1u << bit;
    Value writes = hasBits(place.lane, laneCopies, 0);
    if (warpCopies)
      writes = arith::AndIOp::create(builder, loc, writes, hasBits(place.warp, warpCopies, 0));
    for (auto &[coordinates, value] : partials)
      storeScratch(value, arith::AddIOp::create(builder, loc, position(coordinates), slot), writes);
    target.sharedBarrier(builder, loc);
    for (auto &[coordinates, value] : partials)
      value = combineAll(loadScratch(position(coordinates), plan.getNumPartials(), value));
  }

  /// Returns the number of a warp among the warps that hold parts of one result element.
  LinearLayout numberOfWarp() {
    SmallVector<uint64_t> columns(plan.source.getTotalInBits(), 0);
    unsigned first = plan.source.getInBits(Dim::Register) + plan.source.getInBits(Dim::Lane);
    for (auto [i, bit] : llvm::enumerate(plan.warpBits))
      columns[first + bit] = uint64_t(1) << i;
    LinearLayout::Extents ins(plan.source.getIns().begin(), plan.source.getIns().end());
    return LinearLayout(ins, {{Dim::Offset, unsigned(plan.warpBits.size())}}, columns);
  }

  tt::ReduceOp reduce;
  const ReductionPlan &plan;
  LinearLayout results;
};

} // namespace

void tilecc::populateReductionPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                       const LoweringContext &lowering) {
  patterns.add<CombinePattern<tt::ReduceOp, ReductionPlan, Reduction>>(types, patterns.getContext(), lowering);
  populateScanPatterns(patterns, types, lowering);
}
