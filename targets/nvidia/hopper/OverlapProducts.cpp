//===- OverlapProducts.cpp - overlaps warp-group dots with the threads' computations ------------------------------===//
//
// A warp-group dot runs concurrently with the threads that started it, until these wait for it. In loops, this pass
// delays the wait as far as the use of the result allows:
//
//  - If the result is only the accumulator of the next iteration, the dot stays pending until the dot of the next
//    iteration has started, so that the matrix units do not idle between iterations. All dots of the loop must be of
//    this kind, because they complete in the order in which they start. The operands of the dot must stay unchanged
//    until then: both are in shared memory, in slots of a pipelined buffer or defined outside the loop. An operand that
//    is computed (weights of few bits) gets slots of its own for this purpose, so that its computation overlaps with
//    the dot of the previous iteration. The consumers of a specialized loop release the slots of an iteration in the
//    next iteration, after waiting for the dot that read them.
//  - Otherwise the wait precedes the first use of the result, the first operation that may overwrite an operand of the
//    dot, and the end of the iteration, whichever comes first.
//
// A dot also reads the registers of a left operand until the wait. If the loop carries that operand, its next value may
// be assigned the same registers. So the pass moves the computation of that next value after the wait. (Otherwise ptxas
// would serialize all dots: warning C7513.)
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/analysis/BufferSlots.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "targets/nvidia/Passes.h"
#include "lowering/pipeliner/LoopUtils.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUOVERLAPPRODUCTS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

using Dots = SmallVector<ttng::WarpGroupDotOp>;

//===--- across iterations ----------------------------------------------------------------------------------------===//

/// Returns true if the next iteration does not overwrite the tile of `operand`.
bool livesOn(scf::ForOp loop, Value operand) {
  ViewedTile tile = getViewedTile(operand);
  return isa<ttg::MemDescType>(operand.getType()) && loop.isDefinedOutsideOfLoop(tile.memory) &&
         (tile.index || loop.isDefinedOutsideOfLoop(operand));
}

/// Returns the allocation to which an iteration stores a tile that it has computed for dots. Returns null if `operand`
/// is not such a tile.
ttg::LocalAllocOp getComputedTile(scf::ForOp loop, Value operand) {
  auto alloc = operand.getDefiningOp<ttg::LocalAllocOp>();
  bool isComputed = alloc && alloc->getParentOp() == loop && alloc.getSrc() && !alloc.getType().getMutableMemory() &&
                    llvm::all_of(alloc->getUsers(), [](Operation *user) { return isa<ttng::WarpGroupDotOp>(user); });
  return isComputed ? alloc : ttg::LocalAllocOp();
}

bool onlyAccumulates(scf::ForOp loop, ttng::WarpGroupDotOp dot, bool keepComputed) {
  return isRunningSum(loop, dot) && llvm::all_of(ValueRange{dot.getA(), dot.getB()}, [&](Value operand) {
           return livesOn(loop, operand) || (keepComputed && getComputedTile(loop, operand));
         });
}

