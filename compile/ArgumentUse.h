//===- ArgumentUse.h - finds arguments that decide memory accesses --------------------------------------*- C++ -*-===//
//
// The choice of variants (Variants.h) uses this analysis: assumptions about other arguments would not improve the code.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_ARGUMENTUSE_H
#define TILECC_COMPILE_ARGUMENTUSE_H

#include "mlir/IR/Value.h"

namespace tilecc {

/// Returns true if the divisibility of `argument`, an argument of a kernel, may affect the width of an access to a tile
/// in memory, because the tile's pointers, its mask or its tensor depend on the argument. Returns false for arguments
/// that affect only pointers to single elements, trip counts or seeds.
bool decidesAccesses(mlir::Value argument);

} // namespace tilecc

#endif // TILECC_COMPILE_ARGUMENTUSE_H
