//===- Movement.cpp - layout conversions: registers, shuffles, shared memory --------------------------------------===//
//
// This file generates code for a ConversionPlan: for convert_layout, and for every operation that also moves elements.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

namespace {

SmallVector<Value> moveRegisters(const ConversionPlan &plan, ValueRange source) {
  SmallVector<Value> results;
  for (uint64_t reg = 0; reg < 1u << plan.destination.getInBits(Dim::Register); ++reg)
    results.push_back(source[plan.fetch.apply(reg)]); // lanes and warps do not change, so the rest of the index is 0
  return results;
}

/// Renames register r to r ^ f(thread).
SmallVector<Value> rename(OpBuilder &builder, Location loc, const Renaming &renaming, unsigned laneBits,
                          ThreadPosition place, SmallVector<Value> values) {
  for (const Renaming::Step &step : renaming.steps) {
    auto parity = [&](Value index, uint64_t bits) {
      SmallVector<uint64_t> columns;
      for (; bits; bits >>= 1)
        columns.push_back(bits & 1);
      return applyColumns(builder, loc, index, columns);
    };
    Value ofLane = parity(place.lane, step.threadBits & ((1u << laneBits) - 1));
    Value ofWarp = parity(place.warp, step.threadBits >> laneBits);
    Value isOdd = !ofWarp ? ofLane : !ofLane ? ofWarp : arith::XOrIOp::create(builder, loc, ofLane, ofWarp).getResult();
    isOdd = arith::TruncIOp::create(builder, loc, builder.getI1Type(), isOdd);
    SmallVector<Value> renamed;
    for (unsigned reg = 0; reg < values.size(); ++reg)
      renamed.push_back(arith::SelectOp::create(builder, loc, isOdd, values[reg ^ step.vector], values[reg]));
    values = std::move(renamed);
  }
  return values;
}

SmallVector<Value> shuffle(OpBuilder &builder, Location loc, const ConversionPlan &plan, ValueRange source,
                           const TargetInfo &target) {
  const LaneExchange &exchange = *plan.exchange;
  ThreadPosition place = getThreadPosition(builder, loc, target);
  unsigned laneBits = plan.fetch.getInBits(Dim::Lane);
  SmallVector<Value> values = rename(builder, loc, exchange.before, laneBits, place, SmallVector<Value>(source));
  SmallVector<Value> results(exchange.sent.size());
  if (exchange.isLocal) {
    for (auto [result, from] : llvm::zip_equal(results, exchange.sent))
      result = values[from];
    return rename(builder, loc, exchange.after, laneBits, place, results);
  }
  Value ownLane = applyColumns(builder, loc, place.lane, ArrayRef(exchange.lanes).take_front(laneBits));
  Value ofWarp = applyColumns(builder, loc, place.warp, ArrayRef(exchange.lanes).drop_front(laneBits));
  Value zero = constantI32(builder, loc, 0);
  Value base = arith::XOrIOp::create(builder, loc, ownLane ? ownLane : zero, ofWarp ? ofWarp : zero);
  DenseMap<unsigned, Value> lanes;
  Type element = source[0].getType();
  ArrayRef<unsigned> packed = exchange.getPacked(getMemoryType(element).getIntOrFloatBitWidth() / 8);
  unsigned inWord = 1u << packed.size(), packedBits = 0;
  for (unsigned bit : packed)
    packedBits |= 1u << bit;
  for (unsigned reg = 0; reg < results.size(); ++reg) {
    if (reg & packedBits)
      continue;
    SmallVector<unsigned> members = {reg};
    for (unsigned bit : packed)
      for (unsigned i = 0, count = members.size(); i < count; ++i)
        members.push_back(members[i] | 1u << bit);
    Value &lane = lanes[exchange.lane[reg]];
    if (!lane)
      lane = arith::XOrIOp::create(builder, loc, base, constantI32(builder, loc, exchange.lane[reg]));
    SmallVector<Value> words;
    for (unsigned member : members)
      words.push_back(toMemory(builder, loc, values[exchange.sent[member]]));
    Type whole = words[0].getType(), vector;
    Value word = words[0];
    if (inWord > 1) {
      Value asVector = packVector(builder, loc, words);
      vector = asVector.getType();
      word = LLVM::BitcastOp::create(builder, loc, builder.getIntegerType(inWord * whole.getIntOrFloatBitWidth()),
                                     asVector);
    }
    word =
        shuffleAnyType(builder, loc, word, [&](Value part) { return target.shuffleIndex(builder, loc, part, lane); });
    SmallVector<Value> got = {word};
    if (inWord > 1)
      got = unpackVector(builder, loc, LLVM::BitcastOp::create(builder, loc, vector, word));
    for (auto [member, value] : llvm::zip_equal(members, got))
      results[member] = fromMemory(builder, loc, value, element);
  }
  return rename(builder, loc, exchange.after, laneBits, place, results);
}

SmallVector<Value> throughShared(OpBuilder &builder, Operation *op, const ConversionPlan &plan, ValueRange source,
                                 const TargetInfo &target) {
  const Swizzle &scratch = *plan.scratch;
  Type element = source[0].getType();
  ScratchTile from(builder, op, scratch, plan.source, scratch.storeBits, target, element);
  from.storeMatrices(builder, scratch, plan.source);
  ScratchTile to(builder, op, scratch, plan.destination, scratch.loadBits, target, element);
  SmallVector<Value> results(1u << plan.destination.getInBits(Dim::Register));
  auto wait = [&] {
    plan.isWithinWarps ? target.warpBarrier(builder, op->getLoc()) : target.sharedBarrier(builder, op->getLoc());
  };
  for (unsigned round = 0; round < scratch.getNumRounds(); ++round) {
    if (round > 0 || plan.isWithinWarps) // a warp may still be reading from an earlier execution (Membar.cpp)
      wait();
    from.store(builder, source, round);
    wait();
    to.load(builder, results, round);
  }
  return results;
}

struct ConvertLayoutPattern : TilePattern<ttg::ConvertLayoutOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {convertLayout(rewriter, op, planConversion(op), adaptor.getSrc(), target)});
    return success();
  }
};

