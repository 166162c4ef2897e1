//===- UninitializedTiles.h - tiles that are used before they have a value ---------------------------------*- C++ -*-//
//
// Clang cannot warn about tiles without a value, because a tile is an object with a constructor. -Wtile-uninitialized
// uses this.
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
