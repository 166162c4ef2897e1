//===-- Statements.cpp - the body of a function ----------------------------------------------------------------===//
#include "emulator/ptx/Parser.h"

using namespace tilecc::emu::ptx;

void Parser::parseBody(Function &into) {
  Scopes names(tokens, into);
  function = &into;
  scopes = &names;
  source = {};
  Location where = tokens.take().where;
  while (names.depth()) {
    if (tokens.peek().is(Token::end))
      tokens.fail(tokens.peek().where, "expected '}' of the body of " + quote(into.name) + " on line " +
                                           std::to_string(where.line) + ", found the end of the file");
    parseStatement();
  }
  function = nullptr;
  scopes = nullptr;
}

void Parser::parseStatement() {
  const Token &token = tokens.peek();
  if (token.is('{')) {
    scopes->open(token.where);
    tokens.take();
  } else if (tokens.accept('}')) {
    scopes->close();
  } else if (token.is(Token::directive)) {
    parseBodyDirective();
  } else if (token.is(Token::word) || token.is('@')) {
    parseInstruction();
  } else {
    tokens.failExpected("an instruction, a label, a directive or '}'");
  }
}

void Parser::parseBodyDirective() {
  Token token = tokens.take();
  std::string_view name = token.text;
  if (name == "reg")
    return parseRegisters();
  if (name == "loc")
    return parseLocation();
  if (name == "pragma")
    return parsePragma();
  if (name == "branchtargets" || name == "callprototype" || name == "calltargets")
    tokens.fail(token.where, describe(token) + " wants a label before it");
  Space space = spaceNamed(name);
  if (space == Space::generic)
    tokens.fail(token.where, "unsupported directive " + describe(token));
  if (space == Space::global || space == Space::constant)
    return parseModuleVariables(space, false); // its name is known from here on; otherwise it is not local
  parseLocals(space);
}

void Parser::parseLocals(Space space) {
  Declaration declaration = parseDeclaration(space);
  do {
    Shape shape;
    std::string_view name;
    Variable variable = parseDeclarator(declaration, shape, name);
    if (shape.isOpen())
      tokens.fail(variable.where, quote(name) + " has an open size, which is only for .extern variables of the module");
    if (tokens.peek().is('='))
      tokens.fail(tokens.peek().where, "only .global and .const variables have an initial value");
    scopes->declareLocal(std::move(variable), name, symbols.count(name));
  } while (tokens.accept(','));
  tokens.expect(';', "after the variable");
}

// .reg .b32 %r<94>, %x; .reg .v4 .f32 %v;
void Parser::parseRegisters() {
  uint32_t width = 1;
  if (tokens.peek().isDirective("v2") || tokens.peek().isDirective("v4"))
    width = tokens.take().text[1] - '0';
  Type type = tokens.peek().is(Token::directive) ? typeNamed(tokens.peek().text) : Type::none;
  if (type == Type::none)
    tokens.failExpected("the type of a register");
  tokens.take();
  do {
    Location where = tokens.peek().where;
    std::string_view name = tokens.expectName("the name of a register");
    if (tokens.accept('<')) {
      uint64_t count = tokens.expectInteger("the number of registers");
      tokens.expect('>', "after the number of registers");
      scopes->declareRegisters(name, count, type, width, where);
    } else {
      scopes->declareRegister(name, type, width, where);
    }
  } while (tokens.accept(','));
  tokens.expect(';', "after the registers");
}

// .loc 1 11 3 [, function_name label [+ offset]] [, inlined_at 1 20 3], up to the end of the line. The location in the
// inlined function is the one that describes the instruction.
void Parser::parseLocation() {
  auto expectPlace = [&] {
    SourceLocation place;
    place.file = static_cast<uint32_t>(tokens.expectInteger("the number of a file", UINT32_MAX));
    place.line = static_cast<uint32_t>(tokens.expectInteger("a line", UINT32_MAX));
    place.column = static_cast<uint32_t>(tokens.expectInteger("a column", UINT32_MAX));
    return place;
  };
  source = expectPlace();
  while (tokens.accept(',')) {
    if (tokens.peek().isWord("function_name")) {
      tokens.take();
      tokens.expectWord("the label of a function's name");
      parseOffset(tokens);
    } else if (tokens.peek().isWord("inlined_at")) {
      tokens.take();
      expectPlace();
    } else {
      tokens.failExpected("'function_name' or 'inlined_at'");
    }
  }
}

