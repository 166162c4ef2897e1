//===- PipelineLoops.cpp - starts the loads of a loop in earlier iterations ---------------------------------------===//
//
// A scheduled loop has loads in early stages and everything else in the last stage. Let `a` be the number of stages in
// between. Iteration t of the new loop does the work of iteration t, and at its end starts the load for iteration t +
// a. The loads of the first iterations are in the prologue, before the loop. To get the address for iteration t + a,
// the pass copies the operations that compute it for iteration t; the loop-carried values of the copies run `a`
// iterations ahead. So all other values, including those used after the loop, do not change. Original operations whose
// results have no other use become dead.
//
// A load that feeds a dot becomes an asynchronous copy to shared memory, into one of a + 1 slots that the iterations
// use in rotation. Then one barrier per iteration suffices. After the barrier, the tile of this iteration is visible to
// all threads, and the slot of the previous iteration, which all threads have read, can be overwritten. With two
// barriers, `a` slots suffice (getNumSlots). The results of other loads are kept in registers, as values that the loop
// carries.
//
// In a loop with warp-group dots, the loads for later iterations start right after the last dot, so that their cost
// overlaps with the dots (OverlapProducts.cpp). If the threads of several warp groups compute between the dots, a
// barrier of all threads would keep the groups in lockstep. In that case each slot has its own barriers in memory
// (SlotBarriers.h), and the loads start at the end of an iteration, because by then the other warp group has probably
// released the slot that the loads fill.
//
// For a tensor copy (tt.descriptor_load), one thread issues the copy, the copy signals the slot's barrier in memory,
// and all threads wait on that barrier. A barrier of all threads precedes the next write to the slot.
//
// If an outer loop iterates over tiles, the pipeline need not run empty between two tiles. The last iterations of the
// inner loop, which have no loads of their own to start, start the first copies of the next tile. These overlap with
// the epilogue of the current tile (OuterLoop.h). If the inner loop has fewer iterations than there are copies to
// start, or if the copies depend on a loop-carried value, the copies start after the loop instead. The slots and their
// barriers then belong to the outer loop.
//
// The trip count is unknown, so every load for an iteration that may not exist is masked.
//
// On targets without asynchronous copies, tiles pass through registers. Loads for iteration t + a start at the
// beginning of iteration t, so that its dots hide their latency, and their results are kept in registers. At its end,
// iteration t stores the tiles of iteration t + 1 to shared memory. So shared memory has two slots, or a single slot
// and two barriers.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/GpuFacts.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "lowering/pipeliner/PipelineAttributes.h"
#include "lowering/pipeliner/Pipeliner.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUPIPELINE
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

LogicalResult Pipeliner::run() {
  if (failed(findLoads()))
    return failure();
  if (loads.empty())
    return success();
  for (EarlyLoad &early : loads)
    for (Value operand : early.load->getOperands())
      if (failed(request(operand, early.ahead)))
        return failure();
  isInStep = !wantsBarriers();
  findOuterLoop();
  allocate();
  writePrologue();
  writeLoop();
  return success();
}

LogicalResult Pipeliner::findLoads() {
  int64_t last = getInteger(loop, maxStageAttr, 0);
  for (Operation &op : loop.getBody()->without_terminator()) {
    int64_t ahead = last - getInteger(&op, stageAttr, last);
    op.removeAttr(stageAttr);
    op.removeAttr(clusterAttr);
    if (ahead == 0 || (!isLoad(&op) && isRepeatable(&op)))
      continue; // pure operations are copied where they are needed
    if (!isLoad(&op) || ahead < 0)
      return op.emitOpError() << "is scheduled in stage " << last - ahead
                              << " of a pipelined loop; only loads and what has no effects can be, up to stage "
                              << last;
    loads.push_back({&op, ahead, getCopier(&op)});
    earlyBy[&op] = ahead;
  }
  // Loads that run further ahead come first, so that a load follows the loads on which it depends.
  llvm::stable_sort(loads, [](const EarlyLoad &a, const EarlyLoad &b) { return a.ahead > b.ahead; });
  for (EarlyLoad &early : loads)
    chooseMemory(loop, early, axisInfo);
  passRegisters = llvm::any_of(loads, [](EarlyLoad &early) { return early.passesRegisters(); });
  slotsOfRegisters = hasMoreSlots && hasRoomForSecondSlot() ? 2 : 1;
  return success();
}

LogicalResult Pipeliner::request(Value value, int64_t ahead) {
  if (isOutside(value) || !requested.insert({value, ahead}).second)
    return success();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument == loop.getInductionVar())
      return success();
    if (ahead > 0)
      carried.push_back({value, ahead});
    return request(yielded(argument), ahead);
  }
  Operation *op = value.getDefiningOp();
  if (auto it = earlyBy.find(op); it != earlyBy.end()) {
    if (it->second < ahead)
      return op->emitOpError("is scheduled after a load that needs it");
    return success();
  }
  if (ahead == 0)
    return success(); // the value is computed in its own iteration anyway
  if (!isRepeatable(op))
    return op->emitOpError("is needed ahead of its iteration by a load of a pipelined loop, which its effects prevent");
  LogicalResult result = success();
  forEachInput(op, [&](Value input) {
    if (op->getParentOp() == loop && succeeded(result))
      result = request(input, ahead);
  });
  return result;
}

