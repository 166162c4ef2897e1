//===- Reduce.cpp - reductions: threads, then warps, then the program ----------------------------------------------===//
//
// Each thread combines its own registers; lanes that share the axis exchange by shuffles until all of them have the
// result of the warp. Where the axis crosses warps, one lane of each warp writes its partial result to shared memory,
// and after one barrier every thread combines all partial results of the elements it needs: more loads and operations
// than a second round of shuffles would take, but one barrier and one round trip less.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// One element of each operand.
using Elements = SmallVector<Value>;

class Reduction {
public:
  Reduction(tt::ReduceOp op, ConversionPatternRewriter &rewriter, const TargetInfo &target)
      : op(op), rewriter(rewriter), target(target), loc(op.getLoc()), plan(op),
        results(sliceCoordinates(plan.source, plan.axisIndex)) {}

  SmallVector<SmallVector<Value>> run(ArrayRef<ValueRange> sources) {
    // Registers of one result element, which lie along the axis.
    llvm::MapVector<uint64_t, SmallVector<Elements>> groups;
    for (unsigned reg = 0; reg < sources[0].size(); ++reg) {
      Elements elements;
      for (ValueRange source : sources)
        elements.push_back(source[reg]);
      groups[results.apply(uint64_t(reg))].push_back(elements);
    }
    SmallVector<std::pair<uint64_t, Elements>> partials;
    for (auto &[coordinates, members] : groups) {
      Elements value = combineAll(members);
      for (unsigned bit : llvm::reverse(plan.laneBits))
        value = combine(value, exchange(value, 1u << bit));
      partials.push_back({coordinates, value});
    }
    if (plan.needsScratch())
      partials = acrossWarps(partials);
    SmallVector<SmallVector<Value>> registers(sources.size());
    for (auto &[coordinates, value] : partials)
      for (auto [i, element] : llvm::enumerate(value))
        registers[i].push_back(element);
    return registers;
  }

private:
  /// Where in the result (row-major) the elements of a place of the source end up.
  static LinearLayout sliceCoordinates(const LinearLayout &source, unsigned axisIndex) {
    SmallVector<Dim> kept;
    for (unsigned d = source.getOuts().size(); d-- > 0;)
      if (d != axisIndex)
        kept.push_back(axis(d));
    LinearLayout part = source.sublayout({Dim::Register, Dim::Lane, Dim::Warp}, kept);
    return part.reshapeOuts({{Dim::Offset, part.getTotalOutBits()}});
  }

  Elements combine(const Elements &lhs, const Elements &rhs) {
    Block &body = op.getCombineOp().front();
    IRMapping mapping;
    mapping.map(body.getArguments().take_front(lhs.size()), lhs);
    mapping.map(body.getArguments().take_back(rhs.size()), rhs);
    for (Operation &inner : body.without_terminator())
      rewriter.clone(inner, mapping);
    Elements result;
    for (Value value : body.getTerminator()->getOperands())
      result.push_back(mapping.lookupOrDefault(value));
    return result;
  }

  /// Pairwise, so that operations do not wait for each other in one long chain.
  Elements combineAll(SmallVector<Elements> values) {
    while (values.size() > 1) {
      SmallVector<Elements> next;
      for (unsigned i = 0; i + 1 < values.size(); i += 2)
        next.push_back(combine(values[i], values[i + 1]));
      if (values.size() % 2)
        next.push_back(values.back());
      values = std::move(next);
    }
    return values.front();
  }

  Elements exchange(const Elements &values, unsigned mask) {
    Elements result;
    for (Value value : values)
      result.push_back(shuffleAnyType(rewriter, loc, value,
                                      [&](Value word) { return target.shuffleXor(rewriter, loc, word, mask); }));
    return result;
  }

