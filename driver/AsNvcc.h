//===- AsNvcc.h - tcc under the name tcc-nvcc --------------------------------------------------------------------*- C++ -*-//
//
// Build systems know nvcc: they ask it what it is, read what it prints, and use spellings of its own. Called as
// tcc-nvcc, tcc answers so that CMake takes it for CMAKE_CUDA_COMPILER, and Makefiles for NVCC. Sources know nvcc, too, by
// the macros that it defines. __NVCC__, which changes the toolkit's headers, is seen by users' files alone
// (frontend/FileMacros.h).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_ASNVCC_H
#define TILECC_DRIVER_ASNVCC_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace tilecc {

struct Context;
struct Input;

/// Whether the name that tcc was called by is nvcc's.
bool isNameOfNvcc(llvm::StringRef program);

/// --version, CMake's question for the toolkit, and what is asked of the host's compiler. False: nothing was asked.
bool answerAsNvcc(Context &ctx);

/// Whether -Xcompiler has a question (--version): then inputs are names that nobody looks at, as "nvcc .c -Xcompiler --version" of
/// ggml's build has one.
bool asksHostCompiler(const Context &ctx);

/// Options that GCC has and Clang has not say how code is to be optimized, or warned of. Makefiles that are written for nvcc with g++
/// behind it have them; they are taken out of what Clang gets.
void dropOptionsOfGcc(Context &ctx);

/// The dialect of C++ that a source is in where -std= does not say it: nvcc's is that of g++; tile code, also in
/// a source with SIMT code, needs C++20.
llvm::StringRef defaultDialect(const Context &ctx, const Input &input);

/// With -v, what nvcc prints ahead of its steps. For the source by which CMake finds out what a compiler is, also the
/// lines that it looks for.
void introduceAsNvcc(Context &ctx);

using Macros = std::vector<std::pair<std::string, std::string>>; ///< names and values

/// The macros that nvcc defines for a source with SIMT code, by its version and by the options. __NVCC__ is one of them where
/// tcc was called as tcc-nvcc.
Macros macrosOfNvcc(const Context &ctx);

/// Called as tcc-nvcc: what nvcc tells the host's compiler of sources without SIMT code. Their headers may be CUDA's.
std::vector<std::string> hostArgumentsAsNvcc(const Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_ASNVCC_H
