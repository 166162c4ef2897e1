//===-- Memory.cpp - global, flat, scratch and buffer instructions ---------------------------------------------===//
#include "emulator/amd/MemoryAccess.h"
#include "emulator/amd/Table.h"

#include <algorithm>
#include <cstring>
#include <deque>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

enum class Space { global, flat, scratch, buffer };
enum class Action { load, store, atomic };

// Operand positions, independent of the order in the text: first data, then addresses.
enum : unsigned { dataOperand, vectorAddress, scalarAddress, resource, resultOperand, operandCount };

//===-- decoding -----------------------------------------------------------------------------------------------===//

constexpr std::string_view prefixes[] = {"global", "flat", "scratch", "buffer"};
constexpr std::string_view actions[] = {"load", "store", "atomic"};

// Returns the suffix of a name: "dwordx4" for "global_load_dwordx4".
std::string_view formOf(const std::string &mnemonic, Space space, Action action) {
  return std::string_view(mnemonic).substr(prefixes[int(space)].size() + actions[int(action)].size() + 2);
}

// Assigns the operands of the text to their positions.
void place(Inst &inst, const InstructionText &text, const Target &target, Space space, Action action,
           unsigned dataWords) {
  inst.op.resize(operandCount);
  size_t next = 0;
  auto take = [&](unsigned which, unsigned words) {
    if (next == text.operands.size())
      throw Unsupported("an operand is missing");
    const TextOperand &operand = text.operands[next++];
    if (operand.kind == TextOperand::off || (operand.kind == TextOperand::scalar && operand.first == scalarNull &&
                                             which == scalarAddress && space != Space::buffer))
      return;
    if (!words)
      words = operand.words;
    inst.op[which] = makeOperand(operand, {uint8_t(words > 2 ? 32 : 32 * words), false, false}, target);
  };
  // Data of more than two registers has no operand type.
  auto takeData = [&](unsigned which, unsigned words) {
    if (next == text.operands.size())
      throw Unsupported("an operand is missing");
    const TextOperand &operand = text.operands[next++];
    if (operand.kind != TextOperand::vector || operand.words != words)
      throw Unsupported("'" + operand.text + "' is not " + std::to_string(words) + " registers of data");
    Operand &data = inst.op[which];
    data.kind = Operand::vector;
    data.first = operand.first;
    data.words = operand.words;
    data.high = operand.half == TextOperand::high;
  };
  auto takeResource = [&] {
    if (next == text.operands.size() || text.operands[next].kind != TextOperand::scalar ||
        text.operands[next].words != 4)
      throw Unsupported("a buffer has 4 scalar registers");
    inst.op[resource].kind = Operand::scalar;
    inst.op[resource].first = text.operands[next].first;
    inst.op[resource].words = 4;
    ++next;
  };
  AtomicForm atomic = action == Action::atomic ? findAtomic(formOf(text.mnemonic, space, action)) : AtomicForm();
  unsigned resultWords = atomic.bytes / 4;
  if (space == Space::buffer) {
    takeData(dataOperand, dataWords);
    take(vectorAddress, 0);
    takeResource();
    take(scalarAddress, 1);
    inst.indexed = text.has("idxen");
    inst.offsetted = text.has("offen");
    if (action == Action::atomic && (text.has("glc") || text.has("sc0") || text.has("th"))) {
      inst.returns = true;
      inst.op[resultOperand] = inst.op[dataOperand];
      inst.op[resultOperand].words = static_cast<uint16_t>(resultWords);
    }
  } else {
    bool hasScalar = space != Space::flat || text.operands.size() > (action == Action::atomic ? 3u : 2u);
    size_t plain = action == Action::atomic ? (hasScalar ? 3 : 2) : 0;
    if (action == Action::atomic && text.operands.size() == plain + 1) {
      inst.returns = true;
      takeData(resultOperand, resultWords);
    }
    if (action == Action::load)
      takeData(dataOperand, dataWords);
    take(vectorAddress, 0);
    if (action != Action::load)
      takeData(dataOperand, dataWords);
    if (hasScalar)
      take(scalarAddress, 0);
  }
  if (next != text.operands.size())
    throw Unsupported("operand '" + text.operands[next].text + "' is left over");
  use(inst, inst.op[vectorAddress], false);
  use(inst, inst.op[scalarAddress], false);
  use(inst, inst.op[resource], false);
  use(inst, inst.op[dataOperand], action == Action::load);
  use(inst, inst.op[resultOperand], true);
}

