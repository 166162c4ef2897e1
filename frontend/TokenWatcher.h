//===- TokenWatcher.h - distributes the parser's tokens to all watchers ------------------------------------*- C++ -*-//
//
// Clang's preprocessor supports only one callback for tokens. The callback set here calls those of all parts of the
// front end that watch tokens.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TOKENWATCHER_H
#define TILECC_FRONTEND_TOKENWATCHER_H

#include "clang/Frontend/CompilerInstance.h"

namespace tilecc {

/// For C++ sources without device code: makes Clang accept the syntax that g++ accepts, which nvcc calls for such
/// sources.
void repairTokensAsGcc(clang::CompilerInstance &compiler);

/// Makes all watchers see each token that the parser receives. Must be called before `compiler` parses.
void watchTokens(clang::CompilerInstance &compiler);

} // namespace tilecc

#endif // TILECC_FRONTEND_TOKENWATCHER_H
