//===- OneThread.cpp - code that one thread executes on behalf of all --------------------------------------------===//
//
// Such code is in a branch instead of predicated instructions. Warps that do not take the branch then skip the
// computations that only this code needs (coordinates, addresses of tensor maps and barriers). In the loop of a dot,
// these computations are more instructions than everything else. Adjacent branches with the same condition are merged,
// and LLVM sinks computations with no other use into the branch.
//
// The first warp takes the branch, where `elect.sync` selects the thread. ptxas then knows that the code is executed by
// a single thread, and does not repeat copies for all threads that might be selected.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/NvidiaPatterns.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;

/// Marks branches that one thread takes.
static constexpr StringLiteral oneThreadAttr = "tilecc.one_thread";

/// Creates the branch of the first warp, under `predicate` (may be null).
static scf::IfOp createBranch(OpBuilder &builder, Location loc, const TargetInfo &target, Value predicate,
                              function_ref<void()> create) {
  Value condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                          getThreadPosition(builder, loc, target).warp, constantI32(builder, loc, 0));
  if (predicate)
    condition = arith::AndIOp::create(builder, loc, condition, predicate);
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard keep(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  create();
  return branch;
}

void tilecc::createForOneThread(OpBuilder &builder, Location loc, const TargetInfo &target, Value predicate,
                                function_ref<void()> create) {
  createBranch(builder, loc, target, predicate, create)->setAttr(oneThreadAttr, builder.getUnitAttr());
}

void tilecc::createForFirstWarp(OpBuilder &builder, Location loc, const TargetInfo &target,
                                function_ref<void()> create) {
  createBranch(builder, loc, target, /*predicate=*/Value(), create);
}

/// Returns true if `x` and `y` are computed in the same way.
static bool isSame(Value x, Value y) {
  if (x == y)
    return true;
  Operation *ofX = x.getDefiningOp(), *ofY = y.getDefiningOp();
  return ofX && ofY && isPure(ofX) && cast<OpResult>(x).getResultNumber() == cast<OpResult>(y).getResultNumber() &&
         OperationEquivalence::isEquivalentTo(
             ofX, ofY, [](Value x, Value y) { return success(isSame(x, y)); }, nullptr,
             OperationEquivalence::IgnoreLocations);
}

/// Merges the branches of a block that have the same condition and only pure operations between them.
static void mergeIn(Block &block) {
  scf::IfOp last;
  SmallVector<Operation *> between;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch || !branch->hasAttr(oneThreadAttr)) {
      if (isPure(&op))
        between.push_back(&op);
      else
        last = {};
      continue;
    }
    if (last && isSame(branch.getCondition(), last.getCondition())) {
      for (Operation *computation : between)
        computation->moveBefore(last);
      Block &from = *branch.thenBlock(), &to = *last.thenBlock();
      from.getTerminator()->erase();
      to.getOperations().splice(to.getTerminator()->getIterator(), from.getOperations());
      branch.erase();
    } else {
      last = branch;
    }
    between.clear();
  }
}

/// Restricts the body of `branch` to one elected thread of the warp.
static void electIn(scf::IfOp branch) {
  branch->removeAttr(oneThreadAttr);
  Location loc = branch.getLoc();
  Block &body = *branch.thenBlock();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Value isElected = NVVM::ElectSyncOp::create(builder, loc, builder.getI1Type(), /*membermask=*/Value());
  auto inner = scf::IfOp::create(builder, loc, isElected, /*withElseRegion=*/false);
  Block &to = *inner.thenBlock();
  to.getOperations().splice(to.begin(), body.getOperations(), std::next(inner->getIterator()),
                            body.getTerminator()->getIterator());
}

void tilecc::finishOneThreadCode(Operation *module) {
  SmallVector<Block *> blocks;
  module->walk([&](Block *block) { blocks.push_back(block); });
  for (Block *block : blocks)
    mergeIn(*block);
  module->walk([](scf::IfOp branch) {
    if (branch->hasAttr(oneThreadAttr))
      electIn(branch);
  });
}
