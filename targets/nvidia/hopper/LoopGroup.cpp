//===- LoopGroup.cpp - consecutive loops that share one producer partition ----------------------------------------===//
//
// Loops that load the same kind of tiles (attention's masked and unmasked iterations) share a producer partition, which
// proceeds to the loads of the next loop while the program is still in the previous loop. Only the program executes the
// code between the loops, and the values that the partition needs are computed before the first loop. This is legal if
// no operation from the first to the last loop orders the loads of later loops, such as a barrier, or a store that may
// alias these loads. (The backward pass of attention stores too, but only adds to other memory.)
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/hopper/LoopGroup.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "targets/nvidia/hopper/SpecializedLoop.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

LoopGroup::LoopGroup(std::unique_ptr<SpecializedLoop> loop) { loops.push_back(std::move(loop)); }
LoopGroup::LoopGroup(LoopGroup &&) = default;
LoopGroup &LoopGroup::operator=(LoopGroup &&) = default;
LoopGroup::~LoopGroup() = default;

scf::ForOp LoopGroup::getFirst() const { return loops.front()->getLoop(); }
scf::ForOp LoopGroup::getLast() const { return loops.back()->getLoop(); }

/// Returns true if `value` is available before `first`, or can be computed before `first`.
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

bool LoopGroup::add(std::unique_ptr<SpecializedLoop> &loop) {
  scf::ForOp first = getFirst(), next = loop->getLoop();
  // If three programs share a block, the loop bounds of all programs are in registers. The bounds of a second loop
  // would cause spills.
  if (next->getBlock() != first->getBlock() || !loop->canUseSlotsOf(*loops.front()) ||
      ttg::getProgramsPerBlock(next) > 1)
    return false;
  for (Operation &op : llvm::make_range(first->getIterator(), next->getIterator()))
    if (loop->isOrderedBy(op))
      return false;
  if (!llvm::all_of(loop->getScalars(), [&](Value scalar) { return canComputeBefore(scalar, first); }))
    return false;
  for (Value scalar : loop->getScalars())
    computeBefore(scalar, first);
  loops.push_back(std::move(loop));
  return true;
}

bool LoopGroup::isPaired() const {
  return llvm::any_of(loops, [](auto &loop) { return loop->isPaired(); });
}

int32_t LoopGroup::getRegisters() const {
  int32_t most = 0;
  for (auto &loop : loops)
    most = std::max(most, loop->getRegisters());
  return most;
}

void LoopGroup::prepare(OpBuilder &at) {
  for (auto &loop : loops)
    loop->prepare(at, loop == loops.front() ? nullptr : loops.front().get());
}

bool LoopGroup::hasAcceleratorCopy() const {
  return llvm::any_of(loops, [](auto &loop) { return loop->hasAcceleratorCopy(); });
}

void LoopGroup::collectCaptures(llvm::SetVector<Value> &captured) {
  for (auto &loop : loops)
    loop->collectCaptures(captured);
}

size_t LoopGroup::getNumFilled() const { return loops.front()->getNumFilled(); }
size_t LoopGroup::getNumRead() const { return loops.front()->getNumRead(); }

SmallVector<Value> LoopGroup::writePartition(OpBuilder &at, const IRMapping &known, ValueRange filled) {
  SmallVector<Value> positions(filled);
  for (auto &loop : loops)
    positions = loop->writePartition(at, known, positions);
  return positions;
}

SmallVector<Value> LoopGroup::writeProgram(ValueRange read) {
  SmallVector<Value> positions(read);
  for (auto &loop : loops)
    positions = loop->writeProgram(positions);
  return positions;
}

void LoopGroup::destroySlots(OpBuilder &at) { loops.front()->destroySlots(at); }