template <Space S, Action A> void bind(Inst &inst, const InstructionText &text, const Target &target) {
  expectModifiers(text, {"offset", "sc0", "sc1", "nt", "glc", "slc", "dlc", "scope", "th", "offen", "idxen", "nv"});
  inst.offset = text.number("offset");
  unsigned words;
  if constexpr (A == Action::atomic) {
    AtomicForm form = findAtomic(formOf(text.mnemonic, S, A));
    inst.bytes = form.bytes;
    words = form.bytes / 4 * (form.compares ? 2 : 1);
  } else {
    const MemoryForm *form = findForm(formOf(text.mnemonic, S, A), A == Action::store);
    inst.bytes = form->bytes;
    words = (form->bytes + 3) / 4;
    inst.strong = text.has("sc0") || text.has("sc1") || text.has("glc") || text.has("scope");
  }
  // A 16-bit load preserves the other half of its register but does not read it: the data is merged when it returns.
  place(inst, text, target, S, A, words);
  inst.issues = A == Action::load || inst.returns ? Waits::load : Waits::store;
}

//===-- addresses ----------------------------------------------------------------------------------------------===//

void addressesOf(Wave &wave, const Inst &inst, Space space, u64 (&addresses)[maxLanes]) {
  const Operand &vector = inst.op[vectorAddress], &scalar = inst.op[scalarAddress];
  u64 base = static_cast<u64>(inst.offset);
  if (scalar.kind != Operand::none)
    base += readScalar(wave, scalar, scalar.words == 2 ? 64 : 32);
  bool wide = vector.words == 2;
  for (unsigned lane = 0; lane < maxLanes; ++lane) {
    u64 address = base;
    if (vector.kind == Operand::vector) {
      address += wave.vector(vector.first)[lane];
      if (wide)
        address += u64(wave.vector(vector.first + 1)[lane]) << 32;
    }
    addresses[lane] = space == Space::scratch ? static_cast<u32>(address) : address;
  }
}

// Computes addresses from a buffer descriptor, and the number of bytes from each lane's address that are in range.
void bufferAddresses(Wave &wave, const Inst &inst, LaneMask lanes, u64 (&addresses)[maxLanes], u32 (&room)[maxLanes]) {
  const Operand &vector = inst.op[vectorAddress];
  unsigned first = inst.op[resource].first;
  u64 base = wave.scalar(first) | u64(wave.scalar(first + 1) & 0xffff) << 32;
  u32 stride = wave.scalar(first + 1) >> 16 & 0x3fff, records = wave.scalar(first + 2);
  bool isSwizzled = wave.scalar(first + 1) >> 30;
  if (isSwizzled)
    wave.fault(inst, lanes, errorIllegalInstruction, "buffer",
               "uses a swizzled buffer, which the emulator does not know");
  u64 scalar = inst.op[scalarAddress].kind == Operand::none ? 0 : readScalar(wave, inst.op[scalarAddress], 32);
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    u64 offset = static_cast<u64>(inst.offset), index = 0;
    if (inst.indexed)
      index = wave.vector(vector.first)[lane];
    if (inst.offsetted)
      offset += wave.vector(vector.first + inst.indexed)[lane];
    addresses[lane] = base + scalar + offset + index * stride;
    if (stride && inst.indexed) {
      room[lane] = index < records ? (offset < stride ? stride - static_cast<u32>(offset) : 0) : 0;
    } else {
      u64 used = offset + (wave.target.isGfx9() ? scalar : 0);
      room[lane] = used < records ? static_cast<u32>(std::min<u64>(records - used, 0xffffffff)) : 0;
    }
  }
}

//===-- execution ----------------------------------------------------------------------------------------------===//

