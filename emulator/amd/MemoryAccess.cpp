//===-- MemoryAccess.cpp - memory accesses of a wave; used by the instructions on memory and LDS ---------------===//
#include "emulator/amd/MemoryAccess.h"
#include "emulator/amd/LdsBanks.h"
#include "emulator/isa/numerics/Convert.h"

#include <cmath>
#include <cstring>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

static std::string hex(uint64_t value) {
  char text[24];
  snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

void tilecc::emu::amd::access(Wave &wave, const Inst &inst, LaneMask lanes, const u64 (&addresses)[maxLanes],
                              const MemoryRequest &request, Pointers &pointers) {
  static std::mutex atomics;
  Workgroup &group = wave.group;
  const Launch &launch = group.launch;
  BlockChecker *checker = group.checker.get();
  bool isStrong = request.strong || request.kind == Access::atomic;
  for (unsigned warp = 0; checker && warp < wave.lanes / warpLanes; ++warp) {
    auto some = static_cast<Mask>(lanes >> (warp * warpLanes));
    if (!some)
      continue;
    Access access;
    access.kind = request.kind;
    access.where = request.where;
    access.order = isStrong ? Order::relaxed : Order::weak;
    access.warp = wave.index * (wave.lanes / warpLanes) + warp;
    access.pc = inst.index;
    access.bytes = request.bytes;
    access.lanes = some;
    access.address = addresses + warp * warpLanes;
    access.align = request.kind == Access::atomic ? request.bytes : 1;
    access.values = request.values ? request.values + size_t(warp) * warpLanes * request.bytes : nullptr;
    if (request.where == Access::shared)
      checker->asyncAccess(access, request.group);
    else
      checker->access(access);
  }
  if (checker && isStrong && request.where == Access::global)
    pointers.performed = checker;
  else if (!checker && request.kind == Access::atomic)
    pointers.lock = std::unique_lock(atomics);

  if (launch.countsBanks && request.where == Access::shared) {
    BankCycles more = countBankCycles(wave.target, request.kind == Access::load, request.bytes, lanes, addresses);
    wave.banks.cycles += more.cycles;
    wave.banks.conflicts += more.conflicts;
  }

  uint32_t scratchBytes = launch.program->kernel->scratchBytes;
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    uint64_t address = addresses[lane];
    std::byte *at = nullptr;
    const char *space = "global";
    if (request.where == Access::shared) {
      space = "LDS";
      if (address <= group.shared.size() && request.bytes <= group.shared.size() - address)
        at = group.shared.data() + address;
    } else if (request.where == Access::local) {
      space = "scratch";
      if (address <= scratchBytes && request.bytes <= scratchBytes - address)
        at = wave.scratch.data() + size_t(lane) * scratchBytes + address;
    } else {
      at = launch.memory->backing(address, request.bytes);
    }
    if (!at)
      wave.fault(inst, LaneMask(1) << lane, errorIllegalAddress, "illegal address",
                 "accesses " + std::to_string(request.bytes) + " bytes at " + hex(address) + ", which is not in " +
                     space + " memory");
    pointers.at[lane] = at;
  }
}

//===-- forms --------------------------------------------------------------------------------------------------===//

static constexpr MemoryForm loadForms[] = {
    {"ubyte|u8", 1},
    {"sbyte|i8", 1, true},
    {"ushort|u16", 2},
    {"sshort|i16", 2, true},
    {"dword|b32", 4},
    {"dwordx2|b64", 8},
    {"dwordx3|b96", 12},
    {"dwordx4|b128", 16},
    {"ubyte_d16|d16_u8|u8_d16", 1, false, true},
    {"sbyte_d16|d16_i8|i8_d16", 1, true, true},
    {"short_d16|d16_b16|u16_d16", 2, false, true},
    {"ubyte_d16_hi|d16_hi_u8|u8_d16_hi", 1, false, true, true},
    {"sbyte_d16_hi|d16_hi_i8|i8_d16_hi", 1, true, true, true},
    {"short_d16_hi|d16_hi_b16|u16_d16_hi", 2, false, true, true},
};
static constexpr MemoryForm storeForms[] = {
    {"byte|b8", 1},
    {"short|b16", 2},
    {"dword|b32", 4},
    {"dwordx2|b64", 8},
    {"dwordx3|b96", 12},
    {"dwordx4|b128", 16},
    {"byte_d16_hi|d16_hi_b8|b8_d16_hi", 1, false, false, true},
    {"short_d16_hi|d16_hi_b16|b16_d16_hi", 2, false, false, true},
};

