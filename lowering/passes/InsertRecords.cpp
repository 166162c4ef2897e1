//===- InsertRecords.cpp - records when parts of a kernel begin and end -------------------------------------------===//
//
// Records have effects but no operands or results, so they cannot change the results of the operations around them. The
// pass runs after the passes that move operations, because only then is it known where a program waits.
//
// A record reads the clock, and assemblers move no instruction across such a read. So the pass inserts no records where
// instructions should overlap: at asynchronous dots, at waits across which arithmetic moves, and between ttng.take_turn
// and ttng.pass_turn, where other warps wait.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONINSERTRECORDS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

bool computesTile(Operation &op) {
  return isMemoryEffectFree(&op) && llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

/// Returns true if the assembler may reorder arithmetic with this wait for dots. Arithmetic that follows the dots may
/// move before the wait, and code that follows the wait may run while other dots are in flight. A record would prevent
/// both, and would lengthen the live ranges of the registers that hold operands.
bool overlaps(ttng::WarpGroupDotWaitOp wait) {
  auto before = llvm::make_range(std::next(wait->getReverseIterator()), wait->getBlock()->rend());
  for (Operation &op : before) {
    if (isa<ttng::WarpGroupDotOp>(op))
      break;
    if (isa<ttng::WarpGroupDotWaitOp>(op) || computesTile(op))
      return true;
  }
  auto after = llvm::make_range(std::next(wait->getIterator()), wait->getBlock()->end());
  return wait.getPendings() > 0 && llvm::any_of(after, computesTile);
}

/// Returns true if `op` is between ttng.take_turn and ttng.pass_turn. A record there would delay the other warps, which
/// wait in ttng.take_turn.
bool isInTurn(Operation *op) {
  for (op = op->getPrevNode(); op; op = op->getPrevNode())
    if (isa<ttng::TakeTurnOp, ttng::PassTurnOp>(op))
      return isa<ttng::TakeTurnOp>(op);
  return false;
}

/// Returns the name of the scope that a record of `op` has; empty if `op` is not recorded.
StringRef getScope(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<scf::ForOp, scf::WhileOp>([](auto) { return "loop"; })
      .Case<tt::DotOp, tt::DotScaledOp>([](auto) { return "dot"; })
      .Case<ttng::WarpGroupDotOp, ttng::MMAv5OpInterface>([](auto dot) { return dot.getIsAsync() ? "" : "dot"; })
      .Case<ttng::WarpGroupDotWaitOp>([](auto wait) { return overlaps(wait) ? "" : "wait for dots"; })
      .Case<ttg::AsyncWaitOp>([](auto) { return "wait for copies"; })
      .Case<ttng::WaitBarrierOp>([](auto) { return "wait at barrier"; })
      .Case<ttng::TMAStoreWaitOp>([](auto) { return "wait for stores"; })
      .Default([](Operation *) { return StringRef(); });
}

struct InsertRecords : tilecc::impl::TritonInsertRecordsBase<InsertRecords> {
  void runOnOperation() override {
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->hasTrait<tt::ComputesElements>())
        return WalkResult::skip(); // the region of this operation is executed per thread
      if (StringRef scope = getScope(op); !scope.empty() && !isInTurn(op)) {
        OpBuilder builder(op);
        tt::RecordOp::create(builder, op->getLoc(), /*isStart=*/true, scope);
        builder.setInsertionPointAfter(op);
        tt::RecordOp::create(builder, op->getLoc(), /*isStart=*/false, scope);
      }
      if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op)) {
        for (auto [number, region] : llvm::enumerate(specialize.getPartitionRegions()))
          enclose(region, op->getLoc(), "partition " + std::to_string(number));
      }
      return WalkResult::advance();
    });
  }

  static void enclose(Region &region, Location loc, const std::string &scope) {
    auto builder = OpBuilder::atBlockBegin(&region.front());
    tt::RecordOp::create(builder, loc, /*isStart=*/true, scope);
    for (Block &block : region)
      if (block.getTerminator()->getNumSuccessors() == 0) {
        builder.setInsertionPoint(block.getTerminator());
        tt::RecordOp::create(builder, loc, /*isStart=*/false, scope);
      }
  }
};

} // namespace
