//===- PointerRoot.h - finds the kernel argument of a pointer -------------------------------------------*- C++ -*-===//
//
// Alias queries use this: pointers that come from different `__restrict__` arguments do not alias.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_POINTERROOT_H
#define TILECC_LOWERING_ANALYSIS_POINTERROOT_H

#include "mlir/IR/Value.h"

namespace tilecc {

/// Returns the kernel argument from which every element of `pointer` (a pointer or a tile of pointers) is computed on
/// every path. Returns null if more than one argument is possible, or if the pointer has another origin: it was loaded,
/// or converted from an integer.
mlir::Value getPointerRoot(mlir::Value pointer);

/// Returns true if memory that is reached through argument `a` cannot be reached through argument `b`, because one of
/// them is declared `__restrict__` in the source (llvm.noalias). Either may be null.
bool isOtherMemory(mlir::Value a, mlir::Value b);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_POINTERROOT_H