static bool isNamed(std::string_view names, std::string_view name) {
  for (;;) {
    size_t bar = names.find('|');
    if (names.substr(0, bar) == name)
      return true;
    if (bar == std::string_view::npos)
      return false;
    names.remove_prefix(bar + 1);
  }
}

const MemoryForm *tilecc::emu::amd::findForm(std::string_view name, bool isStore) {
  auto find = [&](const auto &forms) -> const MemoryForm * {
    for (const MemoryForm &form : forms)
      if (isNamed(form.names, name))
        return &form;
    return nullptr;
  };
  return isStore ? find(storeForms) : find(loadForms);
}

void tilecc::emu::amd::loadRegisters(Wave &wave, const Inst &inst, LaneMask lanes, const MemoryForm &form,
                                     unsigned first, const std::byte *const (&at)[maxLanes]) {
  (void)inst;
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    if (form.bytes >= 4) {
      for (unsigned word = 0; word < form.bytes / 4u; ++word)
        memcpy(&wave.vector(first + word)[lane], at[lane] + 4 * word, 4);
      continue;
    }
    u16 bits = 0;
    memcpy(&bits, at[lane], form.bytes);
    u32 value = !form.isSigned ? bits : static_cast<u32>(form.bytes == 1 ? s32(s8(bits)) : s32(s16(bits)));
    u32 &there = wave.vector(first)[lane];
    if (form.keepsRest)
      there = form.high ? (there & 0xffff) | value << 16 : (there & 0xffff0000) | (value & 0xffff);
    else
      there = value;
  }
}

void tilecc::emu::amd::gatherValues(Wave &wave, LaneMask lanes, const MemoryForm &form, const Operand &data,
                                    std::byte *values) {
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    std::byte *to = values + size_t(lane) * form.bytes;
    if (form.bytes >= 4) {
      for (unsigned word = 0; word < form.bytes / 4u; ++word)
        memcpy(to + 4 * word, &wave.vector(data.first + word)[lane], 4);
    } else {
      u32 value = wave.vector(data.first)[lane] >> (form.high || data.high ? 16 : 0);
      memcpy(to, &value, form.bytes);
    }
  }
}

//===-- atomic operations --------------------------------------------------------------------------------------===//