/// Lowers both kinds of barriers: gpu.barrier, which orders all accesses, and the barrier for shared memory.
template <typename OpT> struct BarrierPattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;
  LogicalResult matchAndRewrite(OpT op, typename TilePattern<OpT>::OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if constexpr (std::is_same_v<OpT, ttg::LocalBarrierOp>)
      this->target.sharedBarrier(rewriter, op.getLoc());
    else
      this->target.barrier(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

//===--- tiles in scratch space -----------------------------------------------------------------------------------===//

ScratchTile::ScratchTile(OpBuilder &builder, Operation *op, const Swizzle &swizzle, const LinearLayout &side,
                         unsigned accessBits, const TargetInfo &target, Type element, unsigned offset,
                         uint64_t moreBits)
    : loc(op->getLoc()), element(element), inMemory(getMemoryType(element)),
      accesses(swizzle.getAccesses(side, accessBits)), elementBytes(1u << swizzle.log2ElementBytes),
      threadBits(moreBits), begin(getScratch(builder, op, target, offset)), target(target) {
  findBase(builder, side.compose(swizzle.toOffset));
}

void ScratchTile::findBase(OpBuilder &builder, const LinearLayout &offsets) {
  for (Dim dim : {Dim::Lane, Dim::Warp})
    for (uint64_t column : offsets.getColumns(dim))
      threadBits |= column;
  base = applyLayout(builder, loc, offsets, getThreadPosition(builder, loc, target));
}

void ScratchTile::storeMatrices(OpBuilder &builder, const Swizzle &swizzle, const LinearLayout &side) {
  if (!target.facts.hasMatrixStores())
    return;
  constexpr unsigned rowBytes = 16;
  LinearLayout offsets = side.compose(swizzle.toOffset);
  unsigned roundBegin = offsets.getTotalOutBits() - swizzle.roundBits;
  auto movesRound = [&](unsigned bit) { return offsets.getColumns(Dim::Register)[bit] >> roundBegin != 0; };
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq(0u, offsets.getInBits(Dim::Register)));
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return movesRound(a) < movesRound(b); });
  SharedAccess access(offsets, elementBytes, rowBytes / elementBytes, /*mayUseMatrices=*/true, order);
  if (access.kind == SharedAccess::Kind::Vectors || llvm::any_of(access.matrices, movesRound))
    return;
  isTransposed = access.kind == SharedAccess::Kind::TransposedMatrices;
  storesMatrices = true;
  accesses.clear();
  for (ArrayRef<unsigned> registers : access.getRegisters()) {
    uint64_t offset = access.addresses.apply(registers[0]);
    accesses.push_back({unsigned(offset >> roundBegin), offset & llvm::maskTrailingOnes<uint64_t>(roundBegin),
                        SmallVector<unsigned>(registers)});
  }
  findBase(builder, access.addresses);
}

