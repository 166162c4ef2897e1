//===- ArgumentUse.cpp - finds arguments that decide memory accesses ----------------------------------------------===//

#include "compile/ArgumentUse.h"
#include "lowering/dialects/tt/GlobalAccess.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilecc {

namespace {
/// Collects the values that are computed from a value and may be part of an address or of a mask.
class Consequences {
public:
  bool reachAccess(Value value) {
    values.insert(value);
    for (size_t i = 0; i < values.size(); ++i)
      for (OpOperand &use : values[i].getUses())
        if (isAccess(use))
          return true;
    return false;
  }

private:
  void follow(Value value) {
    Type type = getElementTypeOrSelf(value.getType());
    bool isCondition = value.getType().isInteger(1); // a splat of such a value is a uniform mask
    if (!isa<FloatType>(type) && !isCondition)
      values.insert(value);
  }

  bool isAccess(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto access = tt::getGlobalAccess(op))
      return access->isOfTile() && (use.get() == access->pointers || use.get() == access->mask);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (BlockArgument carried = loop.getTiedLoopRegionIterArg(&use)) {
        follow(carried);
        follow(loop.getTiedLoopResult(&use));
      } else if (&use != &loop.getUpperBoundMutable()) {
        follow(loop.getInductionVar());
      }
      return false;
    }
    if (isa<scf::YieldOp>(op)) {
      Operation *parent = op->getParentOp();
      if (auto loop = dyn_cast<scf::ForOp>(parent))
        follow(loop.getRegionIterArg(use.getOperandNumber()));
      else if (!isa<scf::IfOp>(parent))
        return true;
      follow(parent->getResult(use.getOperandNumber()));
      return false;
    }
    if (isa<scf::IfOp, tt::ReturnOp, tt::PrintOp, tt::AssertOp>(op))
      return false;
    if (!isMemoryEffectFree(op) || op->getNumRegions() || isa<tt::MakeTensorDescOp>(op))
      return true; // assume that any other operation may be an access
    for (Value result : op->getResults())
      follow(result);
    return false;
  }

  llvm::SetVector<Value> values;
};
} // namespace

bool decidesAccesses(Value argument) { return Consequences().reachAccess(argument); }

} // namespace tilecc
