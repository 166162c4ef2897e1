//===- ReduceRegisterPressure.cpp - tiles in shared memory stay there until they are needed -------------------------------===//
//
// What a loop has copied to shared memory is loaded at the beginning of an iteration, whoever needs it when. ptxas orders what
// threads compute by itself, and finds for each operation the place where registers are free; but no load of its passes a
// barrier, and an operand of the last product, loaded first, takes its registers through all the others. So where tiles take
// more registers than threads have, loads of shared memory sink to their first use. Elsewhere they stay: a load that runs
// beside other work costs less than one that is waited for.
//
// So it is with products of warpgroups that run beside each other. The registers of a left operand are read until its product has
// ended: where the next one's tiles do not fit beside them, as many as have to are waited for first. The matrix units make one after the other in any case.
//
//===----------------------------------------------------------------------------------------------------------------------===//

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

/// What a thread needs beside tiles: addresses, and what is being computed (nothing, while products start).
constexpr int64_t otherRegisters = 48, otherThanComputing = 24;

//===--- how many registers hold tiles --------------------------------------------------------------------------------------===//

/// The tile whose registers `value` is: its elements in other places, or several times.
bool isOtherView(Operation *op) { return isa_and_nonnull<tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp>(op); }
Value getHeld(Value value) {
  while (isOtherView(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

int64_t getRegisters(Value tile) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  Operation *op = tile.getDefiningOp();
  // Addresses differ by constants, most of them.
  if (!type || isa<tt::PointerType>(type.getElementType()) ||
      isa_and_nonnull<arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp>(op))
    return 0;
  return llvm::divideCeil(ttg::getElementsPerThread(type) * tt::getElementBits(type.getElementType()), 32);
}

/// The registers that tiles take in front of each operation of `block`.
DenseMap<Operation *, int64_t> countRegisters(Block &block) {
  DenseSet<Value> live;
  DenseMap<Operation *, int64_t> counts;
  int64_t registers = 0;
  auto use = [&](Value operand) {
    if (Value tile = getHeld(operand); live.insert(tile).second)
      registers += getRegisters(tile);
  };
  // What comes from outside is needed again in the next iteration.
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

//===--- loads sink ----------------------------------------------------------------------------------------------------------===//

Operation *getFirstUser(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers())
    if (Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user))
      if (!first || inBlock->isBeforeInBlock(first))
        first = inBlock;
  return first;
}

/// Whether what lies in `buffers` is the same before and after `op`, and nobody is told that it may be written. (Products, and
/// waits for them, tell of what they read themselves.)
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

/// Puts `load` in front of its first use, or as far ahead of that as there are at most `limit` registers in use.
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

//===--- products one after the other ----------------------------------------------------------------------------------------===//

void separateProducts(Block &block, int64_t budget) {
  DenseMap<Operation *, int64_t> counts = countRegisters(block);
  SmallVector<ttng::WarpGroupDotOp> underWay; // oldest first; they end in this order
  auto getHeld = [](ttng::WarpGroupDotOp product) { return getRegisters(product.getA()); };
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(op); wait && wait.getPendings() < underWay.size())
      underWay.erase(underWay.begin(), underWay.end() - wait.getPendings());
    auto product = dyn_cast<ttng::WarpGroupDotOp>(op);
    if (!product || !product.getIsAsync())
      continue;
    int64_t needed = counts[product] + (getRegisters(product.getC()) ? 0 : getRegisters(product.getD())); // sums that begin
    for (ttng::WarpGroupDotOp older : underWay)
      needed += getHeld(older);
    unsigned done = 0;
    for (unsigned i = 0; i < underWay.size() && needed > budget; ++i)
      if (int64_t held = getHeld(underWay[i])) {
        needed -= held;
        done = i + 1;
      }
    if (done) {
      OpBuilder builder(product);
      SmallVector<Value> sums;
      for (ttng::WarpGroupDotOp older : ArrayRef(underWay).take_front(done))
        sums.push_back(older.getD());
      auto wait = ttng::WarpGroupDotWaitOp::create(builder, underWay[done - 1].getLoc(), TypeRange(ValueRange(sums)), sums,
                                                   /*pendings=*/underWay.size() - done);
      for (auto [sum, after] : llvm::zip_equal(sums, wait.getOutputs()))
        sum.replaceUsesWithIf(after, [&](OpOperand &use) {
          Operation *user = block.findAncestorOpInBlock(*use.getOwner());
          return use.getOwner() != wait && (!user || wait->isBeforeInBlock(user));
        });
      underWay.erase(underWay.begin(), underWay.begin() + done);
    }
    underWay.push_back(product);
  }
}

void relieve(Block &block, const GpuFacts &facts) {
  if (block.getOps<ttg::LocalLoadOp>().empty() && block.getOps<ttng::WarpGroupDotOp>().empty())
    return;
  int64_t threads = ttg::getNumWarps(block.getParentOp()) * ttg::getThreadsPerWarp(block.getParentOp());
  bool hasPartitions = block.getParentOp()->getParentOfType<ttg::WarpSpecializeOp>() != nullptr;
  int64_t most = hasPartitions ? facts.mostRaisedRegisters : facts.mostThreadRegisters;
  int64_t registers = std::min(facts.registers / threads, most), budget = registers - otherRegisters;
  if (llvm::all_of(llvm::make_second_range(countRegisters(block)), [&](int64_t count) { return count <= budget; }))
    return;
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOtherView(&op))
      if (Operation *user = getFirstUser(&op))
        op.moveBefore(user);
  SmallVector<ttg::LocalLoadOp> loads(block.getOps<ttg::LocalLoadOp>());
  // Beside products of warpgroups loads cost nothing, and in front of what they are for they are waited for.
  int64_t limit = block.getOps<ttng::WarpGroupDotOp>().empty() ? 0 : registers - otherThanComputing;
  for (ttg::LocalLoadOp load : loads)
    sinkLoad(load, limit);
  separateProducts(block, registers - otherThanComputing);
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
