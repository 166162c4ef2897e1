//===-- Multimem.cpp - multimem.ld_reduce, .st and .red (PTX ISA 9.7.9) ----------------------------------------===//
//
// An address of multicast memory stands for one address on each of several GPUs. An instruction accesses all of them,
// one after the other, in the order of the object. Sums of halves are computed in f32 and rounded once. (The order of
// a GPU is not defined.)
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/exec/MemoryAccess.h"
#include "emulator/isa/AtomicUpdate.h"
#include "emulator/isa/MemoryModifiers.h"
#include "emulator/isa/Operators.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;
using namespace tilecc::emu::operators;

namespace {
constexpr unsigned mostElements = 8, mostBytes = 16; // of one lane

// Calls use(lanes, pointers) for each copy of the memory. The address is the operand `address`.
template <class F>
void eachCopy(Warp &warp, const Inst &inst, Mask lanes, unsigned address, uint32_t bytes, Access::Kind kind,
              const std::byte *values, F use) {
  uint64_t addresses[warpSize], copy[warpSize];
  computeAddresses(warp, inst, lanes, inst.op[address], addresses);
  const std::vector<uint64_t> *distances[warpSize];
  size_t most = 0;
  for (Mask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    const DeviceMemory &memory = *warp.block->launch->memory;
    distances[lane] = memory.distancesToCopies(addresses[lane], bytes);
    if (!distances[lane])
      warp.fault(inst, Mask(1) << lane, errorIllegalAddress, "multicast",
                 "a multimem instruction accesses what is not multicast memory, " + memory.describe(addresses[lane]));
    most = std::max(most, distances[lane]->size());
  }
  for (size_t i = 0; i < most; ++i) {
    Mask having = 0;
    for (Mask rest = lanes; rest; rest &= rest - 1)
      if (unsigned lane = __builtin_ctz(rest); i < distances[lane]->size()) {
        having |= Mask(1) << lane;
        copy[lane] = addresses[lane] + (*distances[lane])[i];
      }
    use(having, access(warp, inst, having, copy, ptx::Space::global, bytes, kind, values));
  }
}

// The forms in which elements are combined: as they are, or wider.
template <class T> struct AsItIs {
  using type = T;
  static T from(T value) { return value; }
  static T round(T value) { return value; }
};
template <class T> struct Wide : AsItIs<T> {};
template <Half T> struct Wide<T> {
  using type = float;
  static float from(T value) { return toFloat(value); }
  static T round(float value) { return narrow<T>(value, Rounding::rn); }
};
template <class T> struct WidePair {
  struct type {
    float lo, hi;
  };
  static type from(T value) { return {toFloat(value.lo()), toFloat(value.hi())}; }
  static T round(type value) {
    using Element = decltype(T{}.lo());
    return T::of(narrow<Element>(value.lo, Rounding::rn), narrow<Element>(value.hi, Rounding::rn));
  }
};
template <> struct Wide<f16x2> : WidePair<f16x2> {};
template <> struct Wide<bf16x2> : WidePair<bf16x2> {};

// A sum of wide forms.
struct Sum {
  template <class T> T operator()(T a, T b) const {
    if constexpr (requires { a.hi; })
      return {a.lo + b.lo, a.hi + b.hi};
    else
      return Add()(a, b);
  }
};

// op: the elements, then the address.
template <class T, class F, class Form> void loadReduced(Warp &warp, const Inst &inst, Mask lanes) {
  typename Form::type combined[mostElements][warpSize];
  Mask begun = 0;
  eachCopy(warp, inst, lanes, inst.dests, inst.dests * sizeof(T), Access::load, nullptr,
           [&](Mask having, const Pointers &from) {
             for (Mask rest = having; rest; rest &= rest - 1) {
               unsigned lane = __builtin_ctz(rest);
               for (unsigned element = 0; element < inst.dests; ++element) {
                 Bits<T> bits = __atomic_load_n(reinterpret_cast<const Bits<T> *>(from.at[lane] + element * sizeof(T)),
                                                __ATOMIC_SEQ_CST);
                 auto value = Form::from(std::bit_cast<T>(bits));
                 auto &sum = combined[element][lane];
                 sum = begun >> lane & 1 ? F{}(sum, value) : value;
               }
             }
             begun |= having;
           });
  for (unsigned element = 0; element < inst.dests; ++element)
    for (Mask rest = lanes; rest; rest &= rest - 1) {
      unsigned lane = __builtin_ctz(rest);
      warp.row<T>(inst.op[element])[lane] = Form::round(combined[element][lane]);
    }
}

// op: the address, then the elements.
template <class T> void storeToAll(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned elements = inst.sources - 1;
  std::byte values[warpSize * mostBytes];
  for (unsigned element = 0; element < elements; ++element)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      std::memcpy(values + (lane * elements + element) * sizeof(T), warp.row<T>(inst.op[element + 1]) + lane,
                  sizeof(T));
  eachCopy(warp, inst, lanes, 0, elements * sizeof(T), Access::store, values, [&](Mask having, const Pointers &to) {
    for (Mask rest = having; rest; rest &= rest - 1)
      for (unsigned lane = __builtin_ctz(rest), element = 0; element < elements; ++element)
        update<T>(warp, to.at[lane] + element * sizeof(T), [&](T) { return warp.row<T>(inst.op[element + 1])[lane]; });
  });
  ++warp.changes;
}

template <class T, class F> void updateAll(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned elements = inst.sources - 1;
  eachCopy(warp, inst, lanes, 0, elements * sizeof(T), Access::atomic, nullptr, [&](Mask having, const Pointers &to) {
    for (Mask rest = having; rest; rest &= rest - 1)
      for (unsigned lane = __builtin_ctz(rest), element = 0; element < elements; ++element)
        update<T>(warp, to.at[lane] + element * sizeof(T),
                  [&](T value) { return static_cast<T>(F{}(value, warp.row<T>(inst.op[element + 1])[lane])); });
  });
}

template <template <class> class Form, class F, class... Ts> void selectLoad(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  static constexpr Handler handlers[] = {&loadReduced<Ts, F, Form<Ts>>...};
  inst.run = handlers[match.indexT];
}
template <class... Ts> void selectStore(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  static constexpr Handler handlers[] = {&storeToAll<Ts>...};
  inst.run = handlers[match.indexT];
}
template <class F, class... Ts> void selectUpdate(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  if (inst.order == Order::weak) // an atomic operation is at least relaxed
    inst.order = Order::relaxed;
  static constexpr Handler handlers[] = {&updateAll<Ts, F>...};
  inst.run = handlers[match.indexT];
}
} // namespace

