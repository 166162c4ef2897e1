//===- Precompiled.h - precompiled headers ----------------------------------------------------------------*- C++ -*-//
//
// For a small source, Clang spends most of its time on parsing headers that hardly ever change. So two sets of headers
// are precompiled, once for each common C++ dialect:
// - the language: the part of <tilecc/tt.h> that depends on nothing outside it (tilecc/detail/language.h). It is used
//   for a source that includes <tilecc/tt.h> or <cuda_tile.h> outside all conditionals, directly or through a file next
//   to it.
// - the wrapper: what precedes every source with SIMT code, namely CUDA's headers in Clang's wrapper. There is one for
//   the host and one for each architecture. A wrapper is valid only for the toolkit from whose headers it was made. A
//   compilation that finds no valid wrapper in the user's cache folder makes one there.
// If no precompiled header fits the options of a source, the headers are parsed. The results are the same.
//
// On request, the preamble of a source with SIMT code is precompiled too, for the next compilation.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_PRECOMPILED_H
#define TILECC_FRONTEND_PRECOMPILED_H

#include "frontend/Frontend.h"
#include "clang/Frontend/CompilerInstance.h"

namespace tilecc {

/// Makes `compiler` use a precompiled header of the language from options.precompiledDir, provided that its source
/// includes the language, and that the precompiled header was made from these headers with these options.
void usePrecompiledLanguage(clang::CompilerInstance &compiler, const FrontendOptions &options);

/// Makes `compiler` use a precompiled wrapper for a source with SIMT code: for the host or, if `arch` is given, for
/// that GPU. If no existing wrapper fits, precompiles one into the user's cache folder. `args` are the arguments from
/// which `compiler` was made.
void usePrecompiledWrapper(clang::CompilerInstance &compiler, llvm::ArrayRef<const char *> args,
                           const FrontendOptions &options, llvm::StringRef arch = {});

/// Makes `compiler` use the precompiled preamble of its source, which has SIMT code, and precompiles it first if
/// necessary. `args` are the arguments from which `compiler` was made. Returns false if there is no folder for
/// preambles, or if the preamble cannot be precompiled.
bool usePrecompiledPreamble(clang::CompilerInstance &compiler, llvm::ArrayRef<const char *> args,
                            const FrontendOptions &options, llvm::StringRef arch = {});

/// Returns the path of the precompiled header that one of these functions has chosen, or an empty string if none has.
std::string chosenPrecompiled(const clang::CompilerInstance &compiler);

/// Predefined macros (__OPTIMIZE__, __AVX2__, -D) may have other values in the precompiled header than in the options
/// of the source. Redefines those that differ. Must be called when the preprocessor of `compiler` has read the
/// precompiled header.
void restorePredefinedMacros(clang::CompilerInstance &compiler);

} // namespace tilecc

#endif // TILECC_FRONTEND_PRECOMPILED_H
