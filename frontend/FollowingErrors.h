//===- FollowingErrors.h - drops errors that only follow from an earlier one -------------------------------*- C++ -*-//
//
// After an error, Clang continues with a guess: a variable gets a wrong type, or the rest of a line is parsed from a
// wrong position. Errors that follow from the guess are not the user's errors, and are dropped. If a dropped error is a
// real one after all, the next compilation reports it.
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
  /// Records an error that is printed. If `isExplained` is true, the text of the error names the mistake, so no other
  /// error on the same line needs to be printed.
  void add(const ClangMessage &error, const clang::SourceManager &sources, bool isExplained);

  /// Returns true if `message` follows from a recorded error: it is on the line of an explained error, or uses a
  /// variable whose declaration was wrong.
  bool include(const ClangMessage &message, const clang::SourceManager &sources) const;

  void clear() { broken.clear(), line = clang::SourceLocation(); }

private:
  struct Variable {
    llvm::StringRef name;
    clang::SourceLocation declaration;
  };
  std::vector<Variable> broken;
  clang::SourceLocation line; ///< the line of the last explained error
};

} // namespace tilecc

#endif // TILECC_FRONTEND_FOLLOWINGERRORS_H
