//===-- Memory.cpp - ld, st and addresses (PTX ISA 9.7.9) ------------------------------------------------------===//
#include "emulator/checks/Signals.h"
#include "emulator/exec/MemoryAccess.h"
#include "emulator/isa/MemoryModifiers.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;
using ptx::Space;

//===-- Modifiers of memory instructions -----------------------------------------------------------------------===//

void tilecc::emu::setMemoryModifiers(const Match &match, Inst &inst) {
  inst.memory = true;
  std::string_view space = match["space"];
  inst.space = space.empty()                 ? Space::generic
               : space == "global"           ? Space::global
               : space == "shared::cluster"  ? Space::cluster
               : space.starts_with("shared") ? Space::shared
               : space == "local"            ? Space::local
               : space == "const"            ? Space::constant
                                             : Space::param;
  std::string_view sem = match["sem"];
  inst.order = sem == "relaxed" || sem == "volatile" ? Order::relaxed
               : sem == "acquire"                    ? Order::acquire
               : sem == "release"                    ? Order::release
               : sem == "acq_rel"                    ? Order::acquireRelease
                                                     : Order::weak;
  std::string_view scope = match["scope"];
  inst.scope = sem == "volatile" || scope == "sys" ? Scope::sys
               : scope == "cta"                    ? Scope::cta
               : scope == "cluster"                ? Scope::cluster
                                                   : Scope::gpu;
  inst.elementBytes = ptx::info(match.T).bits / 8;
}

//===-- Loads and stores ---------------------------------------------------------------------------------------===//

template <class T> static T readOne(const std::byte *at, bool strong) {
  if constexpr (sizeof(T) <= 8) {
    if (strong)
      return __atomic_load_n(reinterpret_cast<const T *>(at), __ATOMIC_SEQ_CST);
    return *reinterpret_cast<const T *>(at);
  } else {
    T value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
}

template <class T> static void writeOne(std::byte *at, T value, bool strong) {
  if constexpr (sizeof(T) <= 8) {
    if (strong)
      __atomic_store_n(reinterpret_cast<T *>(at), value, __ATOMIC_SEQ_CST);
    else
      *reinterpret_cast<T *>(at) = value;
  } else {
    std::memcpy(at, &value, sizeof(value));
  }
}

// op: the elements, then the address.
template <class T> static void load(Warp &warp, const Inst &inst, Mask lanes) {
  Pointers from = access(warp, inst, lanes, inst.dests, inst.dests * sizeof(T), Access::load);
  bool strong = inst.order != Order::weak;
  for (unsigned element = 0; element < inst.dests; ++element) {
    T *to = warp.row<T>(inst.op[element]);
    if (lanes == allLanes && !strong)
      for (unsigned lane = 0; lane < warpSize; ++lane)
        to[lane] = readOne<T>(from.at[lane] + element * sizeof(T), false);
    else
      for (Mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = __builtin_ctz(rest);
        to[lane] = readOne<T>(from.at[lane] + element * sizeof(T), strong);
      }
  }
}

// op: the address, then the elements.
template <class T> static void store(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned elements = inst.sources - 1 - inst.extra; // a cache policy at the end is not stored
  std::byte values[warpSize * 32];
  if (warp.block->checker)
    for (unsigned element = 0; element < elements; ++element)
      for (unsigned lane = 0; lane < warpSize; ++lane)
        std::memcpy(values + (lane * elements + element) * sizeof(T), warp.row<T>(inst.op[element + 1]) + lane,
                    sizeof(T));
  Pointers to = access(warp, inst, lanes, 0, elements * sizeof(T), Access::store, values);
  ++warp.changes;
  bool strong = inst.order != Order::weak, changes = false;
  for (unsigned element = 0; element < elements; ++element) {
    const T *from = warp.row<T>(inst.op[element + 1]);
    for (Mask rest = lanes; rest; rest &= rest - 1) {
      unsigned lane = __builtin_ctz(rest);
      std::byte *at = to.at[lane] + element * sizeof(T);
      changes = changes || std::memcmp(at, &from[lane], sizeof(T));
      writeOne<T>(at, from[lane], strong);
    }
  }
  warp.progress += changes;
}

static void selectLoad(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  inst.run = bySize(inst.elementBytes, &load<u8>, &load<u16>, &load<u32>, &load<u64>, &load<u128>);
}

static void selectStore(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  inst.extra = match.has("L2::cache_hint");
  inst.run = bySize(inst.elementBytes, &store<u8>, &store<u16>, &store<u32>, &store<u64>, &store<u128>);
}

//===-- awaits: our own instruction, in comments -----------------------------------------------------------------===//

// op: the address of a signal, the value that has been loaded from it, the value that the thread waits for.
static void awaits(Warp &warp, const Inst &inst, Mask lanes) {
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, lanes, inst.op[0], addresses);
  const u32 *seen = warp.row<u32>(inst.op[1]), *wanted = warp.row<u32>(inst.op[2]);
  Mask over = 0;
  for (Mask rest = lanes; rest; rest &= rest - 1)
    if (unsigned lane = __builtin_ctz(rest); Signals::suffices(seen[lane], wanted[lane]))
      over |= Mask(1) << lane;
  warp.asksFor = {};
  if (over != lanes)
    warp.asksFor = {Wait::signal, warp.pc(inst)};
  if (over && warp.block->checker)
    warp.block->checker->awaited(describe(warp, inst, over, addresses, inst.space, sizeof(u32), Access::load, nullptr),
                                 seen, wanted);
}

static void selectAwaits(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  inst.polls = true;
  inst.run = &awaits;
}

static void doNothing(Warp &, const Inst &, Mask) {}

Rows tilecc::emu::memoryRows() {
  auto nothing = [](const Match &, Inst &inst) { inst.run = &doNothing; };
  return {
      {"ld{.$sem}{.$scope}{.$space}{.$cache}{.nc}{.$evict}{.$evict2}{.$hint}{.$prefetch}{.$vec}.T {d}, [a], c:b64?; "
       "T = b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64; wide",
       selectLoad},
      {"ld.global{.$evict}{.$evict2}{.$hint}{.$prefetch}.nc{.$vec}.T {d}, [a], c:b64?; "
       "T = b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64; wide",
       selectLoad},
      {"ldu{.$space}{.$vec}.T {d}, [a]; T = b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64; wide", selectLoad},
      {"st{.$sem}{.$scope}{.$space}{.$cache}{.$evict}{.$evict2}{.$hint}{.$vec}.T [a], {b}, c:b64?; "
       "T = b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64; wide",
       selectStore},
      {"awaits{.$space}.ge.T [a], b, c; T = u32", selectAwaits, Flow::pause},
      {"prefetch{.$space}(.L1|.L2|.L2::evict_last|.L2::evict_normal) [a]", nothing},
      {"prefetchu.L1 [a]", nothing},
      {"prefetch{.param|.const}.tensormap [a]", nothing},
      {"applypriority{.global}.L2::evict_normal [a], b:u32", nothing},
      {"discard{.global}.L2 [a], b:u32", nothing},
      {"createpolicy.fractional(.L2::evict_last|.L2::evict_normal|.L2::evict_first|.L2::evict_unchanged)"
       "{.L2::evict_first|.L2::evict_unchanged}.T d, a:f32?; T = b64",
       [](const Match &, Inst &inst) {
         inst.run = [](Warp &warp, const Inst &inst, Mask lanes) {
           writeRow<u64>(warp, inst.op[0], lanes, [](unsigned) { return u64(0); }); // policies do not affect values
         };
       }},
  };
}
