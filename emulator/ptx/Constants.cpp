//===-- Constants.cpp - constant expressions -------------------------------------------------------------------===//
//
// PTX's type rules: an integer is .s64, unless its literal has a U or exceeds .s64; an operation is .u64 if one of its
// operands is; comparisons and ! return .s64; a shift has the type of its left side. All operations wrap at 64 bits.
// Integers and reals cannot be mixed. This rejects the same expressions as ptxas.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/ptx/Constants.h"

using namespace tilecc::emu::ptx;

namespace {

// Each parenthesis, prefix or ?: uses a few stack frames.
constexpr unsigned nestingLimit = 100;

struct BinaryOperator {
  int precedence = 0; // 0: the token is not a binary operator
  bool onReals = false;
};

BinaryOperator binaryOperator(const Token &token) {
  switch (static_cast<int>(token.kind)) {
  case '*':
  case '/': return {10, true};
  case '%': return {10};
  case '+':
  case '-': return {9, true};
  case Token::shiftLeft:
  case Token::shiftRight: return {8};
  case '<':
  case '>':
  case Token::lessEqual:
  case Token::greaterEqual: return {7, true};
  case Token::equal:
  case Token::notEqual: return {6, true};
  case '&': return {5};
  case '^': return {4};
  case '|': return {3};
  case Token::logicalAnd: return {2};
  case Token::logicalOr: return {1};
  default: return {};
  }
}

Constant makeInteger(uint64_t bits, bool isUnsigned = false) {
  return {Constant::Kind::integer, isUnsigned, false, bits};
}
Constant makeReal(double value) { return {Constant::Kind::real, false, false, std::bit_cast<uint64_t>(value)}; }

class Evaluator {
public:
  explicit Evaluator(TokenStream &tokens) : tokens(tokens) {}

  Constant conditional() {
    Constant condition = binary(1);
    if (!tokens.peek().is('?'))
      return condition;
    Nesting nesting(*this);
    Token question = tokens.take();
    Constant yes = conditional();
    tokens.expect(':', "of the conditional expression");
    Constant no = conditional();
    for (const Constant &part : {condition, yes, no})
      needInteger(part, question);
    return condition.bits ? yes : no;
  }

  Constant binary(int lowest) {
    Constant left = unary();
    for (;;) {
      BinaryOperator op = binaryOperator(tokens.peek());
      if (op.precedence < lowest || op.precedence == 0)
        return left;
      Token token = tokens.take();
      Constant right = binary(op.precedence + 1);
      if (left.isLiteral || right.isLiteral)
        failLiteral(token);
      if (left.isInteger() != right.isInteger())
        tokens.fail(token.where,
                    quote(token.text) + " has an integer on one side and a floating point value on the other");
      if (!left.isInteger() && !op.onReals)
        tokens.fail(token.where, quote(token.text) + " wants integers");
      left = left.isInteger() ? onIntegers(token, left, right) : onReals(token, left.asReal(), right.asReal());
    }
  }

  Constant unary() {
    Nesting nesting(*this);
    Token token = tokens.take();
    switch (static_cast<int>(token.kind)) {
    case Token::integer: return makeInteger(token.bits, token.isUnsigned);
    case Token::singleBits: return {Constant::Kind::single, false, true, token.bits};
    case Token::doubleBits: return {Constant::Kind::real, false, true, token.bits};
    case Token::real: return {Constant::Kind::real, false, false, token.bits};
    case Token::word:
      if (token.text == "WARP_SZ")
        return makeInteger(32);
      break;
    case '+':
    case '-': {
      Constant value = unary();
      if (value.isLiteral)
        failLiteral(token);
      if (token.is('-'))
        value.bits = value.isInteger() ? -value.bits : value.bits ^ uint64_t(1) << 63;
      return value;
    }
    case '~': {
      Constant value = needInteger(unary(), token);
      value.bits = ~value.bits;
      return value;
    }
    case '!': return makeInteger(!needInteger(unary(), token).bits);
    case '(': {
      if (tokens.peek().isDirective("s64") || tokens.peek().isDirective("u64")) { // a cast
        Token type = tokens.take();
        tokens.expect(')', "after the type of the cast");
        return makeInteger(needInteger(unary(), type).bits, type.text == "u64");
      }
      Constant value = conditional();
      tokens.expect(')', "of the constant expression");
      return value;
    }
    default: break;
    }
    tokens.fail(token.where, "expected a constant, found " + describe(token));
  }

