//===- ScheduleLoops.cpp - assigns each operation of a pipelined loop to a stage ----------------------------------===//
//
// The second of the three passes of software pipelining. It turns latencies into stages: a load gets an early stage, as
// many stages before the last as its users need. All other operations are in the last stage.
//
//===-------------------------------------------------------------------------------------------------------------===//

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
    // The number of iterations that each load runs ahead of its own iteration: its latency, plus the number for the
    // load that depends on it and runs furthest ahead.
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
    // An iteration first executes its own operations, and then issues the loads for later iterations.
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
