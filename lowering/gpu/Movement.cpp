//===- Movement.cpp - layout conversions: registers, shuffles, shared memory ---------------------------------------===//

#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// From which register of the source register `reg` of the destination is taken, by the lane bits in `lane`.
uint64_t fetchedFrom(const ConversionPlan &plan, unsigned reg, unsigned lane) {
  return plan.fetch.apply(uint64_t(reg) | uint64_t(lane) << plan.fetch.getInBits(Dim::Register));
}

SmallVector<Value> moveRegisters(const ConversionPlan &plan, ValueRange source) {
  SmallVector<Value> results;
  for (unsigned reg = 0; reg < 1u << plan.destination.getInBits(Dim::Register); ++reg)
    results.push_back(source[fetchedFrom(plan, reg, 0)]); // lanes and warps stay, so the rest of the index is 0
  return results;
}

/// Every lane sends each register that some lane asks for, and takes what it asked for. Which register that is may
/// depend on the asking lane; then there is a shuffle for each possibility, and the lane selects.
SmallVector<Value> shuffle(OpBuilder &builder, Location loc, const ConversionPlan &plan, ValueRange source,
                           const TargetInfo &target) {
  Place place = getPlace(builder, loc, target);
  unsigned laneBits = plan.fetch.getInBits(Dim::Lane);
  LinearLayout toLane = plan.fetch.sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Lane});
  LinearLayout toRegister = plan.fetch.sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Register});
  Value laneBase = applyLayout(builder, loc, toLane, place);
  Value registerBase = applyLayout(builder, loc, toRegister, place);
  SmallVector<Value> results;
  for (unsigned reg = 0; reg < 1u << plan.destination.getInBits(Dim::Register); ++reg) {
    Value lane = addRegister(builder, loc, toLane, laneBase, reg);
    // The registers that lanes ask for here, and one lane asking for each.
    llvm::MapVector<uint64_t, unsigned> candidates;
    for (unsigned asking = 0; asking < 1u << laneBits; ++asking)
      candidates.insert({toRegister.apply(uint64_t(reg) | uint64_t(asking) << plan.fetch.getInBits(Dim::Register)),
                         asking});
    Value wanted = addRegister(builder, loc, toRegister, registerBase, reg), result;
    for (auto [from, asking] : candidates) {
      Value got = shuffleAnyType(builder, loc, source[from],
                                 [&](Value word) { return target.shuffleIndex(builder, loc, word, lane); });
      if (!result) {
        result = got;
        continue;
      }
      Value isThis = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, wanted,
                                           constantI32(builder, loc, from));
      result = arith::SelectOp::create(builder, loc, isThis, got, result);
    }
    results.push_back(result);
  }
  return results;
}

SmallVector<Value> throughShared(OpBuilder &builder, Operation *op, const ConversionPlan &plan, ValueRange source,
                                 const TargetInfo &target) {
  Type element = source[0].getType();
  ScratchTile(builder, op, plan, plan.source, target, element).store(builder, source);
  target.barrier(builder, op->getLoc());
  ScratchTile tile(builder, op, plan, plan.destination, target, element);
  SmallVector<Value> results;
  for (unsigned reg = 0; reg < 1u << plan.destination.getInBits(Dim::Register); reg += plan.loadWidth)
    llvm::append_range(results, tile.load(builder, reg));
  return results;
}

struct ConvertLayoutPattern : TilePattern<ttg::ConvertLayoutOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ConversionPlan plan = planConversion(op.getSrc().getType(), op.getType());
    rewriter.replaceOpWithMultiple(op, {convertLayout(rewriter, op, plan, adaptor.getSrc(), target)});
    return success();
  }
};

struct ReshapePattern : TilePattern<tt::ReshapeOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::ReshapeOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {convertLayout(rewriter, op, planReshape(op), adaptor.getSrc(), target)});
    return success();
  }
};

