//===- Rematerialization.h - recomputes values in the layout that a conversion wants --------------------*- C++ -*-===//
//
// The pass tritongpu-remove-layout-conversions calls rematerialize() for the conversions that remain after it has
// propagated layouts forward.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PASSES_REMATERIALIZATION_H
#define TILECC_LOWERING_PASSES_REMATERIALIZATION_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Returns the encoding of a tile, or null for any other value.
mlir::Attribute encodingOf(mlir::Value value);

/// Removes `convert` by recomputing its source in the layout of its result, or moves it to where it costs less. Returns
/// true if one of these was worthwhile. Operations that become dead are not erased.
bool rematerialize(ttg::ConvertLayoutOp convert);

} // namespace tilecc

#endif // TILECC_LOWERING_PASSES_REMATERIALIZATION_H
