//===- Precompiled.h - headers that were parsed beforehand ------------------------------------------------*- C++ -*-//
//
// Most of what Clang does for a small source is parsing headers that hardly change. Two sets of them are therefore kept as
// precompiled headers, one for each dialect of C++ people use:
// - the language: the part of <tilecc/tt.h> that depends on nothing outside it (tilecc/detail/language.h). A source that
//   includes <tilecc/tt.h> or <cuda_tile.h> outside of all conditionals, by itself or by a file beside it, gets it.
// - the wrapper: what comes ahead of every source with SIMT code, CUDA's headers in Clang's wrapper. There is one for the
//   host and one for each architecture, and they belong to one toolkit.
// A source with options that none fits has the headers parsed. The results are the same.
//
// On request, what a source with SIMT code begins with is kept, too, for when it is compiled again.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_PRECOMPILED_H
#define TILECC_FRONTEND_PRECOMPILED_H

#include "frontend/Frontend.h"
#include "clang/Frontend/CompilerInstance.h"

namespace tilecc {

/// Has `compiler` begin with a precompiled header from options.precompiledDir, if its source asks for the language and one
/// of them was made of these headers with these options.
void usePrecompiledLanguage(clang::CompilerInstance &compiler, const FrontendOptions &options);

/// The same with the wrapper, for a source with SIMT code: of the host or, where `arch` is given, of that GPU.
void usePrecompiledWrapper(clang::CompilerInstance &compiler, const FrontendOptions &options,
                           llvm::StringRef arch = {});

/// Has `compiler` begin with what its source, which has SIMT code, begins with, as it was precompiled when the source was
/// compiled before; if it was not, precompiles it first. `args` are those that `compiler` was made with. False: there is
/// no folder for such, or no preamble that can be precompiled.
bool usePrecompiledPreamble(clang::CompilerInstance &compiler, llvm::ArrayRef<const char *> args,
                            const FrontendOptions &options, llvm::StringRef arch = {});

/// To be called when `compiler`'s preprocessor has read its precompiled header: gives the source the predefined macros of
/// its own options (__OPTIMIZE__, __AVX2__, -D) where they are not those with which the header was made.
void restorePredefinedMacros(clang::CompilerInstance &compiler);

} // namespace tilecc

#endif // TILECC_FRONTEND_PRECOMPILED_H
