//===- CarriedValues.cpp - values that control flow carries -------------------------------------------------------===//
//
// This file describes the ways in which loops and branches pass values on. All code that changes a value, or follows it
// through control flow, uses these functions: for layouts, pointers, and tiles in shared memory.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/CarriedValues.h"
#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace tilecc;

static Slot loopSlot(scf::ForOp loop, unsigned i) {
  return {{loop.getRegionIterArg(i), loop.getResult(i)},
          {&loop.getInitArgsMutable()[i], &loop.getBody()->getTerminator()->getOpOperand(i)}};
}

static Slot branchSlot(scf::IfOp branch, unsigned i) {
  Slot slot{{branch.getResult(i)}, {}};
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
    slot.feeders.push_back(&region->front().getTerminator()->getOpOperand(i));
  return slot;
}

static Slot whileBeforeSlot(scf::WhileOp loop, unsigned i) {
  return {{loop.getBeforeArguments()[i]}, {&loop->getOpOperand(i), &loop.getYieldOp()->getOpOperand(i)}};
}

static Slot whileAfterSlot(scf::WhileOp loop, unsigned i) {
  return {{loop.getAfterArguments()[i], loop.getResult(i)}, {&loop.getConditionOp().getArgsMutable()[i]}};
}

static Slot specializedSlot(ttg::WarpSpecializeOp op, unsigned i) {
  return {{op.getResult(i)}, {&op.getDefaultRegion().front().getTerminator()->getOpOperand(i)}};
}

std::optional<Slot> tilecc::getSlot(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *parent = arg.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent); loop && arg.getArgNumber() > 0)
      return loopSlot(loop, arg.getArgNumber() - 1);
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      return arg.getOwner() == loop.getBeforeBody() ? whileBeforeSlot(loop, arg.getArgNumber())
                                                    : whileAfterSlot(loop, arg.getArgNumber());
    return std::nullopt;
  }
  unsigned i = cast<OpResult>(value).getResultNumber();
  Operation *op = value.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loopSlot(loop, i);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return branchSlot(branch, i);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return whileAfterSlot(loop, i);
  if (auto specialized = dyn_cast<ttg::WarpSpecializeOp>(op))
    return specializedSlot(specialized, i);
  return std::nullopt;
}

std::optional<Slot> tilecc::getFedSlot(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned i = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return i >= loop.getNumControlOperands() ? std::optional(loopSlot(loop, i - loop.getNumControlOperands()))
                                             : std::nullopt;
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return whileBeforeSlot(loop, i);
  if (isa<ttg::WarpYieldOp>(op))
    return specializedSlot(cast<ttg::WarpSpecializeOp>(op->getParentOp()), i);
  if (isa<scf::ConditionOp>(op))
    return i > 0 ? std::optional(whileAfterSlot(cast<scf::WhileOp>(op->getParentOp()), i - 1)) : std::nullopt;
  if (!isa<scf::YieldOp>(op))
    return std::nullopt;
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
    return loopSlot(loop, i);
  if (auto branch = dyn_cast<scf::IfOp>(op->getParentOp()))
    return branchSlot(branch, i);
  if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp()))
    return whileBeforeSlot(loop, i);
  return std::nullopt;
}

Value tilecc::getPassed(Block *predecessor, BlockArgument argument) {
  auto branch = dyn_cast<BranchOpInterface>(predecessor->getTerminator());
  for (unsigned i = 0; branch && i < predecessor->getNumSuccessors(); ++i)
    if (predecessor->getSuccessor(i) == argument.getOwner())
      return branch.getSuccessorOperands(i)[argument.getArgNumber()];
  return {};
}

SmallVector<Value> tilecc::getIncoming(Value value) {
  SmallVector<Value> incoming;
  if (std::optional<Slot> slot = getSlot(value)) {
    for (OpOperand *feeder : slot->feeders)
      incoming.push_back(feeder->get());
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    for (Block *predecessor : argument.getOwner()->getPredecessors())
      incoming.push_back(getPassed(predecessor, argument));
  } else if (auto region = value.getDefiningOp<scf::ExecuteRegionOp>()) {
    for (Block &block : region.getRegion())
      if (auto yield = dyn_cast<scf::YieldOp>(block.getTerminator()))
        incoming.push_back(yield.getOperand(cast<OpResult>(value).getResultNumber()));
  }
  return incoming;
}
