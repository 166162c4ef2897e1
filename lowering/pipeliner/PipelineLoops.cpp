//===- PipelineLoops.cpp - loads that start iterations before their use ------------------------------------------------------===//
//
// A scheduled loop has loads in early stages and everything else in the last. With `a` iterations between the two,
// iteration t of the new loop does what iteration t did, but starts the load for iteration t + a, behind everything
// else; what comes before iteration 0 is in front of the loop. The address for iteration t + a is computed by a copy of
// what computes the address of iteration t, whose loop-carried values run `a` iterations ahead of the others; so values
// that are used after the loop, and everything else, stay as they were. Where nobody else needs the original of such a
// value it disappears.
//
// A load that feeds a product goes to shared memory by an asynchronous copy, into one of a + 1 buffer slots that are
// used one after the other. One barrier in each iteration is then enough: behind it, what was copied for this iteration
// is there for all threads, and the slot of the iteration before, which all have read, can be written again. With two
// barriers a slots are enough (getNumSlots). Other loads wait in registers, handed on from iteration to iteration.
//
// In a loop with products by warpgroups the loads for later iterations are started right behind the last of them: what
// they cost then passes while the products are under way (OverlapProducts.cpp). Where the threads of several warpgroups
// compute between the products, that barrier would keep them in step; there each slot has barriers of its own, in
// memory (SlotBarriers.h), and the loads come last in an iteration, when the other warpgroup has probably left the slot
// that they fill.
//
// Copies of tensors (tt.descriptor_load) are one thread's, and count themselves at a barrier in memory of their slot, for which
// all wait; the slot is written again behind a barrier of all threads.
//
// A loop inside another one, whose iterations are tiles that one program makes one after the other, need not run dry between
// tiles: the first copies for the next tile start in the last iterations for this one, which have none of their own to start, and
// pass beside what is done with its result (OuterLoop.h); behind the loop where it has fewer iterations than there are copies to
// start, or a value that is handed from one to the next says what to copy. Slots and their barriers are then those of the outer
// loop.
//
// Nothing is known of the number of iterations: every load of an iteration that will not be is masked off.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/BufferSlots.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "lowering/pipeliner/OuterLoop.h"
#include "lowering/pipeliner/PipelineAttributes.h"
#include "lowering/pipeliner/SlotBarriers.h"
#include "lowering/pipeliner/TensorCopies.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUPIPELINE
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// A value some iterations ahead.
using Ahead = std::pair<Value, int64_t>;

class Pipeliner {
public:
  Pipeliner(scf::ForOp loop, const AxisInfoAnalysis &axisInfo)
      : loop(loop), loc(loop.getLoc()), builder(loop), axisInfo(axisInfo) {}

  LogicalResult run() {
    if (failed(findLoads()))
      return failure();
    if (loads.empty())
      return success();
    for (EarlyLoad &early : loads)
      for (Value operand : early.load->getOperands())
        if (failed(request(operand, early.ahead)))
          return failure();
    isInStep = !wantsBarriers();
    findOuterLoop();
    allocate();
    writePrologue();
    writeLoop();
    return success();
  }

private:
  //===--- what there is to do --------------------------------------------------------------------------------------===//

  LogicalResult findLoads() {
    int64_t last = getInteger(loop, maxStageAttr, 0);
    for (Operation &op : loop.getBody()->without_terminator()) {
      int64_t ahead = last - getInteger(&op, stageAttr, last);
      op.removeAttr(stageAttr);
      op.removeAttr(clusterAttr);
      if (ahead == 0 || (!isLoad(&op) && isRepeatable(&op)))
        continue; // what only computes is computed where it is needed
      if (!isLoad(&op) || ahead < 0)
        return op.emitOpError() << "is scheduled in stage " << last - ahead
                                << " of a pipelined loop; only loads and what has no effects can be, up to stage "
                                << last;
      loads.push_back({&op, ahead, Value(), ttg::MemDescType()});
      earlyBy[&op] = ahead;
    }
    // Further ahead first, so that a load finds what it needs of others.
    llvm::stable_sort(loads, [](const EarlyLoad &a, const EarlyLoad &b) { return a.ahead > b.ahead; });
    for (EarlyLoad &early : loads)
      chooseMemory(loop, early, axisInfo);
    return success();
  }

