//===- InsertRecords.cpp - records when parts of a kernel begin and end -------------------------------------------===//
//
// Records are effects without operands and results, which cannot change what the operations around them compute. They
// are inserted when the passes that move operations have run, because only then is it known where a program waits.
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

/// Returns the name of the scope that encloses `op`; empty if there is none.
StringRef getScope(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<scf::ForOp, scf::WhileOp>([](auto) { return "loop"; })
      .Case<tt::DotOp, tt::DotScaledOp, ttng::WarpGroupDotOp, ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp>(
          [](auto) { return "dot"; })
      .Case<ttng::WarpGroupDotWaitOp>([](auto) { return "wait for dots"; })
      .Case<ttg::AsyncWaitOp>([](auto) { return "wait for copies"; })
      .Case<ttng::WaitBarrierOp>([](auto) { return "wait at barrier"; })
      .Case<ttng::TMAStoreWaitOp>([](auto) { return "wait for stores"; })
      .Default([](Operation *) { return StringRef(); });
}

struct InsertRecords : tilecc::impl::TritonInsertRecordsBase<InsertRecords> {
  void runOnOperation() override {
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->hasTrait<tt::ComputesElements>())
        return WalkResult::skip(); // its region is a thread's
      if (StringRef scope = getScope(op); !scope.empty()) {
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
