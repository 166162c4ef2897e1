//===- Precompiled.h - the language's header, parsed beforehand -------------------------------------------*- C++ -*-//
//
// Most of what Clang does for a small source is parsing <tilecc/tt.h>. The part of it that depends on nothing outside
// (tilecc/detail/language.h) is therefore kept as precompiled headers, one for each dialect of C++ people use. A source
// that includes <tilecc/tt.h> or <cuda_tile.h> outside of all conditionals, by itself or by a file beside it, gets the one
// that fits its options; one that includes it in another way, or has options that none fits (-march=native), has the header parsed. The results are the same.
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

} // namespace tilecc

#endif // TILECC_FRONTEND_PRECOMPILED_H
