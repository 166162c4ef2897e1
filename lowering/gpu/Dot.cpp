//===- Dot.cpp - matrix products by multiply and add --------------------------------------------------------------===//
//
// Lowers dots for types and targets without matrix units. Each thread computes a block of the result. If the operands
// have encodings for this dot, all elements that a thread needs are in its registers. Otherwise the operands are
// staged: written to shared memory once, and read back in a loop, a few steps along the contracted axis at a time. This
// bounds the number of registers and the code size.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"
#include <functional>
#include <numeric>

using namespace mlir;
using namespace tilecc;

namespace {

/// Finds the registers of a tile by the coordinates of their elements, relative to those of register 0.
class RegisterMap {
public:
  RegisterMap(RankedTensorType type, ValueRange registers) : layout(ttg::toLinearLayout(type)), registers(registers) {
    for (unsigned reg = 0; reg < registers.size(); ++reg)
      registerAt[layout.apply(uint64_t(reg))] = reg;
  }
  Value at(ArrayRef<uint32_t> coordinates) const {
    uint64_t packed = 0;
    unsigned shift = 0;
    for (auto [extent, value] : llvm::zip_equal(layout.getOuts(), coordinates)) {
      packed |= uint64_t(value) << shift;
      shift += extent.bits;
    }
    auto it = registerAt.find(packed);
    assert(it != registerAt.end() && "an operand of a dot holds all that its thread needs");
    return registers[it->second];
  }

private:
  LinearLayout layout;
  ValueRange registers;
  DenseMap<uint64_t, unsigned> registerAt;
};

/// Extends a value without rounding, because products are accumulated in the accumulator's type.
Value extend(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return LLVM::FPExtOp::create(builder, loc, type, value);
  return LLVM::SExtOp::create(builder, loc, type, value);
}

class FmaDot {
public:
  FmaDot(tt::DotOp op, ConversionPatternRewriter &rewriter, const TargetInfo &target, Type sum)
      : op(op), rewriter(rewriter), target(target), loc(op.getLoc()), sum(sum),
        rank(cast<RankedTensorType>(op.getType()).getRank()) {
    LinearLayout result = ttg::toLinearLayout(cast<RankedTensorType>(op.getType()));
    for (unsigned reg = 0; reg < 1u << result.getInBits(Dim::Register); ++reg) {
      auto &place = places.emplace_back();
      for (auto [dim, value] : result.apply(LinearLayout::Index{{Dim::Register, reg}}))
        place.push_back(value);
    }
    depth = cast<RankedTensorType>(op.getA().getType()).getDimSize(rank - 1);
  }

  SmallVector<Value> fromRegisters(ValueRange a, ValueRange b, ValueRange c) {
    SmallVector<Value> accumulators(c);
    RegisterMap aAt(cast<RankedTensorType>(op.getA().getType()), a);
    RegisterMap bAt(cast<RankedTensorType>(op.getB().getType()), b);
    DenseMap<Value, Value> extended;
    auto get = [&](const RegisterMap &map, ArrayRef<uint32_t> place) {
      Value &value = extended[map.at(place)];
      if (!value)
        value = extend(rewriter, loc, map.at(place), sum);
      return value;
    };
    for (uint32_t k = 0; k < depth; ++k)
      accumulate(
          accumulators, k, [&](auto place) { return get(aAt, place); }, [&](auto place) { return get(bAt, place); });
    return accumulators;
  }

  SmallVector<Value> fromScratch(ValueRange a, ValueRange b, ValueRange c) {
    StagingPlan plan(op);
    Type aType = a[0].getType(), bType = b[0].getType();
    auto stage = [&](const StagingPlan::Operand &operand, ValueRange registers, unsigned offset) {
      ScratchTile(rewriter, op, operand.scratch, operand.source, operand.scratch.storeBits, target,
                  registers[0].getType(), offset)
          .store(rewriter, registers);
    };
    stage(plan.a, a, 0);
    stage(plan.b, b, plan.offsetOfB);
    target.sharedBarrier(rewriter, loc);
    StagedOperand aTile(*this, plan.a, aType, 0), bTile(*this, plan.b, bType, plan.offsetOfB);
    unsigned steps = plan.steps;
    auto iteration = [&](SmallVector<Value> &accumulators, Value number) {
      aTile.startRound(number);
      bTile.startRound(number);
      for (uint32_t k = 0; k < steps; ++k)
        accumulate(
            accumulators, k, [&](auto place) { return aTile.get(place); },
            [&](auto place) { return bTile.get(place); });
    };
    SmallVector<Value> accumulators(c);
    if (steps == depth) {
      iteration(accumulators, Value());
      return accumulators;
    }
    auto loop =
        scf::ForOp::create(rewriter, loc, constantI32(rewriter, loc, 0), constantI32(rewriter, loc, depth / steps),
                           constantI32(rewriter, loc, 1), accumulators);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> carried(loop.getRegionIterArgs());
    iteration(carried, loop.getInductionVar());
    scf::YieldOp::create(rewriter, loc, carried);
    return SmallVector<Value>(loop.getResults());
  }

private:
  /// An operand in scratch space. Each iteration of the loop loads an element where it is used.
  class StagedOperand {
  public:
    StagedOperand(FmaDot &dot, const StagingPlan::Operand &plan, Type element, unsigned offset)
        : dot(dot), plan(plan),
          tile(dot.rewriter, dot.op, plan.scratch, plan.destination, plan.scratch.loadBits, dot.target, element, offset,
               std::accumulate(plan.counterColumns.begin(), plan.counterColumns.end(), uint64_t(0),
                               std::bit_or<uint64_t>())) {
      for (auto [i, access] : llvm::enumerate(tile.getAccesses()))
        for (auto [j, reg] : llvm::enumerate(access.registers))
          accessAt[plan.destination.apply(uint64_t(reg))] = {i, j};
    }

