//===-- ScalarMemory.cpp - scalar loads ------------------------------------------------------------------------===//
#include "emulator/amd/MemoryAccess.h"
#include "emulator/amd/Table.h"

#include <algorithm>
#include <cstring>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

unsigned bytesOf(std::string_view mnemonic) {
  static constexpr std::pair<std::string_view, unsigned> ends[] = {
      {"_dword", 4}, {"_dwordx2", 8}, {"_dwordx3", 12}, {"_dwordx4", 16}, {"_dwordx8", 32}, {"_dwordx16", 64},
      {"_b32", 4},   {"_b64", 8},     {"_b96", 12},     {"_b128", 16},    {"_b256", 32},    {"_b512", 64},
      {"_u8", 1},    {"_i8", 1},      {"_u16", 2},      {"_i16", 2}};
  for (const auto &[end, bytes] : ends)
    if (mnemonic.ends_with(end))
      return bytes;
  return 0;
}

Operand registersOf(const TextOperand &text, unsigned words) {
  if (text.kind != TextOperand::scalar || (text.words != words && text.first != scalarNull))
    throw Unsupported("'" + text.text + "' is not " + std::to_string(words) + " scalar registers");
  Operand operand;
  operand.kind = Operand::scalar;
  operand.first = text.first;
  operand.words = static_cast<uint16_t>(words);
  return operand;
}

// s_load_dwordx2 s[0:1], s[4:5], 0x8; ..., s6 offset:0x8
template <bool IsBuffer> void bindLoad(Inst &inst, const InstructionText &text, const Target &target) {
  expectModifiers(text, {"offset", "glc", "dlc", "scope", "th", "nv"});
  inst.bytes = bytesOf(text.mnemonic);
  if (text.operands.size() != 3)
    throw Unsupported("3 operands are expected");
  inst.op.push_back(registersOf(text.operands[0], std::max(inst.bytes, 4u) / 4));
  inst.op.push_back(registersOf(text.operands[1], IsBuffer ? 4 : 2));
  inst.offset = text.number("offset");
  if (text.operands[2].kind == TextOperand::integer)
    inst.offset += text.operands[2].value;
  else if (text.operands[2].first != scalarNull)
    inst.op.push_back(makeOperand(text.operands[2], {32, false, false}, target));
  for (size_t i = 0; i < inst.op.size(); ++i)
    use(inst, inst.op[i], i == 0);
  inst.issues = Waits::scalar;
}

template <bool IsBuffer> void load(Wave &wave, const Inst &inst) {
  u64 address = readScalar(wave, inst.op[1], 64), offset = static_cast<u64>(inst.offset);
  if (inst.op.size() > 2)
    offset += readScalar(wave, inst.op[2], 32);
  // The last two bits are ignored, except in loads of bytes and halves.
  u64 align = inst.bytes < 4 ? ~u64(0) : ~u64(3);
  uint32_t readable = inst.bytes;
  if constexpr (IsBuffer) {
    u32 stride = wave.scalar(inst.op[1].first + 1) >> 16 & 0x3fff, records = wave.scalar(inst.op[1].first + 2);
    u64 size = stride ? u64(stride) * records : records;
    address &= 0xffffffffffff;
    readable = offset >= size ? 0 : static_cast<uint32_t>(std::min<u64>(inst.bytes, size - offset));
    readable &= inst.bytes < 4 ? ~0u : ~3u;
  }
  wave.waits.issue(Waits::scalar);
  std::byte values[64] = {};
  // The checker handles accesses of at most 16 bytes per lane. A scalar load counts as an access of the first lane.
  for (uint32_t done = 0; done < readable;) {
    uint32_t bytes = std::min(readable - done, 16u);
    u64 addresses[maxLanes];
    addresses[0] = ((address + offset) & align) + done;
    Pointers pointers;
    access(wave, inst, 1, addresses, {Access::global, Access::load, bytes}, pointers);
    memcpy(values + done, pointers.at[0], bytes);
    done += bytes;
  }
  if (inst.bytes < 4) {
    s32 value = 0;
    memcpy(&value, values, inst.bytes);
    if (inst.mnemonic.find("_i") != std::string::npos)
      value = inst.bytes == 1 ? s32(s8(value)) : s32(s16(value));
    memcpy(values, &value, 4);
  }
  const Operand &to = inst.op[0];
  for (unsigned word = 0; word < to.words && to.first != scalarNull; ++word) {
    u32 value;
    memcpy(&value, values + 4 * word, 4);
    wave.setScalar(to.first + word, value);
  }
  wave.waits.write(Waits::scalar, {to.first, to.words, false, true}, inst.index);
}

void bindTime(Inst &inst, const InstructionText &text, const Target &target) {
  inst.op.push_back(makeOperand(text.operands.at(0), {64, false, false}, target));
  use(inst, inst.op[0], true);
  inst.issues = Waits::scalar;
}
// Reads the clock, which is the number of instructions that the wave has executed.
void readTime(Wave &wave, const Inst &inst) {
  writeScalar(wave, inst.op[0], 64, wave.executed);
  wave.waits.issue(Waits::scalar);
  wave.waits.write(Waits::scalar, {inst.op[0].first, 2, false, true}, inst.index);
}

} // namespace

std::vector<Row> tilecc::emu::amd::scalarMemoryRows() {
  return {
      special("s_load_dword|s_load_b32", load<false>, bindLoad<false>),
      special("s_load_dwordx2|s_load_b64", load<false>, bindLoad<false>),
      special("s_load_b96", load<false>, bindLoad<false>),
      special("s_load_dwordx4|s_load_b128", load<false>, bindLoad<false>),
      special("s_load_dwordx8|s_load_b256", load<false>, bindLoad<false>),
      special("s_load_dwordx16|s_load_b512", load<false>, bindLoad<false>),
      special("s_load_u8", load<false>, bindLoad<false>),
      special("s_load_i8", load<false>, bindLoad<false>),
      special("s_load_u16", load<false>, bindLoad<false>),
      special("s_load_i16", load<false>, bindLoad<false>),
      special("s_buffer_load_dword|s_buffer_load_b32", load<true>, bindLoad<true>),
      special("s_buffer_load_dwordx2|s_buffer_load_b64", load<true>, bindLoad<true>),
      special("s_buffer_load_dwordx4|s_buffer_load_b128", load<true>, bindLoad<true>),
      special("s_buffer_load_dwordx8|s_buffer_load_b256", load<true>, bindLoad<true>),
      special("s_memtime|s_memrealtime", readTime, bindTime),
  };
}
