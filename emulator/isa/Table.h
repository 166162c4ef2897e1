//===-- Table.h - the instruction table ------------------------------------------------------------------------===//
//
// An instruction is one row, with its syntax as in the PTX manual and its function. The rows are in Integer.cpp,
// Logic.cpp, Float.cpp and so on; no other code knows which instructions exist. To add one, write a row
// (docs/emulator-internals.md).
//
//   op<"add.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return a + b; })
//   op<"shl.T d, a, b:u32; T = b16 b32 b64">([](auto a, u32 b) { return b < bits(a) ? a << b : 0; })
//
// The syntax is the opcode, its modifiers in order, and the operands. `{.x|.y}` is optional, `(.x|.y)` is required.
// `$set` is a named set of modifiers ($cmp, $space ...). T, U and V are types, from the lists after the semicolons.
//
// A colon precedes an operand's type; the default is T. `d` and `e` are written, `x` is read and written, all others
// are read. `[a]` is an address. `{d}` has the number of elements in the modifier .v2, .v4 or .v8, `{d*4}` has 4,
// `{x*N}` half and `{x*H}` a quarter as many as wgmma's shape has columns, `{d*R2}` twice the number in .x1 to .x128.
// `[a, {c}]` has the number of coordinates in .1d to .5d, `{o*D}` two fewer. `d|p` may be followed by a predicate, `c?`
// is optional, and a number stands for itself.
//
// `; wide` at the end means that registers may be wider than their types (ld, st, cvt). With `; cc in` or `; cc out`,
// the condition code register is an additional source or destination.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_TABLE_H
#define TILECC_EMULATOR_ISA_TABLE_H