    void startRound(Value number) {
      loaded.clear();
      more = number ? applyColumns(dot.rewriter, dot.loc, number, plan.counterColumns) : Value();
    }

    Value get(ArrayRef<uint32_t> coordinates) {
      LinearLayout::Index place;
      for (auto [d, value] : llvm::enumerate(coordinates))
        place.push_back({axis(d), value});
      auto it = accessAt.find(pack(place));
      assert(it != accessAt.end() && "an operand of a dot holds all that its thread needs");
      auto [access, position] = it->second;
      SmallVector<Value> &values = loaded[access];
      if (values.empty())
        for (Value value : tile.load(dot.rewriter, tile.getAccesses()[access], more))
          values.push_back(extend(dot.rewriter, dot.loc, value, dot.sum));
      return values[position];
    }

  private:
    uint64_t pack(const LinearLayout::Index &place) const {
      uint64_t result = 0;
      unsigned shift = 0;
      for (auto [extent, entry] : llvm::zip_equal(plan.destination.getOuts(), place)) {
        result |= uint64_t(entry.second) << shift;
        shift += extent.bits;
      }
      return result;
    }

    FmaDot &dot;
    const StagingPlan::Operand &plan;
    ScratchTile tile;
    /// Maps the coordinates of an element to its access and the position within it.
    DenseMap<uint64_t, std::pair<unsigned, unsigned>> accessAt;
    DenseMap<unsigned, SmallVector<Value>> loaded;
    Value more;
  };

  /// Computes acc += a[.., k] * b[k, ..].
  void accumulate(SmallVector<Value> &accumulators, uint32_t k, llvm::function_ref<Value(ArrayRef<uint32_t>)> a,
                  llvm::function_ref<Value(ArrayRef<uint32_t>)> b) {
    for (auto [place, acc] : llvm::zip_equal(places, accumulators)) {
      SmallVector<uint32_t> aPlace(place), bPlace(place);
      aPlace[rank - 1] = k;
      bPlace[rank - 2] = k;
      Value x = a(aPlace), y = b(bPlace);
      if (isa<FloatType>(sum))
        acc = LLVM::FMAOp::create(rewriter, loc, x, y, acc);
      else
        acc = arith::AddIOp::create(rewriter, loc, arith::MulIOp::create(rewriter, loc, x, y), acc);
    }
  }

  tt::DotOp op;
  ConversionPatternRewriter &rewriter;
  const TargetInfo &target;
  Location loc;
  Type sum;
  unsigned rank;
  int64_t depth;
  /// The coordinates of the result's registers, relative to those of register 0.
  SmallVector<SmallVector<uint32_t>> places;
};

struct DotPattern : TilePattern<tt::DotOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::DotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (isa<ttg::MatrixUnitEncoding>(op.getType().getEncoding()))
      return failure(); // the target lowers this dot itself
    Type sum = types.convertElement(getElementTypeOrSelf(op.getType()));
    FmaDot dot(op, rewriter, target, sum);
    SmallVector<Value> accumulators = isStaged(op) ? dot.fromScratch(adaptor.getA(), adaptor.getB(), adaptor.getC())
                                                   : dot.fromRegisters(adaptor.getA(), adaptor.getB(), adaptor.getC());
    rewriter.replaceOpWithMultiple(op, {accumulators});
    return success();
  }
};

} // namespace

void tilecc::populateDotPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                 const LoweringContext &lowering) {
  patterns.add<DotPattern>(types, patterns.getContext(), lowering);
}
