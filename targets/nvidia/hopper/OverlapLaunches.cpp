//===- OverlapLaunches.cpp - launches that begin before the previous one has ended --------------------------------===//
//
// When a launch ends, its writes become visible, the GPU's front end learns of the end, and it distributes the blocks
// of the next launch. This takes one to two microseconds, in which no multiprocessor works. A kernel that waits for the
// previous launch by itself can be launched earlier (programmatic dependent launch): as soon as all blocks of the
// previous launch have exited, the blocks of this one start, compute what does not depend on memory (barriers, indices,
// masks), and then wait until the writes of the previous launch are visible.
//
// A kernel does not trigger the next launch earlier than its blocks exit. Blocks that only wait would occupy
// multiprocessors, on which other streams could have run, and gain no time (bench/gpu/NOTES.md).
//
// The exception is a grid whose programs are launched in two parts (NumberPrograms.cpp). The first part triggers the
// second one at its beginning, after its own wait, so that everything before both has ended. The second part does not
// wait at its beginning, but at its end, so that it ends after the first. Instructions with a predicate, not branches,
// distinguish the parts (GridDependencyPatterns.cpp): behind a branch, ptxas no longer knows that warps are converged.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/Architectures.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "targets/nvidia/Passes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUOVERLAPLAUNCHES
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

/// Returns true if a kernel must have waited before `op`.
bool needsWait(Operation *op) {
  // One thread executes this operation together with the copy that follows it. If they were separated, the thread would
  // be selected twice.
  if (isa<ttng::BarrierExpectOp>(op))
    return true;
  if (tt::getGlobalAccess(op) || op->hasTrait<tt::AccessesTensor>() || op->hasTrait<tt::MayAccessGlobal>() ||
      isa<CallOpInterface>(op))
    return true;
  // Operations of our dialects declare their accesses, so the others do not access global memory.
  const bool isOurs = isa<tt::TTDialect, ttg::TTGDialect, ttng::TTNGDialect>(op->getDialect());
  return !isOurs && !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() && !isMemoryEffectFree(op);
}

bool containsAccess(Operation &op) {
  auto visit = [](Operation *inner) { return needsWait(inner) ? WalkResult::interrupt() : WalkResult::advance(); };
  return op.walk(visit).wasInterrupted();
}

bool overlapsAlready(tt::FuncOp func) {
  auto overlaps = [](Operation *op) {
    bool is = isa<tt::GridDependencyLaunchOp, tt::GridDependencyWaitOp>(op);
    return is ? WalkResult::interrupt() : WalkResult::advance();
  };
  return func.walk(overlaps).wasInterrupted();
}

void overlapLaunches(tt::FuncOp func) {
  Block &entry = func.getBody().front();
  auto access = llvm::find_if(entry.without_terminator(), containsAccess);
  OpBuilder builder(&entry, access);
  Location loc = access->getLoc(); // of the access, or of the terminator
  auto wait = tt::GridDependencyWaitOp::create(builder, loc);
  if (func->hasAttr(ttng::numberedAttr)) {
    auto launch = tt::GridDependencyLaunchOp::create(builder, loc);
    launch->setAttr(nvidia::ifSecondPartFollowsAttr, builder.getUnitAttr());
    // A persistent kernel runs whole grids and first parts.
    if (!func->hasAttr(ttng::persistentAttr)) {
      wait->setAttr(nvidia::unlessSecondPartAttr, builder.getUnitAttr());
      func.walk([&](tt::ReturnOp end) {
        builder.setInsertionPoint(end);
        tt::GridDependencyWaitOp::create(builder, end.getLoc());
      });
    }
  }
  func->setAttr(tt::waitsAttr, builder.getUnitAttr());
}

struct OverlapLaunches : tilecc::impl::TritonNvidiaGPUOverlapLaunchesBase<OverlapLaunches> {
  void runOnOperation() override {
    if (!nvidia::hasFeature(getOperation(), nvidia::Feature::GridDependencies))
      return;
    for (auto func : getOperation().getOps<tt::FuncOp>())
      if (func.isPublic() && !func.isExternal() && !overlapsAlready(func))
        overlapLaunches(func);
  }
};

} // namespace
