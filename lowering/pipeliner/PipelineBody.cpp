//===- PipelineBody.cpp - writes the pipelined loop ---------------------------------------------------------------===//
//
// An iteration of the pipelined loop waits for its tiles, executes its own operations, and issues loads for later
// iterations. The code after the loop waits for the copies that are still in flight.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/BufferSlots.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "lowering/pipeliner/PipelineAttributes.h"
#include "lowering/pipeliner/Pipeliner.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

void Pipeliner::writeLoop() {
  // The new loop carries the values of the old loop, then the slots and their phases, then the values that run ahead.
  builder.setInsertionPoint(loop);
  if (outer) {
    outer->setOtherIteration(Value(), Value());
    inFront.clear();
  }
  SmallVector<Value> inits(loop.getInitArgs());
  llvm::append_range(inits, outer ? SmallVector<Value>(outer->getCarried()) : createPositions());
  for (auto [value, iterations] : carried)
    inits.push_back(before(value, iterations));
  // In the loop, the iteration that is `ahead` iterations later exists if the induction variable is below `ub - ahead *
  // step`.
  for (EarlyLoad &early : loads)
    if (Value &end = ends[early.ahead]; !end)
      end = getUpperBoundOf(builder, loop, early.ahead);
  size_t numSlow = 0;
  if (outer) {
    findNextTile(outer->startNext(builder));
    // The first iteration of the inner loop computes the slow values of the outer loop, so that this work overlaps with
    // its dots. The code before the loop computes them only if the loop has no iteration.
    SmallVector<Value> zeros;
    for (; zeros.size() < outer->getNumSlow(); ++numSlow)
      zeros.push_back(integer(0, outer->getSlowType(numSlow)));
    Value isIdle =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, loop.getLowerBound(), loop.getUpperBound());
    llvm::append_range(inits, outer->createSlow(builder, isIdle, zeros));
  }

  newLoop = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), inits);
  newLoop.setUnsignedCmp(loop.getUnsignedCmp());
  newLoop->setAttrs(loop->getAttrs());
  newLoop->removeAttr(maxStageAttr);
  newLoop->removeAttr(numStagesAttr);
  Block *body = newLoop.getBody();
  if (inits.empty() && !body->empty())
    body->getTerminator()->erase();
  builder.setInsertionPointToStart(body);
  own.map(loop.getInductionVar(), newLoop.getInductionVar());
  for (auto [from, to] : llvm::zip(loop.getRegionIterArgs(), newLoop.getRegionIterArgs()))
    own.map(from, to);
  auto extra = newLoop.getRegionIterArgs().drop_front(loop.getInitArgs().size());
  for (auto [i, count] : llvm::enumerate(counts))
    previousSlot[count] = extra[i];
  extra = extra.drop_front(counts.size());
  for (int64_t count : counts)
    if (barriers.count(count)) {
      previousPhase[count] = extra.front();
      extra = extra.drop_front();
    }
  for (auto [i, entry] : llvm::enumerate(carried))
    inLoop[entry] = extra[i];

  waitForTiles();
  if (passRegisters)
    loadLater();
  // Issue the loads for later iterations after the last dot that overlaps with them, or else at the end of the
  // iteration.
  Operation *lastDot = nullptr;
  for (auto dot : loop.getBody()->getOps<ttng::WarpGroupDotOp>())
    lastDot = dot;
  if (!isInStep)
    lastDot = nullptr;
  for (Operation &op : loop.getBody()->without_terminator()) {
    writeOwn(op);
    if (&op == lastDot)
      startLater();
  }
  if (passRegisters)
    storeNext();
  else if (!lastDot)
    startLater();
  SmallVector<Value> slow;
  if (numSlow) {
    Value isFirst =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, newLoop.getInductionVar(), loop.getLowerBound());
    slow = outer->createSlow(builder, isFirst, newLoop.getRegionIterArgs().take_back(numSlow));
  }
  writeYield(slow);

  builder.setInsertionPointAfter(newLoop);
  if (outer) {
    scf::ForOp around = outer->getLoop();
    ValueRange positions =
        newLoop.getResults().drop_front(loop.getNumResults()).take_front(counts.size() + barriers.size());
    Value runs = outer->startNext(builder);
    if (starts) {
      Value isLeft = arith::XOrIOp::create(builder, loc, starts, integer(1, builder.getI1Type()));
      auto branch =
          scf::IfOp::create(builder, loc, arith::AndIOp::create(builder, loc, runs, isLeft), /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    startTile(runs, getSlots(positions));
    builder.setInsertionPoint(around.getBody()->getTerminator());
    outer->handOn(positions, newLoop.getResults().take_back(numSlow));
    builder.setInsertionPointAfter(around);
  }
  if (!counts.empty()) {
    if (isInStep && hasThreadsCopies())
      ttg::AsyncWaitOp::create(builder, loc, ttg::AsyncTokenType::get(loop.getContext()), ValueRange(),
                               builder.getI32IntegerAttr(0));
    if (!isInStep)
      drain();
    for (auto &[count, barrier] : barriers)
      barrier.destroy(builder, loc);
    for (EarlyLoad &early : loads)
      if (early.tiles)
        ttg::LocalDeallocOp::create(builder, loc, early.tiles);
  }
  loop->replaceAllUsesWith(newLoop.getResults().take_front(loop.getNumResults()));
  loop->erase();
}

void Pipeliner::waitForTiles() {
  for (int64_t count : counts) {
    slot[count] = createNextSlot(builder, loc, previousSlot[count], count);
    if (barriers.count(count))
      phase[count] = createNextPhase(builder, loc, slot[count], previousPhase[count]);
  }
  if (isInStep && hasThreadsCopies()) {
    int64_t pending = std::numeric_limits<int64_t>::max();
    for (EarlyLoad &early : loads)
      if (early.tiles && early.copier == Copier::Threads)
        pending = std::min(pending, early.ahead - 1);
    ttg::AsyncWaitOp::create(builder, loc, ttg::AsyncTokenType::get(loop.getContext()), ValueRange(),
                             builder.getI32IntegerAttr(pending));
  }
  for (EarlyLoad &early : loads) {
    if (early.tiles)
      tileOf[early.load] =
          ttg::MemDescIndexOp::create(builder, early.load->getLoc(), early.tile, early.tiles, slot[getNumSlots(early)]);
    else
      own.map(early.getResult(), inLoop[{early.getResult(), 0}]);
  }
  for (auto &[count, barrier] : barriers) {
    SmallVector<Value> tiles;
    for (EarlyLoad &early : loads)
      if (isIn(early, count) && (!isInStep || early.isTensorCopy()))
        tiles.push_back(tileOf[early.load]);
    barrier.waitUntilFull(builder, loc, slot[count], phase[count], tiles);
  }
  for (EarlyLoad &early : loads)
    if (early.isReadBack)
      own.map(early.getResult(),
              ttg::LocalLoadOp::create(builder, early.load->getLoc(),
                                       cast<RankedTensorType>(early.getResult().getType()), tileOf[early.load], Value())
                  .getResult());
}

SmallVector<Value> Pipeliner::getTiles(int64_t count, Value slot) {
  SmallVector<Value> tiles;
  for (EarlyLoad &early : loads)
    if (isIn(early, count))
      tiles.push_back(ttg::MemDescIndexOp::create(builder, early.load->getLoc(), early.tile, early.tiles, slot));
  return tiles;
}

void Pipeliner::drain() {
  auto extra = newLoop.getResults().drop_front(loop.getNumResults());
  for (auto [i, count] : llvm::enumerate(counts)) {
    Value last = extra[i], parity = extra[counts.size() + i];
    for (int64_t ahead = 1; ahead < count; ++ahead) {
      last = createNextSlot(builder, loc, last, count);
      parity = createNextPhase(builder, loc, last, parity);
      barriers.at(count).waitUntilFull(builder, loc, last, parity, getTiles(count, last));
    }
  }
}

Value Pipeliner::getOperandTile(Value loaded) {
  auto early = llvm::find_if(loads, [&](EarlyLoad &early) { return early.load == loaded.getDefiningOp(); });
  return early == loads.end() || !early->isOperand ? Value() : tileOf.lookup(early->load);
}

void Pipeliner::writeOwn(Operation &op) {
  if (earlyBy.contains(&op))
    return;
  if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
    if (Value tile = getOperandTile(convert.getSrc())) {
      own.map(convert.getResult(),
              ttg::LocalLoadOp::create(builder, convert.getLoc(), convert.getType(), tile, Value()).getResult());
      return;
    }
  if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op))
    if (Value tile = alloc.getSrc() ? getOperandTile(alloc.getSrc()) : Value();
        tile && cast<ttg::MemDescType>(tile.getType()).getEncoding() == alloc.getType().getEncoding()) {
      own.map(alloc.getResult(), tile);
      return;
    } // otherwise the slot has the encoding that other dots need, and the tile read back from it is stored again
  Operation *clone = builder.clone(op, own);
  // A view of a mutable memdesc is mutable too.
  if (auto trans = dyn_cast<ttg::MemDescTransOp>(clone)) {
    ttg::MemDescType type = trans.getType();
    trans.getResult().setType(ttg::MemDescType::get(type.getShape(), type.getElementType(), type.getEncoding(),
                                                    type.getMemorySpace(), trans.getSrc().getType().getMutableMemory(),
                                                    type.getAllocShape()));
  }
}

