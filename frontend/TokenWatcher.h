//===- TokenWatcher.h - distributes the parser's tokens to all watchers ------------------------------------*- C++ -*-//
//
// The preprocessor has one callback for tokens; several parts of the front end need it.
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
