//===-- Declarations.cpp - variables, parameters and initial values --------------------------------------------===//
#include "emulator/ptx/Parser.h"

#include <bit>

using namespace tilecc::emu::ptx;

// Beyond any memory that there is, and far from overflow.
static constexpr uint64_t sizeLimit = uint64_t(1) << 40;
// What the text of an initial value may make of a few characters: `.b8 x[1000000][1000] = {{1}, {2}}`.
static constexpr uint64_t initialSizeLimit = uint64_t(1) << 30;
static constexpr size_t dimensionLimit = 8;

static uint64_t sizeOf(Type type) { return info(type).bits / 8; }

// .align 16 .attribute(.managed) .v4 .f32, and for a parameter .u64 .ptr .global .align 8: in any order
Parser::Declaration Parser::parseDeclaration(Space space) {
  Declaration declaration{space};
  bool isOfPointee = false; // after .ptr, the space and alignment are those of what a parameter points at
  while (tokens.peek().is(Token::directive)) {
    Token token = tokens.take();
    std::string_view name = token.text;
    if (name == "align") {
      Location where = tokens.peek().where;
      uint64_t align = tokens.expectInteger("an alignment");
      if (!std::has_single_bit(align) || align > (1u << 30))
        tokens.fail(where, "an alignment is a power of two, found '" + std::to_string(align) + "'");
      if (!isOfPointee)
        declaration.align = static_cast<uint32_t>(align);
    } else if (name == "v2" || name == "v4") {
      declaration.width = name[1] - '0';
    } else if (name == "attribute") {
      tokens.expect('(', "after '.attribute'");
      if (!tokens.acceptDirective("managed"))
        tokens.failExpected("'.managed'");
      tokens.expect(')', "after '.managed'");
    } else if (name == "ptr" && space == Space::param) {
      isOfPointee = true;
    } else if (isOfPointee && spaceNamed(name) != Space::generic) {
      continue;
    } else if (name == "texref" || name == "samplerref" || name == "surfref") {
      tokens.fail(token.where, "textures, samplers and surfaces are not supported (" + describe(token) + ")");
    } else if (Type type = typeNamed(name); type == Type::none || type == Type::pred) {
      tokens.fail(token.where, "expected the type of a variable, found " + describe(token));
    } else if (declaration.type != Type::none) {
      tokens.fail(token.where, "expected a name, found a second type " + describe(token));
    } else {
      declaration.type = type;
    }
  }
  if (declaration.type == Type::none)
    tokens.failExpected("the type of a variable");
  return declaration;
}

// name[4][2]; an open [] has the dimension 0, and the size is 0 until it is known.
Variable Parser::parseDeclarator(const Declaration &declaration, Shape &shape, std::string_view &name) {
  Variable variable;
  variable.where = tokens.peek().where;
  name = tokens.expectWord("the name of a variable");
  variable.name = name;
  variable.space = declaration.space;
  variable.type = declaration.type;
  shape.elementSize = sizeOf(declaration.type);
  uint64_t natural = shape.elementSize * declaration.width;
  variable.align = declaration.align ? declaration.align : static_cast<uint32_t>(natural);
  variable.size = natural;
  while (tokens.peek().is('[')) {
    Location where = tokens.take().where;
    if (shape.dimensions.size() == dimensionLimit)
      tokens.fail(where, quote(name) + " has more than " + std::to_string(dimensionLimit) + " dimensions");
    if (tokens.accept(']')) {
      if (!shape.dimensions.empty())
        tokens.fail(where, "only the first dimension of " + quote(name) + " can be open");
      shape.dimensions.push_back(0);
      continue;
    }
    Constant count = parseConstant(tokens);
    if (!count.isInteger() || !count.bits || count.bits > sizeLimit / variable.size)
      tokens.fail(where, "the size of " + quote(name) + " is not between 1 element and 2^40 bytes");
    tokens.expect(']', "after the size of " + quote(name));
    shape.dimensions.push_back(count.bits);
    variable.size *= count.bits;
  }
  if (shape.isOpen())
    variable.size = 0;
  if (declaration.width > 1)
    shape.dimensions.push_back(declaration.width);
  return variable;
}

