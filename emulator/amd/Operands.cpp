//===-- Operands.cpp - decodes, reads and writes operands with their modifiers; for the table ------------------===//
#include "emulator/amd/Table.h"
#include "emulator/isa/numerics/Convert.h"

#include <algorithm>
#include <cmath>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

//===-- from text ----------------------------------------------------------------------------------------------===//

static uint64_t constantOf(const TextOperand &text, OperandType type) {
  if (text.kind == TextOperand::integer) {
    // A 32-bit literal is the upper half of a double; a small integer is its value.
    bool isLiteral = text.text.find("0x") != std::string::npos;
    return type.isFloat && type.bits == 64 && isLiteral ? static_cast<uint64_t>(text.value) << 32
                                                        : static_cast<uint64_t>(text.value);
  }
  if (type.bits == 64)
    return bitsOf(text.number);
  if (type.bits == 32)
    return bitsOf(static_cast<float>(text.number));
  if (type.bits == 16)
    return type.isBrain ? convert<bf16>(static_cast<float>(text.number)).bits
                        : convert<f16>(static_cast<float>(text.number)).bits;
  throw Unsupported("'" + text.text + "' as an operand of " + std::to_string(type.bits) + " bits is not known");
}

Operand tilecc::emu::amd::makeOperand(const TextOperand &text, OperandType type, const Target &target) {
  Operand operand;
  operand.negate = text.negate;
  operand.absolute = text.absolute;
  operand.signExtend = text.signExtend;
  operand.high = text.half == TextOperand::high;
  operand.keepsRest = target.keepsHighHalf();
  unsigned needed = type.bits == 1 ? (target.isWave32 ? 1 : 2) : (type.bits + 31) / 32;
  switch (text.kind) {
  case TextOperand::scalar:
    operand.kind = Operand::scalar;
    operand.first = text.first;
    operand.words = text.words;
    if (text.first == scalarNull)
      operand.words = static_cast<uint16_t>(needed);
    break;
  case TextOperand::vector:
    operand.kind = Operand::vector;
    operand.first = text.first;
    operand.words = text.words;
    break;
  case TextOperand::integer:
  case TextOperand::real:
    operand.kind = Operand::constant;
    operand.words = static_cast<uint16_t>(needed);
    operand.value = constantOf(text, type);
    return operand;
  default: throw Unsupported("'" + text.text + "' is not known as an operand");
  }
  if (operand.words != needed && !(operand.kind == Operand::scalar && operand.words > needed))
    throw Unsupported("'" + text.text + "' has " + std::to_string(operand.words) + " registers where " +
                      std::to_string(needed) + " are expected");
  return operand;
}

void tilecc::emu::amd::use(Inst &inst, const Operand &operand, bool isWritten) {
  if (operand.kind == Operand::scalar || operand.kind == Operand::vector)
    inst.uses.push_back({operand.first, operand.words, operand.kind == Operand::vector, isWritten});
}

void tilecc::emu::amd::expectModifiers(const InstructionText &text, std::initializer_list<std::string_view> known) {
  for (const auto &[name, value] : text.modifiers)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Unsupported("the modifier '" + name + (value.empty() ? "" : ":" + value) + "' is not known");
}

static Operand::Select selectOf(const std::string &name) {
  static constexpr std::pair<std::string_view, Operand::Select> names[] = {
      {"BYTE_0", Operand::byte0}, {"BYTE_1", Operand::byte1}, {"BYTE_2", Operand::byte2}, {"BYTE_3", Operand::byte3},
      {"WORD_0", Operand::word0}, {"WORD_1", Operand::word1}, {"DWORD", Operand::dword}};
  for (const auto &[text, select] : names)
    if (text == name)
      return select;
  throw Unsupported("the selection '" + name + "' is not known");
}