/// Both barriers there are: that of the language, and that which shared memory needs.
template <typename OpT> struct BarrierPattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;
  LogicalResult matchAndRewrite(OpT op, typename TilePattern<OpT>::OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    this->target.barrier(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

//===--- tiles in scratch space -------------------------------------------------------------------------------------===//

ScratchTile::ScratchTile(OpBuilder &builder, Operation *op, const ConversionPlan &plan, const LinearLayout &layout,
                         const TargetInfo &target, Type element, unsigned offset)
    : loc(op->getLoc()), plan(plan), element(element), inMemory(getMemoryType(element)),
      linear(plan.inMemoryOrder(layout)), begin(getScratch(builder, op, target, offset)),
      base(applyLayout(builder, loc, linear, getPlace(builder, loc, target))), disjoint(registersAreDisjoint(linear)) {
  if (disjoint) // then the place of a register is the thread's place plus a constant
    threadAddress = addressOf(builder, base);
}

Value ScratchTile::addressOf(OpBuilder &builder, Value position) {
  if (plan.padding) {
    Value row = arith::ShRUIOp::create(builder, loc, position, constantI32(builder, loc, plan.getRowBits()));
    Value padding = arith::MulIOp::create(builder, loc, row, constantI32(builder, loc, plan.padding));
    position = arith::AddIOp::create(builder, loc, position, padding);
  }
  return LLVM::GEPOp::create(builder, loc, begin.getType(), inMemory, begin, ArrayRef<LLVM::GEPArg>{position});
}

Value ScratchTile::getAddress(OpBuilder &builder, unsigned reg) {
  if (!disjoint)
    return addressOf(builder, addRegister(builder, loc, linear, base, reg));
  int32_t offset = plan.getPosition(linear.apply(uint64_t(reg)));
  return LLVM::GEPOp::create(builder, loc, begin.getType(), inMemory, threadAddress, ArrayRef<LLVM::GEPArg>{offset});
}

void ScratchTile::store(OpBuilder &builder, ValueRange registers) {
  unsigned bytes = inMemory.getIntOrFloatBitWidth() / 8;
  // Copies are written more than once, with the same value.
  for (unsigned reg = 0; reg < registers.size(); reg += plan.storeWidth) {
    SmallVector<Value> values;
    for (Value value : registers.slice(reg, plan.storeWidth))
      values.push_back(toMemory(builder, loc, value));
    LLVM::StoreOp::create(builder, loc, packVector(builder, loc, values), getAddress(builder, reg),
                          plan.storeWidth * bytes);
  }
}

SmallVector<Value> ScratchTile::load(OpBuilder &builder, unsigned reg, Value more) {
  Value address = getAddress(builder, reg);
  if (more)
    address = LLVM::GEPOp::create(builder, loc, address.getType(), inMemory, address, ArrayRef<LLVM::GEPArg>{more});
  Value vector = LLVM::LoadOp::create(builder, loc, VectorType::get(plan.loadWidth, inMemory), address,
                                      plan.loadWidth * (inMemory.getIntOrFloatBitWidth() / 8));
  SmallVector<Value> values;
  for (Value value : unpackVector(builder, loc, vector))
    values.push_back(fromMemory(builder, loc, value, element));
  return values;
}

//===----------------------------------------------------------------------------------------------------------------===//

SmallVector<Value> tilecc::convertLayout(OpBuilder &builder, Operation *op, const ConversionPlan &plan,
                                         ValueRange source, const TargetInfo &target) {
  switch (plan.kind) {
  case ConversionPlan::Kind::Registers: return moveRegisters(plan, source);
  case ConversionPlan::Kind::Shuffles: return shuffle(builder, op->getLoc(), plan, source, target);
  case ConversionPlan::Kind::Shared: return throughShared(builder, op, plan, source, target);
  }
  llvm_unreachable("all kinds are listed");
}

void tilecc::populateMovementPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                      const LoweringContext &lowering) {
  patterns.add<ConvertLayoutPattern, ReshapePattern, BarrierPattern<gpu::BarrierOp>,
               BarrierPattern<ttg::LocalBarrierOp>>(types, patterns.getContext(), lowering);
}
