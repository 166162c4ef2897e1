//===- PipelineStarts.cpp - starts the loads of a pipelined loop --------------------------------------------------===//
//
// This file creates the loads of a given iteration at any point: in the prologue, in an earlier iteration, or, if there
// is an outer loop, in the previous iteration of the outer loop.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/BufferSlots.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "lowering/pipeliner/Pipeliner.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

Value Pipeliner::splat(Value condition, Type like) {
  auto tile = dyn_cast<RankedTensorType>(like);
  if (!tile)
    return condition;
  return tt::SplatOp::create(
      builder, loc, RankedTensorType::get(tile.getShape(), builder.getI1Type(), tile.getEncoding()), condition);
}

Pipeliner::LoadOperands Pipeliner::resolveOperands(tt::LoadOp load, Value isIteration, Resolve resolve) {
  Value ptr = resolve(load.getPtr()), mask = splat(isIteration, ptr.getType());
  if (load.getMask())
    mask = arith::AndIOp::create(builder, load.getLoc(), mask, resolve(load.getMask()));
  return {ptr, mask, load.getOther() ? resolve(load.getOther()) : Value()};
}

Value Pipeliner::loadMasked(const EarlyLoad &early, Value isIteration, Resolve resolve) {
  auto load = cast<tt::LoadOp>(early.load);
  auto [ptr, mask, other] = resolveOperands(load, isIteration, resolve);
  auto clone = cast<tt::LoadOp>(builder.clone(*load));
  clone.getPtrMutable().assign(ptr);
  clone.getMaskMutable().assign(mask);
  if (other)
    clone.getOtherMutable().assign(other);
  return clone;
}

Value Pipeliner::start(EarlyLoad &early, Value isIteration, Value slot, Resolve resolve) {
  if (auto load = dyn_cast<tt::DescriptorLoadOp>(early.load)) {
    startTensorCopy(early, load, isIteration, slot, resolve);
    return {};
  }
  if (!early.tiles)
    return loadMasked(early, isIteration, resolve);
  auto load = cast<tt::LoadOp>(early.load);
  auto [ptr, mask, other] = resolveOperands(load, isIteration, resolve);
  Value tile = ttg::MemDescIndexOp::create(builder, load.getLoc(), early.tile, early.tiles, slot);
  auto copy = ttg::AsyncCopyGlobalToLocalOp::create(builder, load.getLoc(), ttg::AsyncTokenType::get(loop.getContext()),
                                                    ptr, tile, mask, other, load.getCache(), load.getEvict(),
                                                    load.getIsVolatile(), early.contiguity);
  tokens.push_back(copy.getToken());
  return {};
}

ArrayRef<EarlyLoad> Pipeliner::takeGroup(ArrayRef<EarlyLoad> &left) {
  ArrayRef<EarlyLoad> group =
      left.take_while([&](const EarlyLoad &early) { return early.ahead == left.front().ahead; });
  left = left.drop_front(group.size());
  return group;
}

SmallVector<Value> Pipeliner::loadTogether(ArrayRef<EarlyLoad> group, Value isIteration, Resolve resolve) {
  if (group.front().ahead > 1)
    return llvm::map_to_vector(group, [&](const EarlyLoad &early) { return loadMasked(early, isIteration, resolve); });
  SmallVector<SmallVector<Value>> operands;
  for (const EarlyLoad &early : group)
    operands.push_back(llvm::map_to_vector(early.load->getOperands(), resolve));
  auto load = [&](OpBuilder &inside, Location) {
    SmallVector<Value> loaded;
    for (auto [early, ofLoad] : llvm::zip_equal(group, operands)) {
      Operation *clone = inside.clone(*early.load);
      clone->setOperands(ofLoad);
      loaded.push_back(clone->getResult(0));
    }
    scf::YieldOp::create(inside, loc, loaded);
  };
  auto loadNothing = [&](OpBuilder &inside, Location) {
    SmallVector<Value> nothing = llvm::map_to_vector(group, [&](const EarlyLoad &early) -> Value {
      return ub::PoisonOp::create(inside, loc, early.getResult().getType(), ub::PoisonAttr::get(loop.getContext()));
    });
    scf::YieldOp::create(inside, loc, nothing);
  };
  return SmallVector<Value>(scf::IfOp::create(builder, loc, isIteration, load, loadNothing).getResults());
}

void Pipeliner::store(const EarlyLoad &early, Value loaded, Value slot) {
  Value tile = ttg::MemDescIndexOp::create(builder, early.load->getLoc(), early.tile, early.tiles, slot);
  ttg::LocalStoreOp::create(builder, early.load->getLoc(), loaded, tile);
}

