//===- Combiners.h - well-known functions of two elements ---------------------------------------------------*- C++ -*-//
#ifndef TILECC_LOWERING_DIALECTS_TT_COMBINERS_H
#define TILECC_LOWERING_DIALECTS_TT_COMBINERS_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Operation.h"

namespace tilecc::tt {

/// What leaves the other operand of `combiner` (a reduction's only operation) as it is; null where nothing is known to.
mlir::TypedAttr getNeutralElement(mlir::Operation *combiner);

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_TT_COMBINERS_H
