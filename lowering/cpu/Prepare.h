// Rewrites of TTIR that only the CPU target wants.
#ifndef TILECC_LOWERING_CPU_PREPARE_H
#define TILECC_LOWERING_CPU_PREPARE_H

#include "lowering/dialects/TT.h"

namespace tilecc::cpu {

/// A tile that a loop only moves by the same amount for all its elements becomes a scalar that the loop carries: the
/// tile is the initial one plus the scalar, a formula again. `p += BLOCK_K` on a tile of pointers is the common case.
void scalarizeInductions(tt::FuncOp func);

} // namespace tilecc::cpu

#endif // TILECC_LOWERING_CPU_PREPARE_H