/// Stores the tiles that iterations compute for their dots to slots of a buffer. The dot of iteration i reads its tile
/// until the dot of iteration i + 1 has started. The barrier before the dot of iteration i + 2 tells all threads that
/// this has happened. So with three slots, no additional barrier is needed.
scf::ForOp keepComputedTiles(scf::ForOp loop, const Dots &dots) {
  constexpr int64_t count = 3;
  llvm::SetVector<ttg::LocalAllocOp> tiles;
  for (ttng::WarpGroupDotOp dot : dots)
    for (Value operand : {dot.getA(), Value(dot.getB())})
      if (ttg::LocalAllocOp tile = getComputedTile(loop, operand))
        tiles.insert(tile);
  if (tiles.empty())
    return loop;
  IRRewriter builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> buffers;
  for (ttg::LocalAllocOp tile : tiles) {
    ttg::MemDescType type = tile.getType();
    SmallVector<int64_t> shape = {count};
    llvm::append_range(shape, type.getShape());
    auto buffer = ttg::MemDescType::get(shape, type.getElementType(), type.getEncoding(), type.getMemorySpace(),
                                        /*mutableMemory=*/true, shape);
    buffers.push_back(ttg::LocalAllocOp::create(builder, tile.getLoc(), buffer, Value(), IntegerAttr()));
  }
  Value last = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(count - 1)), slot;
  loop = cast<scf::ForOp>(
      *loop.replaceWithAdditionalYields(builder, last, /*replaceInitOperandUsesInLoop=*/false,
                                        [&](OpBuilder &atEnd, Location, ArrayRef<BlockArgument> arguments) {
                                          OpBuilder::InsertionGuard guard(atEnd);
                                          atEnd.setInsertionPointToStart(arguments[0].getOwner());
                                          slot = createNextSlot(atEnd, loc, arguments[0], count);
                                          return SmallVector<Value>{slot};
                                        }));
  for (auto [tile, buffer] : llvm::zip_equal(tiles.takeVector(), buffers)) {
    builder.setInsertionPoint(tile);
    ttg::MemDescType type = tile.getType();
    auto view =
        ttg::MemDescIndexOp::create(builder, tile.getLoc(),
                                    ttg::MemDescType::get(type.getShape(), type.getElementType(), type.getEncoding(),
                                                          type.getMemorySpace(), /*mutableMemory=*/true),
                                    buffer, slot);
    ttg::LocalStoreOp::create(builder, tile.getLoc(), tile.getSrc(), view);
    builder.replaceOp(tile, view);
    builder.setInsertionPointAfter(loop);
    ttg::LocalDeallocOp::create(builder, loc, buffer);
  }
  return loop;
}

/// Returns true if the dots themselves release every slot that they read and that the loop refills, so that no thread
/// has to wait for the dots. Returns false for dots with scales: threads refill the scales, which have no slots, so the
/// threads must wait for the dots first.
bool releaseTheirTiles(scf::ForOp loop, const Dots &dots) {
  return llvm::all_of(dots, [&](ttng::WarpGroupDotOp dot) {
    return ttng::accumulatesInTensorMemory(dot) && !dot.getAScale() &&
           llvm::all_of(ValueRange{dot.getA(), dot.getB()}, [&](Value operand) {
             ViewedTile tile = getViewedTile(operand);
             return loop.isDefinedOutsideOfLoop(operand) ||
                    llvm::any_of(loop.getBody()->getOps<ttng::ArriveBarrierOp>(), [&](ttng::ArriveBarrierOp arrive) {
                      return arrive.getByDots() && llvm::any_of(arrive.getRead(), [&](Value read) {
                               return getViewedTile(read).memory == tile.memory;
                             });
                    });
           });
  });
}

/// The arrivals with which the consumer warps of a specialized loop release the slots that the dots of an iteration
/// read.
class SlotReleases {
public:
  explicit SlotReleases(scf::ForOp loop) {
    for (auto arrive : loop.getBody()->getOps<ttng::ArriveBarrierOp>())
      if (!arrive.getByDots())
        arrivals.push_back(arrive);
  }

  bool empty() const { return arrivals.empty(); }

  /// Returns true if all arrivals can be postponed to the next iteration, because each releases one of several slots.
  bool canBePostponed() const {
    return llvm::all_of(arrivals, [](ttng::ArriveBarrierOp arrive) {
      auto barrier = arrive.getAlloc().getDefiningOp<ttg::MemDescIndexOp>();
      return barrier && !arrive.getPred() && barrier.getSrc().getType().getNumTiles() > 1 &&
             llvm::all_of(arrive.getRead(), [&](Value read) {
               auto tile = read.getDefiningOp<ttg::MemDescIndexOp>();
               return tile && tile.getIndex() == barrier.getIndex();
             });
    });
  }

