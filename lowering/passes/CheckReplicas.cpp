//===- CheckReplicas.cpp - makes the emulator compare the copies of replicated values -----------------------------===//
//
// A value that the language treats as one value must have the same bits in every thread that holds a copy of it. The
// pass inserts comparisons where a difference would become visible: where a value is stored or passed to other threads,
// where it is combined into a value that is not replicated, and where it decides control flow. Values in between are
// not compared: a comparison is a use, and a product with two uses would no longer be contracted to an FMA.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUCHECKREPLICAS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Returns the operands of `op` whose copies must agree.
OperandRange getCompared(Operation *op) {
  if (isa<ttg::CompareReplicasOp>(op))
    return op->getOperands().take_front(0);
  if (isa<scf::ForOp>(op))
    return op->getOperands().take_front(3); // the bounds and the step
  if (isa<scf::IfOp, scf::ConditionOp, scf::IndexSwitchOp>(op))
    return op->getOperands().take_front(1);
  if (isa<ttg::ConvertLayoutOp, tt::ReduceOp, tt::ScanOp, tt::SplatOp, tt::BroadcastOp, tt::DotOp>(op))
    return op->getOperands();
  bool keeps = op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op);
  return op->getOperands().take_front(keeps ? 0 : op->getNumOperands());
}

/// Returns true for tiles, and for scalars that threads have computed or loaded. Kernel arguments are the same
/// everywhere.
bool mayDiffer(Value value) {
  if (!isa<RankedTensorType, IntegerType, FloatType, IndexType, tt::PointerType>(value.getType()))
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return !isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return !op->hasTrait<OpTrait::ConstantLike>() && !isa<tt::GetProgramIdOp, tt::GetNumProgramsOp>(op);
}

struct CheckReplicas : tilecc::impl::TritonGPUCheckReplicasBase<CheckReplicas> {
  void runOnOperation() override {
    llvm::DenseSet<std::pair<Value, Block *>> compared;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      compare(op, compared);
      return op->hasTrait<tt::ComputesElements>() ? WalkResult::skip()
                                                  : WalkResult::advance(); // its region is executed per thread
    });
  }

  static void compare(Operation *op, llvm::DenseSet<std::pair<Value, Block *>> &compared) {
    OpBuilder builder(op);
    for (Value value : getCompared(op))
      if (mayDiffer(value) && compared.insert({value, op->getBlock()}).second)
        ttg::CompareReplicasOp::create(builder, op->getLoc(), value);
  }
};

} // namespace
