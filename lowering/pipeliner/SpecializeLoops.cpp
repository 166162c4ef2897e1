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
// and waited for (12 % of attention's backward). Elsewhere lines are there in time, and cost less in registers than by slots (5 to 7 %).
//
// Each load has slots and barriers of its own (SlotBarriers.h), so no warp waits for what it does not need, and no barrier
// of all threads keeps the warpgroups of the program in step. What the program's warps then do is still the plain loop:
// RotateLoops and OverlapProducts come behind.
//
// Legal where the loads read what nothing in the loop writes, and their addresses can be computed apart: from values that
// the loop does not load, by operations that may run twice. The partition computes them again, from scalars on.
//
// Loops one after the other that load tiles of the same kind (attention's masked and unmasked iterations) have one partition, which goes
// on to the next loop's loads while the program is still in the one before: all that stands between them is then the program's, and
// what the partition computes from is computed in front of the first. Legal where nothing from the first loop to the last writes to global
// memory or orders accesses to it.
//
// Where programs share a block (ShareBlocks.cpp), the partition loads for all of them, from the first iteration that any of them
// makes to the last, and a slot is empty when all have read it. A program waits for the slots of iterations that it does not make,
// too, and gives them back unread. Legal where the tensor accelerator copies, all programs load the same, and all come by.
//
// Done where a loop asks for it (tt.warp_specialize), and where one product of an iteration follows from another
// (attention) in programs of several warpgroups: the warpgroups then drift apart, and the softmax of one falls on the
// products of the other; and where programs share a block. A plain matrix product gains nothing: its warps wait for the matrix
// units all the time.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "lowering/pipeliner/PipelineAttributes.h"
#include "lowering/pipeliner/SpecializedLoop.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUSPECIALIZELOOPS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Loops of one block that one partition loads for.
class Group {
public:
  explicit Group(std::unique_ptr<SpecializedLoop> loop) { loops.push_back(std::move(loop)); }

  /// Adds `loop`, which comes behind the others, if the partition can go on with it.
  bool add(std::unique_ptr<SpecializedLoop> &loop) {
    scf::ForOp first = loops.front()->getLoop(), last = loops.back()->getLoop(), next = loop->getLoop();
    // With all programs' bounds of a loop more kept in registers, three programs of a block would spill.
    if (next->getBlock() != first->getBlock() || !loop->canUseSlotsOf(*loops.front()) || ttg::getProgramsPerBlock(next) > 1)
      return false;
    for (Operation &op : llvm::make_range(last->getIterator(), next->getIterator()))
      if (writesGlobalMemory(&op))
        return false;
    if (!llvm::all_of(loop->getScalars(), [&](Value scalar) { return canComputeBefore(scalar, first); }))
      return false;
    for (Value scalar : loop->getScalars())
      computeBefore(scalar, first);
    loops.push_back(std::move(loop));
    return true;
  }

  /// The registers that each thread of the partition needs.
  int32_t getRegisters() const {
    int32_t most = 0;
    for (auto &loop : loops)
      most = std::max(most, loop->getRegisters());
    return most;
  }

  void rewrite(int32_t registers) {
    scf::ForOp first = loops.front()->getLoop(), last = loops.back()->getLoop();
    Location loc = first.getLoc();
    // What is the program's: its own loads, and all from the first loop to the last.
    llvm::SetVector<Operation *> inside;
    inside.insert_range(loops.front()->findOwnLoads());
    unsigned ownLoads = inside.size();
    for (Operation &op : llvm::make_range(first->getIterator(), std::next(last->getIterator())))
      inside.insert(&op);
    OpBuilder builder(first);
    for (auto &loop : loops)
      loop->prepare(builder, loop == loops.front() ? nullptr : loops.front().get());
    llvm::SetVector<Value> captured;
    for (auto &loop : loops)
      loop->collectCaptures(captured);
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
    Value filled;
    for (auto &loop : loops)
      filled = loop->writePartition(partition, captured.getArrayRef(), filled);
    builder.setInsertionPointToEnd(&partition);
    ttg::WarpReturnOp::create(builder, loc);
    for (auto [number, each] : llvm::enumerate(inside)) {
      builder.setInsertionPointToEnd(&program);
      if (number == ownLoads && ownLoads) // in the loop, where the first product has it, it would keep warpgroups in step
        ttg::LocalBarrierOp::create(builder, loc);
      each->moveBefore(&program, program.end());
    }
    builder.setInsertionPointToEnd(&program);
    ttg::WarpYieldOp::create(builder, loc, results);
    SmallVector<Value> read;
    for (auto &loop : loops)
      read = loop->writeProgram(read);
    builder.setInsertionPointAfter(op);
    loops.front()->destroySlots(builder);
  }

private:
  /// Whether `value` is known in front of `first`, or can be computed there.
  static bool canComputeBefore(Value value, Operation *first) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != first->getBlock() || op->isBeforeInBlock(first))
      return true;
    return isRepeatable(op) && op->getNumRegions() == 0 &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return canComputeBefore(operand, first); });
  }
  static void computeBefore(Value value, Operation *first) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != first->getBlock() || op->isBeforeInBlock(first))
      return;
    for (Value operand : op->getOperands())
      computeBefore(operand, first);
    op->moveBefore(first);
  }

  std::vector<std::unique_ptr<SpecializedLoop>> loops;
};

struct SpecializeLoops : tilecc::impl::TritonGPUSpecializeLoopsBase<SpecializeLoops> {
  using TritonGPUSpecializeLoopsBase::TritonGPUSpecializeLoopsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      int64_t stages = std::min<int64_t>(getInteger(loop, numStagesAttr, numStages), mostStages);
      bool hasProducts = !loop.getBody()->getOps<ttng::WarpGroupDotOp>().empty();
      if (stages > 1 && hasProducts && !loop->getParentOfType<ttg::WarpSpecializeOp>())
        loops.push_back(loop);
    });
    if (loops.empty())
      return;
    AxisInfoAnalysis axisInfo(getOperation());
    std::vector<Group> groups;
    for (scf::ForOp loop : loops) {
      int64_t stages = std::min<int64_t>(getInteger(loop, numStagesAttr, numStages), mostStages);
      auto specialized = std::make_unique<SpecializedLoop>(loop, axisInfo, std::max<int64_t>(stages - 1, 2));
      if (specialized->analyze() && (groups.empty() || !groups.back().add(specialized)))
        groups.emplace_back(std::move(specialized));
    }
    // The warps are the same for all loops of a kernel, and so are their registers.
    int32_t registers = 0;
    for (const Group &group : groups)
      registers = std::max(registers, group.getRegisters());
    for (Group &group : groups)
      group.rewrite(registers);
  }
};

} // namespace
