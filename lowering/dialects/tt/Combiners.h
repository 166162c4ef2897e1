//===- Combiners.h - properties of simple combiners -----------------------------------------------------*- C++ -*-===//
//
// A combiner is the region with which a tt.reduce or tt.scan combines two elements. The CPU back end uses its neutral
// element.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_DIALECTS_TT_COMBINERS_H
#define TILECC_LOWERING_DIALECTS_TT_COMBINERS_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Operation.h"

namespace tilecc::tt {

/// Returns the neutral element of `combiner`, the only operation in the region of a reduction, or null if none is
/// known.
mlir::TypedAttr getNeutralElement(mlir::Operation *combiner);

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_TT_COMBINERS_H
