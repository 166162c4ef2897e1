//===-- Lds.cpp - LDS instructions, and the lane permutations of the LDS unit ----------------------------------===//
#include "emulator/amd/MemoryAccess.h"
#include "emulator/amd/Table.h"

#include <cstring>
#include <deque>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

// Operands have the order of the text: results, address, data.
enum : unsigned { offset0 = 0, offset1 = 1, formNumber = 2 };

Operand registersOf(const TextOperand &text, unsigned words) {
  if (text.kind != TextOperand::vector || text.words != words)
    throw Unsupported("'" + text.text + "' is not " + std::to_string(words) + " registers");
  Operand operand;
  operand.kind = Operand::vector;
  operand.first = text.first;
  operand.words = text.words;
  operand.high = text.half == TextOperand::high;
  return operand;
}

// Decodes the operands, each with its number of registers. The first `results` are written.
void bindRegisters(Inst &inst, const InstructionText &text, std::initializer_list<unsigned> words, unsigned results) {
  expectModifiers(text, {"offset", "offset0", "offset1"});
  if (text.operands.size() != words.size())
    throw Unsupported(std::to_string(words.size()) + " operands are expected");
  inst.results = results;
  size_t i = 0;
  for (unsigned count : words) {
    inst.op.push_back(registersOf(text.operands[i], count));
    use(inst, inst.op.back(), i < results);
    ++i;
  }
  inst.issues = Waits::shared;
}

void addressesOf(Wave &wave, const Operand &address, u64 offset, u64 (&addresses)[maxLanes]) {
  for (unsigned lane = 0; lane < maxLanes; ++lane)
    addresses[lane] = static_cast<u32>(wave.vector(address.first)[lane] + offset);
}

void inFlight(Wave &wave, const Inst &inst) {
  const Operand &to = inst.op[0];
  wave.waits.write(Waits::shared, {to.first, to.words, true, true}, inst.index);
}

std::string_view afterUnderscore(const std::string &mnemonic) {
  return std::string_view(mnemonic).substr(mnemonic.find('_', 3) + 1);
}

//===-- loads and stores ---------------------------------------------------------------------------------------===//

void bindLoad(Inst &inst, const InstructionText &text, const Target &) {
  const MemoryForm *form = findForm(afterUnderscore(text.mnemonic), false);
  bindRegisters(inst, text, {(form->bytes + 3u) / 4, 1}, 1);
  inst.offset = text.number("offset");
}
void loadShared(Wave &wave, const Inst &inst) {
  MemoryForm form = *findForm(afterUnderscore(inst.mnemonic), false);
  if (inst.op[0].high)
    form.keepsRest = form.high = true;
  u64 addresses[maxLanes];
  addressesOf(wave, inst.op[1], static_cast<u64>(inst.offset), addresses);
  u32 group = wave.waits.issue(Waits::shared);
  Pointers pointers;
  access(wave, inst, wave.exec(), addresses, {Access::shared, Access::load, form.bytes, nullptr, group}, pointers);
  loadRegisters(wave, inst, wave.exec(), form, inst.op[0].first, pointers.at);
  inFlight(wave, inst);
}

void bindStore(Inst &inst, const InstructionText &text, const Target &) {
  const MemoryForm *form = findForm(afterUnderscore(text.mnemonic), true);
  bindRegisters(inst, text, {1, (form->bytes + 3u) / 4}, 0);
  inst.offset = text.number("offset");
}
void storeValues(Wave &wave, const Inst &inst, const MemoryForm &form, const Operand &data, u64 offset, u32 group) {
  u64 addresses[maxLanes];
  addressesOf(wave, inst.op[0], offset, addresses);
  std::byte values[maxLanes * 16];
  gatherValues(wave, wave.exec(), form, data, values);
  Pointers pointers;
  access(wave, inst, wave.exec(), addresses, {Access::shared, Access::store, form.bytes, values, group}, pointers);
  for (LaneMask rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    memcpy(pointers.at[lane], values + size_t(lane) * form.bytes, form.bytes);
  }
}
void storeShared(Wave &wave, const Inst &inst) {
  const MemoryForm &form = *findForm(afterUnderscore(inst.mnemonic), true);
  storeValues(wave, inst, form, inst.op[1], static_cast<u64>(inst.offset), wave.waits.issue(Waits::shared));
}

