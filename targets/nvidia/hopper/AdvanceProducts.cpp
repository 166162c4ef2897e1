//===- AdvanceProducts.cpp - starts an iteration's first dot in the previous iteration ----------------------------===//
//
// If an iteration stores the results of its last dots (the query gradients in the backward pass of attention), the
// matrix units are idle during the stores, and until the first dot of the next iteration starts. So the pass starts the
// first dot of the next iteration before the stores:
//
//     for i:  s = k q[i]                 s = k q[0]
//             ...                        for i:  ...
//             d = ...                            d = ...
//             memory += d                        s' = k q[i + 1]
//                                                memory += d;  s = s'
//
// This is legal if the dot reads only invariant tiles, or tiles that a producer partition copies to several slots
// (SpecializeLoops.cpp). The producer fills slots in order, regardless of when the consumers wait for them. Rotated
// loops are not changed, because rotation (RotateLoops.cpp) serves the same purpose in loops that only compute. The
// last iteration has no successor; it repeats the dot of its own slot and ignores the result. So there is only one loop
// body, and no branch around a dot.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/BufferSlots.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "targets/nvidia/Passes.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUADVANCEPRODUCTS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

class Advance {
public:
  explicit Advance(scf::ForOp loop) : loop(loop), body(loop.getBody()), loc(loop.getLoc()), builder(loop) {}

  bool analyze() {
    // If the programs of a block execute different iterations, each program releases some slots without reading them.
    if (!loop->getParentOfType<ttg::WarpSpecializeOp>() || ttg::getProgramsPerBlock(loop) > 1)
      return false;
    SmallVector<ttng::WarpGroupDotOp> dots(body->getOps<ttng::WarpGroupDotOp>());
    if (dots.size() < 2)
      return false;
    first = dots.front(), last = dots.back();
    bool hasSlots = llvm::any_of(first.getOperands().take_front(2), [&](Value operand) { return isSlot(operand); });
    return hasSlots && isStoredBehind() && collect(first);
  }

  void rewrite() {
    // If the loop has no iteration, the dot must not be started, because no producer fills its slot.
    Value runs = isBelow(builder, loop, loop.getLowerBound(), loop.getUpperBound());
    auto branch = scf::IfOp::create(builder, loc, loop.getResultTypes(), runs, /*withElseRegion=*/true);
    loop->replaceAllUsesWith(branch.getResults());
    builder.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(builder, loc, loop.getInitArgs());
    loop->moveBefore(branch.thenBlock(), branch.thenBlock()->end());

    builder.setInsertionPoint(loop);
    IRMapping begin;
    begin.map(loop.getInductionVar(), loop.getLowerBound());
    begin.map(ValueRange(loop.getRegionIterArgs()), ValueRange(loop.getInitArgs()));
    Value started = clone(begin);

    builder.setInsertionPointAfter(last);
    Value isNext = isBelow(builder, loop, loop.getInductionVar(), getUpperBoundOf(builder, loop, /*ahead=*/1));
    auto choose = [&](Value next, Value now) {
      return arith::SelectOp::create(builder, loc, isNext, next, now).getResult();
    };
    IRMapping now, next;
    Value iteration = arith::AddIOp::create(builder, loc, loop.getInductionVar(), loop.getStep());
    next.map(loop.getInductionVar(), choose(iteration, loop.getInductionVar()));
    for (BlockArgument argument : carried)
      next.map(argument, choose(recompute(loop.getTiedLoopYieldedValue(argument)->get(), now), argument));
    Value ahead = clone(next);

    IRRewriter rewriter(loop.getContext());
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, started, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return SmallVector<Value>{ahead}; }));
    first.getD().replaceAllUsesWith(loop.getRegionIterArgs().back());
    for (Operation *op : llvm::reverse(needed))
      if (!isRepeatable(op) || op->use_empty())
        op->erase();
    builder.setInsertionPointAfter(loop);
    scf::YieldOp::create(builder, loc, loop.getResults().drop_back());
  }