void Pipeliner::startTensorCopy(EarlyLoad &early, tt::DescriptorLoadOp load, Value isIteration, Value slot,
                                Resolve resolve) {
  SmallVector<Value> indices = llvm::map_to_vector(load.getIndices(), resolve);
  Value tile = ttg::MemDescIndexOp::create(builder, load.getLoc(), early.tile, early.tiles, slot);
  // Threads that are not in lockstep wait for every slot to be filled, even in iterations that do not exist.
  Value full = barriers.at(getNumSlots(early))
                   .expectCopies(builder, load.getLoc(), slot, ttg::getTileBytes(early.tile), isIteration,
                                 isInStep ? Value() : tile);
  createTensorCopy(builder, load, load.getDesc(), indices, tile, full, isIteration);
}

void Pipeliner::commit(const DenseMap<int64_t, Value> &slots) {
  if (!hasThreadsCopies())
    return;
  if (!isInStep) {
    for (int64_t count : counts)
      if (Value filled = slots.lookup(count); filled && hasThreadsCopies(count))
        barriers.at(count).arriveWhenCopied(builder, loc, filled);
    return;
  }
  ttg::AsyncCommitGroupOp::create(builder, loc, ttg::AsyncTokenType::get(loop.getContext()), tokens);
  tokens.clear();
}

Value Pipeliner::integer(int64_t value, Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

Value Pipeliner::clone(Operation *op, Value result, Resolve resolve) {
  IRMapping mapping;
  forEachInput(op, [&](Value input) {
    if ((outer || !isOutside(input)) && !mapping.contains(input))
      mapping.map(input, resolve(input));
  });
  return builder.clone(*op, mapping)->getResult(cast<OpResult>(result).getResultNumber());
}

Value Pipeliner::before(Value value, int64_t iteration) {
  if (isOutside(value))
    return outer ? outer->inOtherIteration(builder, value) : value;
  if (Value known = inFront.lookup({value, iteration}))
    return known;
  Value result;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument == loop.getInductionVar())
      result = iteration == 0 ? before(loop.getLowerBound(), 0)
                              : arith::AddIOp::create(builder, loc, before(loop.getLowerBound(), 0),
                                                      multiplyStep(builder, loop, iteration))
                                    .getResult();
    else
      result =
          iteration == 0 ? before(loop.getTiedLoopInit(argument)->get(), 0) : before(yielded(argument), iteration - 1);
  } else {
    result = clone(value.getDefiningOp(), value, [&](Value input) { return before(input, iteration); });
  }
  return inFront[{value, iteration}] = result;
}

void Pipeliner::startTile(Value runs, DenseMap<int64_t, Value> last) {
  inFront.clear();
  std::map<std::pair<int64_t, int64_t>, Value> slots;
  for (int64_t count : counts)
    for (int64_t iteration = 0; iteration + 1 < count; ++iteration)
      slots[{count, iteration}] = last[count] = createNextSlot(builder, loc, last[count], count);
  int64_t most = loads.front().ahead;
  for (int64_t step = 0; step < most; ++step)
    for (EarlyLoad &early : loads) {
      int64_t iteration = step - (most - early.ahead);
      if (iteration < 0)
        continue;
      Value isIteration =
          isBelow(builder, loop, before(loop.getInductionVar(), iteration), before(loop.getUpperBound(), 0));
      isIteration = arith::AndIOp::create(builder, loc, runs, isIteration);
      start(early, isIteration, slots.at({getNumSlots(early), iteration}),
            [&](Value input) { return before(input, iteration); });
    }
}

bool Pipeliner::followsFromNumber(Value value) {
  if (isOutside(value) || value == loop.getInductionVar())
    return true;
  bool follows = !isa<BlockArgument>(value);
  if (follows)
    forEachInput(value.getDefiningOp(), [&](Value input) { follows &= followsFromNumber(input); });
  return follows;
}

void Pipeliner::findNextTile(Value runs) {
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive() ||
      !llvm::all_of(loads, [&](EarlyLoad &early) {
        return llvm::all_of(cast<tt::DescriptorLoadOp>(early.load).getIndices(),
                            [&](Value index) { return followsFromNumber(index); });
      }))
    return;
  Value begin = loop.getLowerBound(), end = loop.getUpperBound();
  // The last iterations of the loop start the copies of the next tile, each for one iteration of the next tile. So the
  // loop must have at least as many iterations as the copies run ahead.
  starts = isBelow(builder, loop, begin, getUpperBoundOf(builder, loop, loads.front().ahead - 1));
  starts = arith::AndIOp::create(builder, loc, starts, runs);
  // If there are iterations, their number is (end - begin - 1) / step + 1.
  Value last =
      arith::SubIOp::create(builder, loc, end, arith::AddIOp::create(builder, loc, begin, integer(1, begin.getType())));
  last =
      arith::MulIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, last, loop.getStep()), loop.getStep());
  Value behind = arith::AddIOp::create(builder, loc, begin, arith::AddIOp::create(builder, loc, last, loop.getStep()));
  nextTile = arith::SubIOp::create(builder, loc, outer->inOtherIteration(builder, begin), behind);
  nextEnd = outer->inOtherIteration(builder, end);
}