// Splits the lanes of a flat access by the window of their addresses.
template <class F> void eachWindow(const u64 (&addresses)[maxLanes], LaneMask lanes, F use) {
  LaneMask of[3] = {};
  u64 inside[maxLanes];
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    u64 window = addresses[lane] & windowMask;
    int which = window == sharedWindow ? 1 : window == privateWindow ? 2 : 0;
    of[which] |= LaneMask(1) << lane;
    inside[lane] = which ? addresses[lane] & ~windowMask : addresses[lane];
  }
  constexpr Access::Where where[] = {Access::global, Access::shared, Access::local};
  for (int which = 0; which < 3; ++which)
    if (of[which])
      use(where[which], of[which], inside);
}

// Counts the instruction. Returns its number in the LDS counter if it may access LDS.
template <Space S> u32 issue(Wave &wave, const Inst &inst) {
  wave.waits.issue(inst.issues);
  return S == Space::flat ? wave.waits.issue(Waits::shared) : 0;
}
template <Space S> void inFlight(Wave &wave, const Inst &inst, const Operand &to) {
  wave.waits.write(inst.issues, {to.first, to.words, true, true}, inst.index, S == Space::flat, Waits::shared);
}

template <Space S, class F> void eachAccess(Wave &wave, const Inst &inst, LaneMask lanes, F use) {
  u64 addresses[maxLanes];
  if constexpr (S == Space::flat) {
    addressesOf(wave, inst, S, addresses);
    eachWindow(addresses, lanes, use);
  } else if (lanes) {
    addressesOf(wave, inst, S, addresses);
    use(S == Space::scratch ? Access::local : Access::global, lanes, addresses);
  }
}

template <Space S> void loadFrom(Wave &wave, const Inst &inst) {
  MemoryForm form = *findForm(formOf(inst.mnemonic, S, Action::load), false);
  const Operand &data = inst.op[dataOperand];
  if (data.high)
    form.keepsRest = form.high = true;
  u32 group = issue<S>(wave, inst);
  eachAccess<S>(wave, inst, wave.exec(), [&](Access::Where where, LaneMask lanes, const u64(&addresses)[maxLanes]) {
    Pointers pointers;
    access(wave, inst, lanes, addresses, {where, Access::load, form.bytes, nullptr, group, inst.strong}, pointers);
    loadRegisters(wave, inst, lanes, form, data.first, pointers.at);
  });
  inFlight<S>(wave, inst, data);
}

template <Space S> void storeTo(Wave &wave, const Inst &inst) {
  const MemoryForm &form = *findForm(formOf(inst.mnemonic, S, Action::store), true);
  u32 group = issue<S>(wave, inst);
  std::byte values[maxLanes * 16];
  gatherValues(wave, wave.exec(), form, inst.op[dataOperand], values);
  eachAccess<S>(wave, inst, wave.exec(), [&](Access::Where where, LaneMask lanes, const u64(&addresses)[maxLanes]) {
    Pointers pointers;
    access(wave, inst, lanes, addresses, {where, Access::store, form.bytes, values, group, inst.strong}, pointers);
    for (LaneMask rest = lanes; rest; rest &= rest - 1) {
      unsigned lane = std::countr_zero(rest);
      memcpy(pointers.at[lane], values + size_t(lane) * form.bytes, form.bytes);
    }
  });
}

u64 dataOf(Wave &wave, const Operand &data, unsigned lane, unsigned bytes, unsigned which) {
  unsigned first = data.first + which * bytes / 4;
  u64 value = wave.vector(first)[lane];
  return bytes == 8 ? value | u64(wave.vector(first + 1)[lane]) << 32 : value;
}

void applyAtomic(Wave &wave, const Inst &inst, const AtomicForm &form, LaneMask lanes,
                 std::byte *const (&at)[maxLanes]) {
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    u64 old = 0, compare = form.compares ? dataOf(wave, inst.op[dataOperand], lane, form.bytes, 1) : 0;
    memcpy(&old, at[lane], form.bytes);
    u64 value = form.apply(old, dataOf(wave, inst.op[dataOperand], lane, form.bytes, 0), compare);
    memcpy(at[lane], &value, form.bytes);
    if (!inst.returns)
      continue;
    wave.vector(inst.op[resultOperand].first)[lane] = static_cast<u32>(old);
    if (form.bytes == 8)
      wave.vector(inst.op[resultOperand].first + 1)[lane] = static_cast<u32>(old >> 32);
  }
}