// ds_read2 and ds_write2: two accesses, with offsets in units of the size, or of 64 times the size.
template <unsigned Bytes, bool Strided> void bindPair(Inst &inst, const InstructionText &text) {
  unsigned unit = Bytes * (Strided ? 64 : 1);
  inst.numbers[offset0] = static_cast<u32>(text.number("offset0")) * unit;
  inst.numbers[offset1] = static_cast<u32>(text.number("offset1")) * unit;
}
template <unsigned Bytes, bool Strided> void bindLoad2(Inst &inst, const InstructionText &text, const Target &) {
  bindRegisters(inst, text, {Bytes / 2, 1}, 1);
  bindPair<Bytes, Strided>(inst, text);
}
template <unsigned Bytes> void loadShared2(Wave &wave, const Inst &inst) {
  const MemoryForm form = {"", Bytes};
  u32 group = wave.waits.issue(Waits::shared);
  // The address register may be one of the results.
  u64 addresses[2][maxLanes];
  for (unsigned which = 0; which < 2; ++which)
    addressesOf(wave, inst.op[1], inst.numbers[which], addresses[which]);
  for (unsigned which = 0; which < 2; ++which) {
    Pointers pointers;
    access(wave, inst, wave.exec(), addresses[which], {Access::shared, Access::load, Bytes, nullptr, group}, pointers);
    loadRegisters(wave, inst, wave.exec(), form, inst.op[0].first + which * Bytes / 4, pointers.at);
  }
  inFlight(wave, inst);
}
template <unsigned Bytes, bool Strided> void bindStore2(Inst &inst, const InstructionText &text, const Target &) {
  bindRegisters(inst, text, {1, Bytes / 4, Bytes / 4}, 0);
  bindPair<Bytes, Strided>(inst, text);
}
template <unsigned Bytes> void storeShared2(Wave &wave, const Inst &inst) {
  const MemoryForm form = {"", Bytes};
  u32 group = wave.waits.issue(Waits::shared);
  for (unsigned which = 0; which < 2; ++which)
    storeValues(wave, inst, form, inst.op[1 + which], inst.numbers[which], group);
}

//===-- atomics ------------------------------------------------------------------------------------------------===//

// Returns the name of the operation in a mnemonic: "max_u32" for ds_max_u32 and ds_max_rtn_u32.
std::string atomicOf(const std::string &mnemonic) {
  std::string name = mnemonic.substr(3);
  if (size_t at = name.find("_rtn"); at != std::string::npos)
    name.erase(at, 4);
  return name;
}

void bindAtomic(Inst &inst, const InstructionText &text, const Target &) {
  AtomicForm form = findAtomic(atomicOf(text.mnemonic));
  unsigned words = form.bytes / 4;
  inst.returns = text.mnemonic.find("_rtn") != std::string::npos || text.mnemonic.find("xchg") != std::string::npos;
  if (inst.returns && form.compares)
    bindRegisters(inst, text, {words, 1, words, words}, 1);
  else if (inst.returns)
    bindRegisters(inst, text, {words, 1, words}, 1);
  else if (form.compares)
    bindRegisters(inst, text, {1, words, words}, 0);
  else
    bindRegisters(inst, text, {1, words}, 0);
  inst.offset = text.number("offset");
}

u64 dataOf(Wave &wave, const Operand &data, unsigned lane) {
  u64 value = wave.vector(data.first)[lane];
  return data.words == 2 ? value | u64(wave.vector(data.first + 1)[lane]) << 32 : value;
}

void updateShared(Wave &wave, const Inst &inst) {
  AtomicForm form = findAtomic(atomicOf(inst.mnemonic));
  const Operand &address = inst.op[inst.results];
  u64 addresses[maxLanes];
  addressesOf(wave, address, static_cast<u64>(inst.offset), addresses);
  u32 group = wave.waits.issue(Waits::shared);
  Pointers pointers;
  access(wave, inst, wave.exec(), addresses, {Access::shared, Access::atomic, form.bytes, nullptr, group}, pointers);
  // ds_cmpst takes the compared value first; its successor ds_cmpstore takes it last.
  unsigned first = inst.results + 1;
  bool comparedFirst = form.compares && inst.mnemonic.find("cmpstore") == std::string::npos;
  for (LaneMask rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    u64 a = dataOf(wave, inst.op[first], lane), b = form.compares ? dataOf(wave, inst.op[first + 1], lane) : 0, old = 0;
    memcpy(&old, pointers.at[lane], form.bytes);
    u64 value = comparedFirst ? form.apply(old, b, a) : form.apply(old, a, b);
    memcpy(pointers.at[lane], &value, form.bytes);
    if (!inst.returns)
      continue;
    wave.vector(inst.op[0].first)[lane] = static_cast<u32>(old);
    if (form.bytes == 8)
      wave.vector(inst.op[0].first + 1)[lane] = static_cast<u32>(old >> 32);
  }
  if (inst.returns)
    inFlight(wave, inst);
}

