//===- AsNvcc.h - tcc under the name tcc-nvcc --------------------------------------------------------------*- C++ -*-//
//
// Build systems know nvcc: they query it, parse its output and use its option spellings. When tcc is called as
// tcc-nvcc, it answers these queries, so that CMake accepts it as CMAKE_CUDA_COMPILER and Makefiles accept it as NVCC.
// Sources detect nvcc by the macros that it defines. Only users' files see __NVCC__, because it changes what the
// toolkit's headers declare (frontend/FileMacros.h).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_ASNVCC_H
#define TILECC_DRIVER_ASNVCC_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace tilecc {

struct Context;
struct Input;

/// Returns true if tcc was called as tcc-nvcc.
bool isNameOfNvcc(llvm::StringRef program);

/// Answers --version and CMake's toolkit query. Returns false if nothing was asked.
bool answerAsNvcc(Context &ctx);

/// Returns true if -Xcompiler passes a query such as --version. Input names are then ignored: ggml's build runs "nvcc
/// .c -Xcompiler --version".
bool asksHostCompiler(const Context &ctx);

/// Drops optimization and warning options that GCC has and Clang lacks from Clang's command line. Makefiles written for
/// nvcc with g++ as the host compiler use such options.
void dropOptionsOfGcc(Context &ctx);

/// With -v, prints what nvcc prints before its steps. For the source that CMake compiles to identify a compiler, also
/// prints the lines that CMake searches for.
void introduceAsNvcc(Context &ctx);

using Macros = std::vector<std::pair<std::string, std::string>>; ///< names and values

/// Returns the macros that nvcc defines for a source with SIMT code; they depend on its version and on the options.
/// They include __NVCC__ if tcc was called as tcc-nvcc.
Macros macrosOfNvcc(const Context &ctx);

/// Returns the arguments that nvcc passes to the host compiler for sources without SIMT code, which may include CUDA
/// headers. Returns nothing unless tcc was called as tcc-nvcc and there is a toolkit.
std::vector<std::string> hostArgumentsAsNvcc(const Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_ASNVCC_H
