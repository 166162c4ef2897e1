//===-- Declarations.cpp - variables, parameters and initial values --------------------------------------------===//
#include "emulator/ptx/Parser.h"

#include <bit>

using namespace tilecc::emu::ptx;

// The limit is larger than any memory, and far from overflow.
static constexpr uint64_t sizeLimit = uint64_t(1) << 40;
// Limits the size of initial values, which a few characters can make huge: `.b8 x[1000000][1000] = {{1}, {2}}`.
static constexpr uint64_t initialSizeLimit = uint64_t(1) << 27;
static constexpr size_t dimensionLimit = 8;

static uint64_t sizeOf(Type type) { return info(type).bits / 8; }

// .align 16 .attribute(.managed) .v4 .f32, and for a parameter .u64 .ptr .global .align 8: in any order
Parser::Declaration Parser::parseDeclaration(Space space) {
  Declaration declaration{space};
  bool isOfPointee = false; // after .ptr, the space and alignment are those of the pointee
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
      declaration.isManaged = true;
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

// name[4][2]; an open [] has dimension 0, and the size is 0 until it is known.
Variable Parser::parseDeclarator(const Declaration &declaration, Shape &shape, std::string_view &name) {
  Variable variable;
  variable.where = tokens.peek().where;
  variable.isManaged = declaration.isManaged;
  constexpr std::string_view what = "the name of a variable";
  name = declaration.space == Space::param ? tokens.expectWord(what) : tokens.expectName(what); // _ in prototypes
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
    uint64_t count = tokens.expectInteger("the number of elements");
    if (!count || count > sizeLimit / variable.size)
      tokens.fail(where, "the size of " + quote(name) + " is not between 1 element and 2^40 bytes");
    tokens.expect(']', "after the number of elements");
    shape.dimensions.push_back(count);
    variable.size *= count;
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
    tokens.acceptDirective("hidden"); // the driver passes it, after the parameters of the source: tensor maps
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
void Parser::parseModuleVariables(Space space, bool isExtern) {
  Declaration declaration = parseDeclaration(space);
  do {
    Shape shape;
    std::string_view name;
    Variable variable = parseDeclarator(declaration, shape, name);
    variable.isExtern = isExtern;
    if (tokens.peek().is('='))
      parseInitializer(variable, shape);
    else if (shape.isOpen() && !isExtern)
      tokens.fail(variable.where, quote(name) + " has an open size: it needs an initial value or .extern");
    auto [known, isNew] = symbols.emplace(name, Symbol{false, static_cast<uint32_t>(module->variables.size())});
    if (isNew) {
      module->variablesByName.emplace(name, known->second.index);
      module->variables.push_back(std::move(variable));
      continue;
    }
    if (known->second.isFunction)
      tokens.fail(variable.where, quote(name) + " is already declared, as a function, on line " +
                                      std::to_string(module->functions[known->second.index].where.line));
    Variable &earlier = module->variables[known->second.index];
    if (!earlier.isExtern && !isExtern)
      tokens.fail(variable.where, quote(name) + " is already defined on line " + std::to_string(earlier.where.line));
    if (earlier.space != space)
      tokens.fail(variable.where,
                  quote(name) + " is declared in another space on line " + std::to_string(earlier.where.line));
    if (!isExtern)
      earlier = std::move(variable);
  } while (tokens.accept(','));
  tokens.expect(';', "after the variable");
}

// A scalar's value, or the nested lists of an array: a list may be shorter than its dimension, but cannot be omitted.
void Parser::parseInitializer(Variable &variable, const Shape &shape) {
  Token equals = tokens.take();
  if (variable.isExtern || (variable.space != Space::global && variable.space != Space::constant))
    tokens.fail(equals.where, "only .global and .const variables that are defined here have an initial value");
  if (shape.dimensions.empty())
    parseInitialValue(variable, 0);
  else
    parseInitialList(variable, shape, 0, 0);
}

// The list of a dimension, at `offset` in the variable.
void Parser::parseInitialList(Variable &variable, const Shape &shape, size_t level, uint64_t offset) {
  bool isLast = level + 1 == shape.dimensions.size();
  uint64_t size = shape.elementSize; // of one element of this dimension
  for (size_t i = level + 1; i < shape.dimensions.size(); ++i)
    size *= shape.dimensions[i];
  uint64_t room = level == 0 && shape.isOpen() ? initialSizeLimit / size : shape.dimensions[level];
  tokens.expect('{', "before the initial values");
  uint64_t count = 0;
  do {
    if (count == room)
      tokens.fail(tokens.peek().where, "more initial values than " + quote(variable.name) + " has room for");
    uint64_t at = offset + count++ * size;
    if (isLast)
      parseInitialValue(variable, at);
    else
      parseInitialList(variable, shape, level + 1, at);
  } while (tokens.accept(','));
  tokens.expect('}', "after the initial values");
  if (level == 0 && shape.isOpen())
    variable.size = count * size;
}

void Parser::parseInitialValue(Variable &variable, uint64_t offset) {
  Type type = variable.type;
  uint64_t size = sizeOf(type);
  if (offset + size > initialSizeLimit)
    tokens.fail(tokens.peek().where, "the initial value is larger than 2^27 bytes");
  if (variable.bytes.size() < offset + size)
    variable.bytes.resize(offset + size);
  const Token first = tokens.peek();
  if (first.is(Token::word) && first.text != "WARP_SZ")
    return parseInitialAddress(variable, offset, 0);

  Constant value = parseConstant(tokens);
  if (value.isInteger() && tokens.accept('(')) { // 0xFF00(name)
    parseInitialAddress(variable, offset, value.bits);
    return tokens.expect(')', "after the address");
  }
  // The following matches the observed behavior of ptxas. A floating-point literal for a variable of four bytes is
  // converted to binary32. For other sizes it is not converted: the variable gets the low bits of the literal.
  bool takesFloats = info(type).kind == TypeClass::bits || type == Type::f32 || type == Type::f64;
  if (value.isInteger() ? info(type).kind == TypeClass::floating : !takesFloats)
    tokens.fail(first.where, std::string(value.isInteger() ? "an integer" : "a floating point value") +
                                 " cannot be the initial value of a ." + std::string(info(type).name));
  uint64_t bits = value.bits;
  if (value.kind == Constant::Kind::real && size == 4)
    bits = std::bit_cast<uint32_t>(static_cast<float>(value.asReal()));
  for (uint64_t i = 0; i < std::min<uint64_t>(size, 8); ++i)
    variable.bytes[offset + i] = static_cast<uint8_t>(bits >> (8 * i));
}

// name, name + 8, generic(name), generic(name) + 8; mask 0 takes the whole address, 0xFF00 its second byte
void Parser::parseInitialAddress(Variable &variable, uint64_t offset, uint64_t mask) {
  Location where = tokens.peek().where;
  Variable::Relocation relocation{offset, "", 0, false};
  constexpr std::string_view what = "the name of a variable or function";
  std::string_view name = tokens.expectWord(what);
  if (name == "generic" && tokens.accept('(')) {
    relocation.generic = true;
    where = tokens.peek().where;
    name = tokens.expectWord(what);
    tokens.expect(')', "after the address");
  }
  if (!symbols.count(name))
    tokens.fail(where, "undeclared name " + quote(name));
  relocation.symbol = name;
  relocation.addend = parseOffset(tokens);
  relocation.size = static_cast<uint32_t>(sizeOf(variable.type));
  if (mask) {
    relocation.shift = std::countr_zero(mask) & ~7u;
    if (mask >> relocation.shift != 0xFF || variable.type != Type::u8)
      tokens.fail(where, "a mask takes one byte of an address, for a variable of .u8");
  } else if (variable.type != Type::u64 && variable.type != Type::u32) {
    tokens.fail(where, "an address cannot be the initial value of a ." + std::string(info(variable.type).name));
  }
  variable.relocations.push_back(std::move(relocation));
}
