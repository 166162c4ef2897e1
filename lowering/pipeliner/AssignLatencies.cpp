//===- AssignLatencies.cpp - decides which loads of a loop start early --------------------------------------------===//
//
// The first of the three passes of software pipelining. Loads on which the dots of a loop depend, directly or through
// computations, get a latency in iterations. If a load depends on other loads, these loads share the available stages.
// If no load of a loop gets a latency, the pass records the reason on the loop, for -Rtile=pipelines.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/TileRegisters.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "lowering/pipeliner/PipelineAttributes.h"
#include "targets/GpuFacts.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUASSIGNLATENCIES
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct AssignLatencies : tilecc::impl::TritonGPUAssignLatenciesBase<AssignLatencies> {
  using TritonGPUAssignLatenciesBase::TritonGPUAssignLatenciesBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (getStages(loop) > 1)
        loops.push_back(loop);
      else
        explain(loop, getInteger(loop, numStagesAttr, numStages) > 1 ? "a second stage does not fit in shared memory"
                                                                     : "it has one stage, as its author wants");
    });
    if (loops.empty())
      return;
    AxisInfoAnalysis axisInfo(getOperation());
    for (scf::ForOp loop : loops)
      if (llvm::StringRef reason = assign(loop, axisInfo); !reason.empty())
        explain(loop, reason);
  }

  static void explain(scf::ForOp loop, llvm::StringRef reason) {
    if (llvm::any_of(*loop.getBody(), [](Operation &op) { return isLoad(&op); }))
      loop->setAttr(notPipelinedAttr, StringAttr::get(loop.getContext(), reason));
  }

  int64_t getStages(scf::ForOp loop) {
    return std::min<int64_t>(getInteger(loop, numStagesAttr, numStages), maxStages);
  }

  /// Returns the reason if no load gets a latency, and an empty string otherwise.
  llvm::StringRef assign(scf::ForOp loop, const AxisInfoAnalysis &axisInfo) {
    // Collect the loads on which dots of this loop depend, and the loads on which their addresses depend. The level of
    // a load is the length of the longest chain of loads that depend on the load.
    llvm::MapVector<Operation *, unsigned> levels;
    bool isAsked = loop->hasAttr(numStagesAttr), hasDot = false;
    seenCarried.clear();
    for (Operation &op : *loop.getBody())
      if (isa<tt::DotOp, ttng::WarpGroupDotOp>(op)) {
        hasDot = true;
        for (Value operand : op.getOperands().take_front(2))
          collect(loop, operand, 0, levels);
      }
    // A loop without dots is pipelined only if the source requests it.
    if (isAsked && !hasDot)
      for (Operation &op : *loop.getBody())
        if (isLoad(&op))
          addLoad(loop, &op, 0, levels);
    unsigned deepest = 0;
    for (auto [load, level] : levels)
      deepest = std::max(deepest, level);
    int64_t latency = (getStages(loop) - 1) / (deepest + 1);
    if (levels.empty())
      return hasDot ? "no load of it feeds a dot of it"
                    : "it has no dot; tt::range(...).num_stages(n) pipelines it nevertheless";
    if (latency < 1)
      return "more loads depend on each other than it has stages";
    if (llvm::any_of(levels, [](auto &level) { return getCopier(level.first) == Copier::Registers; })) {
      if (!haveRegisters(loop, levels))
        return "its tiles pass through registers, which its dots need";
      // A tile that is kept in registers until its use cannot be loaded more than one iteration early, because the load
      // of each iteration would need registers of its own.
      latency = 1;
    }
    // If the address of a load depends on another load, that load must run even further ahead. So the deepest loads
    // come first.
    auto order = levels.takeVector();
    llvm::stable_sort(order, [](auto &a, auto &b) { return a.second > b.second; });
    bool isAnyWide = false, isPipelined = false;
    for (auto [load, level] : order) {
      bool isThisWide = isWide(load, axisInfo);
      isAnyWide |= isThisWide;
      if (!isThisWide || !canRunAhead(loop, load))
        continue;
      setInteger(load, latencyAttr, latency);
      isPipelined = true;
    }
    if (isPipelined)
      return "";
    return isAnyWide ? "other accesses or barriers order its loads, or their addresses are not known iterations ahead"
                     : "its loads are narrower than the 4 bytes that an asynchronous copy takes at least";
  }

  /// Returns true if the accumulators of the loop's dots and the tiles of the next iteration take at most half of a
  /// thread's registers. The other half is for operands and addresses. With more, threads could spill.
  static bool haveRegisters(scf::ForOp loop, const llvm::MapVector<Operation *, unsigned> &loads) {
    int64_t registers = 0;
    auto add = [&](Value value) {
      auto tile = dyn_cast<RankedTensorType>(value.getType());
      registers += tile ? getPackedRegisters(tile) : 1;
    };
    for (auto dot : loop.getBody()->getOps<tt::DotOp>())
      add(dot.getResult());
    for (auto [load, level] : loads)
      add(load->getResult(0));
    unsigned threads = ttg::getNumWarps(loop) * ttg::getThreadsPerWarp(loop);
    return 2 * registers <= int64_t(getGpuFacts(loop).getThreadRegisters(threads));
  }

  void collect(scf::ForOp loop, Value value, unsigned level, llvm::MapVector<Operation *, unsigned> &levels) {
    // In a rotated loop, the previous iteration computes an operand of a dot, perhaps from a loaded tile. (If the
    // carried tile itself is loaded, the source already loads it one iteration early.)
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == loop.getBody() && isa<RankedTensorType>(argument.getType())) {
      Value next = loop.getTiedLoopYieldedValue(argument)->get();
      if (Operation *source = next.getDefiningOp(); source && !isLoad(source) && seenCarried.insert(argument).second)
        collect(loop, next, level, levels);
      return;
    }
    Operation *op = value.getDefiningOp();
    if (!op || op->getParentOp() != loop)
      return;
    if (isLoad(op))
      return addLoad(loop, op, level, levels);
    if (isa<tt::DotOp>(op) || !isRepeatable(op))
      return; // if a load feeds another dot, it is collected for that dot
    forEachInput(op, [&](Value input) { collect(loop, input, level, levels); });
  }

  DenseSet<Value> seenCarried;

  void addLoad(scf::ForOp loop, Operation *load, unsigned level, llvm::MapVector<Operation *, unsigned> &levels) {
    auto [it, isNew] = levels.insert({load, level});
    if (!isNew && it->second >= level)
      return;
    it->second = level;
    for (Value operand : load->getOperands())
      collect(loop, operand, level + 1, levels);
  }

  /// Returns true if the address of `load` can be computed some iterations ahead, because it depends only on values
  /// that can be recomputed and on loads that run ahead themselves.
  static bool canRunAhead(scf::ForOp loop, Operation *load) {
    if (!mayRunAhead(loop, load))
      return false;
    DenseSet<std::pair<Value, int>> seen;
    std::function<bool(Value, bool)> isComputed = [&](Value value, bool isCarried) {
      if (!loop->isAncestor(value.getParentRegion()->getParentOp()) || !seen.insert({value, int(isCarried)}).second)
        return true;
      if (auto argument = dyn_cast<BlockArgument>(value))
        return argument == loop.getInductionVar() ||
               (argument.getOwner() == loop.getBody() &&
                isComputed(loop.getTiedLoopYieldedValue(argument)->get(), /*isCarried=*/true));
      Operation *op = value.getDefiningOp();
      if (isLoad(op))
        return !isCarried && op->hasAttr(latencyAttr);
      if (op->getParentOp() != loop || !isRepeatable(op) || isa<tt::DotOp, tt::ReduceOp>(op))
        return false;
      bool computed = true;
      forEachInput(op, [&](Value input) { computed &= isComputed(input, isCarried); });
      return computed;
    };
    return llvm::all_of(load->getOperands(), [&](Value operand) { return isComputed(operand, false); });
  }
};

} // namespace
