//===- PipelineLoops.cpp - loads that start iterations before their use ------------------------------------------------------===//
//
// A scheduled loop has loads in early stages and everything else in the last. With `a` iterations between the two,
// iteration t of the new loop does what iteration t did, but starts the load for iteration t + a, behind everything
// else; what comes before iteration 0 is in front of the loop. The address for iteration t + a is computed by a copy of
// what computes the address of iteration t, whose loop-carried values run `a` iterations ahead of the others; so values
// that are used after the loop, and everything else, stay as they were. Where nobody else needs the original of such a
// value it disappears.
//
// A load that feeds a product goes to shared memory by an asynchronous copy, into one of a + 1 buffer slots that are
// used one after the other. One barrier in each iteration is then enough: behind it, what was copied for this iteration
// is there for all threads, and the slot of the iteration before, which all have read, can be written again. With two
// barriers a slots are enough (getNumSlots). Other loads wait in registers, handed on from iteration to iteration.
//
// In a loop with products by warpgroups the loads for later iterations are started right behind the last of them: what
// they cost then passes while the products are under way (OverlapProducts.cpp). Where the threads of several warpgroups
// compute between the products, that barrier would keep them in step; there each slot has barriers of its own, in
// memory (SlotBarriers.h), and the loads come last in an iteration, when the other warpgroup has probably left the slot
// that they fill.
//
// Copies of tensors (tt.descriptor_load) are one thread's, and count themselves at a barrier in memory of their slot, for which
// all wait; the slot is written again behind a barrier of all threads.
//
// A loop inside another one, whose iterations are tiles that one program makes one after the other, need not run dry between
// tiles: the first copies for the next tile start in the last iterations for this one, which have none of their own to start, and
// pass beside what is done with its result (OuterLoop.h); behind the loop where it has fewer iterations than there are copies to
// start, or a value that is handed from one to the next says what to copy. Slots and their barriers are then those of the outer
// loop.
//
// Nothing is known of the number of iterations: every load of an iteration that will not be is masked off.
//
//===---------------------------------------------------------------------------------------------------------------===//

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
      continue; // what only computes is computed where it is needed
    if (!isLoad(&op) || ahead < 0)
      return op.emitOpError() << "is scheduled in stage " << last - ahead
                              << " of a pipelined loop; only loads and what has no effects can be, up to stage "
                              << last;
    loads.push_back({&op, ahead, Value(), ttg::MemDescType()});
    earlyBy[&op] = ahead;
  }
  // Further ahead first, so that a load finds what it needs of others.
  llvm::stable_sort(loads, [](const EarlyLoad &a, const EarlyLoad &b) { return a.ahead > b.ahead; });
  for (EarlyLoad &early : loads)
    chooseMemory(loop, early, axisInfo);
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
    return success(); // computed in its own iteration anyway
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
    if (!early.tile) {
      // In registers until its own iteration.
      for (int64_t iterations = 0; iterations < early.ahead; ++iterations)
        carried.push_back({early.getResult(), iterations});
      continue;
    }
    SmallVector<int64_t> shape = {getNumSlots(early)};
    llvm::append_range(shape, early.tile.getShape());
    auto type = ttg::MemDescType::get(shape, early.tile.getElementType(), early.tile.getEncoding(),
                                      early.tile.getMemorySpace(), /*mutableMemory=*/true, shape);
    early.tiles = ttg::LocalAllocOp::create(builder, early.load->getLoc(), type, Value(), IntegerAttr());
    counts.insert(getNumSlots(early));
  }
  bool fence = false;
  for (int64_t count : counts) {
    int64_t tensorCopies = llvm::count_if(loads, [&](EarlyLoad &early) { return isIn(early, count) && early.isTensorCopy(); });
    int64_t fillers = !isInStep && hasThreadsCopies(count) ? ttg::getNumWarps(loop) * ttg::getThreadsPerWarp(loop) : 0;
    if (!isInStep || tensorCopies)
      barriers.try_emplace(count, builder, loc, count, fillers + tensorCopies,
                           SlotReaders{isInStep ? 0 : ttg::getNumWarps(loop)});
    fence |= tensorCopies > 0;
  }
  // What threads accessed where the slots are comes before what is copied there on another way.
  if (fence)
    ttng::FenceAsyncSharedOp::create(builder, loc, /*bCluster=*/false);
}

bool Pipeliner::hasThreadsCopies(int64_t count) {
  return llvm::any_of(loads, [&](EarlyLoad &early) { return isIn(early, count) && !early.isTensorCopy(); });
}

bool Pipeliner::hasThreadsCopies() {
  return llvm::any_of(counts, [&](int64_t count) { return hasThreadsCopies(count); });
}

int64_t Pipeliner::getNumSlots(const EarlyLoad &early) {
  return early.ahead + (early.ahead == 1 || hasWarpGroupProducts(loop) || hasProcessorForItself() ? 1 : 0);
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
        return early.tile && load && load.getOther(); // which threads may store themselves
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
      if (loop->hasAttr(maxStageAttr))
        loops.push_back(loop);
    });
    if (loops.empty())
      return;
    AxisInfoAnalysis axisInfo(getOperation());
    for (scf::ForOp loop : loops)
      if (failed(Pipeliner(loop, axisInfo).run()))
        return signalPassFailure();
  }
};

} // namespace
