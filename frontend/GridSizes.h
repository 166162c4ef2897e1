//===- GridSizes.h - dim3{tt::cdiv(n, 64), 2} --------------------------------------------------------------*- C++ -*-//
//
// The members of CUDA's dim3 are unsigned, but grid sizes are usually computed as int. Inside braces, that is a
// narrowing conversion, which Clang rejects and nvcc's host compilers only warn about. tcc accepts it.
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