namespace {

using Apply = u64 (*)(u64 old, u64 value, u64 compare);
template <class T> u64 addFloat(u64 old, u64 value, u64) {
  if constexpr (sizeof(T) == 4)
    return bitsOf(floatOf(u32(old)) + floatOf(u32(value)));
  else
    return bitsOf(doubleOf(old) + doubleOf(value));
}
template <class T> u64 addPacked(u64 old, u64 value, u64) {
  u64 result = 0;
  for (unsigned shift = 0; shift < 32; shift += 16)
    result |= u64(convert<T>(toFloat(T{u16(old >> shift)}) + toFloat(T{u16(value >> shift)})).bits) << shift;
  return result;
}
template <bool Max> u64 chooseFloat(u64 old, u64 value, u64) {
  float a = floatOf(u32(old)), b = floatOf(u32(value));
  return bitsOf(Max ? std::fmax(a, b) : std::fmin(a, b));
}
template <bool Max> u64 chooseDouble(u64 old, u64 value, u64) {
  return bitsOf(Max ? std::fmax(doubleOf(old), doubleOf(value)) : std::fmin(doubleOf(old), doubleOf(value)));
}
template <class T, bool Max> u64 choose(u64 old, u64 value, u64) {
  T a = static_cast<T>(old), b = static_cast<T>(value);
  return static_cast<std::make_unsigned_t<T>>(Max ? std::max(a, b) : std::min(a, b));
}
template <class T> u64 increment(u64 old, u64 value, u64) { return T(old) >= T(value) ? 0 : T(old) + 1; }
template <class T> u64 decrement(u64 old, u64 value, u64) {
  return T(old) == 0 || T(old) > T(value) ? T(value) : T(old) - 1;
}

struct NamedAtomic {
  std::string_view names;
  uint8_t bytes;
  Apply apply;
  bool compares = false;
};
const NamedAtomic namedAtomics[] = {
    {"swap|swap_b32|wrxchg_b32|storexchg_b32", 4, [](u64, u64 v, u64) { return v; }},
    {"swap_x2|swap_b64|wrxchg_b64|storexchg_b64", 8, [](u64, u64 v, u64) { return v; }},
    {"cmpswap|cmpswap_b32|cmpst_b32|cmpstore_b32", 4, [](u64 o, u64 v, u64 c) { return o == c ? v : o; }, true},
    {"cmpswap_x2|cmpswap_b64|cmpst_b64|cmpstore_b64", 8, [](u64 o, u64 v, u64 c) { return o == c ? v : o; }, true},
    {"add|add_u32", 4, [](u64 o, u64 v, u64) { return o + v; }},
    {"add_x2|add_u64", 8, [](u64 o, u64 v, u64) { return o + v; }},
    {"sub|sub_u32", 4, [](u64 o, u64 v, u64) { return o - v; }},
    {"sub_x2|sub_u64", 8, [](u64 o, u64 v, u64) { return o - v; }},
    {"and|and_b32", 4, [](u64 o, u64 v, u64) { return o & v; }},
    {"and_x2|and_b64", 8, [](u64 o, u64 v, u64) { return o & v; }},
    {"or|or_b32", 4, [](u64 o, u64 v, u64) { return o | v; }},
    {"or_x2|or_b64", 8, [](u64 o, u64 v, u64) { return o | v; }},
    {"xor|xor_b32", 4, [](u64 o, u64 v, u64) { return o ^ v; }},
    {"xor_x2|xor_b64", 8, [](u64 o, u64 v, u64) { return o ^ v; }},
    {"smin|min_i32", 4, choose<s32, false>},
    {"smin_x2|min_i64", 8, choose<s64, false>},
    {"umin|min_u32", 4, choose<u32, false>},
    {"umin_x2|min_u64", 8, choose<u64, false>},
    {"smax|max_i32", 4, choose<s32, true>},
    {"smax_x2|max_i64", 8, choose<s64, true>},
    {"umax|max_u32", 4, choose<u32, true>},
    {"umax_x2|max_u64", 8, choose<u64, true>},
    {"inc|inc_u32", 4, increment<u32>},
    {"inc_x2|inc_u64", 8, increment<u64>},
    {"dec|dec_u32", 4, decrement<u32>},
    {"dec_x2|dec_u64", 8, decrement<u64>},
    {"add_f32", 4, addFloat<float>},
    {"add_f64", 8, addFloat<double>},
    {"min_f32|min_num_f32", 4, chooseFloat<false>},
    {"max_f32|max_num_f32", 4, chooseFloat<true>},
    {"min_f64", 8, chooseDouble<false>},
    {"max_f64", 8, chooseDouble<true>},
    {"pk_add_f16", 4, addPacked<f16>},
    {"pk_add_bf16", 4, addPacked<bf16>},
};

} // namespace

AtomicForm tilecc::emu::amd::findAtomic(std::string_view name) {
  for (const NamedAtomic &atomic : namedAtomics)
    if (isNamed(atomic.names, name))
      return {atomic.bytes, atomic.apply, atomic.compares};
  return {};
}

std::vector<std::string> tilecc::emu::amd::atomicNames() {
  std::vector<std::string> names;
  for (const NamedAtomic &atomic : namedAtomics)
    names.emplace_back(atomic.names);
  return names;
}
