//===- LoopUtils.cpp - queries on loops for software pipelining ---------------------------------------------------===//
//
// This file also has helpers that compute bounds and steps for loads that are issued some iterations ahead.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/pipeliner/LoopUtils.h"

using namespace mlir;

namespace tilecc::pipeline {

bool isRepeatable(Operation *op) { return isMemoryEffectFree(op) && !op->hasTrait<OpTrait::IsTerminator>(); }

bool hasWarpGroupDots(scf::ForOp loop) { return !loop.getBody()->getOps<ttng::WarpGroupDotOp>().empty(); }

bool isRunningSum(scf::ForOp loop, ttng::WarpGroupDotOp dot) { return isRunningSum(loop, dot.getC(), dot.getD()); }

bool isRunningSum(scf::ForOp loop, Value accumulator, Value sum) {
  auto argument = dyn_cast<BlockArgument>(accumulator);
  return argument && argument.getOwner() == loop.getBody() && argument.hasOneUse() && sum.hasOneUse() &&
         loop.getTiedLoopYieldedValue(argument)->get() == sum;
}

bool containsLoopOfDots(scf::ForOp loop) {
  return llvm::any_of(loop.getBody()->getOps<scf::ForOp>(), hasWarpGroupDots);
}

void forEachInput(Operation *op, llvm::function_ref<void(Value)> visit) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!op->isAncestor(operand.getParentRegion()->getParentOp()) || inner == op)
        visit(operand);
  });
}

bool followsFrom(scf::ForOp loop, Operation *op, llvm::function_ref<bool(Operation *)> isSource) {
  DenseSet<Operation *> seen;
  SmallVector<Operation *> work = {op};
  while (!work.empty()) {
    bool found = false;
    forEachInput(work.pop_back_val(), [&](Value input) {
      Operation *made = input.getDefiningOp();
      if (!made || made->getParentOp() != loop)
        return;
      found |= isSource(made);
      if (seen.insert(made).second)
        work.push_back(made);
    });
    if (found)
      return true;
  }
  return false;
}

Value multiplyStep(OpBuilder &builder, scf::ForOp loop, int64_t iterations) {
  Value step = loop.getStep();
  if (iterations == 1)
    return step;
  auto count = builder.getIntegerAttr(step.getType(), iterations);
  return arith::MulIOp::create(builder, loop.getLoc(), step, arith::ConstantOp::create(builder, loop.getLoc(), count));
}

Value isBelow(OpBuilder &builder, scf::ForOp loop, Value value, Value bound) {
  auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  return arith::CmpIOp::create(builder, loop.getLoc(), less, value, bound);
}

Value getUpperBoundOf(OpBuilder &builder, scf::ForOp loop, int64_t ahead) {
  if (ahead == 0)
    return loop.getUpperBound();
  Value distance = multiplyStep(builder, loop, ahead), bound = loop.getUpperBound();
  if (loop.getUnsignedCmp())
    bound = arith::MaxUIOp::create(builder, loop.getLoc(), bound, distance);
  return arith::SubIOp::create(builder, loop.getLoc(), bound, distance);
}

} // namespace tilecc::pipeline
