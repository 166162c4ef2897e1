//===- Commutes.h - whether a function that combines elements is commutative -------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_TILEIR_COMMUTES_H
#define TILECC_FRONTEND_TILEIR_COMMUTES_H

#include "frontend/tileir/Bytecode.h"

namespace tilecc::tileir {

/// Returns true if it is proven that the region of a reduction gives the same for exchanged operands. A function that
/// compares and selects (as that of argmax does) is associative for numbers alone; so NaNs are left out here, too.
bool commutes(const Operation &reduce, const Function &function);

} // namespace tilecc::tileir

#endif // TILECC_FRONTEND_TILEIR_COMMUTES_H
