//===- FenceInsertion.cpp - fences between what threads write to shared memory and units that read it ------------------===//
//
// See the pass's description. A wgmma that follows a thread's store and a barrier may still read what was there before:
// the two go different ways, which only a fence of the thread that stores brings together (PTX ISA, async proxy).
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUFENCEINSERTION
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Whether `tile`, or a view of it, is an operand of a product.
bool isOperand(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    return isa<ttng::WarpGroupDotOp>(user) || (isa<ViewLikeOpInterface>(user) && isOperand(user->getResult(0)));
  });
}

struct FenceInsertion : tilecc::impl::TritonNvidiaGPUFenceInsertionBase<FenceInsertion> {
  void runOnOperation() override {
    // Allocations that units read.
    DenseSet<Operation *> read;
    getOperation().walk([&](ttng::WarpGroupDotOp dot) {
      for (Value operand : {dot.getA(), Value(dot.getB())})
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
    getOperation().walk([&](Operation *op) {
      if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op); alloc && alloc.getSrc() && isRead(alloc))
        writers.push_back(op);
      else if (auto store = dyn_cast<ttg::LocalStoreOp>(op); store && isRead(store.getDst()))
        writers.push_back(op);
      else if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op); copy && isRead(copy.getResult()))
        copies = true;
    });
    if (copies)
      getOperation().walk([&](Operation *op) {
        auto wait = dyn_cast<ttng::WaitBarrierOp>(op);
        if (isa<ttg::AsyncWaitOp>(op) || (wait && llvm::any_of(wait.getDeps(), isOperand)))
          writers.push_back(op);
      });
    for (Operation *writer : writers) {
      OpBuilder builder(writer);
      builder.setInsertionPointAfter(writer);
      ttng::FenceAsyncSharedOp::create(builder, writer->getLoc(), /*bCluster=*/false);
    }
  }
};

} // namespace
