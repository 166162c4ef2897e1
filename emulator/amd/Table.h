//===-- Table.h - the instruction table ------------------------------------------------------------------------===//
//
// The table has one row for each instruction, with its names and its semantics. Different processors have different
// names for the same instruction; a row lists all of them: "v_add_u32|v_add_nc_u32".
//
// The semantics of a vector instruction is a lambda on the values of one lane. The types in the lambda are the types of
// the operands:
//
//   lanes<[](u32 a, u32 b) { return a + b; }>("v_add_u32|v_add_nc_u32")
//
// A `bool` is the lane's bit in a mask, as in v_cndmask_b32 and v_cmp_lt_f32. A result of type Carry consists of a
// number and a carry bit. With the flag `accumulates`, the last operand is also the result. The semantics of a scalar
// instruction is a lambda on scalars, which may have an `Scc &` as its last parameter.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_AMD_TABLE_H
#define TILECC_EMULATOR_AMD_TABLE_H

#include "emulator/amd/Machine.h"

#include <bit>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace tilecc::emu::amd {

// The type as which an operand is read.
struct OperandType {
  uint8_t bits = 32; // 1: a lane mask
  bool isFloat = false, isBrain = false;
};

struct Row {
  std::string_view names;
  Handler run = nullptr;
  // The operand types, unless `bind` decodes the operands.
  std::vector<OperandType> results, sources;
  enum Flag : uint32_t {
    accumulates = 1, // the last source is also the result, and is not printed twice
    readsVcc = 2, // the last source is VCC, which is not printed
    writesExec = 4, // the result is a mask and EXEC, or only EXEC if no mask is printed
    isScalar = 8, // operates on scalars
    isPacked = 16, // operates on two 16-bit numbers or two registers
    keepsHalf = 32, // 16-bit results preserve the other half of the register, even on gfx9
  };
  uint32_t flags = 0;
  // Decodes the operands. If it is null, they are decoded according to the types above. Throws Unsupported.
  using Bind = void (*)(Inst &, const InstructionText &, const Target &);
  Bind bind = nullptr;
};

// Return all rows, and the row for a name on a target, or null.
const std::vector<Row> &rows();
const Row *findRow(std::string_view mnemonic, const Target &target);

// The families of rows.
std::vector<Row> scalarRows(), controlRows(), floatRows(), integerRows(), compareRows(), conversionRows(), packedRows(),
    laneRows(), memoryRows(), ldsRows(), scalarMemoryRows(), matrixRows();

//===-- operands -----------------------------------------------------------------------------------------------===//

// Decodes one operand as a value of the given type.
Operand makeOperand(const TextOperand &text, OperandType type, const Target &target);
// Decodes the operands according to the types in the row, with all modifiers.
void bindOperands(Inst &inst, const InstructionText &text, const Target &target);
// Adds the registers of an operand to the registers that the instruction uses.
void use(Inst &inst, const Operand &operand, bool isWritten);
// Throws Unsupported if the text has modifiers that are not in `known`.
void expectModifiers(const InstructionText &text, std::initializer_list<std::string_view> known);

//===-- types --------------------------------------------------------------------------------------------------===//

struct Scc {
  bool value;
};
template <class T> struct WithCarry {
  T value;
  bool carry;
};
using Carry = WithCarry<u32>;

template <class T> constexpr OperandType typeOf() {
  if constexpr (std::is_same_v<T, bool>)
    return {1, false, false};
  else
    return {8 * sizeof(T), std::is_floating_point_v<T> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>,
            std::is_same_v<T, bf16>};
}
template <class T> struct IsCarry : std::false_type {};
template <class T> struct IsCarry<WithCarry<T>> : std::true_type {};

template <class F> struct SignatureOf;
template <class F, class R, class... A> struct SignatureOf<R (F::*)(A...) const> {
  using Result = R;
  using Arguments = std::tuple<A...>;
  static constexpr bool takesScc = (std::is_same_v<A, Scc &> || ...);
  static constexpr size_t sources = sizeof...(A) - takesScc;

  static std::vector<OperandType> sourceTypes() {
    std::vector<OperandType> types;
    ((std::is_same_v<A, Scc &> ? void() : types.push_back(typeOf<std::remove_reference_t<A>>())), ...);
    return types;
  }
  static std::vector<OperandType> resultTypes() {
    if constexpr (std::is_void_v<R>)
      return {};
    else if constexpr (IsCarry<R>::value)
      return {typeOf<decltype(R::value)>(), typeOf<bool>()};
    else
      return {typeOf<R>()};
  }
};
template <auto F> using Signature = SignatureOf<decltype(&decltype(F)::operator())>;

//===-- lanes --------------------------------------------------------------------------------------------------===//

template <class T> using LanesOf = T[maxLanes];

// Reads the words of a source operand for all lanes, and applies modifiers. `type` is the type of the operand.
void fetchWords(Wave &wave, const Inst &inst, const Operand &operand, bool moved, OperandType type,
                u64 (&out)[maxLanes]);
// Returns the lanes whose results the instruction writes: those in EXEC, except lanes that DPP excludes.
LaneMask writtenLanes(const Wave &wave, const Inst &inst);
// Writes results of type `type`, after applying clamp and output scale.
void storeWords(Wave &wave, const Inst &inst, const Operand &operand, LaneMask lanes, OperandType type,
                u64 (&values)[maxLanes]);
void storeMask(Wave &wave, const Operand &operand, LaneMask lanes, LaneMask value, bool isExec);

