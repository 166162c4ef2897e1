//===- Rematerialization.h - computing what is converted in the layout it is converted to -------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_PASSES_REMATERIALIZATION_H
#define TILECC_LOWERING_PASSES_REMATERIALIZATION_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// The layout of a tile; null for other values.
mlir::Attribute encodingOf(mlir::Value value);

/// Removes `convert` by computing its source in the wanted layout, or moves it to where it costs less; true if that was
/// worth it. What is no longer needed is left for others to remove.
bool rematerialize(ttg::ConvertLayoutOp convert);

} // namespace tilecc

#endif // TILECC_LOWERING_PASSES_REMATERIALIZATION_H
