//===-- Operands.cpp - operands of instructions ----------------------------------------------------------------===//
#include "emulator/ptx/Parser.h"

using namespace tilecc::emu::ptx;

void Parser::parseOperands(Instruction &instruction) {
  const std::string &opcode = instruction.opcode;
  std::vector<Operand> &operands = instruction.operands;
  bool isCall = opcode == "call", isTable = opcode == "brx";
  operands.reserve(4);
  isVideo = opcode[0] == 'v' && opcode != "vote";
  do {
    Token first = tokens.peek();
    size_t place = operands.size();
    // Labels are names that may be declared later: for bra and brx by position, for call any name that is not known
    // otherwise.
    bool isLabel = opcode == "bra" ? place == 0 : isTable && place == 1;
    if (isCall && place && first.is(Token::word))
      isLabel = scopes->find(first.text).kind == Named::Kind::none && !symbols.count(first.text);
    if (!isLabel) {
      operands.push_back(parseOperand(isCall));
      continue;
    }
    tokens.expectWord("a label");
    Operand &label = operands.emplace_back();
    label.kind = Operand::Kind::symbol;
    label.text = first.text;
    label.where = first.where;
    Label::Kind wanted = isCall    ? Label::Kind::prototype
                         : isTable ? Label::Kind::branchTargets
                                   : Label::Kind::instruction;
    scopes->useInOperand(function->body.size(), place, wanted, first.text, first.where);
  } while (tokens.accept(','));
}

Operand Parser::parseOperand(bool isOfCall) {
  const Token &token = tokens.peek();
  if (token.is('{'))
    return parseVector();
  if (token.is('['))
    return parseAddress();
  if (token.is('(') && isOfCall)
    return parseList();
  Operand operand = parseElement();
  if (!tokens.peek().is('|') || (operand.kind != Operand::Kind::reg && operand.kind != Operand::Kind::sink))
    return operand;
  tokens.take();
  Operand pair;
  pair.kind = Operand::Kind::pair;
  pair.where = operand.where;
  pair.elements.push_back(std::move(operand));
  Location where = tokens.peek().where;
  pair.elements.push_back(parseElement());
  Operand::Kind second = pair.elements[1].kind;
  if (second != Operand::Kind::reg && second != Operand::Kind::sink)
    tokens.fail(where, "expected a register after '|'");
  return pair;
}

// A register, a name with an offset, a constant, or _
Operand Parser::parseElement() {
  const Token &token = tokens.peek();
  if (token.is(Token::word) && token.text != "WARP_SZ")
    return parseName();
  if (token.is('!')) {
    TokenStream ahead = tokens; // !p is a predicate, !0 a constant
    Location where = ahead.take().where;
    if (!ahead.peek().is(Token::word) || ahead.peek().text == "WARP_SZ")
      return parseConstantOperand();
    tokens.take();
    Operand operand = parseName();
    if (operand.kind != Operand::Kind::reg || function->registers[operand.index].type != Type::pred)
      tokens.fail(where, "expected a predicate after '!'");
    operand.negated = true;
    operand.where = where;
    return operand;
  }
  return parseConstantOperand();
}

Operand Parser::parseConstantOperand() {
  const Token &token = tokens.peek();
  Operand operand;
  operand.where = token.where;
  if (!startsConstant(token))
    tokens.failExpected("an operand");
  Constant value = parseConstant(tokens);
  operand.kind = value.kind == Constant::Kind::integer  ? Operand::Kind::integer
                 : value.kind == Constant::Kind::single ? Operand::Kind::single
                                                        : Operand::Kind::real;
  operand.isUnsigned = value.isUnsigned;
  operand.bits = value.bits;
  return operand;
}

// {a, _, 3}
Operand Parser::parseVector() {
  Operand vector;
  vector.kind = Operand::Kind::vector;
  vector.where = tokens.take().where;
  do
    vector.elements.push_back(parseElement());
  while (tokens.accept(','));
  tokens.expect('}', "after the elements of the vector");
  return vector;
}

