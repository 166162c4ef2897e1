#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUACCELERATEMATMUL
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct AccelerateMatmul : tilecc::impl::TritonGPUAccelerateMatmulBase<AccelerateMatmul> {
  void runOnOperation() override {
    getOperation().walk([](tt::DotOp dot) {
      OpBuilder builder(dot);
      Type sum = getElementTypeOrSelf(dot.getType());
      for (unsigned i : {0, 1}) {
        Value operand = dot->getOperand(i);
        Type element = getElementTypeOrSelf(operand.getType());
        if (tt::getElementBits(element) >= tt::getElementBits(sum))
          continue;
        Type wide = tt::withElementType(operand.getType(), sum);
        if (isa<FloatType>(element) && isa<FloatType>(sum))
          dot->setOperand(i, arith::ExtFOp::create(builder, dot.getLoc(), wide, operand));
        else if (isa<IntegerType>(element) && isa<IntegerType>(sum))
          dot->setOperand(i, arith::ExtSIOp::create(builder, dot.getLoc(), wide, operand));
      }
    });
  }
};

} // namespace
