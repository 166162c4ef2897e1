//===- TokenWatcher.cpp - who sees the parser's tokens --------------------------------------------------------------===//
//
// A preprocessor has one watcher of tokens. Here it is made of those that there are: sizes of grids, the attributes of tt,
// and in SIMT code what nvcc reads in other words. Called by everything that parses.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/TokenWatcher.h"
#include "frontend/GridSizes.h"
#include "frontend/KernelChecks.h"
#include "frontend/Simt.h"
#include "frontend/TokenRepairs.h"

using namespace clang;

namespace tilecc {

void watchTokens(CompilerInstance &compiler) {
  Preprocessor &preprocessor = compiler.getPreprocessor();
  auto watch = [grids = watchGridSizes(preprocessor), attributes = watchAttributes(preprocessor.getDiagnostics()),
                repairs = TokenRepairs(preprocessor),
                isSimt = isSimtMode(compiler.getLangOpts())](const Token &token) mutable {
    if (isSimt) // the parser's own token, which it has not seen yet
      repairs(const_cast<Token &>(token));
    grids(token);
    attributes(token);
  };
  preprocessor.setTokenWatcher(std::move(watch));
}

} // namespace tilecc
