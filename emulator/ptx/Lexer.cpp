//===-- Lexer.cpp - splits PTX text into tokens ----------------------------------------------------------------===//
#include "emulator/ptx/Lexer.h"

#include <array>
#include <bit>
#include <charconv>

using namespace tilecc::emu::ptx;

namespace {

enum : uint8_t { spaceClass = 1, wordClass = 2, digitClass = 4, punctuationClass = 8 };

constexpr std::array<uint8_t, 256> classes = [] {
  std::array<uint8_t, 256> table{};
  for (char c : {' ', '\t', '\r', '\n', '\v', '\f', '\0'})
    table[static_cast<uint8_t>(c)] = spaceClass;
  for (char c = 'a'; c <= 'z'; ++c)
    table[c] = table[c - 'a' + 'A'] = wordClass;
  for (char c = '0'; c <= '9'; ++c)
    table[c] = wordClass | digitClass;
  table['_'] = table['$'] = wordClass;
  for (char c : std::string_view(";,:(){}[]<>@!|=+-*/%&^~?"))
    table[c] = punctuationClass;
  return table;
}();

bool isOf(char c, uint8_t wanted) { return classes[static_cast<uint8_t>(c)] & wanted; }

/// Returns true if a character ends a line. A zero does, too: the section .nv_debug_ptx_txt of a cubin separates lines
/// by zeros.
bool endsLine(char c) { return c == '\n' || c == '\0'; }

} // namespace

std::string tilecc::emu::ptx::quote(std::string_view name) {
  constexpr size_t limit = 80;
  return "'" + std::string(name.substr(0, limit)) + (name.size() > limit ? "...'" : "'");
}

std::string tilecc::emu::ptx::describe(const Token &token) {
  switch (token.kind) {
  case Token::end: return "the end of the file";
  case Token::directive: return quote("." + std::string(token.text));
  case Token::string: return "a string";
  default: return quote(token.text);
  }
}

TokenStream::TokenStream(std::string_view text, std::string_view fileName)
    : name(fileName), next(text.data()), lineStart(text.data()), last(text.data() + text.size()) {
  lex();
}

Token TokenStream::take() {
  Token taken = token;
  lex();
  return taken;
}

bool TokenStream::accept(char punctuation) {
  if (!token.is(punctuation))
    return false;
  lex();
  return true;
}

bool TokenStream::acceptDirective(std::string_view wanted) {
  if (!token.isDirective(wanted))
    return false;
  lex();
  return true;
}

void TokenStream::failExpected(std::string_view what) const {
  fail(token.where, "expected " + std::string(what) + ", found " + describe(token));
}

void TokenStream::expect(char punctuation, std::string_view after) {
  if (!accept(punctuation))
    failExpected("'" + std::string(1, punctuation) + "' " + std::string(after));
}

std::string_view TokenStream::expectWord(std::string_view what) {
  if (!token.is(Token::word))
    failExpected(what);
  return take().text;
}

std::string_view TokenStream::expectName(std::string_view what) {
  if (token.isWord("_"))
    failExpected(what);
  return expectWord(what);
}

uint64_t TokenStream::expectInteger(std::string_view what, uint64_t limit) {
  if (!token.is(Token::integer))
    failExpected(what);
  if (token.bits > limit)
    fail(token.where, std::string(what) + " is at most " + std::to_string(limit) + ", found " + describe(token));
  return take().bits;
}

void TokenStream::skipThrough(std::string_view marker) {
  std::string_view rest(next, last - next);
  size_t found = rest.find(marker);
  if (found == std::string_view::npos)
    fail(token.where, describe(token) + " is not followed by " + quote(marker));
  for (const char *end = next + found + marker.size(); next != end; ++next)
    if (endsLine(*next)) {
      ++line;
      lineStart = next + 1;
    }
  lex();
}

// White space and comments.
void TokenStream::skipSpace() {
  while (next != last) {
    if (endsLine(*next)) {
      ++next;
      ++line;
      lineStart = next;
    } else if (isOf(*next, spaceClass)) {
      ++next;
    } else if (last - next > 2 && next[0] == '/' && next[1] == '/' && next[2] == '@') {
      next += 3; // an instruction that only the emulator reads follows
    } else if (*next == '/' && last - next > 1 && next[1] == '/') {
      while (next != last && !endsLine(*next))
        ++next;
    } else if (*next == '/' && last - next > 1 && next[1] == '*') {
      Location where = here();
      for (next += 2;; ++next) {
        if (last - next < 2)
          fail(where, "unterminated comment: there is no */");
        if (endsLine(*next)) {
          ++line;
          lineStart = next + 1;
        }
        if (*next == '*' && next[1] == '/')
          break;
      }
      next += 2;
    } else {
      break;
    }
  }
}

