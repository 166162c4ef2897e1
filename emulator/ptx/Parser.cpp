//===-- Parser.cpp - directives of the module ------------------------------------------------------------------===//
#include "emulator/ptx/Parser.h"

using namespace tilecc::emu::ptx;

std::unique_ptr<Module> tilecc::emu::ptx::parse(std::string_view text, std::string_view name) {
  // Images embedded in executables end with one or more zeros.
  while (!text.empty() && text.back() == '\0')
    text.remove_suffix(1);
  return Parser(text, name).parse();
}

Parser::Parser(std::string_view text, std::string_view name) : tokens(text, name), module(std::make_unique<Module>()) {
  module->name = name;
}

std::unique_ptr<Module> Parser::parse() {
  parseHeader();
  while (!tokens.peek().is(Token::end))
    parseModuleStatement();
  resolveAliases();
  return std::move(module);
}

// .version 8.4 .target sm_90a, debug .address_size 64
void Parser::parseHeader() {
  if (!tokens.acceptDirective("version"))
    tokens.failExpected("'.version', with which a PTX file begins");
  Token version = tokens.peek();
  size_t dot = version.text.find('.');
  if (!version.is(Token::real) || dot == std::string_view::npos)
    tokens.failExpected("the version of PTX, such as 8.4");
  auto number = [&](std::string_view digits) {
    unsigned value = 0;
    if (digits.empty())
      tokens.failExpected("the version of PTX, such as 8.4");
    for (char c : digits) {
      if (c < '0' || c > '9' || value > 999)
        tokens.failExpected("the version of PTX, such as 8.4");
      value = 10 * value + (c - '0');
    }
    return value;
  };
  module->versionMajor = number(version.text.substr(0, dot));
  module->versionMinor = number(version.text.substr(dot + 1));
  tokens.take();

  if (!tokens.acceptDirective("target"))
    tokens.failExpected("'.target' after '.version'");
  module->target = tokens.expectWord("a target, such as sm_90");
  while (tokens.accept(',')) // texmode_independent, debug, map_f64_to_f32
    tokens.expectWord("an option of '.target'");

  if (tokens.acceptDirective("address_size")) {
    Location where = tokens.peek().where;
    if (tokens.expectInteger("64") != 64)
      tokens.fail(where, "only addresses of 64 bits are supported");
  }
}

Space tilecc::emu::ptx::spaceNamed(std::string_view directive) {
  constexpr std::pair<std::string_view, Space> names[] = {{"global", Space::global},
                                                          {"shared", Space::shared},
                                                          {"local", Space::local},
                                                          {"const", Space::constant},
                                                          {"param", Space::param}};
  for (const auto &[name, space] : names)
    if (directive == name)
      return space;
  return Space::generic;
}

void Parser::parseModuleStatement() {
  if (tokens.acceptDirective("file"))
    return parseFile();
  if (tokens.acceptDirective("section"))
    return skipSection();
  if (tokens.acceptDirective("nv_intermediate_source_section"))
    return skipIntermediateSource();
  if (tokens.acceptDirective("alias"))
    return parseAlias();
  if (tokens.acceptDirective("pragma"))
    return parsePragma();
  bool isExtern = false;
  for (;;) {
    if (tokens.acceptDirective("extern"))
      isExtern = true;
    else if (!tokens.acceptDirective("visible") && !tokens.acceptDirective("weak") && !tokens.acceptDirective("common"))
      break;
  }
  if (tokens.acceptDirective("entry"))
    return parseFunction(true, isExtern);
  if (tokens.acceptDirective("func"))
    return parseFunction(false, isExtern);
  if (tokens.peek().is(Token::directive)) {
    Token token = tokens.peek();
    Space space = spaceNamed(token.text);
    if (space == Space::local) // ptxas accepts them only without the ABI, which nobody disables
      tokens.fail(token.where, "'.local' variables are declared in functions");
    if (space != Space::generic && space != Space::param) {
      tokens.take();
      return parseModuleVariables(space, isExtern);
    }
    tokens.fail(token.where, "unsupported directive " + describe(token));
  }
  tokens.failExpected("a directive");
}

