//===- TokenWatcher.cpp - distributes the parser's tokens to all watchers -----------------------------------------===//
//
// Clang's preprocessor supports only one token watcher. The watcher here calls all of ours: for grid sizes, for
// attributes of tt and, in SIMT code, for syntax repairs. Every parse uses it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/TokenWatcher.h"
#include "frontend/GridSizes.h"
#include "frontend/KernelChecks.h"
#include "frontend/Simt.h"
#include "frontend/TokenRepairs.h"
#include "clang/Frontend/Utils.h"

using namespace clang;

namespace tilecc {

void watchTokens(CompilerInstance &compiler) {
  Preprocessor &preprocessor = compiler.getPreprocessor();
  auto watch = [grids = watchGridSizes(preprocessor), attributes = watchAttributes(preprocessor.getDiagnostics()),
                repairs = TokenRepairs(preprocessor),
                isSimt = isSimtMode(compiler.getLangOpts())](const Token &token) mutable {
    if (isSimt) // the parser's own token, which the parser has not seen yet
      repairs(const_cast<Token &>(token));
    grids(token);
    attributes(token);
  };
  preprocessor.setTokenWatcher(std::move(watch));
}

namespace {
/// Clang attaches dependency collectors before every kind of action.
struct Repairer : DependencyCollector {
  void attachToPreprocessor(Preprocessor &preprocessor) override {
    preprocessor.setTokenWatcher(
        [repairs = TokenRepairs(preprocessor)](const Token &token) mutable { repairs(const_cast<Token &>(token)); });
  }
};
} // namespace

void repairTokensAsGcc(CompilerInstance &compiler) {
  if (compiler.getLangOpts().CPlusPlus && compiler.getFrontendOpts().ProgramAction != frontend::PrintPreprocessedInput)
    compiler.addDependencyCollector(std::make_shared<Repairer>());
}

} // namespace tilecc
