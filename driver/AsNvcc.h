//===- AsNvcc.h - tcc under the name tcc-nvcc --------------------------------------------------------------*- C++ -*-//
//
// Build systems know nvcc: they query it, parse its output and use its option spellings. When tcc is called as
// tcc-nvcc, it answers these queries, so that CMake accepts it as CMAKE_CUDA_COMPILER and Makefiles accept it as NVCC.
// Sources detect nvcc by the macros that it defines. One of these macros, __NVCC__, is defined only while users' files
// are parsed, because it changes what the toolkit's headers declare (frontend/FileMacros.h).
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

/// Answers --version and CMake's query for the toolkit. Returns false if the command line has no such query.
bool answerAsNvcc(Context &ctx);

/// Returns true if -Xcompiler passes a query such as --version to the host compiler. The names of inputs are then
/// ignored: the build of ggml runs "nvcc .c -Xcompiler --version".
bool asksHostCompiler(const Context &ctx);

/// Removes from Clang's command line the optimization and warning options that GCC has and Clang lacks. Makefiles
/// written for nvcc with g++ as the host compiler use such options.
void dropOptionsOfGcc(Context &ctx);

/// With -v, prints the lines that nvcc prints before its steps. For the source by which CMake identifies a compiler,
/// also prints the lines that CMake searches for.
void introduceAsNvcc(Context &ctx);

using Macros = std::vector<std::pair<std::string, std::string>>; ///< names and values

/// Returns the macros that nvcc defines for a source with SIMT code, which depend on the version and the options.
/// __NVCC__ is among them if tcc was called as tcc-nvcc.
Macros macrosOfNvcc(const Context &ctx);

/// Returns the arguments that nvcc passes to the host compiler for sources without SIMT code, which may include CUDA
/// headers. Returns nothing unless tcc was called as tcc-nvcc and there is a toolkit.
std::vector<std::string> hostArgumentsAsNvcc(const Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_ASNVCC_H