#define MODIFIERS "{.$sem}{.$scope}{.$space}"
#define REDUCTION(OP, LIST, F, ...)                                                                                    \
  {"multimem.ld_reduce" MODIFIERS "." OP ".T d, [a]; T = " LIST, selectLoad<AsItIs, F, __VA_ARGS__>}, {                \
    "multimem.red" MODIFIERS "." OP ".T [a], b; T = " LIST, selectUpdate<F, __VA_ARGS__>                               \
  }

Rows tilecc::emu::multimemRows() {
  return {
      REDUCTION("add", "u32 s32 u64", Add, u32, s32, u64),
      REDUCTION("min", "u32 s32 u64 s64", Min, u32, s32, u64, s64),
      REDUCTION("max", "u32 s32 u64 s64", Max, u32, s32, u64, s64),
      REDUCTION("and", "b32 b64", And, u32, u64),
      REDUCTION("or", "b32 b64", Or, u32, u64),
      REDUCTION("xor", "b32 b64", Xor, u32, u64),
      // There are no instructions for a single half.
      {"multimem.ld_reduce" MODIFIERS ".add{.acc::f32}{.$vec}.T {d}, [a]; T = f32 f64 f16x2 bf16x2",
       selectLoad<Wide, Sum, float, double, f16x2, bf16x2>},
      {"multimem.ld_reduce" MODIFIERS ".add{.acc::f32}.$vec.T {d}, [a]; T = f16 bf16",
       selectLoad<Wide, Sum, f16, bf16>},
      {"multimem.ld_reduce" MODIFIERS ".min{.$vec}.T {d}, [a]; T = f16x2 bf16x2",
       selectLoad<AsItIs, Min, f16x2, bf16x2>},
      {"multimem.ld_reduce" MODIFIERS ".min.$vec.T {d}, [a]; T = f16 bf16", selectLoad<AsItIs, Min, f16, bf16>},
      {"multimem.ld_reduce" MODIFIERS ".max{.$vec}.T {d}, [a]; T = f16x2 bf16x2",
       selectLoad<AsItIs, Max, f16x2, bf16x2>},
      {"multimem.ld_reduce" MODIFIERS ".max.$vec.T {d}, [a]; T = f16 bf16", selectLoad<AsItIs, Max, f16, bf16>},
      {"multimem.st" MODIFIERS "{.$vec}.T [a], {b}; T = b32 b64 u32 u64 s32 s64 f32 f64 f16x2 bf16x2",
       selectStore<u32, u64, u32, u64, u32, u64, u32, u64, u32, u32>},
      {"multimem.st" MODIFIERS ".$vec.T [a], {b}; T = f16 bf16", selectStore<u16, u16>},
      {"multimem.red" MODIFIERS ".add{.$vec}.T [a], {b}; T = f32 f64 f16x2 bf16x2",
       selectUpdate<Add, float, double, f16x2, bf16x2>},
      {"multimem.red" MODIFIERS ".add.$vec.T [a], {b}; T = f16 bf16", selectUpdate<Add, f16, bf16>},
  };
}
