//===- SpecializeLoops.cpp - warps of their own for what a loop loads ----------------------------------------------------===//
//
// A loop's products read operands that come from global memory. Specialized, a partition of four warps loads them, as far
// ahead as there are slots for them, and the program's warps only compute:
//
//     for i:  s = q k[i]                 partition:                      the program:
//             p = f(s)                   for i:                          for i:
//             acc = acc * a + p v[i]       wait until k's slot is empty    wait until k's slot is full
//                                          copy k[i] to it; full           s = q k's slot;  empty
//                                          wait until v's slot is empty    p = f(s)
//                                          copy v[i] to it; full           wait until v's slot is full
//                                                                          acc = acc * a + p v's slot;  empty
//
// Tensors are copied by one thread (tt.descriptor_load, UseTensorMaps.cpp); else all threads of the partition copy. Lines beside them
// of which each thread holds much (numbers of rows, along the columns of a product's result) are copied by one thread, too, in loops that
// put into memory what they multiply: registers are short there until an iteration's end, and what the next one needs was loaded late,
// and waited for (12 % of attention's backward). They are filled and freed with a tile that is read meanwhile. Elsewhere lines are there in
// time, and cost less in registers than by slots (5 to 7 %).
//
// Each tile's load has slots and barriers of its own (SlotBarriers.h), so no warp waits for what it does not need, and no barrier
// of all threads keeps the warpgroups of the program in step. What the program's warps then do is still the plain loop:
// RotateLoops and OverlapProducts come behind.
//
// Legal where the loads read what nothing in the loop writes, and their addresses can be computed apart: from values that
// the loop does not load, by operations that may run twice. The partition computes them again, from scalars on.
//
// Loops one after the other that load tiles of the same kind have one partition (LoopGroup.cpp). **So have the iterations of a loop around
// them**, in which a program makes one tile after the other: the partition goes on to the next tile's loads while the program is still at
// the end of this one, and loads operands that stay the same for all of a tile's iterations (attention's queries), into slots of their own.
// Legal where all that the loads inside need of an iteration follows from its number, and nothing in the loop around orders them.
//
// Where programs share a block (ShareBlocks.cpp), the partition loads for all of them, from the first iteration that any of them
// makes to the last, and a slot is empty when all have read it. A program waits for the slots of iterations that it does not make,
// too, and gives them back unread. Legal where the tensor accelerator copies, all programs load the same, and all come by.
//
// Done where a loop asks for it (tt.warp_specialize), and where one product of an iteration follows from another
// (attention) in programs of several warpgroups: the warpgroups then drift apart, and the softmax of one falls on the
// products of the other; and where programs share a block. A plain matrix product gains nothing if
// warpgroups compute it: its warps wait for the matrix units all the time. If it accumulates in tensor memory, it does gain: only the
// thread that starts the products waits for slots, and the products free them (arrive_barrier, byProducts).
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"
#include "targets/nvidia/Passes.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "lowering/pipeliner/PipelineAttributes.h"
#include "targets/nvidia/hopper/SpecializedLoop.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUSPECIALIZELOOPS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

