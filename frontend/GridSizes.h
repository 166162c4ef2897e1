//===- GridSizes.h - dim3{tt::cdiv(n, 64), 2} --------------------------------------------------------------*- C++ -*-//
//
// In dim3{tt::cdiv(n, 64), 2}, C++ forbids the narrowing from a 64-bit integer. Users of CUDA write such grids, so tcc
// accepts them.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_GRIDSIZES_H
#define TILECC_FRONTEND_GRIDSIZES_H

#include "clang/Lex/Preprocessor.h"
#include <functional>

namespace tilecc {

/// Returns a callback for the tokens that the parser receives. It makes Clang accept integers of any type between the
/// braces of a dim3.
std::function<void(const clang::Token &)> watchGridSizes(clang::Preprocessor &preprocessor);

} // namespace tilecc

#endif // TILECC_FRONTEND_GRIDSIZES_H
