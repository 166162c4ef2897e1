//===- StageDotOperands.cpp - makes dots read their operands from scratch space -----------------------------------===//
//
// The dot itself passes its operands through shared memory, step by step along the contracted axis. Otherwise each
// operand would be converted as a whole before the dot, and held in registers (see StagingPlan).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DataMovement.h"
#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUSTAGEDOTOPERANDS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Returns the conversion that produces operand `i` of `dot`. Between the two may be an extension, which the dot can
/// execute itself.
ttg::ConvertLayoutOp getConversion(tt::DotOp dot, unsigned i) {
  Operation *source = dot->getOperand(i).getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(source))
    source = source->getOperand(0).getDefiningOp();
  auto convert = dyn_cast_or_null<ttg::ConvertLayoutOp>(source);
  return convert && !isa<ttg::DotOperandEncodingAttr>(convert.getSrc().getType().getEncoding()) ? convert : nullptr;
}

struct StageDotOperands : tilecc::impl::TritonGPUStageDotOperandsBase<StageDotOperands> {
  void runOnOperation() override {
    getOperation().walk([](tt::DotOp dot) {
      if (!isa<ttg::BlockedEncodingAttr>(cast<RankedTensorType>(dot.getType()).getEncoding()))
        return;
      ttg::ConvertLayoutOp a = getConversion(dot, 0), b = getConversion(dot, 1);
      if (!a || !b)
        return;
      ttg::ConvertLayoutOp converts[] = {a, b};
      for (auto [i, convert] : llvm::enumerate(converts)) {
        Operation *before = dot->getOperand(i).getDefiningOp();
        dot->setOperand(i, convert.getSrc());
        if (before != convert && before->use_empty())
          before->erase();
        if (convert->use_empty())
          convert->erase();
      }
    });
  }
};

} // namespace