void Pipeliner::findOuterLoop() {
  auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (!around || around->hasAttr(maxStageAttr) || loop.getUnsignedCmp() || !isInStep)
    return;
  OuterLoop candidate(around, loop);
  for (EarlyLoad &early : loads) {
    auto load = dyn_cast<tt::DescriptorLoadOp>(early.load);
    if (!load || !early.tile || !mayRunAhead(around, load) || !candidate.isOutside(load.getDesc()) ||
        !llvm::all_of(load.getIndices(), [&](Value index) { return candidate.knowsAhead(index); }))
      return;
  }
  if (candidate.isWorthwhile())
    outer.emplace(candidate);
}

void Pipeliner::allocate() {
  if (outer)
    builder.setInsertionPoint(outer->getLoop());
  for (EarlyLoad &early : loads) {
    // The result is kept in registers until its own iteration, or until the previous iteration, which stores it to its
    // slot.
    for (int64_t iterations = early.ahead - early.getAheadInRegisters(); iterations < early.ahead; ++iterations)
      carried.push_back({early.getResult(), iterations});
    if (!early.tile)
      continue;
    SmallVector<int64_t> shape = {getNumSlots(early)};
    llvm::append_range(shape, early.tile.getShape());
    auto type = ttg::MemDescType::get(shape, early.tile.getElementType(), early.tile.getEncoding(),
                                      early.tile.getMemorySpace(), /*mutableMemory=*/true, shape);
    early.tiles = ttg::LocalAllocOp::create(builder, early.load->getLoc(), type, Value(), IntegerAttr());
    counts.insert(getNumSlots(early));
  }
  bool fence = false;
  for (int64_t count : counts) {
    int64_t tensorCopies =
        llvm::count_if(loads, [&](EarlyLoad &early) { return isIn(early, count) && early.isTensorCopy(); });
    int64_t fillers = !isInStep && hasThreadsCopies(count) ? ttg::getNumWarps(loop) * ttg::getThreadsPerWarp(loop) : 0;
    if (!isInStep || tensorCopies)
      barriers.try_emplace(count, builder, loc, count, fillers + tensorCopies,
                           SlotReaders{isInStep ? 0 : ttg::getNumWarps(loop)});
    fence |= tensorCopies > 0;
  }
  // Threads may have accessed this memory before. The fence orders these accesses before the copies through the
  // asynchronous proxy.
  if (fence)
    ttng::FenceAsyncSharedOp::create(builder, loc, /*bCluster=*/false);
}

bool Pipeliner::hasThreadsCopies(int64_t count) {
  return llvm::any_of(loads, [&](EarlyLoad &early) { return isIn(early, count) && early.copier == Copier::Threads; });
}

bool Pipeliner::hasThreadsCopies() {
  return llvm::any_of(counts, [&](int64_t count) { return hasThreadsCopies(count); });
}

int64_t Pipeliner::getNumSlots(const EarlyLoad &early) {
  if (early.passesRegisters())
    return slotsOfRegisters;
  return early.ahead + (early.ahead == 1 || hasWarpGroupDots(loop) || hasProcessorForItself() ? 1 : 0);
}

bool Pipeliner::hasRoomForSecondSlot() {
  int64_t bytes = 0;
  for (EarlyLoad &early : loads)
    if (early.tile)
      bytes += ttg::getTileStrideInBytes(early.tile);
  constexpr int64_t slots = 2, programs = 2;
  return slots * programs * bytes <= int64_t(getGpuFacts(loop).getMostSharedBytes()) || hasProcessorForItself();
}

bool Pipeliner::becomesAccumulator(Operation *op) {
  while (op->hasOneUse()) {
    OpOperand &use = *op->use_begin();
    op = use.getOwner();
    if (isa<tt::DotOp>(op))
      return use.getOperandNumber() == 2;
    if (!op->hasTrait<OpTrait::Elementwise>())
      return false;
  }
  return false;
}

bool Pipeliner::hasProcessorForItself() {
  constexpr int64_t otherRegisters = 64;
  int64_t threads = ttg::getNumWarps(loop) * ttg::getThreadsPerWarp(loop), registers = otherRegisters;
  for (auto dot : loop.getBody()->getOps<tt::DotOp>())
    if (!becomesAccumulator(dot))
      registers += ttg::getElementsPerThread(cast<RankedTensorType>(dot.getType()));
  return 2 * threads * registers > getGpuFacts(loop).registers;
}

bool Pipeliner::wantsBarriers() {
  if (ttg::getNumWarps(loop) <= 4 || llvm::any_of(loads, [](EarlyLoad &early) {
        auto load = dyn_cast<tt::LoadOp>(early.load);
        return early.tile && load && load.getOther(); // threads may have to store the padding themselves
      }))
    return false;
  return llvm::any_of(loop.getBody()->getOps<ttng::WarpGroupDotOp>(), [&](ttng::WarpGroupDotOp dot) {
    Operation *yield = loop.getBody()->getTerminator();
    return llvm::any_of(dot.getD().getUsers(), [&](Operation *user) { return user != yield; });
  });
}

namespace {

struct Pipeline : tilecc::impl::TritonGPUPipelineBase<Pipeline> {
  using TritonGPUPipelineBase::TritonGPUPipelineBase;
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      loop->removeAttr(notPipelinedAttr);
      if (loop->hasAttr(maxStageAttr))
        loops.push_back(loop);
    });
    if (loops.empty())
      return;
    AxisInfoAnalysis axisInfo(getOperation());
    for (scf::ForOp loop : loops)
      if (failed(Pipeliner(loop, axisInfo, hasMoreSlots).run()))
        return signalPassFailure();
  }
};

} // namespace
