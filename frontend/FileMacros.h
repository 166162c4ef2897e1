//===- FileMacros.h - macros whose values depend on the including file -------------------------------------*- C++ -*-//
//
// In SIMT code, users' files must see nvcc's macros: the version of nvcc, the macros that its options define and, if
// tcc runs as nvcc, __NVCC__ instead of Clang's __CUDA__. Libraries such as CUTLASS leave out code that they need if
// they detect Clang's CUDA mode. The headers of CUDA, and the libraries that come with it (CCCL), need the opposite:
// their code for nvcc depends on nvcc's front end, and their code for __CUDA__ is what Clang's wrapper expects.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_FILEMACROS_H
#define TILECC_FRONTEND_FILEMACROS_H

#include "frontend/Frontend.h"
#include "clang/Frontend/CompilerInstance.h"

namespace tilecc {

/// Defines the macros in `options.simt` only while users' files are read. Works for any action of `compiler`.
void separateMacros(clang::CompilerInstance &compiler, const FrontendOptions &options);

} // namespace tilecc

#endif // TILECC_FRONTEND_FILEMACROS_H
