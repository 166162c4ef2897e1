//===- SourceText.h - finds the text around an error -------------------------------------------------------*- C++ -*-//
//
// Clang's message about a syntax error names the token where the parser stopped. Often, only the text around this token
// shows what the user meant.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_SOURCETEXT_H
#define TILECC_FRONTEND_SOURCETEXT_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class SourceManager;
}

namespace tilecc {

/// Returns the part of the line before `loc`, without trailing spaces.
llvm::StringRef textBefore(const clang::SourceManager &sources, clang::SourceLocation loc);

/// Returns the text from `loc` to the end of the file.
llvm::StringRef textFrom(const clang::SourceManager &sources, clang::SourceLocation loc);

/// Returns the line that contains `loc`.
llvm::StringRef lineOf(const clang::SourceManager &sources, clang::SourceLocation loc);

/// Return the identifier at the beginning or the end of `text`; empty if there is none.
llvm::StringRef firstWord(llvm::StringRef text);
llvm::StringRef lastWord(llvm::StringRef text);

/// Returns the name of the function whose argument list is still open at the end of `before`, the text of a line. For
/// example, it is "load" for "x = tt::load(p + (i), ".
llvm::StringRef findOpenCall(llvm::StringRef before);

} // namespace tilecc

#endif // TILECC_FRONTEND_SOURCETEXT_H
