//===- UnorderedAccesses.cpp - accesses to shared memory without a barrier between them ---------------------------===//
//
// The analysis follows the control-flow graph from each access up to the next barrier. An operation with scratch space
// writes there, waits for all threads, and reads. This wait separates the operations after it from those before it. So
// in a sequence of reductions, each reduction conflicts only with the previous and the next one, and two buffers are
// enough for the whole sequence.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/UnorderedAccesses.h"
#include "lowering/analysis/Allocation.h"
#include "lowering/analysis/DataMovement.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// An operation that accesses shared memory, or that waits for all threads.
struct Event {
  struct Access {
    Operation *owner;
    bool isWrite;
  };
  SmallVector<Access, 2> before, after; ///< the accesses before and after the wait of this operation
  bool isBarrier = false;
};

Event describe(Operation *op) {
  Event event;
  for (const ttg::SharedEffect &effect : ttg::getSharedEffects(op))
    for (Operation *owner : getAllocations(effect.memory))
      if (owner)
        event.before.push_back({owner, effect.isWrite});
  event.after = event.before;
  ttg::SharedWait::Kind wait = ttg::getSharedWait(op).kind;
  event.isBarrier = wait == ttg::SharedWait::Threads || wait == ttg::SharedWait::Blocks;
  if (!isa<ttg::LocalAllocOp>(op) && getScratchBytes(op)) {
    event.isBarrier = !waitsWithinWarps(op);
    event.before.push_back({op, /*isWrite=*/true});
    event.after.push_back({op, /*isWrite=*/!event.isBarrier});
  }
  return event;
}

using Events = DenseMap<Block *, SmallVector<Event>>;

/// Calls `visit` for the events that may follow the event `events[block][begin - 1]`, up to and including the next
/// barriers.
void forEachBehind(const Events &events, Block *block, size_t begin,
                   llvm::function_ref<void(Block *, const Event &)> visit) {
  auto reachesEnd = [&](Block *block, size_t begin) {
    for (const Event &event : ArrayRef(events.find(block)->second).drop_front(begin)) {
      visit(block, event);
      if (event.isBarrier)
        return false;
    }
    return true;
  };
  SmallVector<Block *> work;
  DenseSet<Block *> seen;
  if (reachesEnd(block, begin))
    llvm::append_range(work, block->getSuccessors());
  while (!work.empty()) {
    Block *next = work.pop_back_val();
    if (seen.insert(next).second && reachesEnd(next, 0))
      llvm::append_range(work, next->getSuccessors());
  }
}

/// Numbers the cycles (strongly connected components) of the control-flow graph.
DenseMap<Block *, unsigned> findLoops(Region &body) {
  DenseMap<Block *, unsigned> loops;
  unsigned number = 0;
  for (auto group = llvm::scc_begin(&body); !group.isAtEnd(); ++group, ++number)
    if (group.hasCycle())
      for (Block *block : *group)
        loops[block] = number;
  return loops;
}

} // namespace

UnorderedAccesses::UnorderedAccesses(FunctionOpInterface func) {
  Events events;
  for (Block &block : func.getFunctionBody()) {
    events.try_emplace(&block);
    for (Operation &op : block)
      if (Event event = describe(&op); event.isBarrier || !event.before.empty())
        events[&block].push_back(std::move(event));
  }
  DenseMap<Block *, unsigned> loops = findLoops(func.getFunctionBody());
  for (Block &block : func.getFunctionBody())
    for (auto [number, earlier] : llvm::enumerate(events[&block]))
      forEachBehind(events, &block, number + 1, [&, &earlier = earlier](Block *place, const Event &later) {
        auto loop = loops.find(&block), laterLoop = loops.find(place);
        bool isRepeated = loop != loops.end() && laterLoop != loops.end() && loop->second == laterLoop->second;
        for (auto [owner, isWrite] : earlier.after)
          for (auto [other, otherWrites] : later.before)
            if (other != owner && (isWrite || otherWrites)) {
              Often &often = frequencies[std::minmax(owner, other)];
              often = std::max(often, isRepeated ? Often::Repeatedly : Often::Once);
            }
      });
}