// .pragma "nounroll", "x"; all of them are only hints
void Parser::parsePragma() {
  do {
    if (!tokens.peek().is(Token::string))
      tokens.failExpected("a string after '.pragma'");
    tokens.take();
  } while (tokens.accept(','));
  tokens.expect(';', "after '.pragma'");
}

// .file 1 "name" [, time [, size]], up to the end of the line
void Parser::parseFile() {
  constexpr uint64_t limit = 1 << 16;
  uint64_t index = tokens.expectInteger("the number of a file", limit);
  if (!tokens.peek().is(Token::string))
    tokens.failExpected("the name of a file, as a string");
  if (module->files.size() <= index)
    module->files.resize(index + 1);
  module->files[index] = tokens.take().text;
  if (tokens.accept(',')) {
    tokens.expectInteger("the time of the file");
    if (tokens.accept(','))
      tokens.expectInteger("the size of the file");
  }
}

// .alias name, function;
void Parser::parseAlias() {
  auto expectFunction = [&](std::string_view what) {
    Token token = tokens.peek();
    tokens.expectWord(what);
    auto found = symbols.find(token.text);
    if (found == symbols.end() || !found->second.isFunction)
      tokens.fail(token.where, "expected " + std::string(what) + ", and " + quote(token.text) + " is none");
    return std::pair(token, found->second.index);
  };
  auto [name, alias] = expectFunction("a declared function");
  tokens.expect(',', "after the name of the alias");
  auto [aliasee, target] = expectFunction("a function");
  tokens.expect(';', "after '.alias'");
  if (!module->functions[alias].isDeclaration)
    tokens.fail(name.where, quote(name.text) + " is defined and cannot be an alias");
  if (module->functions[target].isDeclaration)
    tokens.fail(aliasee.where, quote(aliasee.text) + " is not defined before its alias");
  module->functionsByName[std::string(name.text)] = target;
  aliases[alias] = target;
}

// Replaces aliases by their functions. The text declares an alias, uses it, and defines it at the end; calls and
// addresses must refer to the function itself.
void Parser::resolveAliases() {
  if (aliases.empty())
    return;
  auto resolve = [&](uint32_t &index) {
    if (auto found = aliases.find(index); found != aliases.end())
      index = found->second;
  };
  auto resolveOperand = [&](Operand &operand) {
    if (operand.kind == Operand::Kind::symbol && operand.refers == Operand::Refers::function)
      resolve(operand.index);
  };
  for (Function &user : module->functions) {
    for (Instruction &instruction : user.body)
      for (Operand &operand : instruction.operands) {
        resolveOperand(operand);
        for (Operand &element : operand.elements)
          resolveOperand(element);
      }
    for (Function::CallTargets &table : user.callTargets)
      for (uint32_t &target : table.functions)
        resolve(target);
  }
}

// .section .debug_info { ... }: DWARF, which is skipped, because .loc has everything that the emulator needs
void Parser::skipSection() {
  Location where = tokens.peek().where;
  if (!tokens.peek().is(Token::directive) && !tokens.peek().is(Token::word))
    tokens.failExpected("the name of a section");
  tokens.take();
  tokens.expect('{', "after the name of the section");
  for (size_t depth = 1; depth;) {
    Token token = tokens.take();
    if (token.is(Token::end))
      tokens.fail(where, "unterminated '.section': there is no '}'");
    depth += token.is('{') - token.is('}');
  }
}

// .nv_intermediate_source_section { .code_block { .ir_name: "tile ir" ... .source_begin <Tile IR> .source_end } ... }:
// the code from which NVIDIA's tile compiler made the PTX
void Parser::skipIntermediateSource() {
  Location where = tokens.peek().where;
  tokens.expect('{', "before the code");
  for (size_t depth = 1; depth;) {
    if (tokens.peek().isDirective("source_begin")) {
      tokens.skipThrough(".source_end");
      continue;
    }
    Token token = tokens.take();
    if (token.is(Token::end))
      tokens.fail(where, "unterminated '.nv_intermediate_source_section': there is no '}'");
    depth += token.is('{') - token.is('}');
  }
}