static std::shared_ptr<LaneMoves> lanesOf(const InstructionText &text) {
  auto moves = std::make_shared<LaneMoves>();
  moves->from.fill(-1);
  bool known = false;
  auto each = [&](auto from) {
    known = true;
    for (int lane = 0; lane < int(maxLanes); ++lane)
      moves->from[lane] = static_cast<int8_t>(from(lane));
  };
  // A lane of the same row of 16, or none.
  auto inRow = [](int lane, int other) { return other >= 0 && other < 16 ? (lane & ~15) + other : -1; };
  for (const auto &[name, value] : text.modifiers) {
    std::vector<int> list = text.list(name);
    int n = list.empty() ? 0 : list[0];
    if (name == "quad_perm")
      each([&](int lane) { return (lane & ~3) + list.at(lane & 3); });
    else if (name == "dpp8")
      each([&](int lane) { return (lane & ~7) + list.at(lane & 7); });
    else if (name == "row_shl")
      each([&](int lane) { return inRow(lane, (lane & 15) + n); });
    else if (name == "row_shr")
      each([&](int lane) { return inRow(lane, (lane & 15) - n); });
    else if (name == "row_ror")
      each([&](int lane) { return inRow(lane, (lane - n) & 15); });
    else if (name == "row_mirror")
      each([&](int lane) { return lane ^ 15; });
    else if (name == "row_half_mirror")
      each([&](int lane) { return lane ^ 7; });
    else if (name == "row_bcast")
      each([&](int lane) { return n == 15 ? (lane < 16 ? -1 : (lane & ~15) - 1) : lane < 32 ? -1 : 31; });
    else if (name == "row_newbcast" || name == "row_share")
      each([&](int lane) { return (lane & ~15) + n; });
    else if (name == "row_xmask")
      each([&](int lane) { return lane ^ n; });
    else if (name == "wave_shr")
      each([&](int lane) { return lane - 1; });
    else if (name == "wave_shl")
      each([&](int lane) { return lane + 1 < int(maxLanes) ? lane + 1 : -1; });
    else if (name == "wave_ror")
      each([&](int lane) { return (lane - 1) & 63; });
    else if (name == "wave_rol")
      each([&](int lane) { return (lane + 1) & 63; });
  }
  if (!known)
    throw Unsupported("the movement of lanes is not known");
  moves->writes = 0;
  for (unsigned lane = 0; lane < maxLanes; ++lane)
    if (text.number("row_mask", 15) >> (lane / 16) & 1 && text.number("bank_mask", 15) >> (lane % 16 / 4) & 1)
      moves->writes |= LaneMask(1) << lane;
  moves->zeroes = text.has("bound_ctrl");
  moves->takesInactive = text.number("fi") != 0;
  return moves;
}

// A bit mask with one bit per number of the list.
static uint8_t bitsOfList(const InstructionText &text, std::string_view name, uint8_t otherwise) {
  std::vector<int> list = text.list(name);
  if (list.empty())
    return otherwise;
  uint8_t bits = 0;
  for (size_t i = 0; i < list.size(); ++i)
    bits |= static_cast<uint8_t>(list[i] << i);
  return bits;
}

static void bindModifiers(Inst &inst, const InstructionText &text) {
  expectModifiers(text, {"clamp",     "mul",          "div",        "op_sel",    "op_sel_hi",  "neg_lo",
                         "neg_hi",    "dst_sel",      "dst_unused", "src0_sel",  "src1_sel",   "quad_perm",
                         "dpp8",      "row_shl",      "row_shr",    "row_ror",   "row_mirror", "row_half_mirror",
                         "row_bcast", "row_newbcast", "row_share",  "row_xmask", "wave_shr",   "wave_shl",
                         "wave_ror",  "wave_rol",     "row_mask",   "bank_mask", "bound_ctrl", "fi"});
  inst.clamp = text.has("clamp");
  if (text.has("mul"))
    inst.outputScale = text.number("mul") == 2 ? 1 : 2;
  if (text.has("div"))
    inst.outputScale = -1;
  inst.opSelect = bitsOfList(text, "op_sel", 0);
  inst.opSelectHigh = bitsOfList(text, "op_sel_hi", 0xff);
  inst.negateLow = bitsOfList(text, "neg_lo", 0);
  inst.negateHigh = bitsOfList(text, "neg_hi", 0);
  if (text.encoding.find("dpp") != std::string::npos)
    inst.moves = lanesOf(text);
}

static Operand implied(uint16_t first, const Target &target) {
  Operand operand;
  operand.kind = Operand::scalar;
  operand.first = first;
  operand.words = target.isWave32 ? 1 : 2;
  return operand;
}