  /// Partial results of element e lie at e * partials + (number of the warp among those that share e).
  SmallVector<std::pair<uint64_t, Elements>>
  acrossWarps(const SmallVector<std::pair<uint64_t, Elements>> &partials) {
    Place place = getPlace(rewriter, loc, target);
    unsigned count = plan.getNumPartials(), operands = op.getSrcs().size();
    Value element = applyLayout(rewriter, loc, results, place);
    Value slot = applyLayout(rewriter, loc, numberOfWarp(), place);
    SmallVector<Type> types, inMemory;
    SmallVector<Value> scratch;
    for (unsigned i = 0; i < operands; ++i) {
      types.push_back(partials[0].second[i].getType());
      inMemory.push_back(getMemoryType(types[i]));
      scratch.push_back(getScratch(rewriter, op, target, plan.scratchOffsets[i]));
    }
    auto position = [&](uint64_t coordinates) {
      Value at = rewriter.createOrFold<arith::XOrIOp>(loc, element, constantI32(rewriter, loc, coordinates));
      return arith::MulIOp::create(rewriter, loc, at, constantI32(rewriter, loc, count)).getResult();
    };

    // One lane and, of warps with the same data, one warp writes.
    // Lanes and warps that do not select another result hold copies …
    uint32_t laneCopies = 0, warpCopies = 0;
    for (unsigned bit = 0; bit < results.getInBits(Dim::Lane); ++bit)
      if (results.getColumns(Dim::Lane)[bit] == 0)
        laneCopies |= 1u << bit;
    for (unsigned bit = 0; bit < results.getInBits(Dim::Warp); ++bit)
      if (results.getColumns(Dim::Warp)[bit] == 0 && !llvm::is_contained(plan.warpBits, bit)) // … but partials differ
        warpCopies |= 1u << bit;
    Value writes = isZero(place.lane, laneCopies);
    if (warpCopies)
      writes = arith::AndIOp::create(rewriter, loc, writes, isZero(place.warp, warpCopies));
    for (auto &[coordinates, value] : partials) {
      Value at = arith::AddIOp::create(rewriter, loc, position(coordinates), slot);
      for (unsigned i = 0; i < operands; ++i)
        target.store(rewriter, loc, packVector(rewriter, loc, toMemory(rewriter, loc, value[i])),
                     addressOf(scratch[i], inMemory[i], at), writes);
    }
    target.barrier(rewriter, loc);
    SmallVector<std::pair<uint64_t, Elements>> combined;
    for (auto &[coordinates, value] : partials) {
      Value at = position(coordinates);
      SmallVector<Elements> parts(count);
      for (unsigned i = 0; i < operands; ++i) {
        unsigned bytes = inMemory[i].getIntOrFloatBitWidth() / 8, width = std::min(count, 16 / bytes);
        for (unsigned part = 0; part < count; part += width) {
          Value from = LLVM::GEPOp::create(rewriter, loc, scratch[i].getType(), inMemory[i],
                                           addressOf(scratch[i], inMemory[i], at),
                                           ArrayRef<LLVM::GEPArg>{int32_t(part)});
          Value vector = LLVM::LoadOp::create(rewriter, loc, VectorType::get(width, inMemory[i]), from, width * bytes);
          for (auto [j, loaded] : llvm::enumerate(unpackVector(rewriter, loc, vector)))
            parts[part + j].push_back(fromMemory(rewriter, loc, loaded, types[i]));
        }
      }
      combined.push_back({coordinates, combineAll(parts)});
    }
    return combined;
  }

  /// Numbers the warps that hold parts of one result element.
  LinearLayout numberOfWarp() {
    SmallVector<uint64_t> columns(plan.source.getTotalInBits(), 0);
    unsigned first = plan.source.getInBits(Dim::Register) + plan.source.getInBits(Dim::Lane);
    for (auto [i, bit] : llvm::enumerate(plan.warpBits))
      columns[first + bit] = uint64_t(1) << i;
    LinearLayout::Extents ins(plan.source.getIns().begin(), plan.source.getIns().end());
    return LinearLayout(ins, {{Dim::Offset, unsigned(plan.warpBits.size())}}, columns);
  }

  Value isZero(Value index, uint32_t mask) {
    Value bits = arith::AndIOp::create(rewriter, loc, index, constantI32(rewriter, loc, mask));
    return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, bits, constantI32(rewriter, loc, 0));
  }

  Value addressOf(Value base, Type element, Value index) {
    return LLVM::GEPOp::create(rewriter, loc, base.getType(), element, base, ArrayRef<LLVM::GEPArg>{index});
  }

  tt::ReduceOp op;
  ConversionPatternRewriter &rewriter;
  const TargetInfo &target;
  Location loc;
  ReductionPlan plan;
  LinearLayout results;
};

struct ReducePattern : TilePattern<tt::ReduceOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::ReduceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Reduction reduction(op, rewriter, target);
    rewriter.replaceOpWithMultiple(op, reduction.run(adaptor.getSrcs()));
    return success();
  }
};

} // namespace

void tilecc::populateReductionPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                       const LoweringContext &lowering) {
  patterns.add<ReducePattern>(types, patterns.getContext(), lowering);
}
