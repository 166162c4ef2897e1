//===- Commutes.h - proves that a combining function is commutative ----------------------------------------*- C++ -*-//
//
// Tile IR's reductions may combine elements in a fixed order, but Triton's combiners must be commutative.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TILEIR_COMMUTES_H
#define TILECC_FRONTEND_TILEIR_COMMUTES_H

#include "frontend/tileir/Bytecode.h"

namespace tilecc::tileir {

/// Returns true if the region of a reduction provably gives the same result when its operands are exchanged. A function
/// that compares and selects, like that of argmax, is associative only if there are no NaNs, so this analysis ignores
/// NaNs as well.
bool commutes(const Operation &reduce, const Function &function);

} // namespace tilecc::tileir

#endif // TILECC_FRONTEND_TILEIR_COMMUTES_H