private:
  bool isInside(Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }

  /// Returns the wait for the data of `memory` in the body of the loop; null if there is none.
  ttng::WaitBarrierOp getWait(Value memory) {
    for (Operation *user : memory.getUsers())
      if (auto wait = dyn_cast<ttng::WaitBarrierOp>(user); wait && wait->getBlock() == body)
        return wait;
    return {};
  }
  /// Returns true if `operand` is one of several slots that producer warps fill.
  bool isSlot(Value operand) {
    ViewedTile tile = getViewedTile(operand);
    return tile.index && isInside(tile.index) && !isInside(tile.memory) &&
           tile.index.getSrc().getType().getNumTiles() > 1 && getWait(tile.index);
  }

  /// Returns true if a value that depends on `first` is stored after the last dot.
  bool isStoredBehind() {
    return llvm::any_of(llvm::make_range(std::next(last->getIterator()), body->end()), [&](Operation &op) {
      return isa<tt::StoreOp, tt::AtomicRMWOp, tt::DescriptorReduceOp, tt::DescriptorStoreOp>(op) &&
             followsFrom(loop, &op, [&](Operation *source) { return source == first; });
    });
  }

  /// Adds `op`, and the operations of the loop on which `op` depends, to `needed`, in order. Returns false if one of
  /// these operations cannot be executed one iteration earlier.
  bool collect(Operation *op) {
    if (needed.contains(op))
      return true;
    bool isDot = op == first, isWait = isa<ttng::WaitBarrierOp>(op);
    if (op->getBlock() != body || op->getNumRegions() || (!isDot && !isWait && !isRepeatable(op)))
      return false;
    for (Value input : op->getOperands()) {
      if (auto argument = dyn_cast<BlockArgument>(input); argument && argument.getOwner() == body) {
        if (argument == loop.getInductionVar())
          continue;
        if (isa<RankedTensorType>(argument.getType()) || !isKnownAhead(loop.getTiedLoopYieldedValue(argument)->get()))
          return false;
        carried.insert(argument);
      } else if (isInside(input) && !collect(input.getDefiningOp())) {
        return false;
      }
    }
    // Keep `needed` in order: `op` follows the operations on which it depends, and precedes the wait for its data.
    if (isa<ttg::MemDescIndexOp>(op)) {
      needed.insert(op);
      ttng::WaitBarrierOp wait = getWait(op->getResult(0));
      return !wait || collect(wait);
    }
    needed.insert(op);
    return true;
  }
  bool isKnownAhead(Value value) {
    Operation *op = value.getDefiningOp();
    return !isInside(value) || !op ||
           (op->getBlock() == body && isRepeatable(op) && !op->getNumRegions() &&
            llvm::all_of(op->getOperands(), [&](Value operand) { return isKnownAhead(operand); }));
  }

  /// Clones `needed` with the values of `mapping`, and returns the result of the dot.
  Value clone(IRMapping &mapping) {
    for (Operation *op : needed)
      builder.clone(*op, mapping);
    return mapping.lookup(first.getD());
  }
  /// Recomputes `value`, as of this iteration, at the insertion point of the builder.
  Value recompute(Value value, IRMapping &mapping) {
    Operation *op = value.getDefiningOp();
    if (!op || !isInside(value))
      return value;
    if (Value known = mapping.lookupOrNull(value))
      return known;
    for (Value operand : op->getOperands())
      mapping.map(operand, recompute(operand, mapping));
    builder.clone(*op, mapping);
    return mapping.lookup(value);
  }

  scf::ForOp loop;
  Block *body;
  Location loc;
  OpBuilder builder;
  ttng::WarpGroupDotOp first, last;
  llvm::SetVector<Operation *> needed; ///< the first dot, and the operations on which it depends, in order
  llvm::SetVector<BlockArgument> carried;
};

struct AdvanceProducts : tilecc::impl::TritonNvidiaGPUAdvanceProductsBase<AdvanceProducts> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (Advance advance(loop); advance.analyze())
        advance.rewrite();
  }
};

} // namespace
