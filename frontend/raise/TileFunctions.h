//===- TileFunctions.h - functions called in one source and defined in another -----------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_TILEFUNCTIONS_H
#define TILECC_FRONTEND_RAISE_TILEFUNCTIONS_H

#include "frontend/Signature.h"
#include "llvm/IR/Function.h"

namespace tilecc {

/// Changes calls of functions of other sources, and functions for other sources, to TTIR's convention of passing and
/// returning values (see TileFunctions.cpp).
void passPartsByValue(TileModule &tiles);

/// Returns true if a call hands over the return values of the enclosing tile function.
bool isTileReturn(const llvm::Function &callee);

/// Return the parts of all parameters in order, and the parts that are returned: those of the result, followed by those
/// of references.
std::vector<ValuePart> argumentParts(const TileFunctionSignature &signature);
std::vector<ValuePart> resultParts(const TileFunctionSignature &signature);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_TILEFUNCTIONS_H
