//===- PromoteProducts.cpp - gives dots operand types that multiply-add supports ----------------------------------===//
//
// This pass runs on TTIR, before layouts are assigned. The conversions that it adds are elementwise, so they get the
// layouts of the operands later.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/TT.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONPROMOTEPRODUCTS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

bool isFloat(Value tile, unsigned bits) {
  Type element = getElementTypeOrSelf(tile.getType());
  return isa<FloatType>(element) && tt::getElementBits(element) == bits;
}

void promote(tt::DotOp dot) {
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()})
    if (isFloat(operand->get(), 8)) {
      Type half = tt::withElementType(operand->get().getType(), builder.getF16Type());
      operand->set(tt::FpToFpOp::create(builder, loc, half, operand->get(), tt::RoundingModeAttr()));
    }
  if (!isFloat(dot.getC(), 16))
    return;
  Type narrow = dot.getType(), wide = tt::withElementType(narrow, builder.getF32Type());
  dot.getCMutable().assign(arith::ExtFOp::create(builder, loc, wide, dot.getC()));
  dot.getResult().setType(cast<RankedTensorType>(wide));
  builder.setInsertionPointAfter(dot);
  auto rounded = arith::TruncFOp::create(builder, loc, narrow, dot.getResult());
  dot.getResult().replaceAllUsesExcept(rounded, rounded);
}

struct TritonPromoteProducts : tilecc::impl::TritonPromoteProductsBase<TritonPromoteProducts> {
  void runOnOperation() override { getOperation().walk(promote); }
};

} // namespace