Value ScratchTile::getAddress(OpBuilder &builder, uint64_t offset, Value more) {
  // If register bits overlap with bits that depend on the thread, they are XORed. The other bits depend only on the
  // register.
  Value &address = addresses[{offset & threadBits, more}];
  if (!address) {
    Value position = base;
    if (more)
      position = arith::XOrIOp::create(builder, loc, position, more);
    if (uint64_t turned = offset & threadBits)
      position = arith::XOrIOp::create(builder, loc, position, constantI32(builder, loc, turned));
    address = LLVM::GEPOp::create(builder, loc, begin.getType(), inMemory, begin, ArrayRef<LLVM::GEPArg>{position});
  }
  return LLVM::GEPOp::create(builder, loc, begin.getType(), inMemory, address,
                             ArrayRef<LLVM::GEPArg>{int32_t(offset & ~threadBits)});
}

void ScratchTile::store(OpBuilder &builder, ValueRange registers, unsigned round) {
  // If threads hold copies of an element, the same value is written more than once.
  for (const Swizzle::Access &access : accesses) {
    if (access.round != round)
      continue;
    SmallVector<Value> values;
    for (unsigned reg : access.registers)
      values.push_back(toMemory(builder, loc, registers[reg]));
    if (storesMatrices) {
      target.storeMatrices(builder, loc, getAddress(builder, access.offset, Value()), packWords(builder, loc, values),
                           isTransposed);
      continue;
    }
    LLVM::StoreOp::create(builder, loc, packVector(builder, loc, values), getAddress(builder, access.offset, Value()),
                          values.size() * elementBytes);
  }
}

void ScratchTile::load(OpBuilder &builder, MutableArrayRef<Value> registers, unsigned round) {
  for (const Swizzle::Access &access : accesses)
    if (access.round == round)
      for (auto [reg, value] : llvm::zip_equal(access.registers, load(builder, access)))
        registers[reg] = value;
}

SmallVector<Value> ScratchTile::load(OpBuilder &builder, const Swizzle::Access &access, Value more) {
  auto vectorType = VectorType::get(access.registers.size(), inMemory);
  Value vector = LLVM::LoadOp::create(builder, loc, vectorType, getAddress(builder, access.offset, more),
                                      access.registers.size() * elementBytes);
  SmallVector<Value> values;
  for (Value value : unpackVector(builder, loc, vector))
    values.push_back(fromMemory(builder, loc, value, element));
  return values;
}

//===--------------------------------------------------------------------------------------------------------------===//

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
  patterns.add<ConvertLayoutPattern, BarrierPattern<gpu::BarrierOp>, BarrierPattern<ttg::LocalBarrierOp>>(
      types, patterns.getContext(), lowering);
}