void TokenStream::lex() {
  const char *start = next;
  skipSpace();
  bool followsName = start == next && (token.is(Token::word) || token.is(Token::directive));
  token.where = here();
  start = next;
  if (next == last) {
    token.kind = Token::end;
    token.text = {};
    return;
  }
  char c = *next++;
  auto finish = [&](Token::Kind kind) {
    token.kind = kind;
    token.text = std::string_view(start, next - start);
  };
  auto skipWord = [&] {
    while (next != last && isOf(*next, wordClass))
      ++next;
  };
  // .5 is a number, but the .2d of an opcode is not.
  if (isOf(c, digitClass) || (c == '.' && !followsName && next != last && isOf(*next, digitClass))) {
    --next;
    return lexNumber();
  }
  // %r1 is a word, and so is %1: a space follows the modulo operator.
  if (isOf(c, wordClass) || (c == '%' && next != last && isOf(*next, wordClass))) {
    skipWord();
    return finish(Token::word);
  }
  if (c == '.') {
    skipWord();
    while (last - next > 2 && next[0] == ':' && next[1] == ':' && isOf(next[2], wordClass)) { // .shared::cluster
      next += 2;
      skipWord();
    }
    if (++start == next)
      fail(token.where, "expected a name after '.'");
    return finish(Token::directive);
  }
  if (c == '"') {
    ++start;
    while (next != last && *next != '"' && !endsLine(*next))
      next += *next == '\\' && last - next > 1 && !endsLine(next[1]) ? 2 : 1;
    if (next == last || *next != '"')
      fail(token.where, "unterminated string: there is no '\"' on this line");
    finish(Token::string);
    ++next;
    return;
  }
  if (!isOf(c, punctuationClass)) {
    static const char digits[] = "0123456789ABCDEF";
    auto code = static_cast<uint8_t>(c);
    fail(token.where, code > ' ' && code < 0x7F
                          ? "stray character " + quote({&c, 1})
                          : std::string("stray character with the code 0x") + digits[code >> 4] + digits[code & 15]);
  }
  constexpr struct {
    char first, second;
    Token::Kind kind;
  } pairs[] = {{'<', '<', Token::shiftLeft}, {'>', '>', Token::shiftRight},  {'&', '&', Token::logicalAnd},
               {'|', '|', Token::logicalOr}, {'=', '=', Token::equal},       {'!', '=', Token::notEqual},
               {'<', '=', Token::lessEqual}, {'>', '=', Token::greaterEqual}};
  if (next != last)
    for (const auto &pair : pairs)
      if (c == pair.first && *next == pair.second) {
        ++next;
        return finish(pair.kind);
      }
  finish(static_cast<Token::Kind>(c));
}

void TokenStream::lexFloatBits(unsigned digits, Token::Kind kind) {
  const char *start = next;
  next += 2;
  token.bits = 0;
  auto [end, error] = std::from_chars(next, last, token.bits, 16);
  if (error != std::errc() || end - next != digits)
    fail(token.where, std::string("bad literal: 0") + start[1] + " wants " + std::to_string(digits) + " hex digits");
  next = end;
  token.kind = kind;
}

void TokenStream::lexNumber() {
  const char *start = next;
  char prefix = *next == '0' && last - next > 1 ? static_cast<char>(next[1] | 0x20) : '\0';
  token.isUnsigned = false;
  token.text = {};
  if (prefix == 'f') {
    lexFloatBits(8, Token::singleBits);
  } else if (prefix == 'd') {
    lexFloatBits(16, Token::doubleBits);
  } else {
    // The character after the digits decides whether it is an integer: 7.8 and 1e5 are not, 0x1e5 is.
    const char *end = next;
    while (end != last && isOf(*end, digitClass))
      ++end;
    bool isReal = prefix != 'x' && prefix != 'b' && end != last && (*end == '.' || (*end | 0x20) == 'e');
    std::from_chars_result result;
    if (isReal) {
      double value = 0;
      result = std::from_chars(next, last, value);
      token.bits = std::bit_cast<uint64_t>(value);
      token.kind = Token::real;
    } else {
      int base = prefix == 'x' ? 16 : prefix == 'b' ? 2 : *next == '0' ? 8 : 10;
      next += prefix == 'x' || prefix == 'b' ? 2 : 0;
      result = std::from_chars(next, last, token.bits, base);
      token.kind = Token::integer;
      token.isUnsigned = static_cast<int64_t>(token.bits) < 0;
      if (result.ec == std::errc() && result.ptr != last && *result.ptr == 'U') {
        ++result.ptr;
        token.isUnsigned = true;
      }
    }
    if (result.ec == std::errc::result_out_of_range)
      fail(token.where, "the literal " + quote({start, result.ptr}) + " does not fit in 64 bits");
    bool hasDigits = result.ec == std::errc();
    next = hasDigits ? result.ptr : start; // 0x
  }
  const char *end = next;
  while (end != last && isOf(*end, wordClass))
    ++end;
  if (end != next || next == start) // 12abc, 089, 0x, 0b2
    fail(token.where, "bad literal " + quote({start, std::max(end, start + 1)}));
  token.text = std::string_view(start, next - start);
}
