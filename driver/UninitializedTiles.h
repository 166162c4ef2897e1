//===- UninitializedTiles.h - tiles that are used before they have a value ------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_UNINITIALIZEDTILES_H
#define TILECC_DRIVER_UNINITIALIZEDTILES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace tilecc {

/// The operations that compute with a tile that has no value. True: only where a condition has left the tile without one.
llvm::MapVector<mlir::Operation *, bool> findUninitializedTiles(mlir::ModuleOp module);

} // namespace tilecc

#endif // TILECC_DRIVER_UNINITIALIZEDTILES_H
