//===- AsNvcc.h - tcc under the name tcc-nvcc --------------------------------------------------------------------*- C++ -*-//
//
// Build systems know nvcc: they ask it what it is, read what it prints, and use spellings of its own. Called as
// tcc-nvcc, tcc answers so that CMake takes it for CMAKE_CUDA_COMPILER, and Makefiles for NVCC. It compiles as ever:
// __NVCC__, which changes the toolkit's headers, is seen by CMake's identification alone.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_ASNVCC_H
#define TILECC_DRIVER_ASNVCC_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tilecc {

struct Context;

/// Whether the name that tcc was called by is nvcc's.
bool isNameOfNvcc(llvm::StringRef program);

/// --version, and CMake's question for the toolkit. False: nothing was asked.
bool answerAsNvcc(Context &ctx);

/// With -v, what nvcc prints ahead of its steps. For the source by which CMake finds out what a compiler is, also the
/// macros and the lines that it looks for.
void introduceAsNvcc(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_ASNVCC_H
