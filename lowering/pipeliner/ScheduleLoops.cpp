//===- ScheduleLoops.cpp - the stage of every operation of a pipelined loop -----------------------------------------------===//
//
// The second of the three passes of software pipelining: from latencies to stages. Loads come in early ones, as far
// ahead as what needs them; everything else is in the last.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "lowering/pipeliner/PipelineAttributes.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUSCHEDULELOOPS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct ScheduleLoops : tilecc::impl::TritonGPUScheduleLoopsBase<ScheduleLoops> {
  void runOnOperation() override { getOperation().walk(schedule); }

  static void schedule(scf::ForOp loop) {
    // How many iterations ahead each load runs: its latency before the earliest that needs it, itself or a load behind
    // it.
    llvm::MapVector<Operation *, int64_t> ahead;
    for (Operation &op : llvm::reverse(loop.getBody()->without_terminator()))
      if (op.hasAttr(latencyAttr)) {
        int64_t needed = 0;
        for (auto [other, iterations] : ahead)
          if (followsFrom(loop, other, [&](Operation *made) { return made == &op; }))
            needed = std::max(needed, iterations);
        ahead[&op] = needed + getInteger(&op, latencyAttr, 0);
      }
    int64_t last = 0;
    for (auto [op, iterations] : ahead)
      last = std::max(last, iterations);
    if (last == 0)
      return;
    // What an iteration computes for itself comes first, then the loads for later iterations.
    setInteger(loop, maxStageAttr, last);
    for (Operation &op : loop.getBody()->without_terminator()) {
      auto it = ahead.find(&op);
      setInteger(&op, stageAttr, it == ahead.end() ? last : last - it->second);
      setInteger(&op, clusterAttr, it == ahead.end() ? 0 : 1);
      op.removeAttr(latencyAttr);
    }
  }
};

} // namespace
