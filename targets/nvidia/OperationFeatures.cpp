//===- OperationFeatures.cpp - checks that the GPU has the instructions of operations -----------------------------===//
//
// If the input is TTGIR, the code generator calls checkOperationFeatures(). So do patterns for operations that the
// language has for some GPUs only.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/OperationFeatures.h"
#include "lowering/dialects/tt/SignalOps.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilecc::nvidia {

namespace {
struct Need {
  Feature feature;
  StringLiteral instructions; ///< in PTX's terms
};
} // namespace

/// Returns the feature that an operation needs, or nothing if every architecture has its instructions.
static std::optional<Need> needOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Need>>(op)
      .Case<ttng::WarpGroupDotOp, ttng::WarpGroupDotWaitOp>([](auto) { return Need{Feature::Wgmma, "wgmma"}; })
      .Case<ttng::AsyncTMACopyGlobalToLocalOp, ttng::AsyncTMACopyLocalToGlobalOp, ttng::AsyncTMAReduceOp,
            ttng::AsyncTMAStoreTileOp, ttng::AsyncBulkCopyGlobalToLocalOp, ttng::TMAStoreWaitOp>(
          [](auto) { return Need{Feature::TensorCopies, "cp.async.bulk"}; })
      .Case<ttng::TensormapCreateOp, ttng::TensormapFenceproxyAcquireOp>(
          [](auto) { return Need{Feature::TensorCopies, "tensormap.replace"}; })
      .Case<ttng::WaitBarrierOp>([](auto) { return Need{Feature::TensorCopies, "mbarrier.try_wait"}; })
      .Case<ttng::BarrierExpectOp>([](auto) { return Need{Feature::TensorCopies, "mbarrier.arrive.expect_tx"}; })
      .Case<ttng::FenceAsyncSharedOp>([](auto) { return Need{Feature::TensorCopies, "fence.proxy.async"}; })
      .Case<ttng::ClusterArriveOp, ttng::ClusterWaitOp>([](auto) { return Need{Feature::Clusters, "barrier.cluster"}; })
      .Case<ttng::TMEMAllocOp, ttng::TMEMLoadOp, ttng::TMEMStoreOp, ttng::TMEMCopyOp, ttng::TMEMSubSliceOp,
            ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp, ttng::TCGen5CommitOp>(
          [](auto) { return Need{Feature::TensorMemory, "tcgen05"}; })
      .Case<tt::MultimemSumOp, tt::MultimemStoreOp, tt::MultimemAddOp>(
          [](auto) { return Need{Feature::TensorCopies, "multimem"}; }) // both begin with sm_90
      .Default([](Operation *) { return std::nullopt; });
}

LogicalResult checkOperationFeatures(Operation *root, const Facts &facts) {
  WalkResult result = root->walk([&](Operation *op) {
    std::optional<Need> need = needOf(op);
    if (!need || facts.has(need->feature))
      return WalkResult::advance();
    const Facts *oldest =
        llvm::find_if(allArchitectures(), [&](const Facts &other) { return other.features & uint32_t(need->feature); });
    op->emitOpError() << "needs " << need->instructions << ", which " << facts.arch.sm() << " does not have and "
                      << oldest->arch.sm() << " has";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

} // namespace tilecc::nvidia