  bool isOutside(Value value) { return !loop->isAncestor(value.getParentRegion()->getParentOp()); }
  Value yielded(BlockArgument argument) { return loop.getTiedLoopYieldedValue(argument)->get(); }

  /// Finds the loop-carried values that the new loop needs to have `value` that many iterations ahead.
  LogicalResult request(Value value, int64_t ahead) {
    if (isOutside(value) || !requested.insert({value, ahead}).second)
      return success();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument == loop.getInductionVar())
        return success();
      if (ahead > 0)
        carried.push_back({value, ahead});
      return request(yielded(argument), ahead);
    }
    Operation *op = value.getDefiningOp();
    if (auto it = earlyBy.find(op); it != earlyBy.end()) {
      if (it->second < ahead)
        return op->emitOpError("is scheduled after a load that needs it");
      return success();
    }
    if (ahead == 0)
      return success(); // computed in its own iteration anyway
    if (!isRepeatable(op))
      return op->emitOpError("is needed ahead of its iteration by a load of a pipelined loop, which its effects prevent");
    LogicalResult result = success();
    forEachInput(op, [&](Value input) {
      if (op->getParentOp() == loop && succeeded(result))
        result = request(input, ahead);
    });
    return result;
  }

  /// The loop around, if copies for its next iteration may start before this one has ended: copies of tensors alone, which
  /// need no more than what is known by then.
  void findOuterLoop() {
    auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
    if (!around || around->hasAttr(maxStageAttr) || loop.getUnsignedCmp() || !isInStep)
      return;
    OuterLoop candidate(around, loop);
    for (EarlyLoad &early : loads) {
      auto load = dyn_cast<tt::DescriptorLoadOp>(early.load);
      if (!load || !early.tile || !mayRunAhead(around, load) || !candidate.isOutside(load.getDesc()) ||
          !llvm::all_of(load.getIndices(), [&](Value index) { return candidate.knowsAhead(index); }))
        return;
    }
    if (candidate.isWorthwhile())
      outer.emplace(candidate);
  }

  void allocate() {
    if (outer)
      builder.setInsertionPoint(outer->getLoop());
    for (EarlyLoad &early : loads) {
      if (!early.tile) {
        // In registers until its own iteration.
        for (int64_t iterations = 0; iterations < early.ahead; ++iterations)
          carried.push_back({early.getResult(), iterations});
        continue;
      }
      SmallVector<int64_t> shape = {getNumSlots(early)};
      llvm::append_range(shape, early.tile.getShape());
      auto type = ttg::MemDescType::get(shape, early.tile.getElementType(), early.tile.getEncoding(),
                                        early.tile.getMemorySpace(), /*mutableMemory=*/true, shape);
      early.tiles = ttg::LocalAllocOp::create(builder, early.load->getLoc(), type, Value(), IntegerAttr());
      counts.insert(getNumSlots(early));
    }
    bool fence = false;
    for (int64_t count : counts) {
      int64_t tensorCopies = llvm::count_if(loads, [&](EarlyLoad &early) { return isIn(early, count) && early.isTensorCopy(); });
      int64_t fillers = !isInStep && hasThreadsCopies(count) ? ttg::getNumWarps(loop) * ttg::getThreadsPerWarp(loop) : 0;
      if (!isInStep || tensorCopies)
        barriers.try_emplace(count, builder, loc, count, fillers + tensorCopies, isInStep ? 0 : ttg::getNumWarps(loop));
      fence |= tensorCopies > 0;
    }
    // What threads accessed where the slots are comes before what is copied there on another way.
    if (fence)
      ttng::FenceAsyncSharedOp::create(builder, loc, /*bCluster=*/false);
  }

  /// Whether it is copied to a buffer of `count` slots.
  bool isIn(EarlyLoad &early, int64_t count) { return early.tiles && getNumSlots(early) == count; }
  bool hasThreadsCopies(int64_t count) {
    return llvm::any_of(loads, [&](EarlyLoad &early) { return isIn(early, count) && !early.isTensorCopy(); });
  }
  bool hasThreadsCopies() {
    return llvm::any_of(counts, [&](int64_t count) { return hasThreadsCopies(count); });
  }

  /// One more than the iterations between a copy and its use, so that one barrier an iteration will do; or just as many:
  /// a copy then goes to the slot that its own iteration has read, behind a second barrier. That barrier costs nothing
  /// that could be measured, but for programs that have a processor for themselves: some of these lose 4 %, and nobody
  /// else needs the memory.
  int64_t getNumSlots(const EarlyLoad &early) {
    return early.ahead + (early.ahead == 1 || hasWarpGroups() || hasProcessorForItself() ? 1 : 0);
  }
  bool hasWarpGroups() { return !loop.getBody()->getOps<ttng::WarpGroupDotOp>().empty(); }
  /// Whether all that becomes of it, element by element, is what another product of the iteration adds to.
  static bool becomesAccumulator(Operation *op) {
    while (op->hasOneUse()) {
      OpOperand &use = *op->use_begin();
      op = use.getOwner();
      if (isa<tt::DotOp>(op))
        return use.getOperandNumber() == 2;
      if (!op->hasTrait<OpTrait::Elementwise>())
        return false;
    }
    return false;
  }
  /// Whether the registers of the loop's products leave no room for a second program.
  bool hasProcessorForItself() {
    constexpr int64_t registersOfProcessor = 65536, otherRegisters = 64;
    int64_t threads = ttg::getNumWarps(loop) * ttg::getThreadsPerWarp(loop), registers = otherRegisters;
    for (auto dot : loop.getBody()->getOps<tt::DotOp>())
      if (!becomesAccumulator(dot))
        registers += ttg::getElementsPerThread(cast<RankedTensorType>(dot.getType()));
    return 2 * threads * registers > registersOfProcessor;
  }

  /// Whether warpgroups should not be kept in step: there are several, whose threads compute with what a product leaves.
  bool wantsBarriers() {
    if (ttg::getNumWarps(loop) <= 4 || llvm::any_of(loads, [](EarlyLoad &early) {
          auto load = dyn_cast<tt::LoadOp>(early.load);
          return early.tile && load && load.getOther(); // which threads may store themselves
        }))
      return false;
    return llvm::any_of(loop.getBody()->getOps<ttng::WarpGroupDotOp>(), [&](ttng::WarpGroupDotOp dot) {
      Operation *yield = loop.getBody()->getTerminator();
      return llvm::any_of(dot.getD().getUsers(), [&](Operation *user) { return user != yield; });
    });
  }

  //===--- starting loads -------------------------------------------------------------------------------------------===//

  /// What a clone reads, and where values of this place are kept.
  using Resolve = llvm::function_ref<Value(Value)>;

  Value splat(Value condition, Type like) {
    auto tile = dyn_cast<RankedTensorType>(like);
    if (!tile)
      return condition;
    return tt::SplatOp::create(builder, loc,
                               RankedTensorType::get(tile.getShape(), builder.getI1Type(), tile.getEncoding()),
                               condition);
  }

  /// Starts the load for an iteration if there is that iteration; into tile `slot`, or else returns what is loaded.
  Value start(EarlyLoad &early, Value isIteration, Value slot, Resolve resolve) {
    if (auto load = dyn_cast<tt::DescriptorLoadOp>(early.load)) {
      startTensorCopy(early, load, isIteration, slot, resolve);
      return {};
    }
    auto load = cast<tt::LoadOp>(early.load);
    Value ptr = resolve(load.getPtr()), mask = splat(isIteration, ptr.getType());
    if (load.getMask())
      mask = arith::AndIOp::create(builder, load.getLoc(), mask, resolve(load.getMask()));
    Value other = load.getOther() ? resolve(load.getOther()) : Value();
    if (!early.tiles) {
      auto clone = cast<tt::LoadOp>(builder.clone(*load));
      clone.getPtrMutable().assign(ptr);
      clone.getMaskMutable().assign(mask);
      if (other)
        clone.getOtherMutable().assign(other);
      return clone;
    }
    Value tile = ttg::MemDescIndexOp::create(builder, load.getLoc(), early.tile, early.tiles, slot);
    auto copy = ttg::AsyncCopyGlobalToLocalOp::create(
        builder, load.getLoc(), ttg::AsyncTokenType::get(loop.getContext()), ptr, tile, mask, other, load.getCache(),
        load.getEvict(), load.getIsVolatile(), early.contiguity);
    tokens.push_back(copy.getToken());
    return {};
  }

  void startTensorCopy(EarlyLoad &early, tt::DescriptorLoadOp load, Value isIteration, Value slot, Resolve resolve) {
    SmallVector<Value> indices = llvm::map_to_vector(load.getIndices(), resolve);
    Value tile = ttg::MemDescIndexOp::create(builder, load.getLoc(), early.tile, early.tiles, slot);
    // Threads that are not in step count on every slot to be filled, also for iterations that are none.
    Value full = barriers.at(getNumSlots(early)).expectCopies(builder, load.getLoc(), slot, ttg::getTileStrideInBytes(early.tile),
                                                              isIteration, isInStep ? Value() : tile);
    createTensorCopy(builder, load, load.getDesc(), indices, tile, full, isIteration);
  }

  /// Everything that was started since the last time is one group; with barriers of slots, each slot's.
  void commit(const DenseMap<int64_t, Value> &slots) {
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

  Value integer(int64_t value, Type type) {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  }
  Value clone(Operation *op, Value result, Resolve resolve) {
    IRMapping mapping;
    forEachInput(op, [&](Value input) {
      if ((outer || !isOutside(input)) && !mapping.contains(input))
        mapping.map(input, resolve(input));
    });
    return builder.clone(*op, mapping)->getResult(cast<OpResult>(result).getResultNumber());
  }

  //===--- before the loop ------------------------------------------------------------------------------------------===//

  /// `value` in iteration `iteration`, computed in front of the loop.
  Value before(Value value, int64_t iteration) {
    if (isOutside(value))
      return outer ? outer->inOtherIteration(builder, value) : value;
    if (Value known = inFront.lookup({value, iteration}))
      return known;
    Value result;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument == loop.getInductionVar())
        result = iteration == 0 ? before(loop.getLowerBound(), 0)
                            : arith::AddIOp::create(builder, loc, before(loop.getLowerBound(), 0),
                                                    multiplyStep(builder, loop, iteration)).getResult();
      else
        result = iteration == 0 ? before(loop.getTiedLoopInit(argument)->get(), 0) : before(yielded(argument), iteration - 1);
    } else {
      result = clone(value.getDefiningOp(), value, [&](Value input) { return before(input, iteration); });
    }
    return inFront[{value, iteration}] = result;
  }

  /// The first copies for the iteration of the outer loop that was named, if it `runs`: to the slots behind `last`.
  void startTile(Value runs, DenseMap<int64_t, Value> last) {
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
        Value isIteration = isBelow(builder, loop, before(loop.getInductionVar(), iteration), before(loop.getUpperBound(), 0));
        isIteration = arith::AndIOp::create(builder, loc, runs, isIteration);
        start(early, isIteration, slots.at({getNumSlots(early), iteration}),
              [&](Value input) { return before(input, iteration); });
      }
  }

  /// Whether the loop's number alone, beside the outer loop's, says what `value` is.
  bool followsFromNumber(Value value) {
    if (isOutside(value) || value == loop.getInductionVar())
      return true;
    bool follows = !isa<BlockArgument>(value);
    if (follows)
      forEachInput(value.getDefiningOp(), [&](Value input) { follows &= followsFromNumber(input); });
    return follows;
  }

  /// In front of the loop: what it needs to know of the outer loop's next iteration, to start that one's first copies.
  void findNextTile(Value runs) {
    APInt step;
    if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive() ||
        !llvm::all_of(loads, [&](EarlyLoad &early) {
          return llvm::all_of(cast<tt::DescriptorLoadOp>(early.load).getIndices(),
                              [&](Value index) { return followsFromNumber(index); });
        }))
      return;
    Value begin = loop.getLowerBound(), end = loop.getUpperBound();
    // It has as many iterations as copies to start, or more.
    starts = isBelow(builder, loop, begin, getUpperBoundOf(builder, loop, loads.front().ahead - 1));
    starts = arith::AndIOp::create(builder, loc, starts, runs);
    // (end - begin - 1) / step + 1 iterations, if there are any.
    Value last = arith::SubIOp::create(builder, loc, end, arith::AddIOp::create(builder, loc, begin, integer(1, begin.getType())));
    last = arith::MulIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, last, loop.getStep()), loop.getStep());
    Value behind = arith::AddIOp::create(builder, loc, begin, arith::AddIOp::create(builder, loc, last, loop.getStep()));
    nextTile = arith::SubIOp::create(builder, loc, outer->inOtherIteration(builder, begin), behind);
    nextEnd = outer->inOtherIteration(builder, end);
  }

  /// What the load needs where the loop would be at `number`, of this iteration of the outer loop, or else the next.
  Value inEitherTile(Value value, Value number, Value isThis, IRMapping &known) {
    if (value == loop.getInductionVar())
      return number;
    if (isOutside(value))
      return outer->inEitherIteration(builder, value, isThis, known);
    if (!known.contains(value))
      known.map(value, clone(value.getDefiningOp(), value,
                             [&](Value input) { return inEitherTile(input, number, isThis, known); }));
    return known.lookup(value);
  }

  /// Starts the load for an iteration `ahead`, or, where there is none, for one of the outer loop's next iteration.
  void startInEitherTile(EarlyLoad &early, Value isIteration, Value slot) {
    Value number = arith::AddIOp::create(builder, loc, newLoop.getInductionVar(), multiplyStep(builder, loop, early.ahead));
    Value other = arith::AddIOp::create(builder, loc, number, nextTile);
    Value isOther = arith::AndIOp::create(builder, loc, starts, isBelow(builder, loop, other, nextEnd));
    number = arith::SelectOp::create(builder, loc, isIteration, number, other);
    IRMapping known;
    start(early, arith::OrIOp::create(builder, loc, isIteration, isOther), slot,
          [&](Value input) { return inEitherTile(input, number, isIteration, known); });
  }

  /// What tells slots, by their numbers, and phases of barriers: those before the first.
  SmallVector<Value> createPositions() {
    SmallVector<Value> positions;
    for (int64_t count : counts)
      positions.push_back(integer(count - 1, builder.getI32Type()));
    for (size_t i = 0; i < barriers.size(); ++i)
      positions.push_back(integer(1, builder.getI32Type()));
    return positions;
  }
  DenseMap<int64_t, Value> getSlots(ValueRange positions) {
    DenseMap<int64_t, Value> slots;
    for (auto [count, slot] : llvm::zip(counts, positions))
      slots[count] = slot;
    return slots;
  }

  void writePrologue() {
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
    int64_t most = loads.front().ahead;
    for (int64_t step = 0; step < most; ++step) {
      DenseMap<int64_t, Value> slots;
      for (EarlyLoad &early : loads) {
        int64_t iteration = step - (most - early.ahead);
        if (iteration < 0)
          continue;
        // An unsigned `first` may wrap around where there is no such iteration.
        bool isUnsigned = loop.getUnsignedCmp();
        Value first = isUnsigned ? loop.getLowerBound() : before(loop.getInductionVar(), iteration);
        Value isIteration = isBelow(builder, loop, first, getUpperBoundOf(builder, loop, isUnsigned ? iteration : 0));
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

  //===--- the loop -------------------------------------------------------------------------------------------------===//

  void writeLoop() {
    // The loop's own values, then slots and their phases, then what runs ahead.
    builder.setInsertionPoint(loop);
    if (outer) {
      outer->setOtherIteration(Value(), Value());
      inFront.clear();
    }
    SmallVector<Value> inits(loop.getInitArgs());
    llvm::append_range(inits, outer ? SmallVector<Value>(outer->getCarried()) : createPositions());
    for (auto [value, iterations] : carried)
      inits.push_back(before(value, iterations));
    // From here on `ub - ahead * step` says whether an iteration is one.
    for (EarlyLoad &early : loads)
      if (Value &end = ends[early.ahead]; !end)
        end = getUpperBoundOf(builder, loop, early.ahead);
    size_t numSlow = 0;
    if (outer) {
      findNextTile(outer->startNext(builder));
      // Divisions are made in the first iteration, beside its products; here only where there is none.
      SmallVector<Value> zeros;
      for (; zeros.size() < outer->getNumSlow(); ++numSlow)
        zeros.push_back(integer(0, outer->getSlowType(numSlow)));
      Value isIdle = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, loop.getLowerBound(), loop.getUpperBound());
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
    // Loads for later iterations come behind the last product that runs beside them, or else at the end.
    Operation *lastProduct = nullptr;
    for (auto product : loop.getBody()->getOps<ttng::WarpGroupDotOp>())
      lastProduct = product;
    if (!isInStep)
      lastProduct = nullptr;
    for (Operation &op : loop.getBody()->without_terminator()) {
      writeOwn(op);
      if (&op == lastProduct)
        startLater();
    }
    if (!lastProduct)
      startLater();
    SmallVector<Value> slow;
    if (numSlow) {
      Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, newLoop.getInductionVar(), loop.getLowerBound());
      slow = outer->createSlow(builder, isFirst, newLoop.getRegionIterArgs().take_back(numSlow));
    }
    writeYield(slow);

    builder.setInsertionPointAfter(newLoop);
    if (outer) {
      scf::ForOp around = outer->getLoop();
      ValueRange positions = newLoop.getResults().drop_front(loop.getNumResults()).take_front(counts.size() + barriers.size());
      Value runs = outer->startNext(builder);
      if (starts) {
        Value isLeft = arith::XOrIOp::create(builder, loc, starts, integer(1, builder.getI1Type()));
        auto branch = scf::IfOp::create(builder, loc, arith::AndIOp::create(builder, loc, runs, isLeft), /*withElseRegion=*/false);
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

  /// This iteration's tiles: waits until they are there.
  void waitForTiles() {
    for (int64_t count : counts) {
      slot[count] = createNextSlot(builder, loc, previousSlot[count], count);
      if (barriers.count(count))
        phase[count] = createNextPhase(builder, loc, slot[count], previousPhase[count]);
    }
    if (isInStep && hasThreadsCopies()) {
      int64_t pending = std::numeric_limits<int64_t>::max();
      for (EarlyLoad &early : loads)
        if (early.tiles && !early.isTensorCopy())
          pending = std::min(pending, early.ahead - 1);
      ttg::AsyncWaitOp::create(builder, loc, ttg::AsyncTokenType::get(loop.getContext()), ValueRange(),
                               builder.getI32IntegerAttr(pending));
    }
    for (EarlyLoad &early : loads) {
      if (early.tiles)
        tileOf[early.load] = ttg::MemDescIndexOp::create(builder, early.load->getLoc(), early.tile, early.tiles,
                                                         slot[getNumSlots(early)]);
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
        own.map(early.getResult(), ttg::LocalLoadOp::create(builder, early.load->getLoc(),
                                                                 cast<RankedTensorType>(early.getResult().getType()),
                                                                 tileOf[early.load], Value()).getResult());
  }

  /// The tiles of `slot` in the buffers of `count` slots.
  SmallVector<Value> getTiles(int64_t count, Value slot) {
    SmallVector<Value> tiles;
    for (EarlyLoad &early : loads)
      if (isIn(early, count))
        tiles.push_back(ttg::MemDescIndexOp::create(builder, early.load->getLoc(), early.tile, early.tiles, slot));
    return tiles;
  }

  /// Behind the loop, waits for the copies for iterations that are none.
  void drain() {
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

  /// The tile in shared memory that is an operand as it lies there; null if `loaded` is none.
  Value getOperandTile(Value loaded) {
    auto early = llvm::find_if(loads, [&](EarlyLoad &early) { return early.load == loaded.getDefiningOp(); });
    return early == loads.end() || !early->isOperand ? Value() : tileOf.lookup(early->load);
  }

  /// What `op` does in its own iteration.
  void writeOwn(Operation &op) {
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
      } // else it lies as other products take it, and this one's copy is made of what is read back
    Operation *clone = builder.clone(op, own);
    // A view of memory that others write again is one itself.
    if (auto trans = dyn_cast<ttg::MemDescTransOp>(clone)) {
      ttg::MemDescType type = trans.getType();
      trans.getResult().setType(ttg::MemDescType::get(type.getShape(), type.getElementType(), type.getEncoding(),
                                                      type.getMemorySpace(), trans.getSrc().getType().getMutableMemory(),
                                                      type.getAllocShape()));
    }
  }

  /// `value` so many iterations later.
  Value later(Value value, int64_t iterations) {
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

  void startLater() {
    for (auto &[count, barrier] : barriers) {
      if (isInStep)
        break; // behind a barrier of all threads
      barrier.free(builder, loc, slot[count], getTiles(count, slot[count]));
      Value before = previousSlot[count];
      barrier.waitUntilEmpty(builder, loc, before, previousPhase[count], getTiles(count, before));
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

  void writeYield(ValueRange slow) {
    SmallVector<Value> yields;
    for (Value value : loop.getBody()->getTerminator()->getOperands())
      yields.push_back(own.lookupOrDefault(value));
    for (int64_t count : counts)
      yields.push_back(slot[count]);
    for (int64_t count : counts)
      if (barriers.count(count))
        yields.push_back(phase[count]);
    for (auto [value, iterations] : carried) {
      // What will be that many iterations ahead in the next iteration.
      if (auto argument = dyn_cast<BlockArgument>(value))
        yields.push_back(later(yielded(argument), iterations));
      else
        yields.push_back(inLoop[{value, iterations + 1}]);
    }
    llvm::append_range(yields, slow);
    scf::YieldOp::create(builder, loc, yields);
  }

  scf::ForOp loop;
  Location loc;
  OpBuilder builder;
  const AxisInfoAnalysis &axisInfo;
  SmallVector<EarlyLoad> loads;
  DenseMap<Operation *, int64_t> earlyBy;
  /// Values that iterations hand on, with the number of iterations that they are ahead.
  SmallVector<Ahead> carried;
  DenseSet<Ahead> requested;
  /// Numbers of tiles that are used one after the other.
  llvm::SetVector<int64_t> counts;
  /// Whether all threads go through the loop in step, by a barrier in each iteration.
  bool isInStep = true;
  /// Of the buffers with that many slots: of all where threads are not in step; else of those that tensors are copied to.
  std::map<int64_t, SlotBarriers> barriers;
  SmallVector<Value> tokens;
  DenseMap<Ahead, Value> inFront, inLoop;
  std::optional<OuterLoop> outer; ///< whose next iteration's copies start before an iteration ends
  Value starts;                   ///< whether they do so in the loop, if ever
  Value nextTile, nextEnd;        ///< of the loop in that iteration: where it begins, by where it would go on now; its end
  // Of the new loop: its values for the old one's, slots and their phases by how many there are, tiles of this
  // iteration, and below what an iteration has another that many ahead.
  scf::ForOp newLoop;
  IRMapping own;
  DenseMap<int64_t, Value> previousSlot, slot, previousPhase, phase;
  DenseMap<Operation *, Value> tileOf;
  DenseMap<int64_t, Value> ends;
};

struct Pipeline : tilecc::impl::TritonGPUPipelineBase<Pipeline> {
  using TritonGPUPipelineBase::TritonGPUPipelineBase;
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr(maxStageAttr))
        loops.push_back(loop);
    });
    if (loops.empty())
      return;
    AxisInfoAnalysis axisInfo(getOperation());
    for (scf::ForOp loop : loops)
      if (failed(Pipeliner(loop, axisInfo).run()))
        return signalPassFailure();
  }
};

} // namespace