template <Space S> void updateAt(Wave &wave, const Inst &inst) {
  AtomicForm form = findAtomic(formOf(inst.mnemonic, S, Action::atomic));
  u32 group = issue<S>(wave, inst);
  eachAccess<S>(wave, inst, wave.exec(), [&](Access::Where where, LaneMask lanes, const u64(&addresses)[maxLanes]) {
    Pointers pointers;
    access(wave, inst, lanes, addresses, {where, Access::atomic, form.bytes, nullptr, group, true}, pointers);
    applyAtomic(wave, inst, form, lanes, pointers.at);
  });
  if (inst.returns)
    inFlight<S>(wave, inst, inst.op[resultOperand]);
}

//===-- buffers: out-of-range loads return 0, out-of-range stores are ignored ----------------------------------===//

// Calls use(lanes, offset, bytes, addresses): once for the lanes that are entirely in range, and once per word for
// lanes that are partly in range.
template <class F> void eachInRange(Wave &wave, const Inst &inst, unsigned bytes, F use) {
  u64 addresses[maxLanes];
  u32 room[maxLanes];
  LaneMask exec = wave.exec(), whole = 0, partial = 0;
  if (!exec)
    return;
  bufferAddresses(wave, inst, exec, addresses, room);
  for (LaneMask rest = exec; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    if (room[lane] >= bytes)
      whole |= LaneMask(1) << lane;
    else if (room[lane] >= 4)
      partial |= LaneMask(1) << lane;
  }
  if (whole)
    use(whole, 0u, bytes, addresses);
  for (unsigned offset = 0; partial && offset < bytes; offset += 4) {
    LaneMask some = 0;
    for (LaneMask rest = partial; rest; rest &= rest - 1)
      if (room[std::countr_zero(rest)] >= offset + 4)
        some |= rest & -rest;
    if (some)
      use(some, offset, 4u, addresses);
    for (u64 &address : addresses)
      address += 4;
  }
}

void bufferLoad(Wave &wave, const Inst &inst) {
  MemoryForm form = *findForm(formOf(inst.mnemonic, Space::buffer, Action::load), false);
  const Operand &data = inst.op[dataOperand];
  if (data.high)
    form.keepsRest = form.high = true;
  issue<Space::buffer>(wave, inst);
  std::byte values[maxLanes][16] = {};
  eachInRange(
      wave, inst, form.bytes, [&](LaneMask lanes, unsigned offset, unsigned bytes, const u64(&addresses)[maxLanes]) {
        Pointers pointers;
        access(wave, inst, lanes, addresses, {Access::global, Access::load, bytes, nullptr, 0, inst.strong}, pointers);
        for (LaneMask rest = lanes; rest; rest &= rest - 1) {
          unsigned lane = std::countr_zero(rest);
          memcpy(values[lane] + offset, pointers.at[lane], bytes);
        }
      });
  const std::byte *at[maxLanes];
  for (unsigned lane = 0; lane < maxLanes; ++lane)
    at[lane] = values[lane];
  loadRegisters(wave, inst, wave.exec(), form, data.first, at);
  inFlight<Space::buffer>(wave, inst, data);
}

void bufferStore(Wave &wave, const Inst &inst) {
  const MemoryForm &form = *findForm(formOf(inst.mnemonic, Space::buffer, Action::store), true);
  issue<Space::buffer>(wave, inst);
  std::byte values[maxLanes * 16];
  gatherValues(wave, wave.exec(), form, inst.op[dataOperand], values);
  eachInRange(
      wave, inst, form.bytes, [&](LaneMask lanes, unsigned offset, unsigned bytes, const u64(&addresses)[maxLanes]) {
        std::byte parts[maxLanes * 16];
        for (LaneMask rest = lanes; rest; rest &= rest - 1) {
          unsigned lane = std::countr_zero(rest);
          memcpy(parts + size_t(lane) * bytes, values + size_t(lane) * form.bytes + offset, bytes);
        }
        Pointers pointers;
        access(wave, inst, lanes, addresses, {Access::global, Access::store, bytes, parts, 0, inst.strong}, pointers);
        for (LaneMask rest = lanes; rest; rest &= rest - 1) {
          unsigned lane = std::countr_zero(rest);
          memcpy(pointers.at[lane], parts + size_t(lane) * bytes, bytes);
        }
      });
}