Value Pipeliner::later(Value value, int64_t iterations) {
  if (isOutside(value))
    return value;
  if (iterations == 0)
    return own.lookup(value);
  if (Value known = inLoop.lookup({value, iterations}))
    return known;
  Value result;
  if (value == loop.getInductionVar())
    result = arith::AddIOp::create(builder, loc, newLoop.getInductionVar(), multiplyStep(builder, loop, iterations));
  else
    result = clone(value.getDefiningOp(), value, [&](Value input) { return later(input, iterations); });
  return inLoop[{value, iterations}] = result;
}

void Pipeliner::startLater() {
  for (auto &[count, barrier] : barriers) {
    if (isInStep)
      break; // all threads have passed a barrier before this point
    barrier.free(builder, loc, slot[count], getTiles(count, slot[count]));
    Value before = previousSlot[count];
    barrier.waitUntilEmpty(builder, loc, before, previousPhase[count], getTiles(count, before), /*byFirstWarp=*/false);
  }
  for (EarlyLoad &early : loads) {
    Value isIteration = isBelow(builder, loop, newLoop.getInductionVar(), ends[early.ahead]);
    int64_t count = getNumSlots(early);
    Value filled = count > early.ahead ? previousSlot[count] : slot[count];
    if (starts) {
      startInEitherTile(early, isIteration, filled);
      continue;
    }
    Value loaded = start(early, isIteration, early.tiles ? filled : Value(),
                         [&](Value input) { return later(input, early.ahead); });
    if (loaded)
      inLoop[{early.getResult(), early.ahead}] = loaded;
  }
  commit(previousSlot);
}

