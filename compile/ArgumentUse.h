//===- ArgumentUse.h - finds arguments that decide memory accesses --------------------------------------*- C++ -*-===//

#ifndef TILECC_COMPILE_ARGUMENTUSE_H
#define TILECC_COMPILE_ARGUMENTUSE_H

#include "mlir/IR/Value.h"

namespace tilecc {

/// Returns true if the divisibility of a kernel's `argument` may widen an access to a tile in memory, because the
/// tile's pointers, its mask, or the tensor that it belongs to depend on it. Returns false for pointers to single
/// elements, trip counts and seeds.
bool decidesAccesses(mlir::Value argument);

} // namespace tilecc

#endif // TILECC_COMPILE_ARGUMENTUSE_H