void tilecc::emu::amd::bindOperands(Inst &inst, const InstructionText &text, const Target &target) {
  const Row &row = *inst.row;
  bool isScalar = row.flags & Row::isScalar;
  if (isScalar)
    expectModifiers(text, {});
  else
    bindModifiers(inst, text);
  size_t next = 0;
  auto take = [&](OperandType type) {
    if (next == text.operands.size())
      throw Unsupported("an operand is missing");
    return makeOperand(text.operands[next++], type, target);
  };
  inst.results = static_cast<unsigned>(row.results.size());
  bool isCompareAndMask = row.flags & Row::writesExec;
  for (size_t i = 0; i < row.results.size(); ++i) {
    // v_cmpx prints no mask operand if it writes only EXEC.
    bool isPrinted = !isCompareAndMask || text.operands.size() > row.sources.size();
    inst.op.push_back(isPrinted ? take(row.results[i]) : implied(scalarExec, target));
  }
  inst.numbers[3] = isCompareAndMask;
  size_t printed = row.sources.size() - bool(row.flags & Row::accumulates) - bool(row.flags & Row::readsVcc);
  for (size_t i = 0; i < printed; ++i)
    inst.op.push_back(take(row.sources[i]));
  if (row.flags & Row::accumulates)
    inst.op.push_back(inst.op[0]);
  if (row.flags & Row::readsVcc)
    inst.op.push_back(implied(scalarVcc, target));
  if (next != text.operands.size())
    throw Unsupported("operand '" + text.operands[next].text + "' is left over");

  if (text.encoding == "sdwa") {
    auto select = [&](std::string_view name, size_t index) {
      if (auto found = text.modifiers.find(name); found != text.modifiers.end() && index < inst.op.size())
        inst.op[index].select = selectOf(found->second);
    };
    if (!row.results.empty() && row.results[0].bits != 1)
      select("dst_sel", 0);
    select("src0_sel", inst.results);
    select("src1_sel", inst.results + 1);
    if (auto found = text.modifiers.find("dst_unused"); found != text.modifiers.end())
      inst.unused = found->second == "UNUSED_PRESERVE" ? Inst::preserved
                    : found->second == "UNUSED_SEXT"   ? Inst::signExtended
                                                       : Inst::padded;
  }
  // In unpacked instructions, op_sel selects the halves of 16-bit operands.
  if (!isScalar && !(row.flags & Row::isPacked) && inst.opSelect) {
    size_t sources = row.sources.size();
    for (size_t i = 0; i < sources; ++i)
      inst.op[inst.results + i].high |= inst.opSelect >> i & 1;
    inst.op[0].high |= inst.opSelect >> sources & 1;
  }
  // 16-bit results preserve the other half of the register on later processors, and if a half is selected.
  if (!row.results.empty() && row.results[0].bits == 16 &&
      (inst.op[0].high || text.has("op_sel") || row.flags & Row::keepsHalf))
    inst.op[0].keepsRest = true;
  bool isFloat = !row.results.empty() && row.results[0].isFloat;
  if ((inst.clamp || inst.outputScale) && !isFloat && !(row.flags & Row::isPacked))
    throw Unsupported("clamp is not known for this instruction");

  for (size_t i = 0; i < inst.op.size(); ++i)
    use(inst, inst.op[i], i < inst.results);
}

//===-- lanes --------------------------------------------------------------------------------------------------===//

static void applyModifiers(const Operand &operand, unsigned bits, u64 (&words)[maxLanes]) {
  if (!operand.negate && !operand.absolute)
    return;
  u64 sign = u64(1) << (bits - 1);
  for (u64 &word : words) {
    word = operand.absolute ? word & ~sign : word;
    word = operand.negate ? word ^ sign : word;
  }
}

static u64 selected(u64 word, const Operand &operand) {
  switch (operand.select) {
  case Operand::dword: return word;
  case Operand::word0:
  case Operand::word1: {
    u16 half = static_cast<u16>(word >> (operand.select == Operand::word1 ? 16 : 0));
    return operand.signExtend ? static_cast<u32>(static_cast<s16>(half)) : half;
  }
  default: {
    u8 byte = static_cast<u8>(word >> (8 * operand.select));
    return operand.signExtend ? static_cast<u32>(static_cast<s8>(byte)) : byte;
  }
  }
}

void tilecc::emu::amd::fetchWords(Wave &wave, const Inst &inst, const Operand &operand, bool moved, OperandType type,
                                  u64 (&out)[maxLanes]) {
  bool wide = type.bits == 64;
  if (operand.kind == Operand::vector) {
    const u32 *low = wave.vector(operand.first), *high = wide ? wave.vector(operand.first + 1) : nullptr;
    for (unsigned lane = 0; lane < maxLanes; ++lane)
      out[lane] = wide ? low[lane] | u64(high[lane]) << 32 : low[lane];
    if (moved && inst.moves) {
      u64 before[maxLanes];
      std::copy(out, out + maxLanes, before);
      LaneMask exec = wave.exec();
      for (unsigned lane = 0; lane < maxLanes; ++lane) {
        int from = inst.moves->from[lane];
        bool isThere = from >= 0 && from < int(wave.lanes) && (inst.moves->takesInactive || exec >> from & 1);
        out[lane] = isThere ? before[from] : 0;
      }
    }
  } else {
    u64 value = operand.kind == Operand::constant ? operand.value : readScalar(wave, operand, wide ? 64 : 32);
    std::fill(out, out + maxLanes, value);
  }
  if (operand.select != Operand::dword)
    for (u64 &word : out)
      word = selected(word, operand);
  if (operand.high && type.bits == 16)
    for (u64 &word : out)
      word >>= 16;
  applyModifiers(operand, type.bits, out);
  if (type.isFloat && type.bits == 32 && wave.flushes32())
    for (u64 &word : out)
      if (!(word & 0x7f800000))
        word &= 0x80000000;
}