void bufferAtomic(Wave &wave, const Inst &inst) {
  AtomicForm form = findAtomic(formOf(inst.mnemonic, Space::buffer, Action::atomic));
  issue<Space::buffer>(wave, inst);
  u64 addresses[maxLanes];
  u32 room[maxLanes];
  LaneMask exec = wave.exec(), lanes = 0;
  if (exec)
    bufferAddresses(wave, inst, exec, addresses, room);
  for (LaneMask rest = exec; rest; rest &= rest - 1)
    if (room[std::countr_zero(rest)] >= form.bytes)
      lanes |= rest & -rest;
  std::byte *at[maxLanes];
  std::byte none[maxLanes][8] = {};
  {
    Pointers pointers;
    if (lanes)
      access(wave, inst, lanes, addresses, {Access::global, Access::atomic, form.bytes, nullptr, 0, true}, pointers);
    for (unsigned lane = 0; lane < maxLanes; ++lane)
      at[lane] = lanes >> lane & 1 ? pointers.at[lane] : none[lane];
    applyAtomic(wave, inst, form, exec, at);
  }
  if (inst.returns)
    inFlight<Space::buffer>(wave, inst, inst.op[resultOperand]);
}

//===-- rows ---------------------------------------------------------------------------------------------------===//

std::string_view keep(std::string name) {
  static std::deque<std::string> names;
  return names.emplace_back(std::move(name));
}

// Returns "global_load_dword|global_load_b32" for "dword|b32".
std::string_view fullNames(Space space, Action action, std::string_view forms) {
  std::string prefix = std::string(prefixes[int(space)]) + "_" + std::string(actions[int(action)]) + "_", all;
  for (;;) {
    size_t bar = forms.find('|');
    all += (all.empty() ? "" : "|") + prefix + std::string(forms.substr(0, bar));
    if (bar == std::string_view::npos)
      return keep(all);
    forms.remove_prefix(bar + 1);
  }
}

template <Space S> void addRows(std::vector<Row> &rows, Handler loads, Handler stores, Handler atomics) {
  for (std::string_view names :
       {"ubyte|u8", "sbyte|i8", "ushort|u16", "sshort|i16", "dword|b32", "dwordx2|b64", "dwordx3|b96", "dwordx4|b128",
        "ubyte_d16|d16_u8", "sbyte_d16|d16_i8", "short_d16|d16_b16", "ubyte_d16_hi|d16_hi_u8", "sbyte_d16_hi|d16_hi_i8",
        "short_d16_hi|d16_hi_b16"})
    rows.push_back(special(fullNames(S, Action::load, names), loads, bind<S, Action::load>));
  for (std::string_view names : {"byte|b8", "short|b16", "dword|b32", "dwordx2|b64", "dwordx3|b96", "dwordx4|b128",
                                 "byte_d16_hi|d16_hi_b8", "short_d16_hi|d16_hi_b16"})
    rows.push_back(special(fullNames(S, Action::store, names), stores, bind<S, Action::store>));
  if (atomics)
    for (const std::string &names : atomicNames())
      rows.push_back(special(fullNames(S, Action::atomic, names), atomics, bind<S, Action::atomic>));
}

} // namespace

std::vector<Row> tilecc::emu::amd::memoryRows() {
  std::vector<Row> rows;
  addRows<Space::global>(rows, loadFrom<Space::global>, storeTo<Space::global>, updateAt<Space::global>);
  addRows<Space::flat>(rows, loadFrom<Space::flat>, storeTo<Space::flat>, updateAt<Space::flat>);
  addRows<Space::scratch>(rows, loadFrom<Space::scratch>, storeTo<Space::scratch>, nullptr);
  addRows<Space::buffer>(rows, bufferLoad, bufferStore, bufferAtomic);
  return rows;
}
