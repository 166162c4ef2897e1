//===-- Constants.h - constant expressions ---------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_PTX_CONSTANTS_H
#define TILECC_EMULATOR_PTX_CONSTANTS_H

#include "emulator/ptx/Lexer.h"

#include <bit>

namespace tilecc::emu::ptx {

// The value of a constant expression. Integers have 64 bits, as PTX says.
struct Constant {
  enum class Kind : uint8_t {
    integer,
    single, // bits of a binary32, from a 0f literal
    real,   // bits of a binary64, from a 0d literal or a decimal
  };
  Kind kind = Kind::integer;
  bool isUnsigned = false;
  bool isLiteral = false; // 0f or 0d: bits, not to be computed with
  uint64_t bits = 0;

  bool isInteger() const { return kind == Kind::integer; }
  double asReal() const { return std::bit_cast<double>(bits); } // of Kind::real
};

// Whether the token may begin a constant expression.
bool startsConstant(const Token &token);
// An expression with C's operators and precedences.
Constant parseConstant(TokenStream &tokens);
// What may follow a name: nothing, which is 0, or + and an integer: +8, +-4, +2*4-1.
int64_t parseOffset(TokenStream &tokens);

} // namespace tilecc::emu::ptx
#endif
