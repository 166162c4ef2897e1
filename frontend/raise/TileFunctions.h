//===- TileFunctions.h - functions that are called in one source and defined in another --------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_TILEFUNCTIONS_H
#define TILECC_FRONTEND_RAISE_TILEFUNCTIONS_H

#include "frontend/Signature.h"
#include "llvm/IR/Function.h"

namespace tilecc {

/// Brings calls of other sources' functions, and functions for other sources, to the form that TTIR has: values in,
/// values out (see TileFunctions.cpp).
void passPartsByValue(TileModule &tiles);

/// Whether a call hands over what the tile function around it returns.
bool isTileReturn(const llvm::Function &callee);

/// The parts of all parameters, in order, and those that come back: of the result, then of references.
std::vector<ValuePart> argumentParts(const TileFunctionSignature &signature);
std::vector<ValuePart> resultParts(const TileFunctionSignature &signature);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_TILEFUNCTIONS_H
