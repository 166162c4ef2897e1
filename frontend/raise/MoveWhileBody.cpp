//===- MoveWhileBody.cpp - moves the guarded body of a while loop after its condition ----------------------------===//
//
// Passes.td describes the effect (TTMoveWhileBody). The pass rewrites
//
//   %r = scf.while (%x = ...) {               to   %r = scf.while (%x = ...) {
//     %c = ...                                       %c = ...
//     %y = scf.if %c { body; yield %b }              scf.condition(%c) %e, captured...
//                    else { yield %e }             } do { ^bb(%b0, captured...)
//     scf.condition(%c) %y                           body
//   } do { ^bb(%y): yield %y }                       yield %b
//                                                  }
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Passes.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilecc {

#define GEN_PASS_DEF_TTMOVEWHILEBODY
#include "frontend/raise/Passes.h.inc"

namespace {

/// Finds the scf.if that guards the body of the loop. It must be the last operation with an effect before the
/// condition, and only operands of scf.condition may use its results.
scf::IfOp findGuard(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  Operation *op = condition->getPrevNode();
  while (op && !isa<scf::IfOp>(op) && isMemoryEffectFree(op) && op->getNumRegions() == 0)
    op = op->getPrevNode();
  auto guard = dyn_cast_or_null<scf::IfOp>(op);
  if (!guard || guard.getElseRegion().empty())
    return {};
  for (Operation *user : guard->getUsers())
    if (user != condition.getOperation())
      return {};
  return guard;
}

/// Returns 1 if the loop continues when the guard's condition is true, 0 if it continues when the condition is false,
/// and -1 if the two conditions are unrelated.
int getContinuingBranch(Value loopCondition, Value guardCondition) {
  if (loopCondition == guardCondition)
    return 1;
  auto negation = loopCondition.getDefiningOp<arith::XOrIOp>();
  return negation && negation.getLhs() == guardCondition && matchPattern(negation.getRhs(), m_One()) ? 0 : -1;
}

void moveBody(scf::WhileOp loop) {
  scf::IfOp guard = findGuard(loop);
  scf::ConditionOp condition = loop.getConditionOp();
  int continuing = guard ? getContinuingBranch(condition.getCondition(), guard.getCondition()) : -1;
  if (continuing < 0)
    return;
  Region &body = continuing ? guard.getThenRegion() : guard.getElseRegion();
  Block &leaving = continuing ? guard.getElseRegion().front() : guard.getThenRegion().front();
  if (!llvm::hasSingleElement(leaving)) // the else branch has effects when the loop ends
    return;
  auto bodyYield = cast<scf::YieldOp>(body.front().getTerminator());
  auto leavingYield = cast<scf::YieldOp>(leaving.getTerminator());
  auto guardResult = [&](Value value) -> std::optional<unsigned> {
    auto result = dyn_cast<OpResult>(value);
    return result && result.getOwner() == guard.getOperation() ? std::optional(result.getResultNumber()) : std::nullopt;
  };

  // The new scf.condition forwards the results that the loop has when it ends, and the values of the first region that
  // the body uses.
  SmallVector<Value> forwarded;
  for (Value value : condition.getArgs()) {
    std::optional<unsigned> i = guardResult(value);
    forwarded.push_back(i ? leavingYield.getOperand(*i) : value);
  }
  unsigned numResults = forwarded.size();
  auto insideBody = [&](Operation *op) { return body.isAncestor(op->getParentRegion()); };
  llvm::SetVector<Value> captured;
  body.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!body.isAncestor(operand.getParentRegion()) && !loop.isDefinedOutsideOfLoop(operand))
        captured.insert(operand);
  });
  forwarded.append(captured.begin(), captured.end());

  OpBuilder builder(loop);
  SmallVector<Type> types(ValueRange(forwarded).getTypes());
  auto replacement = scf::WhileOp::create(builder, loop.getLoc(), types, loop.getInits());
  replacement->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *after =
      builder.createBlock(&replacement.getAfter(), {}, types, SmallVector<Location>(types.size(), loop.getLoc()));
  for (auto [i, value] : llvm::enumerate(captured))
    Value(value).replaceUsesWithIf(after->getArgument(numResults + i),
                                   [&](OpOperand &use) { return insideBody(use.getOwner()); });

  // While the loop continues, a result of the guard is the value that the body yields.
  SmallVector<Value> yielded(bodyYield.getOperands());
  bodyYield.erase();
  Block *oldAfter = loop.getAfterBody();
  for (auto [i, value] : llvm::enumerate(condition.getArgs())) {
    std::optional<unsigned> result = guardResult(value);
    oldAfter->getArgument(i).replaceAllUsesWith(result ? yielded[*result] : Value(after->getArgument(i)));
  }
  after->getOperations().splice(after->end(), body.front().getOperations());
  after->getOperations().splice(after->end(), oldAfter->getOperations());

  OpBuilder atCondition(condition);
  scf::ConditionOp::create(atCondition, condition.getLoc(), condition.getCondition(), forwarded);
  condition.erase();
  guard.erase();
  replacement.getBefore().takeBody(loop.getBefore());
  for (OpResult result : loop.getResults())
    result.replaceAllUsesWith(replacement.getResult(result.getResultNumber()));
  loop.erase();
}

struct MoveWhileBody : impl::TTMoveWhileBodyBase<MoveWhileBody> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops)
      moveBody(loop);
  }
};

} // namespace
} // namespace tilecc
