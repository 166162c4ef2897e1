//===- ReduceRegisterPressure.cpp - delays loads from shared memory to save registers -----------------------------===//
//
// A loop loads the tiles that it has copied to shared memory at the beginning of an iteration, no matter where the
// users of the tiles are. ptxas reorders arithmetic to save registers, but never moves a load across a barrier. So an
// operand of the last dot stays live across all other dots. If the live tiles need more registers than a thread has,
// this pass sinks loads from shared memory to their first use. Otherwise the loads stay, because a load that overlaps
// with other work costs less than a load for which the thread waits.
//
// Warp-group dots that overlap have the same problem: a dot reads the registers of its left operand until the dot has
// ended. If the tiles of the next dot do not fit into registers in addition, the pass first waits for as many dots as
// necessary. This costs little, because the matrix units execute one dot after the other in any case.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "targets/GpuFacts.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUREDUCEREGISTERPRESSURE
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// The number of registers that a thread needs besides those for tiles: for addresses and, while it computes, for
/// temporaries. There are no temporaries where dots start.
constexpr int64_t otherRegisters = 48, otherThanComputing = 24;

//===--- registers of tiles ---------------------------------------------------------------------------------------===//

/// Returns true for operations that only rename or repeat elements. Their results use the registers of their operand.
bool isOtherView(Operation *op) { return isa_and_nonnull<tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp>(op); }
Value getHeld(Value value) {
  while (isOtherView(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

int64_t getRegisters(Value tile) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  Operation *op = tile.getDefiningOp();
  // Most addresses differ by constants, so tiles of pointers need no registers of their own.
  if (!type || isa<tt::PointerType>(type.getElementType()) ||
      isa_and_nonnull<arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp>(op))
    return 0;
  return llvm::divideCeil(ttg::getElementsPerThread(type) * tt::getElementBits(type.getElementType()), 32);
}

/// Returns the number of registers that live tiles take before each operation of `block`.
DenseMap<Operation *, int64_t> countRegisters(Block &block) {
  DenseSet<Value> live;
  DenseMap<Operation *, int64_t> counts;
  int64_t registers = 0;
  auto use = [&](Value operand) {
    if (Value tile = getHeld(operand); live.insert(tile).second)
      registers += getRegisters(tile);
  };
  // Values from outside the block stay live to its end, because the next iteration uses them again.
  block.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Value tile = getHeld(operand); !block.getParent()->isAncestor(tile.getParentRegion()))
        use(tile);
  });
  for (Operation &op : llvm::reverse(block)) {
    for (Value result : op.getResults())
      if (live.erase(result))
        registers -= getRegisters(result);
    op.walk([&](Operation *inside) {
      for (Value operand : inside->getOperands())
        if (getHeld(operand).getParentBlock() == &block)
          use(operand);
    });
    counts[&op] = registers;
  }
  return counts;
}

//===--- sinking loads --------------------------------------------------------------------------------------------===//

Operation *getFirstUser(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers())
    if (Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user))
      if (!first || inBlock->isBeforeInBlock(first))
        first = inBlock;
  return first;
}

/// Returns true if `op` neither changes `buffers` nor signals that other warps may overwrite them. Dots and waits for
/// dots are harmless, because they only release the tiles that the dots read.
bool leaves(Operation *op, ArrayRef<Operation *> buffers) {
  if (op->getNumRegions() && !isMemoryEffectFree(op))
    return false;
  if (!isMemoryEffectFree(op) && !tt::getGlobalAccess(op) &&
      !isa<ttg::LocalLoadOp, ttg::LocalStoreOp, ttg::LocalAllocOp, ttng::WarpGroupDotOp, ttng::WarpGroupDotWaitOp>(op))
    return false;
  return llvm::none_of(ttg::getSharedEffects(op), [&](const ttg::SharedEffect &effect) {
    return effect.isWrite && llvm::any_of(getAllocations(effect.memory), [&](Operation *written) {
             return !written || llvm::is_contained(buffers, written);
           });
  });
}

/// Moves `load` down to its first use. If `limit` is not 0, moves it only as far as necessary: past the last operation
/// at which more than `limit` registers are in use.
void sinkLoad(ttg::LocalLoadOp load, int64_t limit) {
  SmallVector<Operation *> buffers = getAllocations(load.getSrc());
  Operation *user = getFirstUser(load), *place = load->getNextNode();
  if (!user || llvm::is_contained(buffers, nullptr))
    return;
  while (place != user && leaves(place, buffers))
    place = place->getNextNode();
  DenseMap<Operation *, int64_t> counts = limit ? countRegisters(*load->getBlock()) : DenseMap<Operation *, int64_t>();
  while (limit && place->getPrevNode() != load && counts[place->getPrevNode()] <= limit)
    place = place->getPrevNode();
  load->moveBefore(place);
}

