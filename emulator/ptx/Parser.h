//===-- Parser.h - parses tokens to a Module -------------------------------------------------------------------===//
//
// A recursive descent parser with bounded recursion, so that no file can overflow the stack: blocks use an explicit
// stack (Scopes.h), operands nest to a fixed depth, and constant expressions and initial values limit their depth.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_PTX_PARSER_H
#define TILECC_EMULATOR_PTX_PARSER_H

#include "emulator/ptx/Constants.h"
#include "emulator/ptx/Scopes.h"

namespace tilecc::emu::ptx {

class Parser {
public:
  Parser(std::string_view text, std::string_view name);
  std::unique_ptr<Module> parse();

private:
  // Parser.cpp: directives of the module.
  void parseHeader();
  void parseModuleStatement();
  void parseFile();
  void parsePragma();
  void parseAlias();
  void resolveAliases();
  void skipSection();
  void skipIntermediateSource();
  void parseFunction(bool isEntry, bool isExtern);
  void parsePerformanceDirectives(Function &function);
  void parseThreads(uint32_t (&threads)[3]);

  // Declarations.cpp: variables, parameters and initial values.
  struct Declaration { // the part before the names
    Space space;
    Type type = Type::none;
    uint32_t width = 1; // from .v2 and .v4
    uint32_t align = 0; // 0: unspecified
    bool isManaged = false;
  };
  struct Shape {
    uint64_t elementSize = 0;         // in bytes, of a vector's element
    std::vector<uint64_t> dimensions; // a vector's width comes last; 0 for an open []
    bool isOpen() const { return !dimensions.empty() && dimensions[0] == 0; }
  };
  Declaration parseDeclaration(Space space);
  Variable parseDeclarator(const Declaration &declaration, Shape &shape, std::string_view &name);
  std::vector<Variable> parseParameters(bool isEntry);
  void parseModuleVariables(Space space, bool isExtern);
  void parseInitializer(Variable &variable, const Shape &shape);
  void parseInitialList(Variable &variable, const Shape &shape, size_t level, uint64_t offset);
  void parseInitialValue(Variable &variable, uint64_t offset);
  void parseInitialAddress(Variable &variable, uint64_t offset, uint64_t mask);

  // Statements.cpp: the body of a function.
  void parseBody(Function &into);
  void parseStatement();
  void parseBodyDirective();
  void parseLocals(Space space);
  void parseRegisters();
  void parseLocation();
  void parseLabelled(const Token &label);
  void parseInstruction();

  // Operands.cpp
  void parseOperands(Instruction &instruction);
  Operand parseOperand(bool isOfCall);
  Operand parseElement(); // no braces, brackets or parentheses
  Operand parseVector();
  Operand parseAddress();
  Operand parseList();
  Operand parseConstantOperand();
  Operand parseName();
  bool resolveName(Operand &operand, std::string_view name, Location where);

  struct Symbol {
    bool isFunction;
    uint32_t index;
  };
  TokenStream tokens;
  std::unique_ptr<Module> module;
  std::unordered_map<std::string_view, Symbol> symbols; // of the module
  std::unordered_map<uint32_t, uint32_t> aliases;       // maps declared functions to defined ones
  // Inside a body:
  Function *function = nullptr;
  Scopes *scopes = nullptr;
  SourceLocation source;
  bool isVideo = false; // the instruction is vadd, vset4 ..., whose operands have selectors
};

// Returns Space::generic if the directive ("shared", without the dot) is not a space.
Space spaceNamed(std::string_view directive);

} // namespace tilecc::emu::ptx
#endif