void Pipeliner::loadLater() {
  for (ArrayRef<EarlyLoad> left = loads; !left.empty();) {
    ArrayRef<EarlyLoad> group = takeGroup(left);
    int64_t ahead = group.front().ahead;
    Value isIteration = isBelow(builder, loop, newLoop.getInductionVar(), ends[ahead]);
    SmallVector<Value> loaded = loadTogether(group, isIteration, [&](Value input) { return later(input, ahead); });
    for (auto [early, value] : llvm::zip_equal(group, loaded))
      inLoop[{early.getResult(), ahead}] = value;
  }
}

void Pipeliner::storeNext() {
  for (EarlyLoad &early : loads)
    if (early.tiles) {
      int64_t count = getNumSlots(early);
      store(early, inLoop.at({early.getResult(), 1}), count > 1 ? previousSlot[count] : slot[count]);
    }
}

void Pipeliner::writeYield(ValueRange slow) {
  SmallVector<Value> yields;
  for (Value value : loop.getBody()->getTerminator()->getOperands())
    yields.push_back(own.lookupOrDefault(value));
  for (int64_t count : counts)
    yields.push_back(slot[count]);
  for (int64_t count : counts)
    if (barriers.count(count))
      yields.push_back(phase[count]);
  for (auto [value, iterations] : carried) {
    // In the next iteration of the loop, this value will be `iterations` iterations ahead.
    if (auto argument = dyn_cast<BlockArgument>(value))
      yields.push_back(later(yielded(argument), iterations));
    else
      yields.push_back(inLoop[{value, iterations + 1}]);
  }
  llvm::append_range(yields, slow);
  scf::YieldOp::create(builder, loc, yields);
}
