//===- CombineTensorSelectAndIf.cpp - turns a select of tiles into a result of scf.if -----------------------------===//
//
// `select c, a, b` before `scf.if c` keeps a and b in registers across the branch and costs one instruction per
// element. As another result of the scf.if it costs nothing, and the computation of a or b can move into its branch.
// Inside the branches the condition is known, so uses of the select there become a or b.
//
// MLIR's canonicalization does the opposite for values that are yielded from outside the branches. So this pass must
// run right before the passes that profit from it, which schedule and pipeline loops.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUCOMBINETENSORSELECTANDIF
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Returns the first scf.if on the select's condition that comes after the select and dominates all of its uses.
scf::IfOp findBranch(arith::SelectOp select, DominanceInfo &dominance) {
  scf::IfOp first;
  for (Operation *user : select.getCondition().getUsers()) {
    auto branch = dyn_cast<scf::IfOp>(user);
    if (!branch || branch->getBlock() != select->getBlock() || !select->isBeforeInBlock(branch))
      continue;
    if (first && first->isBeforeInBlock(branch))
      continue;
    // A use inside the branch counts as dominated, because the value that is known there replaces it.
    if (llvm::all_of(select->getUsers(), [&](Operation *use) { return dominance.dominates(branch, use); }))
      first = branch;
  }
  return first;
}

/// Appends `selects`, which precede `branch` and have the same condition, to the results of `branch`.
void addResults(scf::IfOp branch, SmallVectorImpl<arith::SelectOp> &selects) {
  SmallVector<Type> types(branch.getResultTypes());
  for (arith::SelectOp select : selects)
    types.push_back(select.getType());

  OpBuilder builder(branch);
  auto combined = scf::IfOp::create(builder, branch.getLoc(), types, branch.getCondition(), /*withElseRegion=*/true);
  combined->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  combined.getThenRegion().takeBody(branch.getThenRegion());
  if (branch.elseBlock()) {
    combined.getElseRegion().takeBody(branch.getElseRegion());
  } else {
    builder.setInsertionPointToEnd(combined.elseBlock());
    scf::YieldOp::create(builder, branch.getLoc());
  }

  for (arith::SelectOp select : selects)
    for (auto [region, value] : {std::pair(&combined.getThenRegion(), select.getTrueValue()),
                                 std::pair(&combined.getElseRegion(), select.getFalseValue())}) {
      select.getResult().replaceUsesWithIf(
          value, [&](OpOperand &use) { return region->isAncestor(use.getOwner()->getParentRegion()); });
      region->front().getTerminator()->insertOperands(region->front().getTerminator()->getNumOperands(), value);
    }

  for (auto [old, result] : llvm::zip(branch.getResults(), combined.getResults()))
    old.replaceAllUsesWith(result);
  for (auto [select, result] : llvm::zip(selects, combined.getResults().take_back(selects.size()))) {
    select.getResult().replaceAllUsesWith(result);
    select.erase();
  }
  branch.erase();
}

struct CombineTensorSelectAndIf : tilecc::impl::TritonGPUCombineTensorSelectAndIfBase<CombineTensorSelectAndIf> {
  void runOnOperation() override {
    auto &dominance = getAnalysis<DominanceInfo>();
    llvm::MapVector<scf::IfOp, SmallVector<arith::SelectOp>> found;
    getOperation().walk([&](arith::SelectOp select) {
      if (isa<RankedTensorType>(select.getType()) && select.getCondition().getType().isInteger(1))
        if (scf::IfOp branch = findBranch(select, dominance))
          found[branch].push_back(select);
    });
    for (auto &[branch, selects] : found)
      addResults(branch, selects);
  }
};

} // namespace
