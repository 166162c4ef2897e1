//===-- Constants.h - constant expressions ---------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_PTX_CONSTANTS_H
#define TILECC_EMULATOR_PTX_CONSTANTS_H

#include "emulator/ptx/Lexer.h"

#include <bit>

namespace tilecc::emu::ptx {

// The value of a constant expression. Integers have 64 bits, as specified by PTX.
struct Constant {
  enum class Kind : uint8_t {
    integer,
    single, // bits of a binary32, from a 0f literal
    real,   // bits of a binary64, from a 0d literal or a decimal
  };
  Kind kind = Kind::integer;
  bool isUnsigned = false;
  bool isLiteral = false; // 0f or 0d: bits, not usable in expressions
  uint64_t bits = 0;

  bool isInteger() const { return kind == Kind::integer; }
  double asReal() const { return std::bit_cast<double>(bits); } // for Kind::real
};

// Returns true if the token may begin a constant expression.
bool startsConstant(const Token &token);
// Parses an expression with C's operators and precedences.
Constant parseConstant(TokenStream &tokens);
// Parses the offset that may follow a name: nothing, which means 0, or + and an integer: +8, +-4, +2*4-1.
int64_t parseOffset(TokenStream &tokens);

} // namespace tilecc::emu::ptx
#endif
