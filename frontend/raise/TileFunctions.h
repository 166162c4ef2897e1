//===- TileFunctions.h - functions called in one source and defined in another -----------------------------*- C++ -*-//
//
// With -rdc=true, kernels may call tile functions of other sources. Both sides must agree how values are passed.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_RAISE_TILEFUNCTIONS_H
#define TILECC_FRONTEND_RAISE_TILEFUNCTIONS_H

#include "frontend/Signature.h"
#include "llvm/IR/Function.h"

namespace tilecc {

/// Changes calls of functions of other sources, and functions for other sources, such that they pass and return values
/// as TTIR does (see TileFunctions.cpp).
void passPartsByValue(TileModule &tiles);

/// Returns true if `callee` stands for the return of values from the enclosing tile function.
bool isTileReturn(const llvm::Function &callee);

/// Return the parts of all parameters, in order; and the parts that are returned, which are those of the result,
/// followed by those of parameters that are references.
std::vector<ValuePart> argumentParts(const TileFunctionSignature &signature);
std::vector<ValuePart> resultParts(const TileFunctionSignature &signature);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_TILEFUNCTIONS_H