void Parser::parseFunction(bool isEntry, bool isExtern) {
  Function declared;
  declared.isEntry = isEntry;
  declared.isDeclaration = true;
  parsePerformanceDirectives(declared); // .attribute is at this position
  if (!isEntry && tokens.peek().is('('))
    declared.results = parseParameters(false);
  declared.where = tokens.peek().where;
  std::string_view name = tokens.expectName(isEntry ? "the name of a kernel" : "the name of a function");
  declared.name = name;
  if (tokens.peek().is('('))
    declared.params = parseParameters(isEntry);
  parsePerformanceDirectives(declared);

  bool hasBody = tokens.peek().is('{');
  if (!hasBody)
    tokens.expect(';', "or '{' after the head of " + quote(name));
  if (hasBody && isExtern)
    tokens.fail(declared.where, quote(name) + " is .extern and cannot have a body");
  auto [known, isNew] = symbols.emplace(name, Symbol{true, static_cast<uint32_t>(module->functions.size())});
  if (isNew) {
    module->functionsByName.emplace(name, known->second.index);
    module->functions.push_back(std::move(declared));
  } else {
    if (!known->second.isFunction)
      tokens.fail(declared.where, quote(name) + " is already declared, as a variable, on line " +
                                      std::to_string(module->variables[known->second.index].where.line));
    Function &earlier = module->functions[known->second.index];
    if (hasBody && !earlier.isDeclaration)
      tokens.fail(declared.where, quote(name) + " is already defined on line " + std::to_string(earlier.where.line));
    if (earlier.isEntry != isEntry)
      tokens.fail(declared.where, quote(name) + " is declared as another kind of function on line " +
                                      std::to_string(earlier.where.line));
    if (!hasBody)
      return;
    earlier = std::move(declared);
  }
  if (hasBody) {
    Function &defined = module->functions[known->second.index];
    defined.isDeclaration = false;
    parseBody(defined);
  }
}

// Directives around the parameters. Keeps only those that affect execution; the others are promises to ptxas.
void Parser::parsePerformanceDirectives(Function &function) {
  while (tokens.peek().is(Token::directive)) {
    Token token = tokens.take();
    std::string_view name = token.text;
    if (name == "reqntid") {
      parseThreads(function.requiredThreads);
    } else if (name == "maxntid") {
      parseThreads(function.maxThreads);
    } else if (name == "reqnctapercluster") {
      parseThreads(function.requiredCluster);
    } else if (name == "maxnreg" || name == "minnctapersm" || name == "maxnctapersm" || name == "maxclusterrank") {
      uint32_t number = static_cast<uint32_t>(tokens.expectInteger("a number after " + describe(token), UINT32_MAX));
      if (name == "maxnreg")
        function.maxRegisters = number;
      else if (name == "minnctapersm")
        function.minBlocksPerSm = number;
    } else if (name == "pragma") {
      parsePragma();
    } else if (name == "attribute") { // .unified(a, b)
      tokens.expect('(', "after '.attribute'");
      for (size_t depth = 1; depth;) {
        Token skipped = tokens.take();
        if (skipped.is(Token::end))
          tokens.fail(token.where, "unterminated '.attribute': there is no ')'");
        depth += skipped.is('(') - skipped.is(')');
      }
    } else if (name == "abi_preserve" || name == "abi_preserve_control" || name == "language") {
      tokens.expectInteger("a number after " + describe(token));
    } else if (name == "explicitcluster") {
      function.explicitCluster = true;
    } else if (name != "noreturn" && name != "blocksareclusters") {
      tokens.fail(token.where, "unsupported directive " + describe(token) + " in the head of a function");
    }
  }
}

// 128 or 16, 8 or 4, 4, 8
void Parser::parseThreads(uint32_t (&threads)[3]) {
  threads[0] = threads[1] = threads[2] = 1;
  unsigned dimension = 0;
  do {
    if (dimension == 3)
      tokens.failExpected("at most three numbers");
    threads[dimension++] = static_cast<uint32_t>(tokens.expectInteger("a number", UINT32_MAX));
  } while (tokens.accept(','));
}
