//===- PointerRoot.h - finds the kernel argument of a pointer -------------------------------------------*- C++ -*-===//
//
// Alias queries compare these arguments.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_POINTERROOT_H
#define TILECC_LOWERING_ANALYSIS_POINTERROOT_H

#include "mlir/IR/Value.h"

namespace tilecc {

/// Returns the kernel argument from which every element of `pointer` (a pointer or a tile of pointers) is computed on
/// every path. Returns null if there may be several, or if the pointer has another origin: a loaded pointer, or an
/// address that was an integer.
mlir::Value getPointerRoot(mlir::Value pointer);

/// Returns true if memory that is reached through argument `a` cannot be reached through `b`, because one of them is
/// marked so in the source (`__restrict__`, llvm.noalias). Either may be null.
bool isOtherMemory(mlir::Value a, mlir::Value b);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_POINTERROOT_H