//===--- separating dots ------------------------------------------------------------------------------------------===//

void serializeDots(Block &block, int64_t budget) {
  DenseMap<Operation *, int64_t> counts = countRegisters(block);
  SmallVector<ttng::WarpGroupDotOp> inFlight; // oldest first; they complete in this order
  auto getHeld = [](ttng::WarpGroupDotOp dot) { return getRegisters(dot.getA()); };
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(op); wait && wait.getPendings() < inFlight.size())
      inFlight.erase(inFlight.begin(), inFlight.end() - wait.getPendings());
    auto dot = dyn_cast<ttng::WarpGroupDotOp>(op);
    if (!dot || !dot.getIsAsync())
      continue;
    int64_t needed = counts[dot] + (getRegisters(dot.getC()) ? 0 : getRegisters(dot.getD())); // + new accumulators
    for (ttng::WarpGroupDotOp older : inFlight)
      needed += getHeld(older);
    unsigned done = 0;
    for (unsigned i = 0; i < inFlight.size() && needed > budget; ++i)
      if (int64_t held = getHeld(inFlight[i])) {
        needed -= held;
        done = i + 1;
      }
    if (done) {
      OpBuilder builder(dot);
      SmallVector<Value> sums;
      for (ttng::WarpGroupDotOp older : ArrayRef(inFlight).take_front(done))
        sums.push_back(older.getD());
      auto wait =
          ttng::WarpGroupDotWaitOp::create(builder, inFlight[done - 1].getLoc(), TypeRange(ValueRange(sums)), sums,
                                           /*pendings=*/inFlight.size() - done);
      for (auto [sum, after] : llvm::zip_equal(sums, wait.getOutputs()))
        sum.replaceUsesWithIf(after, [&](OpOperand &use) {
          Operation *user = block.findAncestorOpInBlock(*use.getOwner());
          return use.getOwner() != wait && (!user || wait->isBeforeInBlock(user));
        });
      inFlight.erase(inFlight.begin(), inFlight.begin() + done);
    }
    inFlight.push_back(dot);
  }
}

void relieve(Block &block, const GpuFacts &facts) {
  if (block.getOps<ttg::LocalLoadOp>().empty() && block.getOps<ttng::WarpGroupDotOp>().empty())
    return;
  int64_t threads = ttg::getNumWarps(block.getParentOp()) * ttg::getThreadsPerWarp(block.getParentOp());
  bool hasPartitions = block.getParentOp()->getParentOfType<ttg::WarpSpecializeOp>() != nullptr;
  int64_t most = hasPartitions ? facts.maxRaisedRegisters : facts.maxThreadRegisters;
  int64_t registers = std::min<int64_t>(facts.getThreadRegisters(threads), most), budget = registers - otherRegisters;
  if (llvm::all_of(llvm::make_second_range(countRegisters(block)), [&](int64_t count) { return count <= budget; }))
    return;
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOtherView(&op))
      if (Operation *user = getFirstUser(&op))
        op.moveBefore(user);
  SmallVector<ttg::LocalLoadOp> loads(block.getOps<ttg::LocalLoadOp>());
  // A load that overlaps with warp-group dots costs nothing, but the thread would wait for a load directly before its
  // use. So in loops with such dots, loads sink only until the tiles fit.
  int64_t limit = block.getOps<ttng::WarpGroupDotOp>().empty() ? 0 : registers - otherThanComputing;
  for (ttg::LocalLoadOp load : loads)
    sinkLoad(load, limit);
  serializeDots(block, registers - otherThanComputing);
}

struct ReduceRegisterPressure : tilecc::impl::TritonGPUReduceRegisterPressureBase<ReduceRegisterPressure> {
  void runOnOperation() override {
    const GpuFacts &facts = getGpuFacts(getOperation());
    getOperation().walk([&](Block *block) {
      if (block->getParentOp()->getParentOfType<tt::FuncOp>() || isa<tt::FuncOp>(block->getParentOp()))
        relieve(*block, facts);
    });
  }
};

} // namespace
