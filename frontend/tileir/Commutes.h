//===- Commutes.h - proves that a combining function is commutative ----------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_TILEIR_COMMUTES_H
#define TILECC_FRONTEND_TILEIR_COMMUTES_H

#include "frontend/tileir/Bytecode.h"

namespace tilecc::tileir {

/// Returns true if the region of a reduction provably gives the same result for exchanged operands. A function that
/// compares and selects, like argmax's, is associative only if there are no NaNs, so this analysis ignores NaNs as
/// well.
bool commutes(const Operation &reduce, const Function &function);

} // namespace tilecc::tileir

#endif // TILECC_FRONTEND_TILEIR_COMMUTES_H
