//===- SourceText.h - finds the text around an error -------------------------------------------------------*- C++ -*-//
//
// Clang's message about a syntax error names the token where the parser stopped. Often only the text around it shows
// what the user meant.
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

/// Returns the text of a line before a location, without trailing spaces.
llvm::StringRef textBefore(const clang::SourceManager &sources, clang::SourceLocation loc);

/// Returns the text from a location to the end of the file.
llvm::StringRef textFrom(const clang::SourceManager &sources, clang::SourceLocation loc);

/// Returns the line of a location.
llvm::StringRef lineOf(const clang::SourceManager &sources, clang::SourceLocation loc);

/// Return the identifier at the beginning or the end of `text`; empty if there is none.
llvm::StringRef firstWord(llvm::StringRef text);
llvm::StringRef lastWord(llvm::StringRef text);

/// Returns the name of the function whose argument list `before`, the text of a line, leaves open: "load" for "x =
/// tt::load(p + (i), ".
llvm::StringRef findOpenCall(llvm::StringRef before);

} // namespace tilecc

#endif // TILECC_FRONTEND_SOURCETEXT_H