  /// Makes `loop` carry the slots that an iteration reads to the next iteration. Returns the new loop.
  scf::ForOp carrySlots(scf::ForOp loop) {
    if (empty())
      return loop;
    for (ttng::ArriveBarrierOp arrive : arrivals)
      slots.insert(getSlot(arrive));
    IRRewriter builder(loop);
    Value none = arith::ConstantOp::create(builder, loop.getLoc(), builder.getI32IntegerAttr(0));
    firstNumber = loop.getNumResults();
    return cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        builder, SmallVector<Value>(slots.size(), none), /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return SmallVector<Value>(slots.getArrayRef()); }));
  }

  /// Releases the slots of the previous iteration, if there was one, at the insertion point of `builder`.
  void freePrevious(OpBuilder &builder, scf::ForOp loop) {
    if (empty())
      return;
    Value hasPrevious = arith::CmpIOp::create(builder, loop.getLoc(), arith::CmpIPredicate::ne, loop.getInductionVar(),
                                              loop.getLowerBound());
    free(builder, ValueRange(loop.getRegionIterArgs()).drop_front(firstNumber), hasPrevious);
  }

  /// Releases the slots of the last iteration, after the loop, and erases the original arrivals.
  void freeLast(OpBuilder &builder, scf::ForOp loop) {
    free(builder, loop.getResults().drop_front(firstNumber), /*predicate=*/{});
    for (ttng::ArriveBarrierOp arrive : arrivals)
      arrive.erase();
  }

private:
  static Value getSlot(ttng::ArriveBarrierOp arrive) {
    return arrive.getAlloc().getDefiningOp<ttg::MemDescIndexOp>().getIndex();
  }

  void free(OpBuilder &builder, ValueRange carried, Value predicate) {
    for (ttng::ArriveBarrierOp arrive : arrivals) {
      Value slot = carried[llvm::find(slots, getSlot(arrive)) - slots.begin()];
      auto moveTo = [&](Value view) -> Value {
        auto index = view.getDefiningOp<ttg::MemDescIndexOp>();
        return ttg::MemDescIndexOp::create(builder, index.getLoc(), index.getType(), index.getSrc(), slot);
      };
      SmallVector<Value> read = llvm::map_to_vector(arrive.getRead(), moveTo);
      ttng::ArriveBarrierOp::create(builder, arrive.getLoc(), moveTo(arrive.getAlloc()), arrive.getCount(), predicate,
                                    read, arrive.getPerWarp(), /*byDots=*/false, arrive.getAllBlocks());
    }
  }

  SmallVector<ttng::ArriveBarrierOp> arrivals;
  llvm::SetVector<Value> slots; ///< the slots that an iteration reads
  unsigned firstNumber = 0; ///< the number of the first loop result that carries a slot
};

/// Moves the loop and its last wait into a branch that is taken if there are iterations. Without the branch, a path
/// without pending dots would lead to the wait, and ptxas would serialize the dots (warning C7515).
void leaveInFlight(scf::ForOp loop, const Dots &dots, SlotReleases &releases) {
  loop = releases.carrySlots(loop);
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> sums;
  SmallVector<unsigned> numbers;
  for (ttng::WarpGroupDotOp dot : dots) {
    dot.setIsAsync(true);
    sums.push_back(dot.getD());
    numbers.push_back(cast<BlockArgument>(dot.getC()).getArgNumber() - 1);
  }
  if (!releases.empty() || !releaseTheirTiles(loop, dots)) {
    builder.setInsertionPointAfter(dots.back());
    auto wait = ttng::WarpGroupDotWaitOp::create(builder, loc, TypeRange(ValueRange(sums)), sums, dots.size());
    for (auto [number, sum] : llvm::zip_equal(numbers, wait.getOutputs()))
      loop.getBody()->getTerminator()->setOperand(number, sum);
    releases.freePrevious(builder, loop);
  }

  builder.setInsertionPoint(loop);
  Value runs = isBelow(builder, loop, loop.getLowerBound(), loop.getUpperBound());
  auto branch = scf::IfOp::create(builder, loc, loop.getResultTypes(), runs, /*withElseRegion=*/true);
  loop->replaceAllUsesWith(branch.getResults());
  loop->moveBefore(branch.thenBlock(), branch.thenBlock()->end());
  builder.setInsertionPointToEnd(branch.thenBlock());
  SmallVector<Value> results(loop.getResults());
  for (auto [number, sum] : llvm::zip_equal(numbers, sums))
    sum = results[number];
  auto last = ttng::WarpGroupDotWaitOp::create(builder, loc, TypeRange(ValueRange(sums)), sums, /*pendings=*/0);
  for (auto [number, sum] : llvm::zip_equal(numbers, last.getOutputs()))
    results[number] = sum;
  releases.freeLast(builder, loop);
  scf::YieldOp::create(builder, loc, results);
  builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(builder, loc, loop.getInitArgs());
}

