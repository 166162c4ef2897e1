//===-- Atomics.cpp - atom and red (PTX ISA 9.7.13) ------------------------------------------------------------===//
//
// Lanes act one after another, in order of their numbers. Several host threads may run blocks, so each action is a
// compare-and-swap on the host. This works for all operations and types.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/exec/MemoryAccess.h"
#include "emulator/isa/AtomicUpdate.h"
#include "emulator/isa/MemoryModifiers.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;
using namespace tilecc::emu::operators;

// op: the old values, if wanted, one per element of a vector; the address; the new values.
template <class T, class F> static void atomic(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned elements = inst.sources - 1 - inst.extra, first = inst.dests;
  Pointers to = access(warp, inst, lanes, first, elements * sizeof(T), Access::atomic);
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    for (unsigned element = 0; element < elements; ++element) {
      T operand = warp.row<T>(inst.op[first + 1 + element])[lane];
      T was = update<T>(warp, to.at[lane] + element * sizeof(T),
                        [&](T value) { return static_cast<T>(F{}(value, operand)); });
      if (inst.dests)
        warp.row<T>(inst.op[element])[lane] = was;
    }
  }
}

// op: the old value, if wanted; the address; the expected value; the new value.
template <class T> static void compareAndSwap(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned first = inst.dests;
  Pointers to = access(warp, inst, lanes, first, sizeof(T), Access::atomic);
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    T expected = warp.row<T>(inst.op[first + 1])[lane], wanted = warp.row<T>(inst.op[first + 2])[lane];
    T was = update<T>(warp, to.at[lane], [&](T value) { return value == expected ? wanted : value; });
    if (inst.dests)
      warp.row<T>(inst.op[0])[lane] = was;
  }
}

static void selectModifiers(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  if (inst.order == Order::weak) // an atomic operation is at least relaxed
    inst.order = Order::relaxed;
  inst.extra = match.has("L2::cache_hint");
}

namespace {
struct AddFlushing {
  float operator()(float a, float b) const {
    Modifiers modifiers;
    modifiers.ftz = true;
    return tilecc::emu::add(a, b, modifiers);
  }
};
struct Exchange {
  template <class T> T operator()(T, T b) const { return b; }
};
} // namespace

template <class F, class... Ts> static void selectOperation(const Match &match, Inst &inst) {
  selectModifiers(match, inst);
  inst.replaces = std::is_same_v<F, Exchange>;
  static constexpr Handler handlers[] = {&atomic<Ts, F>...};
  inst.run = handlers[match.indexT];
}

// add.f32 flushes subnormals in global memory and keeps them in shared memory. PTX specifies this regardless of the
// kernel's other instructions.
static void addSingles(Warp &warp, const Inst &inst, Mask lanes) {
  Mask inShared = inst.space == ptx::Space::shared || inst.space == ptx::Space::cluster ? lanes : 0;
  if (inst.space == ptx::Space::generic) {
    uint64_t addresses[warpSize];
    computeAddresses(warp, inst, lanes, inst.op[inst.dests], addresses);
    for (Mask rest = lanes; rest; rest &= rest - 1)
      if (unsigned lane = __builtin_ctz(rest); (addresses[lane] & windowMask) == sharedWindow)
        inShared |= Mask(1) << lane;
  }
  if (inShared)
    atomic<float, Add>(warp, inst, inShared);
  if (lanes & ~inShared)
    atomic<float, AddFlushing>(warp, inst, lanes & ~inShared);
}

static void selectAddSingles(const Match &match, Inst &inst) {
  selectModifiers(match, inst);
  inst.run = &addSingles;
}

#define MODIFIERS "{.$sem}{.$scope}{.$space}"
// Defines rows for atom.OP and red.OP, for the types in the list, each with the C++ type for the computation.
#define ATOMIC(OP, LIST, F, ...)                                                                                       \
  {"atom" MODIFIERS "." OP "{.$hint}.T d, [a], b, c:b64?; T = " LIST, selectOperation<F, __VA_ARGS__>}, {              \
    "red" MODIFIERS "." OP "{.$hint}.T [a], b, c:b64?; T = " LIST, selectOperation<F, __VA_ARGS__>                     \
  }
// Defines rows for operations on vectors (sm_90), which are executed element by element.
#define VECTOR_ATOMIC(OP, LIST, F, ...)                                                                                \
  {"atom{.$sem}{.$scope}{.global}." OP "{.$hint}.$vec.T {d}, [a], {b}, c:b64?; T = " LIST,                             \
   selectOperation<F, __VA_ARGS__>},                                                                                   \
  {                                                                                                                    \
    "red{.$sem}{.$scope}{.global}." OP "{.$hint}.$vec.T [a], {b}, c:b64?; T = " LIST, selectOperation<F, __VA_ARGS__>  \
  }

Rows tilecc::emu::atomicRows() {
  return {
      ATOMIC("add", "u32 s32 u64", Add, u32, u32, u64),
      {"atom" MODIFIERS ".add{.$hint}.T d, [a], b, c:b64?; T = f32", selectAddSingles},
      {"red" MODIFIERS ".add{.$hint}.T [a], b, c:b64?; T = f32", selectAddSingles},
      ATOMIC("add", "f64", Add, double),
      ATOMIC("add.noftz", "f16 f16x2 bf16 bf16x2", Add, f16, f16x2, bf16, bf16x2),
      ATOMIC("min", "u32 s32 u64 s64", Min, u32, s32, u64, s64),
      ATOMIC("max", "u32 s32 u64 s64", Max, u32, s32, u64, s64),
      ATOMIC("inc", "u32", Increment, u32),
      ATOMIC("dec", "u32", Decrement, u32),
      ATOMIC("and", "b32 b64", And, u32, u64),
      ATOMIC("or", "b32 b64", Or, u32, u64),
      ATOMIC("xor", "b32 b64", Xor, u32, u64),
      {"atom" MODIFIERS ".exch{.$hint}.T d, [a], b, c:b64?; T = b32 b64 b128",
       selectOperation<Exchange, u32, u64, u128>},
      VECTOR_ATOMIC("add", "f32", AddFlushing, float),
      VECTOR_ATOMIC("add.noftz", "f16 f16x2 bf16 bf16x2", Add, f16, f16x2, bf16, bf16x2),
      VECTOR_ATOMIC("min.noftz", "f16 f16x2 bf16 bf16x2", Min, f16, f16x2, bf16, bf16x2),
      VECTOR_ATOMIC("max.noftz", "f16 f16x2 bf16 bf16x2", Max, f16, f16x2, bf16, bf16x2),
      {"atom" MODIFIERS ".cas{.$hint}.T d, [a], b, c, h:b64?; T = b16 b32 b64 b128",
       [](const Match &match, Inst &inst) {
         selectModifiers(match, inst);
         inst.run = bySize(inst.elementBytes, nullptr, &compareAndSwap<u16>, &compareAndSwap<u32>, &compareAndSwap<u64>,
                           &compareAndSwap<u128>);
       }},
  };
}
