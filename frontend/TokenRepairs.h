//===- TokenRepairs.h - what nvcc reads in other words --------------------------------------------------------*- C++ -*-//
//
// Three things that nvcc takes are mistakes of syntax to Clang:
// - sizes in braces in a launch, `kernel<<<{n, 1, 1}, {32, 4}>>>()`. The parser gets the word that is missing, `dim3`.
// - main() without a type. It gets `int`.
// - pragmas that macros expand to, `#define UNROLL #pragma unroll`. nvcc's preprocessor is a program of its own, whose output
//   has the line as any other pragma. The parser gets what _Pragma("unroll") is to it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TOKENREPAIRS_H
#define TILECC_FRONTEND_TOKENREPAIRS_H

#include "clang/Lex/Preprocessor.h"

namespace tilecc {

class TokenRepairs {
public:
  explicit TokenRepairs(clang::Preprocessor &preprocessor);

  /// To be called with each token that the parser gets, as it gets it. Puts the word in front of the token where it is missing.
  void operator()(clang::Token &token);

private:
  void makePragma(clang::Token &token);
  void followLaunch(clang::Token &token);
  void followDeclarations(clang::Token &token);
  bool insert(clang::Token &token, clang::tok::TokenKind kind, clang::IdentifierInfo *word);

  clang::Preprocessor &preprocessor;
  clang::IdentifierInfo *const dim3, *const main, *const integer, *const pragmaOperator;
  bool inPragma = false;      // reading ahead
  unsigned braces = 0;        // open ones
  bool mayDeclare = true;     // the last token ended a declaration
  bool inLaunch = false;      // between <<< and >>>
  bool beginsArgument = false;
  unsigned argument = 0;      // of the launch
  unsigned nested = 0;        // brackets of all kinds that are open in it
};

} // namespace tilecc

#endif // TILECC_FRONTEND_TOKENREPAIRS_H
