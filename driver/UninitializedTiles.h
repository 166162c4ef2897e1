//===- UninitializedTiles.h - tiles that are used before they have a value ---------------------------------*- C++ -*-//
//
// Implements the analysis for -Wtile-uninitialized. In TTIR, a variable without a value is poison, which the analysis
// follows to its uses.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_UNINITIALIZEDTILES_H
#define TILECC_DRIVER_UNINITIALIZEDTILES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace tilecc {

/// Finds the operations that use a tile without a value. The flag of an operation is true if the tile lacks a value
/// only under some condition.
llvm::MapVector<mlir::Operation *, bool> findUninitializedTiles(mlir::ModuleOp module);

} // namespace tilecc

#endif // TILECC_DRIVER_UNINITIALIZEDTILES_H
