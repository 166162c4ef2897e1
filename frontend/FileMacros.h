//===- FileMacros.h - macros that depend on the file that asks ---------------------------------------------*- C++ -*-//
//
// Users' files of SIMT code see the macros of nvcc: its version, what its options enable and, where tcc stands for nvcc,
// __NVCC__ instead of Clang's __CUDA__. Libraries (CUTLASS) leave out what they need where they take a compiler for
// Clang's own CUDA mode. CUDA's headers and the libraries that come with them (CCCL) have to see it the other way round:
// what they do for nvcc is for nvcc's front end, and for __CUDA__ they do what Clang's wrapper of them expects.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_FILEMACROS_H
#define TILECC_FRONTEND_FILEMACROS_H

#include "frontend/Frontend.h"
#include "clang/Frontend/CompilerInstance.h"

namespace tilecc {

/// Gives users' files the macros that `options.simt` lists for them, whatever `compiler` is going to do with its source.
void separateMacros(clang::CompilerInstance &compiler, const FrontendOptions &options);

} // namespace tilecc

#endif // TILECC_FRONTEND_FILEMACROS_H
