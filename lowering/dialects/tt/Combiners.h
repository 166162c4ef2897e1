//===- Combiners.h - properties of simple combiners -----------------------------------------------------*- C++ -*-===//
#ifndef TILECC_LOWERING_DIALECTS_TT_COMBINERS_H
#define TILECC_LOWERING_DIALECTS_TT_COMBINERS_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Operation.h"

namespace tilecc::tt {

/// Returns the neutral element of `combiner`, which is a reduction's only operation, or null if none is known.
mlir::TypedAttr getNeutralElement(mlir::Operation *combiner);

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_TT_COMBINERS_H
