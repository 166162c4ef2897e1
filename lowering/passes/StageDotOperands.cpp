#include "lowering/analysis/DataMovement.h"
#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUSTAGEDOTOPERANDS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct StageDotOperands : tilecc::impl::TritonGPUStageDotOperandsBase<StageDotOperands> {
  void runOnOperation() override {
    getOperation().walk([](tt::DotOp dot) {
      ttg::ConvertLayoutOp converts[2];
      for (unsigned i : {0, 1}) {
        converts[i] = dot->getOperand(i).getDefiningOp<ttg::ConvertLayoutOp>();
        if (!converts[i] || isa<ttg::DotOperandEncodingAttr>(converts[i].getSrc().getType().getEncoding()))
          return;
      }
      for (unsigned i : {0, 1}) {
        dot->setOperand(i, converts[i].getSrc());
        if (converts[i]->use_empty())
          converts[i]->erase();
      }
    });
  }
};

} // namespace
