//===- FollowingErrors.h - errors that only follow from an earlier one -------------------------------------*- C++ -*-//
//
// After an error, Clang continues with a guess: a variable gets a wrong type, and the rest of a line is parsed from the
// wrong position. Further errors are then not errors of the user, and are dropped. If one of them is, the next
// compilation reports it.
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
  /// Remembers an error that is printed. `isExplained`: its text names the mistake, so that nothing else on the line
  /// needs to be said.
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
