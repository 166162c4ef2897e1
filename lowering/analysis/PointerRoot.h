//===- PointerRoot.h - the kernel argument that a pointer comes from -----------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_ANALYSIS_POINTERROOT_H
#define TILECC_LOWERING_ANALYSIS_POINTERROOT_H

#include "mlir/IR/Value.h"

namespace tilecc {

/// The argument of the kernel that every element of `pointer` (a pointer or a tile of them) is computed from, on whatever
/// way control flow takes; null where that may be several, or something else: a loaded pointer, an address as a number.
mlir::Value getPointerRoot(mlir::Value pointer);

/// Whether memory that is reached from the argument `a` is not reached from `b`, by the source's word (`__restrict__`, llvm.noalias)
/// for one of them. Either may be null.
bool isOtherMemory(mlir::Value a, mlir::Value b);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_POINTERROOT_H