/// Has a partition of warps of their own load for `group`.
void specialize(LoopGroup &group, int32_t registers) {
  scf::ForOp first = group.getFirst(), last = group.getLast();
  Location loc = first.getLoc();
  // What is the program's: its own loads, and all from the first loop to the last.
  llvm::SetVector<Operation *> inside;
  inside.insert_range(group.getLoops().front()->findOwnLoads());
  unsigned ownLoads = inside.size();
  for (Operation &op : llvm::make_range(first->getIterator(), std::next(last->getIterator())))
    inside.insert(&op);
  OpBuilder builder(first);
  group.prepare(builder);
  // What threads accessed where the slots are comes before what is copied there on another way.
  if (group.hasAcceleratorCopy())
    ttng::FenceAsyncSharedOp::create(builder, loc, /*bCluster=*/false);
  llvm::SetVector<Value> captured;
  group.collectCaptures(captured);
  auto isOutside = [&](OpOperand &use) {
    Operation *own = inside.front()->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return !own || !inside.contains(own);
  };
  SmallVector<Value> results;
  for (Operation *op : inside)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUses(), isOutside))
        results.push_back(result);
  auto op = ttg::WarpSpecializeOp::create(builder, loc, TypeRange(ValueRange(results)), captured.getArrayRef(),
                                          {SpecializedLoop::loadingWarps});
  op.setRequestedRegisters(ArrayRef<int32_t>{registers});
  for (auto [result, outside] : llvm::zip_equal(results, op.getResults()))
    result.replaceUsesWithIf(outside, isOutside);

  Block &partition = op.getPartitionRegions().front().front(), &program = op.getDefaultRegion().front();
  IRMapping known;
  known.map(ValueRange(captured.getArrayRef()), ValueRange(partition.getArguments()));
  builder.setInsertionPointToEnd(&partition);
  group.writePartition(builder, known, /*filled=*/{});
  ttg::WarpReturnOp::create(builder, loc);
  for (auto [number, each] : llvm::enumerate(inside)) {
    builder.setInsertionPointToEnd(&program);
    if (number == ownLoads && ownLoads) // in the loop, where the first product has it, it would keep warpgroups in step
      ttg::LocalBarrierOp::create(builder, loc);
    each->moveBefore(&program, program.end());
  }
  builder.setInsertionPointToEnd(&program);
  ttg::WarpYieldOp::create(builder, loc, results);
  group.writeProgram(/*read=*/{});
  builder.setInsertionPointAfter(op);
  group.destroySlots(builder);
}

struct SpecializeLoops : tilecc::impl::TritonGPUSpecializeLoopsBase<SpecializeLoops> {
  using TritonGPUSpecializeLoopsBase::TritonGPUSpecializeLoopsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (getNumSlots(loop) > 0 && wantsPartition(loop) && !loop->getParentOfType<ttg::WarpSpecializeOp>())
        loops.push_back(loop);
    });
    if (loops.empty())
      return;
    AxisInfoAnalysis axisInfo(getOperation());
    std::vector<LoopGroup> groups;
    for (scf::ForOp loop : loops) {
      auto specialized = std::make_unique<SpecializedLoop>(loop, axisInfo, getNumSlots(loop));
      if (specialized->analyze() && (groups.empty() || !groups.back().add(specialized)))
        groups.emplace_back(std::move(specialized));
    }
    for (LoopGroup &group : groups)
      while (auto around = getLoopAround(group, groups)) {
        auto specialized = std::make_unique<SpecializedLoop>(around, axisInfo, slotsAround);
        if (!specialized->analyzeAround(group))
          break;
        group = LoopGroup(std::move(specialized));
      }
    // The warps are the same for all loops of a kernel, and so are their registers.
    int32_t registers = 0;
    for (const LoopGroup &group : groups)
      registers = std::max(registers, group.getRegisters());
    for (LoopGroup &group : groups)
      specialize(group, registers);
  }

private:
  /// The slots of each of the loop's loads; 0 if it is not to be pipelined. A product that is still running when the next
  /// iteration's starts reads one more.
  int64_t getNumSlots(scf::ForOp loop) {
    int64_t stages = std::min<int64_t>(getInteger(loop, numStagesAttr, numStages), mostStages);
    bool runsOn = llvm::all_of(loop.getBody()->getOps<ttng::WarpGroupDotOp>(),
                               [&](ttng::WarpGroupDotOp product) { return isRunningSum(loop, product); });
    return stages > 1 ? std::max<int64_t>(stages - !runsOn, 2) : 0;
  }

  /// The loop around `group` if no other of `groups` is in there; null otherwise.
  static scf::ForOp getLoopAround(const LoopGroup &group, ArrayRef<LoopGroup> groups) {
    auto around = dyn_cast<scf::ForOp>(group.getFirst()->getParentOp());
    bool isAlone = llvm::none_of(groups, [&](const LoopGroup &other) {
      return &other != &group && around && around->isAncestor(other.getFirst());
    });
    return isAlone ? around : scf::ForOp();
  }
};

} // namespace
