//===- SpecializeLoops.cpp - specializes warps to load the operands of a loop -------------------------------------===//
//
// The dots of a loop read operands that are loaded from global memory. In a specialized loop, a partition of four
// producer warps loads these operands, as far ahead as there are slots, and the warps of the program only compute:
//
//     for i:  s = q k[i]                 partition:                      the program:
//             p = f(s)                   for i:                          for i:
//             acc = acc * a + p v[i]       wait until k's slot is empty    wait until k's slot is full
//                                          copy k[i] to it; full           s = q k's slot;  empty
//                                          wait until v's slot is empty    p = f(s)
//                                          copy v[i] to it; full           wait until v's slot is full
//                                                                          acc = acc * a + p v's slot;  empty
//
// Tensor copies (tt.descriptor_load, UseTensorMaps.cpp) are started by one thread of the partition; all other loads are
// copied by all threads of the partition. A *line* is a tile of rank 1, such as one number for each column of a dot's
// result. In loops that store the results of their dots, one thread also copies lines of which each thread holds many
// elements. In such loops registers are scarce until the end of an iteration. So threads would load the lines for the
// next iteration late and wait for them (12 % of the time of the backward pass of attention). A line is filled and
// released together with a tile that is read at the same time. In other loops, lines are loaded early enough, and the
// loops are 5 to 7 % faster if lines are in registers than in slots.
//
// Each load has its own slots and barriers (SlotBarriers.h). So no warp waits for data that it does not need, and no
// barrier of all threads keeps the program's warp groups in lockstep. The program's loop is still an ordinary loop,
// which RotateLoops and OverlapProducts process afterwards.
//
// This is legal if no operation in the loop writes the memory that the loads read, and if the partition can recompute
// their addresses from scalars, by operations that may be repeated, and without values that the loop loads.
//
// Consecutive loops that load the same kind of tiles share a partition (LoopGroup.cpp). **So do the iterations of an
// outer loop** in which a program computes one tile after the other. The partition proceeds to the loads of the next
// tile while the program finishes the current tile. It also loads operands that are invariant in the inner loop
// (attention's queries), into slots of their own. This is legal if the operands of the inner loop's loads depend only
// on the induction variable of the outer loop, and no operation in the outer loop orders the loads.
//
// If programs share a block (ShareBlocks.cpp), the partition loads for all of them, from the first to the last
// iteration that any of them executes. A slot is empty when all programs have read it. A program also waits for the
// slots of iterations that it does not execute, and releases them unread. This is legal if all copies are tensor
// copies, all programs load the same data, and all of them reach the loop.
//
// The blocks of a persistent kernel can run in pairs: clusters of two blocks, whose programs have adjacent numbers. If
// both blocks need the same tile, one of them loads it for both (a multicast); the blocks alternate. Each operand of a
// dot is compared separately, once for each program: depending on the order of programs, the neighbours share the rows
// of the left operand or the columns of the right operand. A slot that is filled by multicasts is empty when the
// readers of both blocks have read it. This is legal if the blocks fill the same slots in the same order: the bounds of
// the loop must not depend on the program, and both blocks must run the same number of programs. The launch decides
// whether there are pairs.
//
// Loops are specialized in three cases: if tt.warp_specialize requests it, if programs share a block, or, in programs
// with several warp groups, if one dot of an iteration depends on another (attention). The groups then drift apart, and
// the softmax of one group overlaps with the dots of the other. A plain matrix multiplication by warp groups gains
// nothing, because its warps wait for the matrix units all the time. If it accumulates in tensor memory, it does gain:
// only the thread that starts the dots waits for slots, and the dots release the slots (arrive_barrier, byDots).
//
//===-------------------------------------------------------------------------------------------------------------===//

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

/// Creates a partition of producer warps that loads for `group`.
void specialize(LoopGroup &group, int32_t registers) {
  scf::ForOp first = group.getFirst(), last = group.getLast();
  Location loc = first.getLoc();
  // The default region contains the program's own loads, and everything from the first loop to the last.
  llvm::SetVector<Operation *> inside;
  inside.insert_range(group.getLoops().front()->findOwnLoads());
  unsigned ownLoads = inside.size();
  for (Operation &op : llvm::make_range(first->getIterator(), std::next(last->getIterator())))
    inside.insert(&op);
  OpBuilder builder(first);
  group.prepare(builder);
  // Threads may have accessed this memory before. The fence orders these accesses before the copies through the
  // asynchronous proxy.
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
  // The other block of a pair also uses this block's barriers. They must be initialized before the other block uses
  // them, and may be invalidated only after its last use. All threads of both blocks take part in this synchronization.
  auto synchronizePair = [&] {
    if (group.isPaired())
      ttng::createClusterBarrier(builder, loc, /*relaxed=*/false);
  };
  if (group.isPaired())
    op->getParentOfType<tt::FuncOp>()->setAttr(ttng::blockPairsAttr, builder.getUnitAttr());
  builder.setInsertionPointToEnd(&partition);
  synchronizePair();
  group.writePartition(builder, known, /*filled=*/{});
  builder.setInsertionPointToEnd(&partition);
  synchronizePair();
  ttg::WarpReturnOp::create(builder, loc);
  builder.setInsertionPointToEnd(&program);
  synchronizePair();
  for (auto [number, each] : llvm::enumerate(inside)) {
    builder.setInsertionPointToEnd(&program);
    if (number == ownLoads && ownLoads) // inside the loop, before the first dot, it would keep warp groups in lockstep
      ttg::LocalBarrierOp::create(builder, loc);
    each->moveBefore(&program, program.end());
  }
  builder.setInsertionPointToEnd(&program);
  synchronizePair();
  ttg::WarpYieldOp::create(builder, loc, results);
  group.writeProgram(/*read=*/{});
  builder.setInsertionPointAfter(op);
  group.destroySlots(builder);
}

struct SpecializeLoops : tilecc::impl::TritonGPUSpecializeLoopsBase<SpecializeLoops> {
  using TritonGPUSpecializeLoopsBase::TritonGPUSpecializeLoopsBase;

  void runOnOperation() override {
    if (tt::callsThreads(getOperation()))
      return; // the barriers of the callees would wait for the producer warps
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
    // All loops of a kernel share the producer warps, and thus the number of registers of these warps.
    int32_t registers = 0;
    for (const LoopGroup &group : groups)
      registers = std::max(registers, group.getRegisters());
    for (LoopGroup &group : groups)
      specialize(group, registers);
  }

private:
  /// Returns the number of slots for each load of the loop, or 0 if the loop should not be pipelined. If a dot is
  /// pending across iterations, there is one more slot.
  int64_t getNumSlots(scf::ForOp loop) {
    int64_t stages = std::min<int64_t>(getInteger(loop, numStagesAttr, numStages), maxStages);
    bool runsOn = llvm::all_of(loop.getBody()->getOps<ttng::WarpGroupDotOp>(),
                               [&](ttng::WarpGroupDotOp dot) { return isRunningSum(loop, dot); });
    return stages > 1 ? std::max<int64_t>(stages - !runsOn, 2) : 0;
  }

  /// Returns the loop around `group` if that loop contains no other group of `groups`; null otherwise.
  static scf::ForOp getLoopAround(const LoopGroup &group, ArrayRef<LoopGroup> groups) {
    auto around = dyn_cast<scf::ForOp>(group.getFirst()->getParentOp());
    bool isAlone = llvm::none_of(groups, [&](const LoopGroup &other) {
      return &other != &group && around && around->isAncestor(other.getFirst());
    });
    return isAlone ? around : scf::ForOp();
  }
};

} // namespace
