//===- Waits.cpp - loops that wait for another program's write ----------------------------------------------------===//
//
// A wait loop is a spin lock, or waits for a flag that an adjacent program sets. The threads of the CPU device run
// programs in order, so a program that waits for a later program may wait forever. ControlFlow.cpp makes the runtime
// watch these loops.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Waits.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

/// Returns true if executing the operation twice with the same operands leaves the same memory contents as executing it
/// once.
static bool isIdempotent(Operation *op) {
  if (isa<tt::LoadOp, tt::AtomicCASOp, tt::AssertOp, gpu::BarrierOp>(op))
    return true;
  auto rmw = dyn_cast<tt::AtomicRMWOp>(op);
  if (!rmw)
    return isMemoryEffectFree(op) || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  switch (rmw.getAtomicRmwOp()) {
  case tt::RMWOp::AND:
  case tt::RMWOp::OR:
  case tt::RMWOp::MAX:
  case tt::RMWOp::MIN:
  case tt::RMWOp::UMAX:
  case tt::RMWOp::UMIN:
  case tt::RMWOp::XCHG: return true;
  case tt::RMWOp::ADD:
  case tt::RMWOp::XOR: return matchPattern(rmw.getVal(), m_Zero()); // an idiom for a load
  case tt::RMWOp::FADD: return false;
  }
  llvm_unreachable("all operations are listed");
}

/// Returns true if the value depends on values that are carried from the previous iteration.
static bool dependsOnState(Value value, scf::WhileOp loop, llvm::DenseSet<Value> &seen) {
  if (!seen.insert(value).second || !loop->isAncestor(value.getParentBlock()->getParentOp()))
    return false;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (arg.getOwner() == loop.getBeforeBody())
      return true;
    if (arg.getOwner() == loop.getAfterBody())
      return dependsOnState(loop.getConditionOp().getArgs()[arg.getArgNumber()], loop, seen);
    value = arg.getOwner()->getParentOp()->getResult(0); // of a nested loop: depends on all its operations
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