// The definition after "name:".
void Parser::parseLabelled(const Token &name) {
  Label label{Label::Kind::instruction, static_cast<uint32_t>(function->body.size()), name.where};
  if (tokens.acceptDirective("branchtargets")) {
    label.kind = Label::Kind::branchTargets;
    label.index = static_cast<uint32_t>(function->branchTargets.size());
    Function::BranchTargets &table = function->branchTargets.emplace_back();
    table.name = scopes->uniqueName(name.text);
    do {
      Location where = tokens.peek().where;
      std::string_view target = tokens.expectWord("a label");
      scopes->useInTargets(label.index, table.targets.size(), target, where);
      table.targets.push_back(0);
    } while (tokens.accept(','));
    tokens.expect(';', "after '.branchtargets'");
  } else if (tokens.acceptDirective("callprototype")) {
    label.kind = Label::Kind::prototype;
    label.index = static_cast<uint32_t>(function->prototypes.size());
    Function::Prototype &prototype = function->prototypes.emplace_back();
    prototype.name = scopes->uniqueName(name.text);
    if (tokens.peek().is('('))
      prototype.results = parseParameters(false);
    tokens.expectWord("'_', for the name of the function");
    prototype.params = parseParameters(false);
    Function ignored; // .noreturn, .abi_preserve
    parsePerformanceDirectives(ignored);
    tokens.expect(';', "after '.callprototype'");
  } else if (tokens.acceptDirective("calltargets")) {
    label.kind = Label::Kind::callTargets;
    label.index = static_cast<uint32_t>(function->callTargets.size());
    Function::CallTargets &table = function->callTargets.emplace_back();
    table.name = scopes->uniqueName(name.text);
    do {
      Location where = tokens.peek().where;
      std::string_view target = tokens.expectWord("a function");
      auto found = symbols.find(target);
      if (found == symbols.end() || !found->second.isFunction)
        tokens.fail(where, "expected a declared function, and " + quote(target) + " is none");
      table.functions.push_back(found->second.index);
    } while (tokens.accept(','));
    tokens.expect(';', "after '.calltargets'");
  }
  scopes->declareLabel(name.text, label);
}

void Parser::parseInstruction() {
  Instruction instruction;
  if (tokens.accept('@')) {
    instruction.guardNegated = tokens.accept('!');
    Token guard = tokens.peek();
    tokens.expectWord("the predicate of the guard");
    Named named = scopes->find(guard.text);
    if (named.kind != Named::Kind::reg)
      tokens.fail(guard.where, "undeclared register " + quote(guard.text));
    if (function->registers[named.index].type != Type::pred)
      tokens.fail(guard.where, "the guard " + quote(guard.text) + " is no predicate");
    instruction.guard = named.index;
    if (!tokens.peek().is(Token::word))
      tokens.failExpected("an instruction after the guard");
  }
  Token opcode = tokens.take();
  if (!instruction.guard && tokens.accept(':'))
    return parseLabelled(opcode);
  instruction.opcode = opcode.text;
  instruction.where = opcode.where;
  instruction.source = source;
  // On the same line only: if a semicolon is missing, the next line's directive is not a modifier.
  while (tokens.peek().is(Token::directive) && tokens.peek().where.line == opcode.where.line)
    instruction.modifiers.emplace_back(tokens.take().text);
  const Token &next = tokens.peek();
  bool isLast = next.is(';') || next.is('}') || next.is(Token::directive) || next.is(Token::end);
  if (!isLast || instruction.opcode == "bra")
    parseOperands(instruction);
  tokens.expect(';', "after the instruction");
  function->body.push_back(std::move(instruction));
}
