#include "lowering/passes/Passes.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUREORDERINSTRUCTIONS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct ReorderInstructions : tilecc::impl::TritonGPUReorderInstructionsBase<ReorderInstructions> {
  void runOnOperation() override {
    // Bottom up, so that a conversion lands before one that it feeds has landed.
    SmallVector<ttg::ConvertLayoutOp> converts;
    getOperation().walk([&](ttg::ConvertLayoutOp op) { converts.push_back(op); });
    for (ttg::ConvertLayoutOp op : llvm::reverse(converts)) {
      auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(op.getType().getEncoding());
      bool grows = ttg::getElementsPerThread(op.getType()) > ttg::getElementsPerThread(op.getSrc().getType());
      if (!operand && !grows)
        continue;
      Operation *first = nullptr;
      for (Operation *user : op->getUsers()) {
        Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
        // Never into a loop or a branch, only to just before it.
        if (!inBlock || (first && first->isBeforeInBlock(inBlock)))
          continue;
        first = inBlock;
      }
      if (first)
        op->moveBefore(first);
    }
  }
};

} // namespace
