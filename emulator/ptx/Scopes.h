//===-- Scopes.h - the names of a function body ----------------------------------------------------------------===//
//
// A body is a tree of { } scopes. Each has its own registers, variables and labels, which hide outer ones. Inline
// assembly relies on this: the same text may occur in a function many times. Registers and variables are declared
// before use. A label may follow its uses, so these stay pending until the scope closes, and then move to the enclosing
// scope.
//
// `.reg .b32 %r<5000>;` declares one range, not 5000 names: a name that ends with digits is looked up by its prefix.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_PTX_SCOPES_H
#define TILECC_EMULATOR_PTX_SCOPES_H

#include "emulator/ptx/Lexer.h"

#include <unordered_map>

namespace tilecc::emu::ptx {

// The meaning of a name other than a label. A register of type .v2 or .v4 is `width` registers, the first of which is
// `index`.
struct Named {
  enum class Kind : uint8_t { none, reg, local, param, result };
  Kind kind = Kind::none;
  uint32_t width = 1;
  uint32_t index = 0;
};

// What follows "name:" in the source. `index` is the index of the instruction, or a position in the function's
// branchTargets, prototypes or callTargets.
struct Label {
  enum class Kind : uint8_t { instruction, branchTargets, prototype, callTargets };
  Kind kind = Kind::instruction;
  uint32_t index = 0;
  Location where;
};

class Scopes {
public:
  // Opens the outermost scope. The function's parameters and results are its first names.
  Scopes(const TokenStream &tokens, Function &function);

  void open(Location where);
  void close();
  size_t depth() const { return scopes.size(); }
  Named find(std::string_view name) const;

  void declareRegister(std::string_view name, Type type, uint32_t width, Location where);
  void declareRegisters(std::string_view prefix, uint64_t count, Type type, uint32_t width, Location where);
  // Declares a variable in the current scope and adds it to the function's locals under a unique name. `hidesOuter` is
  // true if the module declares the same name.
  void declareLocal(Variable variable, std::string_view name, bool hidesOuter);
  void declareLabel(std::string_view name, Label label);
  // Returns the name, with a number after a dot if any scope of the function already has it, or if `isTaken`.
  std::string uniqueName(std::string_view name, bool isTaken = false);

  // Uses of labels, which are resolved when their scope closes. `what`: the expected kind of label.
  void useInOperand(size_t instruction, size_t operand, Label::Kind what, std::string_view name, Location where);
  void useInTargets(size_t branchTargets, size_t position, std::string_view name, Location where);

private:
  struct Range {
    uint32_t first, count, width;
    Location where;
  };
  struct Use {
    std::string_view name;
    Location where;
    Label::Kind wanted;
    bool inOperand; // otherwise in branch targets
    size_t outer, inner;
  };
  struct Declared : Named {
    Location where;
  };
  struct Scope {
    std::unordered_map<std::string_view, Declared> names;
    std::unordered_map<std::string_view, Range> ranges;
    std::unordered_map<std::string_view, Label> labels;
    std::vector<Use> uses;
  };

  static Named findRange(const Scope &scope, std::string_view name);
  void declare(std::string_view name, Named named, Location where);
  void checkUnused(std::string_view name, Location where);
  void checkRegisterCount(uint64_t added, Location where);
  void addRegister(std::string name, Type type, uint32_t width);
  void resolve(const Use &use, const Label &label);
  [[noreturn]] void failDuplicate(std::string_view name, Location where, Location first) const;

  const TokenStream &tokens;
  Function &function;
  std::vector<Scope> scopes;
  std::unordered_map<std::string_view, uint32_t> timesDeclared; // for uniqueName
};

// Returns true for the names of special registers, without components: "%tid", "%clock64".
bool isSpecialRegister(std::string_view name);

} // namespace tilecc::emu::ptx
#endif