LaneMask tilecc::emu::amd::writtenLanes(const Wave &wave, const Inst &inst) {
  LaneMask exec = wave.exec();
  if (!inst.moves)
    return exec;
  LaneMask lanes = exec & inst.moves->writes;
  if (!inst.moves->zeroes)
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
      int from = inst.moves->from[lane];
      if (from < 0 || from >= int(wave.lanes) || (!inst.moves->takesInactive && !(exec >> from & 1)))
        lanes &= ~(LaneMask(1) << lane);
    }
  return lanes;
}

template <class T> static T scaledAndClamped(T x, const Inst &inst) {
  if (inst.outputScale)
    x = static_cast<T>(std::ldexp(x, inst.outputScale));
  if (inst.clamp)
    x = x > 0 ? (x < 1 ? x : T(1)) : T(0); // a NaN becomes 0
  return x;
}

void tilecc::emu::amd::storeWords(Wave &wave, const Inst &inst, const Operand &operand, LaneMask lanes,
                                  OperandType type, u64 (&values)[maxLanes]) {
  if (type.isFloat && (inst.clamp || inst.outputScale))
    for (u64 &value : values) {
      if (type.bits == 64)
        value = bitsOf(scaledAndClamped(doubleOf(value), inst));
      else if (type.bits == 32)
        value = bitsOf(scaledAndClamped(floatOf(static_cast<u32>(value)), inst));
      else if (type.isBrain)
        value = convert<bf16>(scaledAndClamped(toFloat(bf16{static_cast<u16>(value)}), inst)).bits;
      else
        value = convert<f16>(scaledAndClamped(toFloat(f16{static_cast<u16>(value)}), inst)).bits;
    }
  if (type.isFloat && type.bits == 32 && wave.flushes32())
    for (u64 &value : values)
      if (!(value & 0x7f800000))
        value &= 0x80000000;
  if (operand.kind == Operand::scalar) { // such as v_readlane
    if (lanes)
      writeScalar(wave, operand, type.bits, values[std::countr_zero(lanes)]);
    return;
  }
  u32 *low = wave.vector(operand.first), *high = type.bits == 64 ? wave.vector(operand.first + 1) : nullptr;
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    u32 word = static_cast<u32>(values[lane]), &there = low[lane];
    if (operand.select != Operand::dword) {
      unsigned size = operand.select < Operand::word0 ? 8 : 16;
      unsigned at = size == 8 ? 8 * operand.select : operand.select == Operand::word1 ? 16 : 0;
      u32 ones = (1u << size) - 1, part = (word & ones) << at;
      u32 others = inst.unused == Inst::preserved ? there & ~(ones << at) : 0;
      if (inst.unused == Inst::signExtended && word >> (size - 1) & 1)
        others = at + size < 32 ? ~0u << (at + size) : 0;
      there = part | others;
    } else if (type.bits == 16) {
      if (operand.high)
        there = (there & 0xffff) | word << 16;
      else
        there = (operand.keepsRest ? there & 0xffff0000 : 0) | (word & 0xffff);
    } else {
      there = word;
      if (high)
        high[lane] = static_cast<u32>(values[lane] >> 32);
    }
  }
}

void tilecc::emu::amd::storeMask(Wave &wave, const Operand &operand, LaneMask lanes, LaneMask value, bool) {
  // Bits of inactive lanes are 0.
  wave.setMask(operand.first, value & lanes);
}

//===-- scalars ------------------------------------------------------------------------------------------------===//

u64 tilecc::emu::amd::readScalar(const Wave &wave, const Operand &operand, unsigned bits) {
  u64 value = operand.value;
  if (operand.kind == Operand::scalar)
    value = wave.scalar(operand.first) | (bits == 64 ? u64(wave.scalar(operand.first + 1)) << 32 : 0);
  u64 sign = u64(1) << (bits - 1);
  value = operand.absolute ? value & ~sign : value;
  return operand.negate ? value ^ sign : value;
}

void tilecc::emu::amd::writeScalar(Wave &wave, const Operand &operand, unsigned bits, u64 value) {
  wave.setScalar(operand.first, static_cast<u32>(value));
  if (bits == 64 && operand.first != scalarNull)
    wave.setScalar(operand.first + 1, static_cast<u32>(value >> 32));
}
