//===- FenceInsertion.cpp - fences between threads' stores and units that read them -------------------------------===//
//
// Threads and matrix units access shared memory through different proxies. So a dot may still read the old data after a
// thread's store and a barrier, unless the storing thread has executed a fence (PTX ISA, async proxy).
//
// Data that cp.async has copied needs no fence after the wait for the copy. The PTX specification does not say so, but
// CUTLASS and Triton rely on it, and all dots of test/matrix are correct on an H200. A fence in each iteration would
// wait for all accesses of a thread, and cost 3 % of the time of a matrix multiplication.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "lowering/passes/Passes.h"
#include "targets/nvidia/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUFENCEINSERTION
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

struct FenceInsertion : tilecc::impl::TritonNvidiaGPUFenceInsertionBase<FenceInsertion> {
  void runOnOperation() override {
    getOperation().walk([](tt::FuncOp func) { insertFences(func); });
  }

  static void insertFences(tt::FuncOp func) {
    // The allocations that matrix units or copy units read.
    DenseSet<Operation *> read;
    func.walk([&](Operation *op) {
      SmallVector<Value> operands;
      if (isa<ttng::WarpGroupDotOp>(op))
        llvm::append_range(operands, op->getOperands().take_front(2));
      else if (auto dot = dyn_cast<ttng::MMAv5OpInterface>(op))
        operands = {dot.getA(), dot.getB()};
      else if (auto copy = dyn_cast<ttng::TMEMCopyOp>(op))
        operands = {copy.getSrc()};
      for (Value operand : operands)
        if (isa<ttg::MemDescType>(operand.getType()))
          read.insert_range(getAllocations(operand));
    });
    if (read.empty())
      return;
    auto isRead = [&](Value memory) {
      return llvm::any_of(getAllocations(memory), [&](Operation *owner) { return !owner || read.contains(owner); });
    };
    bool copies = false;
    SmallVector<Operation *> writers;
    func.walk([&](Operation *op) {
      if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op); alloc && alloc.getSrc() && isRead(alloc))
        writers.push_back(op);
      else if (auto store = dyn_cast<ttg::LocalStoreOp>(op); store && isRead(store.getDst()))
        writers.push_back(op);
      else if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op);
               copy && storesOther(copy) && isRead(copy.getResult()))
        copies = true;
    });
    if (copies)
      func.walk([&](ttg::AsyncWaitOp wait) { writers.push_back(wait); });
    for (Operation *writer : writers) {
      OpBuilder builder(writer);
      builder.setInsertionPointAfter(writer);
      ttng::FenceAsyncSharedOp::create(builder, writer->getLoc(), /*bCluster=*/false);
    }
  }
};

} // namespace
