//===- DotWaits.cpp - waits for dots that accumulate in tensor memory ---------------------------------------------===//
//
// If a loop waits for a dot, the dot arrives on a barrier of its own, whose phase flips once per iteration. If an
// iteration waits for the dots of the previous iteration, each dot has two barriers and uses them alternately, because
// the next dot may be complete by then. All warps wait on the barrier and then for each other. Otherwise a warp that is
// two phases late would see the parity that it is not waiting for, and wait for a third phase. If the dots release the
// slots that they read, no warp waits in the loop, and a single wait on a barrier after the loop covers all dots.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/blackwell/DotWaits.h"
#include "lowering/analysis/BufferSlots.h"
#include "lowering/pipeliner/SlotBarriers.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::blackwell;

namespace {

using Dots = SmallVector<ttng::WarpGroupDotOp>;

Dots getDots(Block &block) {
  Dots dots;
  for (auto dot : block.getOps<ttng::WarpGroupDotOp>())
    if (ttng::accumulatesInTensorMemory(dot))
      dots.push_back(dot);
  return dots;
}

/// Replaces the waits for the dots of one loop by waits on barriers.
class LoopWaits {
public:
  LoopWaits(scf::ForOp loop, Dots dots, Completions &completions)
      : loop(loop), loc(loop.getLoc()), builder(loop), dots(std::move(dots)), completions(completions) {}

  void run() {
    for (ttng::WarpGroupDotOp dot : dots)
      if (!dot.getIsAsync())
        waitAtOnce(dot);
    findWaits();
    assert(!waits.empty() && "nobody waits for the dots");
    if (llvm::all_of(waits, [](const Wait &wait) { return wait.isBehind; }))
      return waitOnce();
    Value zero = integer(0);
    for (const Wait &wait : waits)
      ends[wait.dot].isDouble |= wait.isOfLast;
    for (auto &[dot, end] : ends)
      end.barriers.emplace(builder, loc, end.isDouble ? 2 : 1, /*fillers=*/1, pipeline::SlotReaders{0});
    // Count iterations.
    Value count;
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, zero, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &atEnd, Location, ArrayRef<BlockArgument> arguments) {
          count = arguments[0];
          Value one = arith::ConstantOp::create(atEnd, loc, atEnd.getI32IntegerAttr(1));
          return SmallVector<Value>{arith::AddIOp::create(atEnd, loc, count, one)};
        }));
    bool areDouble = false;
    for (auto &[number, end] : ends) {
      builder.setInsertionPoint(dots[number]);
      completions[dots[number]].barrier = getBarrier(number, count);
      areDouble |= end.isDouble;
    }
    if (areDouble)
      for (ttng::WarpGroupDotOp dot : dots) {
        builder.setInsertionPoint(dot);
        completions[dot].slot = arith::AndIOp::create(builder, loc, count, integer(1));
      }
    Operation *last = loop;
    for (Wait &wait : waits) {
      builder.setInsertionPoint(wait.op);
      Value iteration = wait.isBehind ? loop.getResults().back() : count;
      if (wait.isBehind || wait.isOfLast)
        iteration = arith::SubIOp::create(builder, loc, iteration, integer(1));
      waitFor(wait, iteration);
      if (wait.isBehind)
        last = wait.op;
    }
    builder.setInsertionPointAfter(last);
    for (auto &[number, end] : ends)
      end.barriers->destroy(builder, loc);
  }