//===-- lanes --------------------------------------------------------------------------------------------------===//

void bindPermute(Inst &inst, const InstructionText &text, const Target &) {
  bindRegisters(inst, text, {1, 1, 1}, 1);
  inst.offset = text.number("offset");
}

// Each lane reads the lane given by its address / 4; inactive lanes read as 0.
void permuteBackward(Wave &wave, const Inst &inst) {
  u32 result[maxLanes];
  LaneMask exec = wave.exec();
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    unsigned from = (wave.vector(inst.op[1].first)[lane] + inst.offset) / 4 & (wave.lanes - 1);
    result[lane] = exec >> from & 1 ? wave.vector(inst.op[2].first)[from] : 0;
  }
  wave.waits.issue(Waits::shared);
  for (LaneMask rest = exec; rest; rest &= rest - 1)
    wave.vector(inst.op[0].first)[std::countr_zero(rest)] = result[std::countr_zero(rest)];
  inFlight(wave, inst);
}
// Each lane sends to the lane given by its address / 4; lanes that receive nothing get 0.
void permuteForward(Wave &wave, const Inst &inst) {
  u32 result[maxLanes] = {};
  LaneMask exec = wave.exec();
  for (LaneMask rest = exec; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    result[(wave.vector(inst.op[1].first)[lane] + inst.offset) / 4 & (wave.lanes - 1)] =
        wave.vector(inst.op[2].first)[lane];
  }
  wave.waits.issue(Waits::shared);
  for (LaneMask rest = exec; rest; rest &= rest - 1)
    wave.vector(inst.op[0].first)[std::countr_zero(rest)] = result[std::countr_zero(rest)];
  inFlight(wave, inst);
}

// ds_swizzle_b32: offset:swizzle(QUAD_PERM,1,0,3,2), (SWAP,16), (REVERSE,8), (BROADCAST,32,3), (BITMASK_PERM,"00p11")
void bindSwizzle(Inst &inst, const InstructionText &text, const Target &) {
  bindRegisters(inst, text, {1, 1}, 1);
  inst.moves = std::make_shared<LaneMoves>();
  auto found = text.modifiers.find("offset");
  std::string how = found == text.modifiers.end() ? "" : found->second;
  std::vector<unsigned> numbers;
  for (size_t at = how.find(','); at != std::string::npos; at = how.find(',', at + 1))
    numbers.push_back(static_cast<unsigned>(std::strtoul(how.c_str() + at + 1, nullptr, 10)));
  auto each = [&](auto from) {
    for (unsigned lane = 0; lane < maxLanes; ++lane)
      inst.moves->from[lane] = static_cast<int8_t>((lane & ~31u) | (from(lane & 31) & 31));
  };
  auto isA = [&](std::string_view name, size_t count) {
    return how.find(name) != std::string::npos && numbers.size() >= count;
  };
  if (isA("QUAD_PERM", 4)) {
    each([&](unsigned lane) { return (lane & ~3u) + numbers[lane & 3]; });
  } else if (isA("SWAP", 1)) {
    each([&](unsigned lane) { return lane ^ numbers[0]; });
  } else if (isA("REVERSE", 1)) {
    each([&](unsigned lane) { return lane ^ (numbers[0] - 1); });
  } else if (isA("BROADCAST", 2)) {
    each([&](unsigned lane) { return (lane & ~(numbers[0] - 1)) + numbers[1]; });
  } else if (size_t quote = how.find('"');
             how.find("BITMASK_PERM") != std::string::npos && quote != std::string::npos) {
    unsigned andMask = 0, orMask = 0, xorMask = 0;
    for (unsigned i = 0; i < 5; ++i) {
      char c = how.at(quote + 1 + i);
      unsigned bit = 16u >> i;
      andMask |= c == 'p' || c == 'i' ? bit : 0;
      orMask |= c == '1' ? bit : 0;
      xorMask |= c == 'i' ? bit : 0;
    }
    each([&](unsigned lane) { return ((lane & andMask) | orMask) ^ xorMask; });
  } else if (how.empty() || how.find_first_not_of("0123456789x") == std::string::npos) {
    // Bit 15 selects a permutation of quads; otherwise the bits are masks of 5 bits.
    unsigned bits = how.empty() ? 0 : static_cast<unsigned>(std::stoul(how, nullptr, 0));
    if (bits & 0x8000)
      each([&](unsigned lane) { return (lane & ~3u) + (bits >> (2 * (lane & 3)) & 3); });
    else
      each([&](unsigned lane) { return ((lane & (bits & 31)) | (bits >> 5 & 31)) ^ (bits >> 10 & 31); });
  } else {
    throw Unsupported("the movement '" + how + "' is not known");
  }
}
void swizzle(Wave &wave, const Inst &inst) {
  u32 result[maxLanes];
  LaneMask exec = wave.exec();
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    int from = inst.moves->from[lane];
    result[lane] = exec >> from & 1 ? wave.vector(inst.op[1].first)[from] : 0;
  }
  wave.waits.issue(Waits::shared);
  for (LaneMask rest = exec; rest; rest &= rest - 1)
    wave.vector(inst.op[0].first)[std::countr_zero(rest)] = result[std::countr_zero(rest)];
  inFlight(wave, inst);
}

