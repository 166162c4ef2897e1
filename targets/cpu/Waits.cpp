//===- Waits.cpp - loops that end when another program has written to memory --------------------------------------===//
//
// A wait loop is a spin lock, or waits for a flag that a neighbour sets. Programs run in order on the threads of the
// CPU device, so a program that waits for a later one may wait forever. ControlFlow.cpp has the runtime watch these
// loops.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Waits.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

/// Whether the operation, done twice with the same operands, leaves in memory what it left the first time.
static bool isIdempotent(Operation *op) {
  if (isa<tt::LoadOp, tt::AtomicCASOp, tt::AssertOp, gpu::BarrierOp>(op))
    return true;
  auto rmw = dyn_cast<tt::AtomicRMWOp>(op);
  if (!rmw)
    return isMemoryEffectFree(op) || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  switch (rmw.getAtomicRmwOp()) {
  case tt::RMWOp::AND: case tt::RMWOp::OR: case tt::RMWOp::MAX: case tt::RMWOp::MIN: case tt::RMWOp::UMAX:
  case tt::RMWOp::UMIN: case tt::RMWOp::XCHG:
    return true;
  case tt::RMWOp::ADD: case tt::RMWOp::XOR:
    return matchPattern(rmw.getVal(), m_Zero()); // a way to read
  case tt::RMWOp::FADD:
    return false;
  }
  llvm_unreachable("all operations are listed");
}

/// Whether the value depends on what the iteration before handed on.
static bool dependsOnState(Value value, scf::WhileOp loop, llvm::DenseSet<Value> &seen) {
  if (!seen.insert(value).second || !loop->isAncestor(value.getParentBlock()->getParentOp()))
    return false;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (arg.getOwner() == loop.getBeforeBody())
      return true;
    if (arg.getOwner() == loop.getAfterBody())
      return dependsOnState(loop.getConditionOp().getArgs()[arg.getArgNumber()], loop, seen);
    value = arg.getOwner()->getParentOp()->getResult(0); // of a loop within: all that it is made of
  }
  return value.getDefiningOp()
      ->walk([&](Operation *inner) {
        bool depends = llvm::any_of(inner->getOperands(), [&](Value v) { return dependsOnState(v, loop, seen); });
        return depends ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool cpu::isWait(scf::WhileOp loop) {
  bool reads = false;
  auto result = loop->walk([&](Operation *op) {
    reads |= isa<tt::LoadOp, tt::AtomicCASOp, tt::AtomicRMWOp>(op);
    return isIdempotent(op) ? WalkResult::advance() : WalkResult::interrupt();
  });
  llvm::DenseSet<Value> seen;
  return reads && !result.wasInterrupted() &&
         llvm::none_of(loop.getYieldOp().getOperands(), [&](Value v) { return dependsOnState(v, loop, seen); });
}
