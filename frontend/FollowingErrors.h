//===- FollowingErrors.h - drops errors that only follow from an earlier one -------------------------------*- C++ -*-//
//
// After an error, Clang continues with a guess: a variable gets a wrong type, or the rest of a line is parsed from the
// wrong position. Errors that follow from the guess are not the user's, and are dropped. If a dropped error is real,
// the next compilation reports it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_FOLLOWINGERRORS_H
#define TILECC_FRONTEND_FOLLOWINGERRORS_H

#include "frontend/Rewording.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace tilecc {

class FollowingErrors {
public:
  /// Remembers an error that is printed. If `isExplained`, its text names the mistake, so no other error on the line
  /// needs to be printed.
  void add(const ClangMessage &error, const clang::SourceManager &sources, bool isExplained);

  /// Returns true if `message` is on the line of an explained error, or uses a variable whose declaration was wrong.
  bool include(const ClangMessage &message, const clang::SourceManager &sources) const;

  void clear() { broken.clear(), line = clang::SourceLocation(); }

private:
  struct Variable {
    llvm::StringRef name;
    clang::SourceLocation declaration;
  };
  std::vector<Variable> broken;
  clang::SourceLocation line; ///< of the last explained error
};

} // namespace tilecc

#endif // TILECC_FRONTEND_FOLLOWINGERRORS_H