//===-- rows ---------------------------------------------------------------------------------------------------===//

std::string_view keep(std::string name) {
  static std::deque<std::string> names;
  return names.emplace_back(std::move(name));
}

// Adds "ds_add_u32" and "ds_add_rtn_u32", for the atomic operations that LDS has.
void addAtomics(std::vector<Row> &rows) {
  for (const std::string &all : atomicNames()) {
    std::string plain, returning;
    for (size_t at = 0; at <= all.size();) {
      size_t end = std::min(all.find('|', at), all.size());
      std::string name = all.substr(at, end - at);
      at = end + 1;
      size_t type = name.rfind('_');
      if (type == std::string::npos || name.find("_x2") != std::string::npos || name.rfind("swap", 0) == 0 ||
          name.rfind("cmpswap", 0) == 0)
        continue;
      // wrxchg exists only with a result.
      std::string rtn = "ds_" + name.substr(0, type) + "_rtn" + name.substr(type);
      returning += (returning.empty() ? "" : "|") + rtn;
      if (name.find("xchg") == std::string::npos)
        plain += (plain.empty() ? "" : "|") + ("ds_" + name);
    }
    if (!plain.empty())
      rows.push_back(special(keep(plain), updateShared, bindAtomic));
    if (!returning.empty())
      rows.push_back(special(keep(returning), updateShared, bindAtomic));
  }
}

} // namespace

std::vector<Row> tilecc::emu::amd::ldsRows() {
  std::vector<Row> rows = {
      special("ds_read2_b32|ds_load_2addr_b32", loadShared2<4>, bindLoad2<4, false>),
      special("ds_read2_b64|ds_load_2addr_b64", loadShared2<8>, bindLoad2<8, false>),
      special("ds_read2st64_b32|ds_load_2addr_stride64_b32", loadShared2<4>, bindLoad2<4, true>),
      special("ds_read2st64_b64|ds_load_2addr_stride64_b64", loadShared2<8>, bindLoad2<8, true>),
      special("ds_write2_b32|ds_store_2addr_b32", storeShared2<4>, bindStore2<4, false>),
      special("ds_write2_b64|ds_store_2addr_b64", storeShared2<8>, bindStore2<8, false>),
      special("ds_write2st64_b32|ds_store_2addr_stride64_b32", storeShared2<4>, bindStore2<4, true>),
      special("ds_write2st64_b64|ds_store_2addr_stride64_b64", storeShared2<8>, bindStore2<8, true>),
      special("ds_bpermute_b32", permuteBackward, bindPermute),
      special("ds_permute_b32", permuteForward, bindPermute),
      special("ds_swizzle_b32", swizzle, bindSwizzle),
  };
  for (std::string name : {"u8", "i8", "u16", "i16", "b32", "b64", "b96", "b128", "u8_d16", "i8_d16", "u16_d16",
                           "u8_d16_hi", "i8_d16_hi", "u16_d16_hi"})
    rows.push_back(special(keep("ds_read_" + name + "|ds_load_" + name), loadShared, bindLoad));
  for (std::string name : {"b8", "b16", "b32", "b64", "b96", "b128", "b8_d16_hi", "b16_d16_hi"})
    rows.push_back(special(keep("ds_write_" + name + "|ds_store_" + name), storeShared, bindStore));
  addAtomics(rows);
  return rows;
}
