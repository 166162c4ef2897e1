#include "lowering/analysis/DataMovement.h"
#include "lowering/passes/Passes.h"
#include <set>

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUMEMBAR
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Bytes [begin, end) of shared memory that some thread may still be reading. Every operation with scratch space writes
/// it, waits for all threads, and reads it: what was pending before the wait is over, and its own reads are pending.
using Pending = std::set<std::pair<int64_t, int64_t>>;

std::optional<std::pair<int64_t, int64_t>> getScratch(Operation *op) {
  auto offset = op->getAttrOfType<IntegerAttr>(ttg::allocationOffsetAttr);
  if (!offset)
    return std::nullopt;
  return std::pair(offset.getInt(), offset.getInt() + getScratchBytes(op));
}

/// What is pending after `block`, given what is before; inserts barriers where `insert` is set.
Pending transfer(Block &block, Pending pending, bool insert) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<ttg::LocalBarrierOp, gpu::BarrierOp>(op))
      pending.clear();
    auto scratch = getScratch(&op);
    if (!scratch)
      continue;
    bool overlaps = llvm::any_of(pending, [&](auto other) {
      return other.first < scratch->second && scratch->first < other.second;
    });
    if (overlaps && insert) {
      OpBuilder builder(&op);
      ttg::LocalBarrierOp::create(builder, op.getLoc());
    }
    pending = {*scratch};
  }
  return pending;
}

struct Membar : tilecc::impl::TritonGPUMembarBase<Membar> {
  void runOnOperation() override {
    getOperation().walk([&](tt::FuncOp func) {
      if (failed(insertBarriers(func)))
        signalPassFailure();
    });
  }

  LogicalResult insertBarriers(tt::FuncOp func) {
    WalkResult nested = func.walk([&](Operation *op) {
      if (getScratch(op) && op->getParentOp() != func) {
        op->emitOpError("uses shared memory inside structured control flow, which has to be lowered before barriers "
                        "are inserted");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (nested.wasInterrupted())
      return failure();
    // Barriers do not change what is pending after an operation, so the fixpoint can be found before inserting any.
    DenseMap<Block *, Pending> before;
    SmallVector<Block *> worklist;
    for (Block &block : func.getBody())
      worklist.push_back(&block);
    while (!worklist.empty()) {
      Block *block = worklist.pop_back_val();
      Pending after = transfer(*block, before[block], /*insert=*/false);
      for (Block *successor : block->getSuccessors()) {
        Pending &known = before[successor];
        size_t size = known.size();
        known.insert(after.begin(), after.end());
        if (known.size() != size)
          worklist.push_back(successor);
      }
    }
    for (Block &block : func.getBody())
      transfer(block, before[&block], /*insert=*/true);
    return success();
  }
};

} // namespace