// [%rd1+8], [name], [16], [%rd1, {%r1, %r2}]
Operand Parser::parseAddress() {
  Operand address;
  address.kind = Operand::Kind::address;
  address.where = tokens.take().where;
  Operand base = parseElement();
  switch (base.kind) {
  case Operand::Kind::reg:
  case Operand::Kind::special: address.offset = parseOffset(tokens); break;
  case Operand::Kind::symbol:
    address.offset = base.offset;
    base.offset = 0;
    break;
  case Operand::Kind::integer: break;
  default: tokens.fail(base.where, "expected an address");
  }
  if (base.negated)
    tokens.fail(base.where, "expected an address");
  address.elements.push_back(std::move(base));
  while (tokens.accept(','))
    address.elements.push_back(tokens.peek().is('{') ? parseVector() : parseElement());
  tokens.expect(']', "after the address");
  return address;
}

// (a, b), of a call
Operand Parser::parseList() {
  Operand list;
  list.kind = Operand::Kind::list;
  list.where = tokens.take().where;
  if (tokens.accept(')'))
    return list;
  do
    list.elements.push_back(parseElement());
  while (tokens.accept(','));
  tokens.expect(')', "after the list");
  return list;
}

Operand Parser::parseName() {
  Operand operand;
  Token token = tokens.take();
  std::string_view name = token.text;
  operand.where = token.where;
  if (name == "_")
    return operand;
  if (!resolveName(operand, name, token.where))
    tokens.fail(token.where, (name[0] == '%' ? "undeclared register " : "undeclared name ") + quote(name));
  if (operand.kind == Operand::Kind::symbol) {
    operand.offset = parseOffset(tokens);
    return operand;
  }
  const Token &component = tokens.peek();
  if (!component.is(Token::directive) || component.where.line != token.where.line)
    return operand;
  std::string_view selected = component.text;
  Location where = component.where;
  auto failComponent = [&] { tokens.fail(where, quote(name) + " has no component '." + std::string(selected) + "'"); };
  if (operand.kind == Operand::Kind::special) {
    if (selected.size() != 1 || std::string_view("xyzw").find(selected) == std::string_view::npos)
      failComponent();
    operand.text += "." + std::string(selected);
  } else if (operand.kind == Operand::Kind::vector) { // v.x, v.r
    size_t place = std::min(std::string_view("xyzw").find(selected), std::string_view("rgba").find(selected));
    if (selected.size() != 1 || place >= operand.elements.size())
      failComponent();
    Operand element = std::move(operand.elements[place]);
    operand = std::move(element);
  } else { // a.b3, a.h1, a.b7654, a.h32
    bool isSelector = isVideo && selected.size() > 1 && selected.size() < 6 &&
                      (selected[0] == 'b' || selected[0] == 'h') &&
                      selected.find_first_not_of("01234567", 1) == std::string_view::npos;
    if (!isSelector)
      failComponent();
    operand.text = selected;
  }
  tokens.take();
  return operand;
}

// Resolves a name; returns false if it is unknown.
bool Parser::resolveName(Operand &operand, std::string_view name, Location where) {
  Named named = scopes->find(name);
  operand.index = named.index;
  switch (named.kind) {
  case Named::Kind::reg:
    operand.kind = Operand::Kind::reg;
    if (named.width == 1)
      return true;
    operand.kind = Operand::Kind::vector;
    operand.index = 0;
    operand.elements.resize(named.width);
    for (uint32_t i = 0; i < named.width; ++i) {
      operand.elements[i].kind = Operand::Kind::reg;
      operand.elements[i].index = named.index + i;
      operand.elements[i].where = where;
    }
    return true;
  case Named::Kind::local:
    operand.refers = Operand::Refers::local;
    operand.text = function->locals[named.index].name;
    break;
  case Named::Kind::param:
    operand.refers = Operand::Refers::param;
    operand.text = name;
    break;
  case Named::Kind::result:
    operand.refers = Operand::Refers::result;
    operand.text = name;
    break;
  case Named::Kind::none:
    operand.text = name;
    if (auto found = symbols.find(name); found != symbols.end()) {
      operand.refers = found->second.isFunction ? Operand::Refers::function : Operand::Refers::variable;
      operand.index = found->second.index;
    } else if (isSpecialRegister(name)) {
      operand.kind = Operand::Kind::special;
      return true;
    } else {
      return false;
    }
  }
  operand.kind = Operand::Kind::symbol;
  return true;
}
