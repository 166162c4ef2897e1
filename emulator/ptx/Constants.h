//===-- Constants.h - constant expressions ---------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_PTX_CONSTANTS_H
#define TILECC_EMULATOR_PTX_CONSTANTS_H

#include "emulator/ptx/Lexer.h"

namespace tilecc::emu::ptx {

// The value of a constant expression. Integers have 64 bits, as PTX says; `single` is a lone 0f literal, whose bits are
// kept (a NaN's payload), as soon as it is computed with it is a real.
struct Constant {
  enum class Kind : uint8_t { integer, single, real };
  Kind kind = Kind::integer;
  bool isUnsigned = false;
  uint64_t bits = 0;

  bool isInteger() const { return kind == Kind::integer; }
  double asReal() const;
};

// Whether the token may begin a constant expression.
bool startsConstant(const Token &token);
// An expression with C's operators and precedences.
Constant parseConstant(TokenStream &tokens);
// What follows a name in an address: nothing, +8, -4, +-4, +2*4. The sum, as an integer.
int64_t parseOffset(TokenStream &tokens);

} // namespace tilecc::emu::ptx
#endif
