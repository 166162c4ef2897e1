//===- TokenRepairs.h - repairs syntax that nvcc accepts and Clang rejects ---------------------------------*- C++ -*-//
//
// nvcc accepts four constructs that Clang treats as syntax errors:
// - a launch whose brackets are written with a space, `kernel<< <grid, block>> >()`. Formatters that do not know CUDA
//   write them so.
// - braced sizes in a launch, `kernel<<<{n, 1, 1}, {32, 4}>>>()`. The missing `dim3` is inserted.
// - main() without a return type. The missing `int` is inserted.
// - pragmas in macro expansions, `#define UNROLL #pragma unroll`. nvcc's preprocessor is a separate program, whose
//   output contains the line as an ordinary pragma. The parser receives the tokens of _Pragma("unroll") instead.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TOKENREPAIRS_H
#define TILECC_FRONTEND_TOKENREPAIRS_H

#include "clang/Lex/Preprocessor.h"

namespace tilecc {

class TokenRepairs {
public:
  explicit TokenRepairs(clang::Preprocessor &preprocessor);

  /// Must be called with each token that the parser receives. If a token is missing before it, inserts that token.
  void operator()(clang::Token &token);

private:
  void makePragma(clang::Token &token);
  void joinBrackets(clang::Token &token);
  void followLaunch(clang::Token &token);
  void followDeclarations(clang::Token &token);
  bool insert(clang::Token &token, clang::tok::TokenKind kind, clang::IdentifierInfo *word);

  clang::Preprocessor &preprocessor;
  clang::IdentifierInfo *const dim3, *const main, *const integer, *const pragmaOperator;
  bool readsAhead = false; // these tokens become part of another one
  bool afterOperator = false; // the last token was the keyword
  unsigned braces = 0; // number of open braces
  bool mayDeclare = true; // true if the last token ended a declaration
  bool inLaunch = false; // between <<< and >>>
  bool beginsArgument = false;
  unsigned argument = 0; // the index of the argument in the launch
  unsigned nested = 0; // open brackets of all kinds in the launch
};

} // namespace tilecc

#endif // TILECC_FRONTEND_TOKENREPAIRS_H