  Constant needInteger(Constant value, const Token &op) {
    if (!value.isInteger())
      tokens.fail(op.where, describe(op) + " wants integers");
    return value;
  }

  [[noreturn]] void failLiteral(const Token &op) {
    tokens.fail(op.where, quote(op.text) + " cannot be applied to a 0f or 0d literal");
  }

private:
  struct Nesting {
    explicit Nesting(Evaluator &evaluator) : evaluator(evaluator) {
      if (++evaluator.depth > nestingLimit)
        evaluator.tokens.fail(evaluator.tokens.peek().where,
                              "the constant expression is nested deeper than " + std::to_string(nestingLimit));
    }
    ~Nesting() { --evaluator.depth; }
    Evaluator &evaluator;
  };

  Constant onIntegers(const Token &token, Constant a, Constant b) {
    bool isUnsigned = a.isUnsigned || b.isUnsigned;
    auto x = static_cast<int64_t>(a.bits), y = static_cast<int64_t>(b.bits);
    auto compare = [&](bool ifUnsigned, bool ifSigned) { return makeInteger(isUnsigned ? ifUnsigned : ifSigned); };
    switch (static_cast<int>(token.kind)) {
    case '*': return makeInteger(a.bits * b.bits, isUnsigned);
    case '/':
    case '%': {
      if (!b.bits)
        tokens.fail(token.where, "division by zero in a constant expression");
      bool isQuotient = token.is('/');
      if (isUnsigned)
        return makeInteger(isQuotient ? a.bits / b.bits : a.bits % b.bits, true);
      if (y == -1) // includes the only quotient that overflows
        return makeInteger(isQuotient ? -a.bits : 0);
      return makeInteger(isQuotient ? x / y : x % y);
    }
    case '+': return makeInteger(a.bits + b.bits, isUnsigned);
    case '-': return makeInteger(a.bits - b.bits, isUnsigned);
    case Token::shiftLeft: return makeInteger(b.bits < 64 ? a.bits << b.bits : 0, a.isUnsigned);
    case Token::shiftRight:
      if (a.isUnsigned)
        return makeInteger(b.bits < 64 ? a.bits >> b.bits : 0, true);
      return makeInteger(x >> (b.bits < 64 ? b.bits : 63));
    case '<': return compare(a.bits < b.bits, x < y);
    case '>': return compare(a.bits > b.bits, x > y);
    case Token::lessEqual: return compare(a.bits <= b.bits, x <= y);
    case Token::greaterEqual: return compare(a.bits >= b.bits, x >= y);
    case Token::equal: return makeInteger(a.bits == b.bits);
    case Token::notEqual: return makeInteger(a.bits != b.bits);
    case '&': return makeInteger(a.bits & b.bits, isUnsigned);
    case '^': return makeInteger(a.bits ^ b.bits, isUnsigned);
    case '|': return makeInteger(a.bits | b.bits, isUnsigned);
    case Token::logicalAnd: return makeInteger(a.bits && b.bits);
    default: return makeInteger(a.bits || b.bits);
    }
  }

  Constant onReals(const Token &token, double a, double b) {
    switch (static_cast<int>(token.kind)) {
    case '*': return makeReal(a * b);
    case '/': return makeReal(a / b);
    case '+': return makeReal(a + b);
    case '-': return makeReal(a - b);
    case '<': return makeInteger(a < b);
    case '>': return makeInteger(a > b);
    case Token::lessEqual: return makeInteger(a <= b);
    case Token::greaterEqual: return makeInteger(a >= b);
    case Token::equal: return makeInteger(a == b);
    default: return makeInteger(a != b);
    }
  }

  TokenStream &tokens;
  unsigned depth = 0;
};

} // namespace

bool tilecc::emu::ptx::startsConstant(const Token &token) {
  switch (static_cast<int>(token.kind)) {
  case Token::integer:
  case Token::singleBits:
  case Token::doubleBits:
  case Token::real:
  case '+':
  case '-':
  case '~':
  case '!':
  case '(': return true;
  default: return token.isWord("WARP_SZ");
  }
}

Constant tilecc::emu::ptx::parseConstant(TokenStream &tokens) { return Evaluator(tokens).conditional(); }

int64_t tilecc::emu::ptx::parseOffset(TokenStream &tokens) {
  if (!tokens.accept('+'))
    return 0;
  Location where = tokens.peek().where;
  Constant offset = parseConstant(tokens);
  if (!offset.isInteger())
    tokens.fail(where, "expected an integer as the offset");
  return static_cast<int64_t>(offset.bits);
}
