//===- Rematerialization.h - recomputes values in the layout that a conversion wants --------------------*- C++ -*-===//
//
// Used by tritongpu-remove-layout-conversions.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PASSES_REMATERIALIZATION_H
#define TILECC_LOWERING_PASSES_REMATERIALIZATION_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Returns the layout of a tile; null for other values.
mlir::Attribute encodingOf(mlir::Value value);

/// Removes `convert` by computing its source in the wanted layout, or moves it to where it costs less. Returns true if
/// either was worthwhile. Operations that are dead afterwards are not erased.
bool rematerialize(ttg::ConvertLayoutOp convert);

} // namespace tilecc

#endif // TILECC_LOWERING_PASSES_REMATERIALIZATION_H
