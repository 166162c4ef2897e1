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
// is there for all threads, and the slot of the iteration before, which all have read, can be written again. Other
// loads wait in registers, handed on from iteration to iteration.
//
// Warpgroups read the slots on their own. A product that is only added to is left under way until that of the next
// iteration has started; the slot of the iteration before is then free behind the wait, and behind one barrier more,
// which Membar inserts.
//
// Nothing is known of the number of iterations: every load of an iteration that will not be is masked off.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AccessWidth.h"
#include "lowering/analysis/SharedEncodings.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/PipelineAttributes.h"
#include "mlir/IR/IRMapping.h"

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

struct EarlyLoad {
  tt::LoadOp load;
  int64_t ahead;
  Value tiles; ///< shared memory for `ahead` + 1 tiles; null if it waits in registers
  ttg::MemDescType tile;
  unsigned contiguity = 1;
};

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
      auto load = dyn_cast<tt::LoadOp>(op);
      if (ahead == 0 || (!load && isRepeatable(&op)))
        continue; // what only computes is computed where it is needed
      if (!load || ahead < 0)
        return op.emitOpError() << "is scheduled in stage " << last - ahead
                                << " of a pipelined loop; only loads and what has no effects can be, up to stage "
                                << last;
      loads.push_back({load, ahead, Value(), ttg::MemDescType()});
      earlyBy[load] = ahead;
    }
    // Further ahead first, so that a load finds what it needs of others.
    llvm::stable_sort(loads, [](const EarlyLoad &a, const EarlyLoad &b) { return a.ahead > b.ahead; });
    for (EarlyLoad &early : loads)
      chooseMemory(early);
    return success();
  }

  /// Loads that go to operands of matrix units go to shared memory as these want them.
  void chooseMemory(EarlyLoad &early) {
    auto type = dyn_cast<RankedTensorType>(early.load.getType());
    if (!type || type.getRank() < 2)
      return;
    early.contiguity = getAccessibleNeighbours(axisInfo, early.load.getPtr(), early.load.getMask());
    auto memoryOf = [&](Attribute encoding) {
      return ttg::MemDescType::get(type.getShape(), type.getElementType(), encoding,
                                   ttg::SharedMemorySpaceAttr::get(loop.getContext()), /*mutableMemory=*/true);
    };
    if (auto memory = getAllocatedType(early.load)) {
      early.tile = memoryOf(memory.getEncoding());
      return;
    }
    RankedTensorType operand;
    for (Operation *user : early.load->getUsers()) {
      auto convert = dyn_cast<ttg::ConvertLayoutOp>(user);
      if (!convert || convert->getParentOp() != loop)
        return;
      auto encoding = dyn_cast<ttg::DotOperandEncodingAttr>(convert.getType().getEncoding());
      if (!encoding || !encoding.getMatrixUnit())
        return;
      operand = convert.getType();
    }
    if (operand)
      early.tile = memoryOf(chooseSharedEncoding(operand, getMemoryOrder(type)));
  }

  /// The type of what a loaded tile is put into, if that is all that is done with it: an operand of warpgroups' products.
  ttg::MemDescType getAllocatedType(tt::LoadOp load) {
    ttg::MemDescType type;
    for (Operation *user : load->getUsers()) {
      auto alloc = dyn_cast<ttg::LocalAllocOp>(user);
      if (!alloc || alloc->getParentOp() != loop || alloc.getType().getMutableMemory() ||
          (type && type != alloc.getType()))
        return {};
      type = alloc.getType();
    }
    return type;
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

  void allocate() {
    for (EarlyLoad &early : loads) {
      if (!early.tile) {
        // In registers until its own iteration.
        for (int64_t iterations = 0; iterations < early.ahead; ++iterations)
          carried.push_back({early.load.getResult(), iterations});
        continue;
      }
      SmallVector<int64_t> shape = {early.ahead + 1};
      llvm::append_range(shape, early.tile.getShape());
      auto type = ttg::MemDescType::get(shape, early.tile.getElementType(), early.tile.getEncoding(),
                                        early.tile.getMemorySpace(), /*mutableMemory=*/true, shape);
      early.tiles = ttg::LocalAllocOp::create(builder, early.load.getLoc(), type, Value(), IntegerAttr());
      counts.insert(early.ahead + 1);
    }
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
    tt::LoadOp load = early.load;
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

  /// Everything that was started since the last time is one group.
  void commit() {
    if (counts.empty())
      return;
    ttg::AsyncCommitGroupOp::create(builder, loc, ttg::AsyncTokenType::get(loop.getContext()), tokens);
    tokens.clear();
  }

  Value integer(int64_t value, Type type) {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  }
  Value multiply(Value step, int64_t iterations) {
    return iterations == 1 ? step : arith::MulIOp::create(builder, loc, step, integer(iterations, step.getType())).getResult();
  }
  Value clone(Operation *op, Value result, Resolve resolve) {
    IRMapping mapping;
    forEachInput(op, [&](Value input) {
      if (!isOutside(input) && !mapping.contains(input))
        mapping.map(input, resolve(input));
    });
    return builder.clone(*op, mapping)->getResult(cast<OpResult>(result).getResultNumber());
  }

  //===--- before the loop ------------------------------------------------------------------------------------------===//

  /// `value` in iteration `iteration`, computed in front of the loop.
  Value before(Value value, int64_t iteration) {
    if (isOutside(value))
      return value;
    if (Value known = inFront.lookup({value, iteration}))
      return known;
    Value result;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument == loop.getInductionVar())
        result = iteration == 0 ? loop.getLowerBound()
                            : arith::AddIOp::create(builder, loc, loop.getLowerBound(),
                                                    multiply(loop.getStep(), iteration)).getResult();
      else
        result = iteration == 0 ? loop.getTiedLoopInit(argument)->get() : before(yielded(argument), iteration - 1);
    } else {
      result = clone(value.getDefiningOp(), value, [&](Value input) { return before(input, iteration); });
    }
    return inFront[{value, iteration}] = result;
  }

  void writePrologue() {
    builder.setInsertionPoint(loop);
    int64_t most = loads.front().ahead;
    for (int64_t step = 0; step < most; ++step) {
      for (EarlyLoad &early : loads) {
        int64_t iteration = step - (most - early.ahead);
        if (iteration < 0)
          continue;
        // An unsigned `first` may wrap around where there is no such iteration.
        bool isUnsigned = loop.getUnsignedCmp();
        Value first = isUnsigned ? loop.getLowerBound() : before(loop.getInductionVar(), iteration);
        Value isIteration = arith::CmpIOp::create(builder, loc, getLess(), first,
                                              isUnsigned ? getEnd(iteration) : loop.getUpperBound());
        Value slot = early.tiles ? integer(iteration, builder.getI32Type()) : Value();
        Value loaded = start(early, isIteration, slot, [&](Value input) { return before(input, iteration); });
        if (loaded)
          inFront[{early.load.getResult(), iteration}] = loaded;
      }
      commit();
    }
  }

  //===--- the loop -------------------------------------------------------------------------------------------------===//

  arith::CmpIPredicate getLess() { return loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt; }

  /// What is below it has as many more iterations as `ahead`. Unsigned numbers end at 0.
  Value getEnd(int64_t ahead) {
    if (ahead == 0)
      return loop.getUpperBound();
    Value distance = multiply(loop.getStep(), ahead), bound = loop.getUpperBound();
    if (loop.getUnsignedCmp())
      bound = arith::MaxUIOp::create(builder, loc, bound, distance);
    return arith::SubIOp::create(builder, loc, bound, distance);
  }

  void writeLoop() {
    // The loop's own values, then slots, then what runs ahead.
    SmallVector<Value> inits(loop.getInitArgs());
    for (int64_t count : counts)
      inits.push_back(integer(count - 1, builder.getI32Type()));
    for (auto [value, iterations] : carried)
      inits.push_back(before(value, iterations));
    // From here on `ub - ahead * step` says whether an iteration is one.
    DenseMap<int64_t, Value> ends;
    for (EarlyLoad &early : loads)
      if (Value &end = ends[early.ahead]; !end)
        end = getEnd(early.ahead);

    auto newLoop = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), inits);
    newLoop.setUnsignedCmp(loop.getUnsignedCmp());
    newLoop->setAttrs(loop->getAttrs());
    newLoop->removeAttr(maxStageAttr);
    newLoop->removeAttr(numStagesAttr);
    Block *body = newLoop.getBody();
    if (inits.empty() && !body->empty())
      body->getTerminator()->erase();
    builder.setInsertionPointToStart(body);
    IRMapping own;
    own.map(loop.getInductionVar(), newLoop.getInductionVar());
    for (auto [from, to] : llvm::zip(loop.getRegionIterArgs(), newLoop.getRegionIterArgs()))
      own.map(from, to);
    auto extra = newLoop.getRegionIterArgs().drop_front(loop.getInitArgs().size());
    DenseMap<int64_t, Value> previousSlot, slot;
    for (auto [i, count] : llvm::enumerate(counts))
      previousSlot[count] = extra[i];
    for (auto [i, entry] : llvm::enumerate(carried))
      inLoop[entry] = extra[counts.size() + i];

    // This iteration's tiles: wait until they are there.
    for (int64_t count : counts) {
      Value next = arith::AddIOp::create(builder, loc, previousSlot[count], integer(1, builder.getI32Type()));
      Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, next,
                                          integer(count, builder.getI32Type()));
      slot[count] = arith::SelectOp::create(builder, loc, wraps, integer(0, builder.getI32Type()), next);
    }
    if (!counts.empty()) {
      int64_t pending = std::numeric_limits<int64_t>::max();
      for (EarlyLoad &early : loads)
        if (early.tiles)
          pending = std::min(pending, early.ahead - 1);
      ttg::AsyncWaitOp::create(builder, loc, ttg::AsyncTokenType::get(loop.getContext()), ValueRange(),
                               builder.getI32IntegerAttr(pending));
    }
    DenseMap<Operation *, Value> tileOf;
    for (EarlyLoad &early : loads) {
      if (early.tiles)
        tileOf[early.load] = ttg::MemDescIndexOp::create(builder, early.load.getLoc(), early.tile, early.tiles,
                                                         slot[early.ahead + 1]);
      else
        own.map(early.load.getResult(), inLoop[{early.load.getResult(), 0}]);
    }
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (earlyBy.contains(&op))
        continue;
      if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
        if (Value tile = tileOf.lookup(convert.getSrc().getDefiningOp())) {
          own.map(convert.getResult(),
                  ttg::LocalLoadOp::create(builder, convert.getLoc(), convert.getType(), tile, Value()).getResult());
          continue;
        }
      if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op))
        if (Value tile = alloc.getSrc() ? tileOf.lookup(alloc.getSrc().getDefiningOp()) : Value()) {
          own.map(alloc.getResult(), tile);
          continue;
        }
      Operation *clone = builder.clone(op, own);
      // A view of memory that others write again is one itself.
      if (auto trans = dyn_cast<ttg::MemDescTransOp>(clone)) {
        ttg::MemDescType type = trans.getType();
        trans.getResult().setType(ttg::MemDescType::get(type.getShape(), type.getElementType(), type.getEncoding(),
                                                        type.getMemorySpace(), trans.getSrc().getType().getMutableMemory(),
                                                        type.getAllocShape()));
      }
    }
    leaveProductsUnderWay(own);

    // Loads for later iterations.
    std::function<Value(Value, int64_t)> ahead = [&](Value value, int64_t iterations) -> Value {
      if (isOutside(value))
        return value;
      if (iterations == 0)
        return own.lookup(value);
      if (Value known = inLoop.lookup({value, iterations}))
        return known;
      Value result;
      if (value == loop.getInductionVar())
        result = arith::AddIOp::create(builder, loc, newLoop.getInductionVar(), multiply(loop.getStep(), iterations));
      else
        result = clone(value.getDefiningOp(), value, [&](Value input) { return ahead(input, iterations); });
      return inLoop[{value, iterations}] = result;
    };
    for (EarlyLoad &early : loads) {
      Value isIteration = arith::CmpIOp::create(builder, loc, getLess(), newLoop.getInductionVar(), ends[early.ahead]);
      Value loaded = start(early, isIteration, early.tiles ? previousSlot[early.ahead + 1] : Value(),
                           [&](Value input) { return ahead(input, early.ahead); });
      if (loaded)
        inLoop[{early.load.getResult(), early.ahead}] = loaded;
    }
    commit();

    SmallVector<Value> yields;
    for (Value value : loop.getBody()->getTerminator()->getOperands())
      yields.push_back(own.lookupOrDefault(value));
    for (int64_t count : counts)
      yields.push_back(slot[count]);
    for (auto [value, iterations] : carried) {
      // What will be that many iterations ahead in the next iteration.
      if (auto argument = dyn_cast<BlockArgument>(value))
        yields.push_back(ahead(yielded(argument), iterations));
      else
        yields.push_back(inLoop[{value, iterations + 1}]);
    }
    scf::YieldOp::create(builder, loc, yields);

    builder.setInsertionPointAfter(newLoop);
    SmallVector<Value> results = newLoop.getResults().take_front(loop.getNumResults());
    if (!underWay.empty())
      results = waitForProducts(newLoop);
    if (!counts.empty()) {
      ttg::AsyncWaitOp::create(builder, loc, ttg::AsyncTokenType::get(loop.getContext()), ValueRange(),
                               builder.getI32IntegerAttr(0));
      for (EarlyLoad &early : loads)
        if (early.tiles)
          ttg::LocalDeallocOp::create(builder, loc, early.tiles);
    }
    loop->replaceAllUsesWith(results);
    loop->erase();
  }

  //===--- products under way ---------------------------------------------------------------------------------------===//

  /// Of the loop's own products, those whose result is only the accumulator of the next iteration are left under way
  /// until that has started its own: the matrix units never run dry. Operands must lie in shared memory, since
  /// registers would be written while they are read.
  void leaveProductsUnderWay(IRMapping &own) {
    SmallVector<ttng::WarpGroupDotOp> products;
    for (Operation &op : loop.getBody()->without_terminator()) {
      auto dot = dyn_cast<ttng::WarpGroupDotOp>(op);
      if (!dot)
        continue;
      auto argument = dyn_cast<BlockArgument>(dot.getC());
      bool accumulates = argument && argument.getOwner() == loop.getBody() && argument.hasOneUse() &&
                         dot.getD().hasOneUse() && yielded(argument) == dot.getD();
      if (!accumulates || !isa<ttg::MemDescType>(dot.getA().getType()) || !livesOn(dot.getA(), own) ||
          !livesOn(dot.getB(), own))
        return; // a wait for one is a wait for all
      products.push_back(dot);
      underWay.push_back(argument.getArgNumber() - 1);
    }
    if (products.empty())
      return;
    SmallVector<Value> results;
    for (ttng::WarpGroupDotOp dot : products) {
      auto clone = own.lookup(dot.getD()).getDefiningOp<ttng::WarpGroupDotOp>();
      clone.setIsAsync(true);
      results.push_back(clone.getD());
    }
    auto wait = ttng::WarpGroupDotWaitOp::create(builder, loc, TypeRange(ValueRange(results)), results, products.size());
    for (auto [dot, result] : llvm::zip_equal(products, wait.getOutputs()))
      own.map(dot.getD(), result);
  }

  /// Whether the tile that a product reads is still there in the next iteration: one of the slots, or from before the
  /// loop.
  bool livesOn(Value operand, const IRMapping &own) {
    Value memory = own.lookupOrDefault(operand);
    while (auto trans = memory.getDefiningOp<ttg::MemDescTransOp>())
      memory = trans.getSrc();
    return memory.getDefiningOp<ttg::MemDescIndexOp>() || isOutside(operand);
  }

  /// The loop's own results, products waited for. The loop and its wait go into a branch of their own, taken if there
  /// are iterations: no way then leads from where nothing is under way to the wait, on which ptxas would serialize the
  /// products (C7515).
  SmallVector<Value> waitForProducts(scf::ForOp newLoop) {
    unsigned count = loop.getNumResults();
    Value runs = arith::CmpIOp::create(builder, loc, getLess(), loop.getLowerBound(), loop.getUpperBound());
    auto branch = scf::IfOp::create(builder, loc, loop.getResultTypes(), runs, /*withElseRegion=*/true);
    newLoop->moveBefore(branch.thenBlock(), branch.thenBlock()->end());
    builder.setInsertionPointToEnd(branch.thenBlock());
    SmallVector<Value> results = newLoop.getResults().take_front(count), products;
    for (unsigned number : underWay)
      products.push_back(results[number]);
    auto wait = ttng::WarpGroupDotWaitOp::create(builder, loc, TypeRange(ValueRange(products)), products, /*pendings=*/0);
    for (auto [number, product] : llvm::zip_equal(underWay, wait.getOutputs()))
      results[number] = product;
    scf::YieldOp::create(builder, loc, results);
    builder.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(builder, loc, loop.getInitArgs());
    builder.setInsertionPointAfter(branch);
    return SmallVector<Value>(branch.getResults());
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
  SmallVector<Value> tokens;
  DenseMap<Ahead, Value> inFront, inLoop;
  /// Of products that are left under way: the numbers of their results among the loop's.
  SmallVector<unsigned> underWay;
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