//===--- within an iteration --------------------------------------------------------------------------------------===//

class Iteration {
public:
  explicit Iteration(scf::ForOp loop) : loop(loop) {}

  void overlap() {
    for (Operation &op : llvm::make_early_inc_range(*loop.getBody())) {
      // An arrival signals that the tile has been read, so it must follow the wait for the dot.
      if (auto arrive = dyn_cast<ttng::ArriveBarrierOp>(op); arrive && !arrive.getByDots() && isReadByDots(arrive)) {
        arrivals.push_back(arrive);
        continue;
      }
      // Dots complete in the order in which they start.
      unsigned done = 0;
      for (auto [position, dot] : llvm::enumerate(inFlight))
        if (op.hasTrait<OpTrait::IsTerminator>() || uses(&op, dot.getD()) || disturbs(&op, dot))
          done = position + 1;
      if (done)
        waitFor(done, &op);
      if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op))
        inFlight.push_back(dot);
    }
  }

private:
  static bool uses(Operation *op, Value value) {
    bool found = false;
    forEachInput(op, [&](Value input) { found |= input == value; });
    return found;
  }

  static bool reads(ttng::WarpGroupDotOp dot, ttng::ArriveBarrierOp arrive) {
    return llvm::any_of(arrive.getRead(),
                        [&](Value tile) { return mayBeSame(tile, dot.getA()) || mayBeSame(tile, dot.getB()); });
  }
  bool isReadByDots(ttng::ArriveBarrierOp arrive) {
    return llvm::any_of(inFlight, [&](ttng::WarpGroupDotOp dot) { return reads(dot, arrive); });
  }

  /// Returns true if `op` may overwrite an operand of a pending dot.
  bool disturbs(Operation *op, ttng::WarpGroupDotOp dot) {
    if (auto arrive = dyn_cast<ttng::ArriveBarrierOp>(op))
      return arrive.getRead().empty();
    if (op->getNumRegions() && !isMemoryEffectFree(op))
      return true;
    return llvm::any_of(ttg::getSharedEffects(op), [&](const ttg::SharedEffect &effect) {
      return effect.isWrite && (mayBeSame(effect.memory, dot.getA()) || mayBeSame(effect.memory, dot.getB()));
    });
  }
  static bool mayBeSame(Value written, Value read) {
    if (!isa<ttg::MemDescType>(read.getType()))
      return false;
    SmallVector<Operation *> owners = getAllocations(written), others = getAllocations(read);
    if (owners.size() != 1 || others.size() != 1 || !owners[0] || !others[0])
      return true;
    if (owners[0] != others[0])
      return false;
    // In its iteration, a pipelined loop fills the slot before the slot that it reads.
    ttg::MemDescIndexOp to = getViewedTile(written).index, from = getViewedTile(read).index;
    int64_t count = to ? to.getSrc().getType().getNumTiles() : 1;
    return !to || !from || count == 1 || matchNextSlot(from.getIndex(), count) != to.getIndex();
  }

  /// Waits for the oldest `count` dots before `op`.
  void waitFor(unsigned count, Operation *op) {
    Dots done(inFlight.begin(), inFlight.begin() + count);
    inFlight.erase(inFlight.begin(), inFlight.begin() + count);
    if (inFlight.empty() && arrivals.empty() && count == 1 && done[0]->getNextNode() == op)
      return; // there is nothing to overlap with
    OpBuilder builder(op);
    SmallVector<Value> waiting;
    for (ttng::WarpGroupDotOp dot : done)
      waiting.push_back(dot.getD());
    SmallVector<Operation *> conversions;
    for (ttng::WarpGroupDotOp dot : done) {
      if (Value source = getNextSource(dot, op, conversions))
        waiting.push_back(source);
      // Keep a tile that belongs to this iteration live until the wait.
      for (Value operand : {dot.getA(), Value(dot.getB())})
        if (isa<ttg::MemDescType>(operand.getType()) && !loop.isDefinedOutsideOfLoop(getViewedTile(operand).memory))
          waiting.push_back(operand);
    }
    auto wait = ttng::WarpGroupDotWaitOp::create(builder, done.back().getLoc(), TypeRange(ValueRange(waiting)), waiting,
                                                 inFlight.size());
    Operation *last = wait;
    for (Operation *conversion : conversions) {
      conversion->moveAfter(last);
      last = conversion;
    }
    for (ttng::ArriveBarrierOp arrive : llvm::to_vector(arrivals))
      if (!isReadByDots(arrive)) {
        arrive->moveAfter(last);
        last = arrive;
        llvm::erase(arrivals, arrive);
      }
    for (ttng::WarpGroupDotOp dot : done)
      dot.setIsAsync(true);
    for (auto [value, after] : llvm::zip_equal(waiting, wait.getOutputs()))
      if (isa<RankedTensorType>(value.getType()))
        value.replaceUsesWithIf(after, [&](OpOperand &use) {
          Operation *user = loop.getBody()->findAncestorOpInBlock(*use.getOwner());
          return !user || wait->isBeforeInBlock(user);
        });
  }

  /// Returns the value from which the next value of a left operand in registers is converted, if that value is
  /// available before `op`. Adds the conversions to `conversions`. Returns null otherwise.
  Value getNextSource(ttng::WarpGroupDotOp dot, Operation *op, SmallVectorImpl<Operation *> &conversions) {
    SmallVector<Operation *> backwards;
    auto argument = dyn_cast<BlockArgument>(dot.getA());
    if (!argument || argument.getOwner() != loop.getBody())
      return {};
    Value source = loop.getTiedLoopYieldedValue(argument)->get();
    Operation *made = source.getDefiningOp();
    while (made && made->getBlock() == loop.getBody() && made->getResult(0).hasOneUse() &&
           isa<tt::FpToFpOp, arith::TruncFOp, ttg::ConvertLayoutOp>(made)) {
      backwards.push_back(made);
      source = made->getOperand(0);
      made = source.getDefiningOp();
    }
    bool fillsRegisters = tt::getElementBits(cast<RankedTensorType>(source.getType()).getElementType()) == 32;
    if (!made || made->getBlock() != loop.getBody() || !made->isBeforeInBlock(op) || !fillsRegisters)
      return {};
    conversions.append(backwards.rbegin(), backwards.rend());
    return source;
  }

  scf::ForOp loop;
  Dots inFlight; ///< oldest first
  SmallVector<ttng::ArriveBarrierOp> arrivals; ///< arrivals that must follow pending dots
};

