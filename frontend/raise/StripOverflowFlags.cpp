//===- StripOverflowFlags.cpp - drop nsw and nuw from integer arithmetic ------------------------------------------===//
//
// Passes.td describes the effect (TTStripOverflowFlags).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tilecc {

#define GEN_PASS_DEF_TTSTRIPOVERFLOWFLAGS
#include "frontend/raise/Passes.h.inc"

namespace {

struct StripOverflowFlags : impl::TTStripOverflowFlagsBase<StripOverflowFlags> {
  void runOnOperation() override {
    auto none = arith::IntegerOverflowFlagsAttr::get(&getContext(), arith::IntegerOverflowFlags::none);
    getOperation().walk(
        [&](arith::ArithIntegerOverflowFlagsInterface op) { op->setAttr(op.getIntegerOverflowAttrName(), none); });
  }
};

} // namespace
} // namespace tilecc
