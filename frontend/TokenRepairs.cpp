//===- TokenRepairs.cpp - repairs syntax that nvcc accepts and Clang rejects --------------------------------------===//
//
// TokenWatcher.cpp calls TokenRepairs for each token.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/TokenRepairs.h"
#include "frontend/Simt.h"
#include "clang/Lex/Lexer.h"
#include <optional>

using namespace clang;

namespace tilecc {

TokenRepairs::TokenRepairs(Preprocessor &preprocessor)
    : preprocessor(preprocessor), dim3(preprocessor.getIdentifierInfo("dim3")),
      main(preprocessor.getIdentifierInfo("main")), integer(preprocessor.getIdentifierInfo("int")),
      pragmaOperator(preprocessor.getIdentifierInfo("_Pragma")) {}

void TokenRepairs::operator()(Token &token) {
  if (readsAhead)
    return;
  if (token.is(tok::hash) && token.getLocation().isMacroID() && !preprocessor.isBacktrackEnabled())
    makePragma(token);
  joinBrackets(token);
  followLaunch(token);
  followDeclarations(token);
}

bool TokenRepairs::insert(Token &token, tok::TokenKind kind, IdentifierInfo *word) {
  // Tokens that the parser may read again are also cached.
  if (preprocessor.isBacktrackEnabled())
    return false;
  auto next = std::make_unique<Token[]>(1);
  next[0] = token;
  preprocessor.EnterTokenStream(std::move(next), 1, /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
  token.setKind(kind);
  token.setIdentifierInfo(word);
  return true;
}

/// Replaces a pragma in a macro by _Pragma("..."). `token` is the # in the macro, and the rest of the macro is the
/// pragma.
void TokenRepairs::makePragma(Token &token) {
  const SourceManager &sources = preprocessor.getSourceManager();
  const SourceLocation macro = sources.getExpansionLoc(token.getLocation()), place = token.getLocation();
  readsAhead = true;
  auto tokens = std::make_unique<Token[]>(5);
  Token &next = tokens[4];
  std::string text;
  for (bool isFirst = true;; isFirst = false) {
    preprocessor.Lex(next);
    if (next.is(tok::eof) || !next.getLocation().isMacroID() || sources.getExpansionLoc(next.getLocation()) != macro)
      break;
    std::string word = preprocessor.getSpelling(next);
    if (isFirst && word != "pragma") { // another use of #: the parser sees both tokens
      auto second = std::make_unique<Token[]>(1);
      second[0] = next;
      preprocessor.EnterTokenStream(std::move(second), 1, /*DisableMacroExpansion=*/true, /*IsReinject=*/true);
      readsAhead = false;
      return;
    }
    if (!isFirst)
      text += (text.empty() ? "" : " ") + word;
  }
  for (unsigned i = 0; i < 4; ++i) {
    tokens[i].startToken();
    tokens[i].setLocation(place);
  }
  tokens[0].setKind(tok::identifier);
  tokens[0].setIdentifierInfo(pragmaOperator);
  tokens[1].setKind(tok::l_paren);
  tokens[2].setKind(tok::string_literal);
  preprocessor.CreateString("\"" + Lexer::Stringify(text) + "\"", tokens[2], macro, macro);
  tokens[3].setKind(tok::r_paren);
  preprocessor.EnterTokenStream(std::move(tokens), 5, /*DisableMacroExpansion=*/false, /*IsReinject=*/false);
  preprocessor.Lex(token);
  readsAhead = false;
}

/// Makes one token of `<< <`, unless it is part of a declaration `operator<< <T>`, and of `>> >` at the end of a
/// launch. Both are errors elsewhere.
void TokenRepairs::joinBrackets(Token &token) {
  const bool opens = token.is(tok::lessless) && !afterOperator;
  const bool closes = token.is(tok::greatergreater) && inLaunch && nested == 0;
  afterOperator = token.is(tok::kw_operator);
  if (!opens && !closes)
    return;
  const SourceManager &sources = preprocessor.getSourceManager();
  std::optional<Token> next =
      Lexer::findNextToken(sources.getSpellingLoc(token.getLocation()), sources, preprocessor.getLangOpts());
  // If the parser may read the tokens again, it will find both.
  if (!next || next->isNot(opens ? tok::less : tok::greater) || preprocessor.isBacktrackEnabled())
    return;
  readsAhead = true;
  Token second;
  preprocessor.Lex(second);
  readsAhead = false;
  token.setKind(opens ? tok::lesslessless : tok::greatergreatergreater);
}

void TokenRepairs::followLaunch(Token &token) {
  if (token.is(tok::lesslessless)) {
    inLaunch = beginsArgument = true;
    argument = nested = 0;
    return;
  }
  if (!inLaunch)
    return;
  bool begins = std::exchange(beginsArgument, false);
  if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
    constexpr unsigned sizes = 2; // grid and block
    if (token.is(tok::l_brace) && begins && argument < sizes && insert(token, tok::identifier, dim3))
      return;
    ++nested;
  } else if (token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace)) {
    inLaunch = nested-- > 0;
  } else if (nested == 0 && token.is(tok::comma)) {
    beginsArgument = true;
    ++argument;
  } else if (token.isOneOf(tok::greatergreatergreater, tok::semi, tok::eof)) {
    inLaunch = inLaunch && nested > 0 && token.is(tok::greatergreatergreater);
  }
}

void TokenRepairs::followDeclarations(Token &token) {
  if (mayDeclare && braces == 0 && token.is(tok::identifier) && token.getIdentifierInfo() == main) {
    SourceLocation place = token.getLocation();
    mayDeclare = false;
    if (insert(token, tok::kw_int, integer)) {
      DiagnosticsEngine &diags = preprocessor.getDiagnostics();
      diags.Report(place, simtWarning(diags, "main() has no type; it is taken for 'int', as nvcc does",
                                      diag::Group::ImplicitInt));
    }
    return;
  }
  if (token.is(tok::l_brace))
    ++braces;
  else if (token.is(tok::r_brace) && braces > 0)
    --braces;
  mayDeclare = token.isOneOf(tok::semi, tok::r_brace) || token.isAnnotation();
}

} // namespace tilecc