//===--- turns ----------------------------------------------------------------------------------------------------===//

/// Makes warp groups that compute between their dots issue their dots one group after the other: one group computes
/// while the dots of another group run, so that groups do not contend for the matrix units. This applies to two or
/// three groups; of four groups, two should run at the same time (measured with hand-written kernels). A turn is the
/// code between ttng.take_turn and ttng.pass_turn. It contains the start of all dots of an iteration and nothing else:
/// a wait for a dot would defeat the purpose, and the other groups could never reach a barrier of all threads. The
/// programs of a block also take turns in iterations that only other programs execute, so that all programs have the
/// same number of turns. If a rotated loop has iterations, its number of turns is one less.
void takeTurns(scf::ForOp loop) {
  unsigned groups = ttg::getNumWarps(loop) * ttg::getProgramsPerBlock(loop) / 4;
  Dots dots(loop.getBody()->getOps<ttng::WarpGroupDotOp>());
  if (groups < 2 || groups > 3 || !loop->getParentOfType<ttg::WarpSpecializeOp>() ||
      llvm::any_of(dots, ttng::accumulatesInTensorMemory)) // one thread starts the dots of all warp groups
    return;
  bool computesBeside = llvm::any_of(loop.getBody()->getOps<ttng::WarpGroupDotWaitOp>(),
                                     [](ttng::WarpGroupDotWaitOp wait) { return wait.getPendings() > 0; });
  auto turn = llvm::make_range(dots.front()->getIterator(), dots.back()->getIterator());
  bool startsAlone = llvm::all_of(turn, [](Operation &op) {
    return isa<ttng::WarpGroupDotOp, ttng::WaitBarrierOp>(op) ||
           (isMemoryEffectFree(&op) && !getScratchBytes(&op) && !op.getNumRegions());
  });
  if (!computesBeside || !startsAlone)
    return;
  Block &program = loop->getParentOfType<ttg::WarpSpecializeOp>().getDefaultRegion().front();
  Operation *own = program.findAncestorOpInBlock(*loop), *before = own, *behind = own;
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  auto takeAndPass = [&] {
    ttng::TakeTurnOp::create(builder, loc, /*last=*/false);
    ttng::PassTurnOp::create(builder, loc, /*first=*/false);
  };
  if (loop->hasAttr(ttng::unevenAttr)) {
    while (!before->hasAttr(ttng::othersIterationsAttr))
      before = before->getPrevNode();
    while (!behind->hasAttr(ttng::othersIterationsAttr))
      behind = behind->getNextNode();
    auto first = cast<scf::ForOp>(before), last = cast<scf::ForOp>(behind);
    builder.setInsertionPointToStart(first.getBody());
    takeAndPass();
    builder.setInsertionPointToStart(last.getBody());
    bool isRotated = own != loop.getOperation(); // it is inside a branch
    if (isRotated) {
      Value isBehind =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, last.getInductionVar(), first.getLowerBound());
      builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, isBehind, /*withElseRegion=*/false).thenBlock());
    }
    takeAndPass();
  }
  builder.setInsertionPoint(dots.front());
  ttng::TakeTurnOp::create(builder, loc, /*last=*/false);
  builder.setInsertionPointAfter(dots.back());
  ttng::PassTurnOp::create(builder, loc, /*first=*/false);
  // If there is a previous loop, the turn that was passed to the first group before that loop is still available after
  // it. So this loop needs no such pass_turn, and the final take_turn of the previous loop moves after this loop.
  auto turns =
      llvm::make_filter_range(program.getOps<ttng::TakeTurnOp>(), [](ttng::TakeTurnOp turn) { return turn.getLast(); });
  if (!turns.empty()) {
    (*turns.begin())->moveAfter(behind);
    return;
  }
  builder.setInsertionPoint(before);
  ttng::PassTurnOp::create(builder, loc, /*first=*/true);
  builder.setInsertionPointAfter(behind);
  ttng::TakeTurnOp::create(builder, loc, /*last=*/true);
}

struct OverlapProducts : tilecc::impl::TritonNvidiaGPUOverlapProductsBase<OverlapProducts> {
  using TritonNvidiaGPUOverlapProductsBase::TritonNvidiaGPUOverlapProductsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      Dots dots(loop.getBody()->getOps<ttng::WarpGroupDotOp>());
      if (llvm::any_of(dots, [](ttng::WarpGroupDotOp dot) { return dot.getIsAsync(); }))
        continue; // the source already contains asynchronous dots
      SlotReleases releases(loop);
      if (!dots.empty() && releases.canBePostponed() &&
          llvm::all_of(dots, [&](auto dot) { return onlyAccumulates(loop, dot, keepComputed); }))
        leaveInFlight(keepComputedTiles(loop, dots), dots, releases);
      else if (!dots.empty()) {
        Iteration(loop).overlap();
        takeTurns(loop);
      }
    }
  }
};

} // namespace