Value Pipeliner::inEitherTile(Value value, Value number, Value isThis, IRMapping &known) {
  if (value == loop.getInductionVar())
    return number;
  if (isOutside(value))
    return outer->inEitherIteration(builder, value, isThis, known);
  if (!known.contains(value))
    known.map(value, clone(value.getDefiningOp(), value,
                           [&](Value input) { return inEitherTile(input, number, isThis, known); }));
  return known.lookup(value);
}

void Pipeliner::startInEitherTile(EarlyLoad &early, Value isIteration, Value slot) {
  Value number =
      arith::AddIOp::create(builder, loc, newLoop.getInductionVar(), multiplyStep(builder, loop, early.ahead));
  Value other = arith::AddIOp::create(builder, loc, number, nextTile);
  Value isOther = arith::AndIOp::create(builder, loc, starts, isBelow(builder, loop, other, nextEnd));
  number = arith::SelectOp::create(builder, loc, isIteration, number, other);
  IRMapping known;
  start(early, arith::OrIOp::create(builder, loc, isIteration, isOther), slot,
        [&](Value input) { return inEitherTile(input, number, isIteration, known); });
}

SmallVector<Value> Pipeliner::createPositions() {
  SmallVector<Value> positions;
  for (int64_t count : counts)
    positions.push_back(integer(count - 1, builder.getI32Type()));
  for (size_t i = 0; i < barriers.size(); ++i)
    positions.push_back(integer(1, builder.getI32Type()));
  return positions;
}

DenseMap<int64_t, Value> Pipeliner::getSlots(ValueRange positions) {
  DenseMap<int64_t, Value> slots;
  for (auto [count, slot] : llvm::zip(counts, positions))
    slots[count] = slot;
  return slots;
}

Value Pipeliner::hasIteration(int64_t iteration) {
  // If the iteration does not exist, an unsigned `first` could wrap around. So the bound is moved instead.
  bool isUnsigned = loop.getUnsignedCmp();
  Value first = isUnsigned ? loop.getLowerBound() : before(loop.getInductionVar(), iteration);
  return isBelow(builder, loop, first, getUpperBoundOf(builder, loop, isUnsigned ? iteration : 0));
}

void Pipeliner::writePrologueInRegisters() {
  int64_t most = loads.front().ahead;
  for (int64_t step = 0; step < most; ++step)
    for (ArrayRef<EarlyLoad> left = loads; !left.empty();) {
      ArrayRef<EarlyLoad> group = takeGroup(left);
      int64_t iteration = step - (most - group.front().ahead);
      if (iteration < 0)
        continue;
      SmallVector<Value> loaded =
          loadTogether(group, hasIteration(iteration), [&](Value input) { return before(input, iteration); });
      for (auto [early, value] : llvm::zip_equal(group, loaded))
        inFront[{early.getResult(), iteration}] = value;
    }
  // Conversions whose results the loop uses need scratch space in shared memory. Place these conversions before the
  // slots are filled, so that the scratch space can share memory with the slots, and after the loads to registers, so
  // that these are in flight during the conversions.
  SmallVector<Operation *> conversions;
  for (auto convert : loop->getBlock()->getOps<ttg::ConvertLayoutOp>())
    if (!convert->use_empty() &&
        llvm::all_of(convert->getUsers(), [&](Operation *user) { return loop->isAncestor(user); }))
      conversions.push_back(convert);
  for (Operation *convert : conversions)
    convert->moveBefore(loop);
  for (EarlyLoad &early : loads)
    if (early.tiles) {
      early.tiles.getDefiningOp()->moveBefore(loop);
      store(early, inFront.at({early.getResult(), 0}), integer(0, builder.getI32Type()));
    }
}

void Pipeliner::writePrologue() {
  if (outer) {
    scf::ForOp around = outer->getLoop();
    builder.setInsertionPoint(around);
    SmallVector<Value> positions = createPositions();
    Value runs = isBelow(builder, around, around.getLowerBound(), around.getUpperBound());
    outer->setOtherIteration(around.getLowerBound(), runs);
    startTile(runs, getSlots(positions));
    outer->carry(builder, positions);
    return;
  }
  builder.setInsertionPoint(loop);
  if (passRegisters)
    return writePrologueInRegisters();
  int64_t most = loads.front().ahead;
  for (int64_t step = 0; step < most; ++step) {
    DenseMap<int64_t, Value> slots;
    for (EarlyLoad &early : loads) {
      int64_t iteration = step - (most - early.ahead);
      if (iteration < 0)
        continue;
      Value isIteration = hasIteration(iteration);
      Value slot = early.tiles ? integer(iteration, builder.getI32Type()) : Value();
      if (slot)
        slots[getNumSlots(early)] = slot;
      Value loaded = start(early, isIteration, slot, [&](Value input) { return before(input, iteration); });
      if (loaded)
        inFront[{early.getResult(), iteration}] = loaded;
    }
    commit(slots);
  }
}