template <class T> void fetch(Wave &wave, const Inst &inst, unsigned source, LanesOf<T> &out) {
  const Operand &operand = inst.op[inst.results + source];
  if constexpr (std::is_same_v<T, bool>) {
    LaneMask mask = operand.kind == Operand::constant ? operand.value : wave.mask(operand.first);
    for (unsigned lane = 0; lane < maxLanes; ++lane)
      out[lane] = mask >> lane & 1;
  } else {
    u64 words[maxLanes];
    fetchWords(wave, inst, operand, source == 0, typeOf<T>(), words);
    for (unsigned lane = 0; lane < maxLanes; ++lane)
      std::memcpy(&out[lane], &words[lane], sizeof(T));
  }
}

template <class T> void store(Wave &wave, const Inst &inst, unsigned result, LaneMask lanes, const LanesOf<T> &values) {
  const Operand &operand = inst.op[result];
  if constexpr (std::is_same_v<T, bool>) {
    LaneMask mask = 0;
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      mask |= LaneMask(values[lane]) << lane;
    storeMask(wave, operand, lanes, mask, false);
  } else {
    u64 words[maxLanes] = {};
    for (unsigned lane = 0; lane < maxLanes; ++lane)
      std::memcpy(&words[lane], &values[lane], sizeof(T));
    storeWords(wave, inst, operand, lanes, typeOf<T>(), words);
  }
}

template <auto F, size_t... I> void runLanes(Wave &wave, const Inst &inst, std::index_sequence<I...>) {
  using S = Signature<F>;
  using R = typename S::Result;
  std::tuple<std::array<std::remove_reference_t<std::tuple_element_t<I, typename S::Arguments>>, maxLanes>...> in;
  auto fetchOne = [&]<size_t N>(std::integral_constant<size_t, N>) {
    using T = typename std::tuple_element_t<N, decltype(in)>::value_type;
    fetch<T>(wave, inst, N, reinterpret_cast<LanesOf<T> &>(std::get<N>(in)));
  };
  (fetchOne(std::integral_constant<size_t, I>()), ...);
  LaneMask lanes = writtenLanes(wave, inst);
  if constexpr (IsCarry<R>::value) {
    LanesOf<decltype(R::value)> values;
    LanesOf<bool> carries;
    for (unsigned lane = 0; lane < maxLanes; ++lane) {
      R result = F(std::get<I>(in)[lane]...);
      values[lane] = result.value;
      carries[lane] = result.carry;
    }
    store<decltype(R::value)>(wave, inst, 0, lanes, values);
    store<bool>(wave, inst, 1, lanes, carries);
  } else {
    LanesOf<R> values;
    for (unsigned lane = 0; lane < maxLanes; ++lane)
      values[lane] = F(std::get<I>(in)[lane]...);
    if constexpr (std::is_same_v<R, bool>)
      if (inst.numbers[3]) { // v_cmpx
        LaneMask mask = 0;
        for (unsigned lane = 0; lane < wave.lanes; ++lane)
          mask |= LaneMask(values[lane]) << lane;
        if (inst.op[0].first != scalarExec)
          storeMask(wave, inst.op[0], lanes, mask, false);
        wave.setMask(scalarExec, mask & lanes);
        return;
      }
    store<R>(wave, inst, 0, lanes, values);
  }
}

// Makes a row whose operands have the types of the parameters and the result of F.
template <auto F> Row makeRow(std::string_view names, Handler run, uint32_t flags) {
  Row row;
  row.names = names;
  row.run = run;
  row.results = Signature<F>::resultTypes();
  row.sources = Signature<F>::sourceTypes();
  row.flags = flags;
  return row;
}

template <auto F> Row lanes(std::string_view names, uint32_t flags = 0) {
  using Sources = std::make_index_sequence<Signature<F>::sources>;
  return makeRow<F>(names, [](Wave &wave, const Inst &inst) { runLanes<F>(wave, inst, Sources()); }, flags);
}

//===-- scalars ------------------------------------------------------------------------------------------------===//

u64 readScalar(const Wave &wave, const Operand &operand, unsigned bits);
void writeScalar(Wave &wave, const Operand &operand, unsigned bits, u64 value);

template <class T> T scalarSource(Wave &wave, const Inst &inst, size_t source) {
  u64 bits = readScalar(wave, inst.op[inst.results + source], 8 * sizeof(T));
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

template <auto F, size_t... I> void runScalar(Wave &wave, const Inst &inst, std::index_sequence<I...>) {
  using S = Signature<F>;
  using R = typename S::Result;
  Scc scc{wave.scc};
  auto call = [&] {
    if constexpr (S::takesScc)
      return F(scalarSource<std::remove_reference_t<std::tuple_element_t<I, typename S::Arguments>>>(wave, inst, I)...,
               scc);
    else
      return F(scalarSource<std::remove_reference_t<std::tuple_element_t<I, typename S::Arguments>>>(wave, inst, I)...);
  };
  if constexpr (std::is_void_v<R>) {
    call();
  } else {
    R result = call();
    u64 bits = 0;
    std::memcpy(&bits, &result, sizeof(R));
    writeScalar(wave, inst.op[0], 8 * sizeof(R), bits);
  }
  wave.scc = scc.value;
}

template <auto F> Row scalar(std::string_view names, uint32_t flags = 0) {
  using Sources = std::make_index_sequence<Signature<F>::sources>;
  return makeRow<F>(
      names, [](Wave &wave, const Inst &inst) { runScalar<F>(wave, inst, Sources()); }, flags | Row::isScalar);
}

// Makes a row whose operands are decoded by its own function.
inline Row special(std::string_view names, Handler run, Row::Bind bind) {
  Row row;
  row.names = names;
  row.run = run;
  row.bind = bind;
  return row;
}

} // namespace tilecc::emu::amd
#endif
