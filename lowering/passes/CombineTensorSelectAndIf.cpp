//===- CombineTensorSelectAndIf.cpp - a choice between tiles becomes part of a branch ---------------------------------===//
//
// `select c, a, b` before `scf.if c` holds a and b in registers across the branch and takes an instruction per element;
// as a further result of the scf.if it takes none, and what computes a or b can move into its branch. Inside the branches
// the choice is known: there the select's uses become a and b themselves.
//
// Upstream's canonicalization does the opposite, of what is yielded from outside of the branches. So this has to run right
// before the passes that gain by it, those that schedule and pipeline loops.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUCOMBINETENSORSELECTANDIF
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// The first scf.if on the select's condition that lies between it and all of its uses.
scf::IfOp findBranch(arith::SelectOp select, DominanceInfo &dominance) {
  scf::IfOp first;
  for (Operation *user : select.getCondition().getUsers()) {
    auto branch = dyn_cast<scf::IfOp>(user);
    if (!branch || branch->getBlock() != select->getBlock() || !select->isBeforeInBlock(branch))
      continue;
    if (first && first->isBeforeInBlock(branch))
      continue;
    // A use inside the branch counts: it gets the value that is known there.
    if (llvm::all_of(select->getUsers(), [&](Operation *use) { return dominance.dominates(branch, use); }))
      first = branch;
  }
  return first;
}

/// Makes `selects`, which lie before `branch` and have its condition, its last results.
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