// (.param .u64 .ptr .global .align 1 a, .param .align 8 .b8 b[16])
std::vector<Variable> Parser::parseParameters(bool isEntry) {
  std::vector<Variable> parameters;
  tokens.expect('(', "before the parameters");
  if (tokens.accept(')'))
    return parameters;
  do {
    if (!isEntry && tokens.peek().isDirective("reg"))
      tokens.fail(tokens.peek().where, "parameters in registers are not supported: .param is");
    if (!tokens.acceptDirective("param"))
      tokens.failExpected("'.param'");
    Shape shape;
    std::string_view name;
    Location where = tokens.peek().where;
    parameters.push_back(parseDeclarator(parseDeclaration(Space::param), shape, name));
    if (isEntry && !parameters.back().size)
      tokens.fail(where, "the parameter " + quote(name) + " has no size");
  } while (tokens.accept(','));
  tokens.expect(')', "after the parameters");
  return parameters;
}

// .global .align 4 .u32 a = 7, b[2] = {1, 2};
void Parser::parseModuleVariable(Space space, bool isExtern) {
  Declaration declaration = parseDeclaration(space);
  do {
    Shape shape;
    std::string_view name;
    Variable variable = parseDeclarator(declaration, shape, name);
    variable.isExtern = isExtern;
    if (tokens.peek().is('='))
      parseInitializer(variable, shape, declaration.type);
    else if (shape.isOpen() && !isExtern)
      tokens.fail(variable.where, quote(name) + " has an open size: it needs an initial value or .extern");
    auto [known, isNew] = symbols.emplace(name, Symbol{false, static_cast<uint32_t>(module->variables.size())});
    if (isNew) {
      module->variablesByName.emplace(name, known->second.index);
      module->variables.push_back(std::move(variable));
      continue;
    }
    if (known->second.isFunction)
      tokens.fail(variable.where, quote(name) + " is already declared, as a function");
    Variable &earlier = module->variables[known->second.index];
    if (!earlier.isExtern && !isExtern)
      tokens.fail(variable.where, quote(name) + " is already defined on line " + std::to_string(earlier.where.line));
    if (earlier.space != space)
      tokens.fail(variable.where, quote(name) + " is declared in another space on line " +
                                      std::to_string(earlier.where.line));
    if (!isExtern)
      earlier = std::move(variable);
  } while (tokens.accept(','));
  tokens.expect(';', "after the variable");
}

void Parser::parseInitializer(Variable &variable, Shape &shape, Type type) {
  Token equals = tokens.take();
  if (variable.isExtern || (variable.space != Space::global && variable.space != Space::constant))
    tokens.fail(equals.where, "only .global and .const variables that are defined here have an initial value");
  if (shape.dimensions.empty()) {
    bool isBraced = tokens.accept('{'); // C allows it, and so does ptxas
    parseInitialValue(variable, 0, type);
    if (isBraced)
      tokens.expect('}', "after the initial value");
    return;
  }
  uint64_t end = 0;
  if (!tokens.peek().is('{'))
    tokens.failExpected("'{' before the initial values of " + quote(variable.name));
  parseInitialList(variable, shape, 0, 0, end, type);
  if (shape.isOpen()) {
    uint64_t row = shape.elementSize;
    for (size_t i = 1; i < shape.dimensions.size(); ++i)
      row *= shape.dimensions[i];
    variable.size = (end + row - 1) / row * row;
  }
}

// The list of a dimension, which begins at `offset`. As in C, a list may be shorter than its dimension, and the inner
// braces may be left out. `end` is one past the last value.
void Parser::parseInitialList(Variable &variable, const Shape &shape, size_t level, uint64_t offset, uint64_t &end,
                              Type type) {
  uint64_t row = shape.elementSize; // bytes of one element of this dimension
  for (size_t i = level + 1; i < shape.dimensions.size(); ++i)
    row *= shape.dimensions[i];
  uint64_t limit = offset + (level == 0 && shape.isOpen() ? initialSizeLimit : row * shape.dimensions[level]);
  tokens.expect('{', "before the initial values");
  if (tokens.accept('}'))
    return;
  uint64_t at = offset;
  do {
    Location where = tokens.peek().where;
    bool isList = tokens.peek().is('{');
    if (isList && level + 1 == shape.dimensions.size())
      tokens.failExpected("a value");
    if (isList && (at - offset) % row)
      tokens.fail(where, "a list cannot begin within a row");
    uint64_t size = isList ? row : shape.elementSize;
    if (size > limit - at)
      tokens.fail(where, "more initial values than " + quote(variable.name) + " has room for");
    if (isList)
      parseInitialList(variable, shape, level + 1, at, end, type);
    else
      parseInitialValue(variable, at, type);
    at += size;
    end = std::max(end, at);
  } while (tokens.accept(','));
  tokens.expect('}', "after the initial values");
}

