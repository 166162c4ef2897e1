//===- TTSignalOps.cpp - programs of several GPUs -----------------------------------------------------------------===//

#include "lowering/dialects/tt/SignalOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tilecc;

#define GET_OP_CLASSES
#include "lowering/dialects/tt/TTSignalOps.cpp.inc"

namespace tilecc::tt {

/// A wait is ordered with other accesses like an atomic access.
GlobalAccess WaitSignalOp::getGlobalAccess() {
  return {getPtr(), getMask(), /*isRead=*/true, /*isWrite=*/true, /*isSimple=*/false};
}

LogicalResult WaitSignalOp::verify() {
  Type element = getElementTypeOrSelf(getValue());
  if (!element.isInteger(32))
    return emitOpError("waits for values of i32, not ") << element;
  return success();
}

//===--- multicast memory -----------------------------------------------------------------------------------------===//

GlobalAccess MultimemSumOp::getGlobalAccess() {
  return {getPtr(), getMask(), /*isRead=*/true, /*isWrite=*/false, /*isSimple=*/false};
}
GlobalAccess MultimemStoreOp::getGlobalAccess() {
  return {getPtr(), getMask(), /*isRead=*/false, /*isWrite=*/true, /*isSimple=*/false};
}
GlobalAccess MultimemAddOp::getGlobalAccess() {
  return {getPtr(), getMask(), /*isRead=*/false, /*isWrite=*/true, /*isSimple=*/false};
}

static LogicalResult verifyMultimem(Operation *op, Type elements) {
  if (!isa<RankedTensorType>(elements))
    return op->emitOpError("accesses tiles, not single elements");
  Type element = getElementTypeOrSelf(elements);
  if (!element.isF16() && !element.isBF16() && !element.isF32() && !element.isF64() && !element.isInteger(32) &&
      !element.isInteger(64))
    return op->emitOpError("is for f16, bf16, f32, f64, i32 and i64, not for ") << element;
  return success();
}
LogicalResult MultimemSumOp::verify() { return verifyMultimem(*this, getType()); }
LogicalResult MultimemStoreOp::verify() { return verifyMultimem(*this, getValue().getType()); }
LogicalResult MultimemAddOp::verify() { return verifyMultimem(*this, getValue().getType()); }

/// Pointers, mask and result have the same layout, as for loads.
Attribute MultimemSumOp::inferOperandEncoding(Attribute result, unsigned) { return result; }
bool MultimemSumOp::isLayoutAnchor(unsigned threads) {
  return cast<RankedTensorType>(getType()).getNumElements() >= threads;
}

} // namespace tilecc::tt
