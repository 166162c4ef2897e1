//===- TTSignalOps.cpp - programs that wait for other programs ----------------------------------------------------===//

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

} // namespace tilecc::tt
