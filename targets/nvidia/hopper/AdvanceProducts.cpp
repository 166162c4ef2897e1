//===- AdvanceProducts.cpp - an iteration's first product behind the last of the one before -----------------------------===//
//
// Where an iteration puts into memory what its last products make (the gradients of queries in attention's backward), the matrix units
// have nothing to do meanwhile, nor until the next iteration has begun. So its first product starts here already:
//
//     for i:  s = k q[i]                 s = k q[0]
//             ...                        for i:  ...
//             d = ...                            d = ...
//             memory += d                        s' = k q[i + 1]
//                                                memory += d;  s = s'
//
// Legal where the product reads nothing but tiles that a partition of its own copies to several slots (SpecializeLoops.cpp) or that are
// there before the loop: slots are filled in their order, whoever waits for them when. Not where the loop is rotated (RotateLoops.cpp),
// which serves the same end, and is for loops that only compute. The last iteration has no next one: it makes the product of its own slot
// once more, for nobody; so there is one body, and no branch around a product.
//
//===---------------------------------------------------------------------------------------------------------------===//

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
    // Programs that share a block give slots back unread where others make more iterations.
    if (!loop->getParentOfType<ttg::WarpSpecializeOp>() || ttg::getProgramsPerBlock(loop) > 1)
      return false;
    SmallVector<ttng::WarpGroupDotOp> products(body->getOps<ttng::WarpGroupDotOp>());
    if (products.size() < 2)
      return false;
    first = products.front(), last = products.back();
    bool hasSlots = llvm::any_of(first.getOperands().take_front(2), [&](Value operand) { return isSlot(operand); });
    return hasSlots && isStoredBehind() && collect(first);
  }

  void rewrite() {
    // No iteration, no product: its slot is never filled.
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
    auto choose = [&](Value next, Value now) { return arith::SelectOp::create(builder, loc, isNext, next, now).getResult(); };
    IRMapping now, next;
    Value iteration = arith::AddIOp::create(builder, loc, loop.getInductionVar(), loop.getStep());
    next.map(loop.getInductionVar(), choose(iteration, loop.getInductionVar()));
    for (BlockArgument argument : carried)
      next.map(argument, choose(recompute(loop.getTiedLoopYieldedValue(argument)->get(), now), argument));
    Value ahead = clone(next);

    IRRewriter rewriter(loop.getContext());
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(rewriter, started, /*replaceInitOperandUsesInLoop=*/false,
                                                              [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
                                                                return SmallVector<Value>{ahead};
                                                              }));
    first.getD().replaceAllUsesWith(loop.getRegionIterArgs().back());
    for (Operation *op : llvm::reverse(needed))
      if (!isRepeatable(op) || op->use_empty())
        op->erase();
    builder.setInsertionPointAfter(loop);
    scf::YieldOp::create(builder, loc, loop.getResults().drop_back());
  }

private:
  bool isInside(Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }

  /// The wait for what `memory`, of this iteration, is filled with; null where there is none.
  ttng::WaitBarrierOp getWait(Value memory) {
    for (Operation *user : memory.getUsers())
      if (auto wait = dyn_cast<ttng::WaitBarrierOp>(user); wait && wait->getBlock() == body)
        return wait;
    return {};
  }
  /// One of several tiles that others fill.
  bool isSlot(Value operand) {
    ViewedTile tile = getViewedTile(operand);
    return tile.index && isInside(tile.index) && !isInside(tile.memory) && tile.index.getSrc().getType().getNumTiles() > 1 &&
           getWait(tile.index);
  }

  /// Whether what follows from `first` by products goes to memory behind the last of them.
  bool isStoredBehind() {
    return llvm::any_of(llvm::make_range(std::next(last->getIterator()), body->end()), [&](Operation &op) {
      return isa<tt::StoreOp, tt::AtomicRMWOp, tt::DescriptorReduceOp, tt::DescriptorStoreOp>(op) &&
             followsFrom(loop, &op, [&](Operation *source) { return source == first; });
    });
  }

  /// Adds `op`, and what of the loop it needs, in their order; false if something cannot be ahead.
  bool collect(Operation *op) {
    if (needed.contains(op))
      return true;
    bool isProduct = op == first, isWait = isa<ttng::WaitBarrierOp>(op);
    if (op->getBlock() != body || op->getNumRegions() || (!isProduct && !isWait && !isRepeatable(op)))
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
    // In its place among others: behind what it needs, in front of what needs it.
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
           (op->getBlock() == body && isRepeatable(op) && !op->getNumRegions() && llvm::all_of(op->getOperands(), [&](Value operand) {
              return isKnownAhead(operand);
            }));
  }

  /// What `needed` computes from the values of `mapping`; returns the product.
  Value clone(IRMapping &mapping) {
    for (Operation *op : needed)
      builder.clone(*op, mapping);
    return mapping.lookup(first.getD());
  }
  /// `value` of this iteration, where the builder is.
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
  llvm::SetVector<Operation *> needed; ///< by the first product, in order; with it
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
