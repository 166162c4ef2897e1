//===- Rewording.h - what Clang says of CUDA, said of tiles -------------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_REWORDING_H
#define TILECC_FRONTEND_REWORDING_H

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace tilecc {

/// A message of Clang's, held back until it is printed.
struct ClangMessage {
  clang::DiagnosticsEngine::Level level;
  unsigned id;
  clang::SourceLocation loc;
  std::string text;
  llvm::SmallVector<clang::CharSourceRange, 4> ranges;
  llvm::SmallVector<clang::FixItHint, 2> fixIts;
  bool ofTiles = false; ///< names a tile of tt, or a place in its headers
  std::string guess; ///< the name, where Clang goes on with another one of the same name, which is not meant
  std::string onceKey;       ///< of messages with the same one, the first is printed
  bool explainsRest = false; ///< errors behind it follow from it
};

/// `text` with tiles written as tile<float, 64, 32>, whatever their elements are called in C++.
std::string spellTiles(llvm::StringRef text);

/// Changes the text of `error` where Clang would explain a mistake in a language the user does not write, and drops the
/// notes that go with that. `isSimt`: the source may have SIMT code. `isOurs` tells places in the headers of tcc, `isSystem`
/// those in anybody's but the user's.
void reword(ClangMessage &error, std::vector<ClangMessage> &notes, bool isSimt, llvm::function_ref<bool(clang::SourceLocation)> isOurs,
            llvm::function_ref<bool(clang::SourceLocation)> isSystem);

/// The part of it that speaks of tiles and of functions of tt. False: it has nothing to say.
bool rewordTiles(ClangMessage &error, std::vector<ClangMessage> &notes, llvm::function_ref<bool(clang::SourceLocation)> isOurs);

/// The part of it that knows what users of Triton, CUDA and plain C++ write from habit. False: it has nothing to say.
bool rewordHabits(ClangMessage &error, std::vector<ClangMessage> &notes, const clang::SourceManager &sources, bool isSimt);

/// The n-th name in quotes, without its quotes.
llvm::StringRef getQuoted(llvm::StringRef text, unsigned n = 0);

} // namespace tilecc

#endif // TILECC_FRONTEND_REWORDING_H
