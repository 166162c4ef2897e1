//===- PointerRoot.h - the kernel argument that a pointer comes from ------------------------------------*- C++ -*-===//
//
// Used for alias queries.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_POINTERROOT_H
#define TILECC_LOWERING_ANALYSIS_POINTERROOT_H

#include "mlir/IR/Value.h"

namespace tilecc {

/// Returns the kernel argument that every element of `pointer` (a pointer or a tile of pointers) is computed from, on
/// every path. Returns null if there may be several, or if it is something else: a loaded pointer, or an address given
/// as an integer.
mlir::Value getPointerRoot(mlir::Value pointer);

/// Returns true if memory reached from argument `a` cannot be reached from `b`, because the source says so
/// (`__restrict__`, llvm.noalias) for one of them. Either may be null.
bool isOtherMemory(mlir::Value a, mlir::Value b);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_POINTERROOT_H