private:
  struct Wait {
    ttng::WarpGroupDotWaitOp op;
    unsigned dot; ///< the last dot for which this waits
    bool isOfLast; ///< waits for the last dot of the previous iteration
    bool isBehind; ///< this is after the loop
  };
  /// The barriers on which a dot arrives.
  struct End {
    std::optional<pipeline::SlotBarriers> barriers;
    bool isDouble = false; ///< two barriers, used alternately
  };

  Value integer(int32_t value) { return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value)); }

  void waitAtOnce(ttng::WarpGroupDotOp dot) {
    dot.setIsAsync(true);
    OpBuilder behind(dot);
    behind.setInsertionPointAfter(dot);
    Value sum = dot.getD();
    auto wait = ttng::WarpGroupDotWaitOp::create(behind, dot.getLoc(), TypeRange(sum.getType()), sum,
                                                 /*pendings=*/0);
    sum.replaceAllUsesExcept(wait.getResult(0), wait);
  }

  /// Waits after the loop for all dots that it has started.
  void waitOnce() {
    pipeline::SlotBarriers done(builder, loc, /*count=*/1, /*fillers=*/1, pipeline::SlotReaders{0});
    builder.setInsertionPoint(waits.front().op);
    Value zero = integer(0), barrier = done.getFull(builder, loc, zero);
    ttng::TCGen5CommitOp::create(builder, loc, barrier, /*pred=*/Value());
    auto waiting = ttng::WaitBarrierOp::create(builder, loc, barrier, zero, /*pred=*/Value(), /*deps=*/ValueRange());
    for (ttng::WarpGroupDotOp dot : dots)
      completions[dot].waits.push_back(waiting);
    builder.setInsertionPointAfter(waits.back().op);
    done.destroy(builder, loc);
  }

  void findWaits() {
    unsigned started = 0;
    for (Operation &op : *loop.getBody()) {
      if (llvm::is_contained(dots, &op))
        ++started;
      auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(op);
      if (!wait)
        continue;
      bool isOfLast = wait.getPendings() >= started;
      unsigned left = started + (isOfLast ? dots.size() : 0);
      assert(left > wait.getPendings() && "more dots are in flight than two iterations start");
      waits.push_back({wait, left - wait.getPendings() - 1, isOfLast, /*isBehind=*/false});
    }
    auto isOfLoop = [&](Value input) { return input.getDefiningOp() == loop.getOperation(); };
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
      if (auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(op); wait && llvm::any_of(wait.getInputs(), isOfLoop))
        waits.push_back({wait, unsigned(dots.size()) - 1, /*isOfLast=*/true, /*isBehind=*/true});
  }

  /// Returns the barrier on which the dot arrives in that iteration.
  Value getBarrier(unsigned number, Value iteration) {
    const End &end = ends.at(number);
    Value slot = end.isDouble ? arith::AndIOp::create(builder, loc, iteration, integer(1)).getResult() : integer(0);
    return end.barriers->getFull(builder, loc, slot);
  }

  void waitFor(Wait &wait, Value iteration) {
    Value turns = iteration;
    if (ends.at(wait.dot).isDouble)
      turns = arith::ShRSIOp::create(builder, loc, iteration, integer(1));
    Value parity = arith::AndIOp::create(builder, loc, turns, integer(1));
    SmallVector<Value> read;
    for (Value input : wait.op.getInputs())
      if (isa<ttg::MemDescType>(input.getType()))
        read.push_back(input);
    Value barrier = getBarrier(wait.dot, iteration);
    auto waiting = ttng::WaitBarrierOp::create(builder, wait.op.getLoc(), barrier, parity, Value(), read);
    // A wait for a dot means that earlier dots are complete, too. After the loop, all dots are complete.
    if (wait.isBehind)
      complete = 0;
    for (; complete <= wait.dot && wait.isBehind == wait.isOfLast; ++complete)
      completions[dots[complete]].waits.push_back(waiting);
    if (!wait.isBehind)
      ttg::LocalBarrierOp::create(builder, wait.op.getLoc());
  }

  scf::ForOp loop;
  Location loc;
  OpBuilder builder;
  IRRewriter rewriter{builder};
  Dots dots;
  Completions &completions;
  SmallVector<Wait> waits;
  unsigned complete = 0; ///< the number of dots of an iteration for which a wait has been created
  std::map<unsigned, End> ends; ///< indexed by the numbers of dots
};

} // namespace

void blackwell::replaceWaits(scf::ForOp loop, Completions &completions) {
  if (Dots dots = getDots(*loop.getBody()); !dots.empty())
    LoopWaits(loop, std::move(dots), completions).run();
}

void blackwell::arriveByDot(ttng::ArriveBarrierOp arrive) {
  auto reads = [&](ttng::MMAv5OpInterface dot) {
    return llvm::any_of(arrive.getRead(), [&](Value tile) {
      Value memory = getViewedTile(tile).memory;
      return getViewedTile(dot.getA()).memory == memory || getViewedTile(dot.getB()).memory == memory;
    });
  };
  ttng::MMAv5OpInterface dot;
  for (Operation *op = arrive->getPrevNode(); op && !dot && !op->getNumRegions(); op = op->getPrevNode())
    if (auto before = dyn_cast<ttng::MMAv5OpInterface>(op); before && reads(before))
      dot = before;
  arrive.setByDots(false);
  if (!dot || !dot.getIsAsync())
    return;
  // Move the operations that compute the barrier before the dot.
  llvm::SetVector<Operation *> names;
  BackwardSliceOptions behind;
  behind.filter = [&](Operation *op) { return op->getBlock() == dot->getBlock() && dot->isBeforeInBlock(op); };
  behind.inclusive = true;
  if (failed(getBackwardSlice(arrive.getAlloc(), &names, behind)) || !llvm::all_of(names, isPure))
    llvm::reportFatalInternalError("a slot's barrier is named by what has side effects");
  for (Operation *op : names)
    op->moveBefore(dot);
  OpBuilder builder(dot);
  SmallVector<Value> barriers = {arrive.getAlloc()},
                     predicates = {arith::ConstantOp::create(builder, arrive.getLoc(), builder.getBoolAttr(true))};
  llvm::append_range(barriers, dot.getBarriers());
  llvm::append_range(predicates, dot.getBarrierPreds());
  dot.getBarriersMutable().assign(barriers);
  dot.getBarrierPredsMutable().assign(predicates);
  arrive.erase();
}
