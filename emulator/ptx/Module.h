//===-- Module.h - a parsed PTX file ---------------------------------------------------------------------------===//
//
// The parser creates a module, and the decoder (exec/Program) reads it. Names are resolved: registers are numbers
// within their function, whatever scope declared them, and branch targets are instruction indices. Instructions are not
// checked yet; the instruction table does that (isa/Table.h).
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_PTX_MODULE_H
#define TILECC_EMULATOR_PTX_MODULE_H

#include "emulator/ptx/Types.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilecc::emu::ptx {

// A location in the PTX text; lines and columns start at 1.
struct Location {
  uint32_t line = 0, column = 0;
};

// A location in the user's source, from .loc; file is an index into Module::files. Line 0: unknown.
struct SourceLocation {
  uint32_t file = 0, line = 0, column = 0;
};

// An error in a PTX file: what() is "name:line:column: error: text".
struct Error : std::runtime_error {
  Error(std::string_view fileName, Location where, std::string_view text)
      : std::runtime_error(std::string(fileName) + ":" + std::to_string(where.line) + ":" +
                           std::to_string(where.column) + ": error: " + std::string(text)),
        where(where) {}
  Location where;
};

// `cluster` is the shared memory of any block in the cluster (.shared::cluster); only addresses have this space.
enum class Space : uint8_t { generic, global, shared, local, constant, param, cluster };

// A variable of the module or of a function; also a function parameter.
struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::none;
  uint32_t align = 1; // in bytes
  uint64_t size = 0; // in bytes, all elements; 0: `.extern .shared x[]`, whose size the launch determines
  bool isExtern = false;
  bool isManaged = false; // .attribute(.managed): same address for the host and kernels
  Location where;
  // The first bytes of the initial value; the rest is zero (global, constant) or undefined (shared, local).
  std::vector<uint8_t> bytes;
  // Addresses in the initial value: `.global .u64 p = generic(q) + 8;`
  struct Relocation {
    uint64_t offset; // in bytes
    std::string symbol;
    int64_t addend;
    bool generic;
    uint32_t size = 8; // the number of bytes of the address to store ...
    uint32_t shift = 0; // ... after shifting it right by this many bits: `.b8 p[] = {0xFF(q), 0xFF00(q), ...}`
  };
  std::vector<Relocation> relocations;
};

struct Register {
  std::string name; // including the %
  Type type = Type::none;
};

struct Operand {
  enum class Kind : uint8_t {
    reg, // index: of the function's registers. negated for !%p. text: "h1" of a.h1, "b7654" (video)
    special, // text: "%tid.x", "%laneid", "%clock64" ...
    integer, // bits: two's complement, 64 bits. isUnsigned for a literal with U or above 2^63-1
    single, // bits: of a binary32, 0f3F800000
    real, // bits: of a binary64, 0d3FF0000000000000 or 1.5
    symbol, // refers and index: what to; text: its name; offset added
    label, // index: of the instruction it is on, body.size() at the end; text: its name
    address, // [base + offset]: elements[0] is the base (reg, special, symbol or integer); offset.
    // [base, {x, y}]: elements[1] has the coordinates; [texture, sampler, {x, y}]: elements[2]
    vector, // {a, b}: elements; an element may be a sink. Also a register of .v2 or .v4, named as a whole
    pair, // a|b: elements: setp, shfl
    sink, // _
    list, // (a, b): elements, of calls
  };
  // The kind of a symbol. `index` is its position among the function's locals, params, results, branchTargets,
  // prototypes or callTargets, or among the module's variables or functions.
  enum class Refers : uint8_t { local, param, result, branchTargets, prototype, callTargets, variable, function };
  Kind kind = Kind::sink;
  Refers refers = Refers::local;
  bool negated = false;
  bool isUnsigned = false;
  uint32_t index = 0;
  uint64_t bits = 0;
  int64_t offset = 0;
  std::string text;
  std::vector<Operand> elements;
  Location where;
};

struct Instruction {
  std::string opcode; // "ld"
  std::vector<std::string> modifiers; // "global", "v4", "b32"; "shared::cluster", "L1::no_allocate" are one each
  std::vector<Operand> operands;
  std::optional<uint32_t> guard; // the predicate register of @%p
  bool guardNegated = false;
  Location where;
  SourceLocation source;

  std::string spelling() const { // "ld.global.v4.b32"
    std::string text = opcode;
    for (const std::string &modifier : modifiers)
      text += "." + modifier;
    return text;
  }
};

struct Function {
  std::string name;
  bool isEntry = false;
  bool isDeclaration = false; // .extern .func, or a forward declaration without any body
  Location where;
  std::vector<Variable> results, params;
  std::vector<Register> registers;
  // Variables of the body in .local, .shared and .param space. If a name is declared in several scopes, or hides
  // another, a dot and a number are appended, which cannot occur in a name, so names are unique within a function. The
  // same applies to branchTargets, prototypes and callTargets.
  std::vector<Variable> locals;
  std::vector<Instruction> body;
  // Jump tables: brx.idx refers to `ts: .branchtargets a, b;` with a symbol operand.
  struct BranchTargets {
    std::string name;
    std::vector<uint32_t> targets; // instruction indices
  };
  std::vector<BranchTargets> branchTargets;
  // The signature for an indirect call: `p: .callprototype (.param .b32 _) _ (.param .b64 _);`. The last operand of the
  // call names a prototype or, for `t: .calltargets f, g;`, a list of functions.
  struct Prototype {
    std::string name;
    std::vector<Variable> results, params;
  };
  std::vector<Prototype> prototypes;
  struct CallTargets {
    std::string name;
    std::vector<uint32_t> functions; // of the module
  };
  std::vector<CallTargets> callTargets;
  uint32_t requiredThreads[3] = {0, 0, 0}; // .reqntid; 0: unspecified
  uint32_t maxThreads[3] = {0, 0, 0}; // .maxntid
  uint32_t requiredCluster[3] = {0, 0, 0}; // .reqnctapercluster
  bool explicitCluster = false; // .explicitcluster: a launch must specify the cluster size
  uint32_t maxRegisters = 0; // .maxnreg; 0: unspecified
  uint32_t minBlocksPerSm = 0; // .minnctapersm
};

struct Module {
  std::string name; // of the file, for messages
  unsigned versionMajor = 0, versionMinor = 0;
  std::string target; // "sm_90a"
  std::vector<std::string> files; // by .file's number; empty if there is none
  std::vector<Variable> variables;
  std::vector<Function> functions;

  // Returns null if there is no such function. An .alias is found under its own name too, and yields the function that
  // it names.
  const Function *function(std::string_view wanted) const {
    auto found = functionsByName.find(wanted);
    return found == functionsByName.end() ? nullptr : &functions[found->second];
  }
  const Variable *variable(std::string_view wanted) const {
    auto found = variablesByName.find(wanted);
    return found == variablesByName.end() ? nullptr : &variables[found->second];
  }

  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Index = std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>>;
  Index functionsByName, variablesByName;
};

// Parses PTX text; `name` is for messages. Throws Error.
std::unique_ptr<Module> parse(std::string_view text, std::string_view name);

} // namespace tilecc::emu::ptx
#endif