#include "emulator/exec/Machine.h"

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tilecc::emu {

using ptx::Type;

//===-- Parsing a syntax, at compile time and at run time ------------------------------------------------------===//

template <size_t N> struct FixedString {
  char text[N];
  constexpr FixedString(const char (&from)[N]) {
    for (size_t i = 0; i < N; ++i)
      text[i] = from[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

namespace syntax {

constexpr std::string_view trim(std::string_view s) {
  while (!s.empty() && s.front() == ' ')
    s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ')
    s.remove_suffix(1);
  return s;
}

// head() returns the opcode with its modifiers, and operands() the rest up to the semicolon.
constexpr std::string_view head(std::string_view syntax) { return syntax.substr(0, syntax.find_first_of(" ;")); }
constexpr std::string_view operands(std::string_view syntax) {
  size_t space = syntax.find(' '), semicolon = syntax.find(';');
  if (space == std::string_view::npos || space > semicolon)
    return {};
  return trim(syntax.substr(space, semicolon == std::string_view::npos ? semicolon : semicolon - space));
}

// Returns the text of operand n, which is empty past the last.
constexpr std::string_view operand(std::string_view syntax, size_t n) {
  std::string_view rest = operands(syntax);
  for (size_t i = 0;; ++i) {
    int depth = 0;
    size_t end = 0;
    for (; end < rest.size() && (depth || rest[end] != ','); ++end)
      depth += (rest[end] == '[' || rest[end] == '{') - (rest[end] == ']' || rest[end] == '}');
    if (i == n)
      return trim(rest.substr(0, end));
    if (end >= rest.size())
      return {};
    rest.remove_prefix(end + 1);
  }
}

constexpr size_t operandCount(std::string_view syntax) {
  size_t n = 0;
  while (!operand(syntax, n).empty())
    ++n;
  return n;
}

// Returns the n-th type of variable T, U or V, or Type::none past the last.
constexpr Type listedType(std::string_view syntax, char variable, size_t n) {
  for (size_t at = syntax.find(';'); at != std::string_view::npos; at = syntax.find(';', at + 1)) {
    std::string_view list = syntax.substr(at + 1);
    list = trim(list.substr(0, list.find(';')));
    if (list.size() < 4 || list[0] != variable)
      continue;
    list = trim(list.substr(list.find('=') + 1));
    for (size_t i = 0; !list.empty(); ++i) {
      size_t end = list.find(' ');
      std::string_view word = list.substr(0, end);
      if (i == n)
        return ptx::typeNamed(word);
      list = end == std::string_view::npos ? std::string_view() : trim(list.substr(end));
    }
  }
  return Type::none;
}

constexpr size_t listedTypes(std::string_view syntax, char variable) {
  size_t n = 0;
  while (listedType(syntax, variable, n) != Type::none)
    ++n;
  return n;
}

// "b:u32" -> "u32", "a" -> "T"
constexpr std::string_view operandTypeName(std::string_view operand) {
  size_t colon = operand.rfind(':');
  if (colon == std::string_view::npos)
    return "T";
  std::string_view name = operand.substr(colon + 1);
  while (!name.empty() && (name.back() == '}' || name.back() == ']' || name.back() == '?'))
    name.remove_suffix(1);
  return name;
}

// Returns the type of operand n if T is the index-th type of its list. For rows with one type variable.
constexpr Type operandType(std::string_view syntax, size_t n, size_t index) {
  std::string_view name = operandTypeName(operand(syntax, n));
  return name.size() == 1 ? listedType(syntax, name[0], index) : ptx::typeNamed(name);
}

} // namespace syntax

//===-- Rows ---------------------------------------------------------------------------------------------------===//

// An instruction's modifiers, matched against a row.
struct Match {
  std::string_view syntax;
  std::vector<std::string_view> modifiers; // as written, including types
  struct Choice {
    std::string_view set, value;
  };
  std::vector<Choice> choices; // the choices for $sets
  Type T = Type::none, U = Type::none, V = Type::none;
  size_t indexT = 0, indexU = 0, indexV = 0; // positions in their lists
  unsigned vector = 1; // from .v2, .v4, .v8; from .1d ... .5d
  unsigned columns = 0; // from wgmma's shape
  unsigned repeats = 0; // from .x1 to .x128
  const ptx::Instruction *instruction = nullptr;

  bool has(std::string_view modifier) const {
    for (std::string_view m : modifiers)
      if (m == modifier)
        return true;
    return false;
  }
  // Returns the modifier chosen for $set, which is empty if omitted.
  std::string_view operator[](std::string_view set) const {
    for (const Choice &choice : choices)
      if (choice.set == set)
        return choice.value;
    return {};
  }
};

struct Row {
  std::string_view syntax;
  // Sets inst.run and the data that the handler needs from the modifiers. A null `run` means that the combination is
  // not supported.
  void (*select)(const Match &match, Inst &inst);
  Flow flow = Flow::next;
  bool selects = false; // the sources are a, b and the predicate that selects between them
  Parts parts = Parts::none;
};

// An operand of a row's syntax, after matching the modifiers.
struct OperandSpec {
  enum Role : uint8_t { dest, source, both, address, label, symbol, number } role = source;
  Type type = Type::none;
  unsigned count = 1; // elements
  bool vector = false; // written in braces, even if count is 1 (then braces are optional)
  bool optional = false;
  bool pair = false; // d|p
  unsigned coordinates = 0; // number of coordinates after an address
  uint64_t value = 0; // number: the required value
};

// Returns the row of an instruction, or null and the reason in `why`. `registers` are those of its function.
const Row *findRow(const ptx::Instruction &instruction, const std::vector<ptx::Register> &registers, Match &match,
                   std::string &why);
std::vector<OperandSpec> operandSpecs(const Row &row, const Match &match);
// Returns true if operands' registers may be wider than their types.
bool allowsWideRegisters(const Row &row);

// Returns all spellings of a row's modifiers: "add.rn.f32", "add.rn.sat.f32" ...
std::vector<std::string> spellings(const Row &row);

size_t rowCount();
const Row &rowNumber(size_t n);

// The instruction families, each a list of rows. Table.cpp combines them.
using Rows = std::vector<Row>;
Rows integerRows(), logicRows(), floatRows(), halfRows(), compareRows(), conversionRows(), moveRows(), memoryRows(),
    atomicRows(), controlRows(), warpRows(), barrierRows(), mbarrierRows(), clusterRows(), asyncRows(), bulkRows(),
    tensorRows(), tensorMapRows(), matrixRows(), warpMatrixRows(), warpGroupRows(), tensorMemoryRows(),
    tensorCoreRows(), clusterLaunchRows(), videoRows(), multimemRows();

//===-- Elementwise instructions: a function of the lanes' values ----------------------------------------------===//

template <Type type> struct CppType;
#define TILECC_CPP_TYPE(ptxType, cppType)                                                                              \
  template <> struct CppType<Type::ptxType> {                                                                          \
    using type = cppType;                                                                                              \
  };
// clang-format off
TILECC_CPP_TYPE(pred, bool)
TILECC_CPP_TYPE(b8, u8) TILECC_CPP_TYPE(b16, u16) TILECC_CPP_TYPE(b32, u32) TILECC_CPP_TYPE(b64, u64)
TILECC_CPP_TYPE(u8, u8) TILECC_CPP_TYPE(u16, u16) TILECC_CPP_TYPE(u32, u32) TILECC_CPP_TYPE(u64, u64)
TILECC_CPP_TYPE(s8, s8) TILECC_CPP_TYPE(s16, s16) TILECC_CPP_TYPE(s32, s32) TILECC_CPP_TYPE(s64, s64)
TILECC_CPP_TYPE(f16, f16) TILECC_CPP_TYPE(bf16, bf16) TILECC_CPP_TYPE(f32, float) TILECC_CPP_TYPE(f64, double)
TILECC_CPP_TYPE(f16x2, f16x2) TILECC_CPP_TYPE(bf16x2, bf16x2) TILECC_CPP_TYPE(tf32, tf32) TILECC_CPP_TYPE(b128, u128)
TILECC_CPP_TYPE(u16x2, u32) TILECC_CPP_TYPE(s16x2, u32) TILECC_CPP_TYPE(f32x2, u64)
TILECC_CPP_TYPE(e4m3, e4m3) TILECC_CPP_TYPE(e5m2, e5m2) TILECC_CPP_TYPE(e4m3x2, e4m3x2) TILECC_CPP_TYPE(e5m2x2, e5m2x2)
TILECC_CPP_TYPE(u8x4, u32) TILECC_CPP_TYPE(s8x4, u32)
// clang-format on
#undef TILECC_CPP_TYPE

    // A source row, indexed by lane.
    template <class T>
    struct SourceRow {
  const T *values;
  SourceRow(Warp &warp, uint32_t offset) : values(warp.row<T>(offset)) {}
  T operator[](unsigned lane) const { return values[lane]; }
};
template <> struct SourceRow<bool> {
  Mask mask;
  SourceRow(Warp &warp, uint32_t offset) : mask(warp.mask(offset)) {}
  bool operator[](unsigned lane) const { return mask >> lane & 1; }
};

// Writes value(lane) to the lanes of a destination row.
template <class T, class F> inline void writeRow(Warp &warp, uint32_t offset, Mask lanes, F value) {
  if constexpr (std::is_same_v<T, bool>) {
    Mask result = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      result |= Mask(value(lane)) << lane;
    Mask &row = warp.mask(offset);
    row = (row & ~lanes) | (result & lanes);
  } else {
    T *row = warp.row<T>(offset);
    if (lanes == allLanes) {
      TILECC_LANES
      for (unsigned lane = 0; lane < warpSize; ++lane)
        row[lane] = value(lane);
    } else {
      T kept[warpSize];
      TILECC_LANES
      for (unsigned lane = 0; lane < warpSize; ++lane)
        kept[lane] = value(lane);
      for (; lanes; lanes &= lanes - 1)
        row[__builtin_ctz(lanes)] = kept[__builtin_ctz(lanes)];
    }
  }
}

namespace detail {

template <FixedString S, size_t n, size_t index>
using OperandCpp = typename CppType<syntax::operandType(S.view(), n, index)>::type;

// `usual`: the modifiers have default values, as compile-time constants.
template <FixedString S, class F, size_t index, bool usual, size_t... sources>
void elementwise(Warp &warp, const Inst &inst, Mask lanes) {
  using Result = OperandCpp<S, 0, index>;
  auto rows = std::tuple(SourceRow<OperandCpp<S, sources + 1, index>>(warp, inst.op[sources + 1])...);
  constexpr bool wantsMode = std::is_invocable_v<F, OperandCpp<S, sources + 1, index>..., const Modifiers &>;
  const Modifiers mode = usual ? Modifiers() : inst.fp;
  writeRow<Result>(warp, inst.op[0], lanes, [&](unsigned lane) -> Result {
    if constexpr (wantsMode)
      return static_cast<Result>(F{}(std::get<sources>(rows)[lane]..., mode));
    else
      return static_cast<Result>(F{}(std::get<sources>(rows)[lane]...));
  });
}

template <FixedString S, class F, size_t index, bool usual, size_t... sources>
constexpr Handler handlerOf(std::index_sequence<sources...>) {
  return &elementwise<S, F, index, usual, sources...>;
}

template <FixedString S, class F, size_t... indices>
Handler chooseHandler(size_t index, bool usual, std::index_sequence<indices...>) {
  using Sources = std::make_index_sequence<syntax::operandCount(S.view()) - 1>;
  static constexpr Handler handlers[][2] = {
      {handlerOf<S, F, indices, false>(Sources()), handlerOf<S, F, indices, true>(Sources())}...};
  return handlers[index][usual];
}

} // namespace detail

// .rn .rz .rm .rp, .rni ..., .ftz, .sat, .relu
Modifiers fpModifiers(const Match &match);

template <FixedString S, class F> Row op(F) {
  static_assert(std::is_empty_v<F>, "what an instruction does must not capture anything");
  return {S.view(), [](const Match &match, Inst &inst) {
            constexpr size_t types = syntax::listedTypes(S.view(), 'T');
            inst.fp = fpModifiers(match);
            bool usual = inst.fp == Modifiers();
            inst.run = detail::chooseHandler<S, F>(match.indexT, usual, std::make_index_sequence<types ? types : 1>());
          }};
}

} // namespace tilecc::emu
#endif