void Parser::parseInitialValue(Variable &variable, uint64_t offset, Type type) {
  uint64_t size = sizeOf(type);
  if (offset + size > initialSizeLimit)
    tokens.fail(tokens.peek().where, "the initial value is larger than 2^30 bytes");
  if (variable.bytes.size() < offset + size)
    variable.bytes.resize(offset + size);
  const Token &token = tokens.peek();
  if (token.is(Token::word) && token.text != "WARP_SZ")
    return parseInitialAddress(variable, offset, type, 0);

  Location where = token.where;
  Constant value = parseConstant(tokens);
  if (value.isInteger() && tokens.peek().is('(')) { // 0xFF00(name)
    tokens.take();
    parseInitialAddress(variable, offset, type, value.bits);
    return tokens.expect(')', "after the address");
  }
  uint64_t bits = value.bits;
  if (info(type).kind == TypeClass::floating) {
    if (type == Type::f64)
      bits = std::bit_cast<uint64_t>(value.asReal());
    else if (type == Type::f32 && value.kind != Constant::Kind::single)
      bits = std::bit_cast<uint32_t>(static_cast<float>(value.asReal()));
    else if (type != Type::f32)
      tokens.fail(where, "a variable of ." + std::string(info(type).name) + " cannot have an initial value");
  } else if (!value.isInteger()) {
    // The bits of a literal go into what holds bits: .b32 x = 0f3F800000
    if (size != (value.kind == Constant::Kind::single ? 4 : 8))
      tokens.fail(where, "a floating point value does not fit ." + std::string(info(type).name));
  } else if (size < 8) {
    auto asSigned = static_cast<int64_t>(bits);
    unsigned width = 8 * static_cast<unsigned>(size);
    bool isNegative = !value.isUnsigned && asSigned < 0;
    if (isNegative ? asSigned < -(int64_t(1) << (width - 1)) : bits >> width)
      tokens.fail(where, "the initial value does not fit ." + std::string(info(type).name));
  }
  for (uint64_t i = 0; i < std::min<uint64_t>(size, 8); ++i)
    variable.bytes[offset + i] = static_cast<uint8_t>(bits >> (8 * i));
  if (size > 8 && value.isInteger() && !value.isUnsigned && static_cast<int64_t>(bits) < 0) // .b128 = -1
    std::fill_n(variable.bytes.begin() + offset + 8, size - 8, uint8_t(0xFF));
}

// name, name + 8, generic(name), generic(name + 8) + 4; mask 0 takes the whole address, 0xFF00 its second byte
void Parser::parseInitialAddress(Variable &variable, uint64_t offset, Type type, uint64_t mask) {
  Location where = tokens.peek().where;
  Variable::Relocation relocation{offset, "", 0, false};
  std::string_view name = tokens.expectWord("the name of a variable or function");
  if (name == "generic" && tokens.accept('(')) {
    relocation.generic = true;
    where = tokens.peek().where;
    name = tokens.expectWord("the name of a variable or function");
    relocation.addend = parseOffset(tokens);
    tokens.expect(')', "after the address");
  }
  if (!symbols.count(name) && name != variable.name)
    tokens.fail(where, "undeclared name " + quote(name));
  relocation.symbol = name;
  relocation.addend = static_cast<int64_t>(static_cast<uint64_t>(relocation.addend) + parseOffset(tokens));
  relocation.size = static_cast<uint32_t>(sizeOf(type));
  if (mask) {
    relocation.shift = std::countr_zero(mask) & ~7u;
    if (mask >> relocation.shift != 0xFF || relocation.size != 1)
      tokens.fail(where, "a mask takes one byte of an address, for a variable of bytes");
  } else if (relocation.size != 8 && relocation.size != 4) {
    tokens.fail(where, "an address does not fit ." + std::string(info(type).name));
  }
  variable.relocations.push_back(std::move(relocation));
}
