//===- ArgumentUse.h - which arguments accesses to memory depend on ------------------------------------------*- C++ -*-//

#ifndef TILECC_COMPILE_ARGUMENTUSE_H
#define TILECC_COMPILE_ARGUMENTUSE_H

#include "mlir/IR/Value.h"

namespace tilecc {

/// Whether what `argument` of a kernel is a multiple of may widen an access to a tile in memory: the tile's pointers, its mask, or
/// the tensor it is a part of follow from it. Not so a pointer to single elements, a count of iterations, a seed.
bool decidesAccesses(mlir::Value argument);

} // namespace tilecc

#endif // TILECC_COMPILE_ARGUMENTUSE_H
