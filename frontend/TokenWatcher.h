//===- TokenWatcher.h - who sees the parser's tokens ----------------------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_TOKENWATCHER_H
#define TILECC_FRONTEND_TOKENWATCHER_H

#include "clang/Frontend/CompilerInstance.h"

namespace tilecc {

/// Has all watchers see each token that the parser gets. To be called before `compiler` parses.
void watchTokens(clang::CompilerInstance &compiler);

} // namespace tilecc

#endif // TILECC_FRONTEND_TOKENWATCHER_H
