//===-- Lexer.h - splits PTX text into tokens ------------------------------------------------------------------===//
//
// Tokens are views of the text. A word may contain $ and _, may begin with %, and never contains a dot: "ld.global" is
// the word "ld" and the directive ".global", and so is "%tid.x". The parser, which knows the context, combines tokens.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_PTX_LEXER_H
#define TILECC_EMULATOR_PTX_LEXER_H

#include "emulator/ptx/Module.h"

namespace tilecc::emu::ptx {

struct Token {
  enum Kind : uint8_t {
    end,
    word,         // bra, %r1, $L__BB0_1, _
    directive,    // .reg, .shared::cluster, .2d: text is without the first dot
    integer,      // bits; isUnsigned
    singleBits,   // 0f3F800000: bits
    doubleBits,   // 0d3FF0000000000000: bits
    real,         // 1.5: bits of a binary64
    string,       // text is without the quotes
    shiftLeft,    // <<
    shiftRight,   // >>
    logicalAnd,   // &&
    logicalOr,    // ||
    equal,        // ==
    notEqual,     // !=
    lessEqual,    // <=
    greaterEqual, // >=
    // Any other kind is the character itself; their codes are larger: ; , : ( ) { } [ ] < > @ ! | = + - * / % & ^ ~ ?
  };
  Kind kind = end;
  bool isUnsigned = false;
  Location where;
  std::string_view text;
  uint64_t bits = 0;

  bool is(Kind wanted) const { return kind == wanted; }
  bool is(char wanted) const { return kind == static_cast<Kind>(wanted); }
  bool isWord(std::string_view wanted) const { return kind == word && text == wanted; }
  bool isDirective(std::string_view wanted) const { return kind == directive && text == wanted; }
};

// A stream of tokens with one token of lookahead.
class TokenStream {
public:
  TokenStream(std::string_view text, std::string_view fileName);

  const Token &peek() const { return token; }
  Token take(); // returns the token and advances
  bool accept(char punctuation);
  bool acceptDirective(std::string_view name);
  void skipThrough(std::string_view marker); // skips text that is not PTX and follows the token that peek() returns
  // These functions throw an Error that describes the token that was found. `what` is, for example, "a register".
  void expect(char punctuation, std::string_view after); // "expected ';' after the operand, found 'add'"
  std::string_view expectWord(std::string_view what);
  std::string_view expectName(std::string_view what); // a declared name: a word other than _
  uint64_t expectInteger(std::string_view what, uint64_t limit = UINT64_MAX);
  [[noreturn]] void failExpected(std::string_view what) const; // "expected <what>, found 'add'"
  [[noreturn]] void fail(Location where, std::string_view text) const { throw Error(name, where, text); }

private:
  void lex();
  void lexNumber();
  void lexFloatBits(unsigned digits, Token::Kind kind);
  void skipSpace();
  Location here() const { return {line, static_cast<uint32_t>(next - lineStart) + 1}; }

  std::string_view name;
  const char *next, *lineStart, *last;
  uint32_t line = 1;
  Token token;
};

// Describes a token for messages: 'add', a string, the end of the file.
std::string describe(const Token &token);
// Returns 'name' in quotes, truncated if it is too long for a message.
std::string quote(std::string_view name);

} // namespace tilecc::emu::ptx
#endif
