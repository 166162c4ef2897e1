//===-- Atomics.cpp - atom and red (PTX ISA 9.7.13) ------------------------------------------------------------===//
//
// Lanes act one after the other, in the order of their numbers. Blocks may run on several threads of the host, so each
// action is a compare-and-swap there: one way for all operations and types.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/exec/MemoryAccess.h"
#include "emulator/isa/MemoryModifiers.h"
#include "emulator/isa/numerics/Arithmetic.h"
#include "emulator/isa/Table.h"

#include <algorithm>

using namespace tilecc::emu;

// An unsigned integer as wide as T.
template <unsigned bytes> struct BitsOfSize;
template <> struct BitsOfSize<2> { using type = u16; };
template <> struct BitsOfSize<4> { using type = u32; };
template <> struct BitsOfSize<8> { using type = u64; };
template <class T> using Bits = typename BitsOfSize<sizeof(T)>::type;

// Replaces *at by change(*at); returns what it was.
template <class T, class F> static T update(Warp &warp, std::byte *at, F change) {
  auto *bits = reinterpret_cast<Bits<T> *>(at);
  Bits<T> was = __atomic_load_n(bits, __ATOMIC_SEQ_CST), wanted;
  do {
    wanted = std::bit_cast<Bits<T>>(change(std::bit_cast<T>(was)));
  } while (!__atomic_compare_exchange_n(bits, &was, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  warp.changes += wanted != was;
  return std::bit_cast<T>(was);
}

// op: the old values, if wanted, one for each element of a vector; the address; the new values.
template <class T, class F> static void atomic(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned elements = inst.sources - 1 - inst.extra, first = inst.dests;
  Pointers to = access(warp, inst, lanes, first, elements * sizeof(T), Access::atomic);
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    for (unsigned element = 0; element < elements; ++element) {
      T operand = warp.row<T>(inst.op[first + 1 + element])[lane];
      T was = update<T>(warp, to.at[lane] + element * sizeof(T), [&](T value) { return static_cast<T>(F{}(value, operand)); });
      if (inst.dests)
        warp.row<T>(inst.op[element])[lane] = was;
    }
  }
}

// op: the old value, if wanted; the address; what is compared with; the new value.
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

// A row for atom and one for red of one operation.
template <FixedString atom, FixedString red, class F, class... Ts> static void addOperation(Rows &rows) {
  auto select = [](const Match &match, Inst &inst) {
    selectModifiers(match, inst);
    static constexpr Handler handlers[] = {&atomic<Ts, F>...};
    inst.run = handlers[match.indexT];
  };
  rows.push_back({atom.view(), select});
  rows.push_back({red.view(), select});
}

#define ATOMIC_MODIFIERS "{.$sem}{.$scope}{.$space}"
// Adds atom.OP and red.OP for the types of the list, each with the C++ type to compute in.
#define ATOMIC(OP, LIST, F, ...)                                                                                       \
  addOperation<"atom" ATOMIC_MODIFIERS "." OP "{.$hint}.T d, [a], b, c:b64?; T = " LIST,                               \
               "red" ATOMIC_MODIFIERS "." OP "{.$hint}.T [a], b, c:b64?; T = " LIST, F, __VA_ARGS__>(rows)

namespace {
struct Add {
  u32 operator()(u32 a, u32 b) const { return a + b; }
  u64 operator()(u64 a, u64 b) const { return a + b; }
  float operator()(float a, float b) const { return tilecc::emu::add(a, b, Modifiers()); }
  double operator()(double a, double b) const { return tilecc::emu::add(a, b, Modifiers()); }
  f16 operator()(f16 a, f16 b) const { return tilecc::emu::add(a, b, Modifiers()); }
  bf16 operator()(bf16 a, bf16 b) const { return tilecc::emu::add(a, b, Modifiers()); }
  f16x2 operator()(f16x2 a, f16x2 b) const { return f16x2::of((*this)(a.lo(), b.lo()), (*this)(a.hi(), b.hi())); }
  bf16x2 operator()(bf16x2 a, bf16x2 b) const { return bf16x2::of((*this)(a.lo(), b.lo()), (*this)(a.hi(), b.hi())); }
};
// atom.add.f32 on global memory flushes subnormals: PTX says so, whatever the kernel's other instructions do.
struct AddFlushing {
  float operator()(float a, float b) const {
    Modifiers modifiers;
    modifiers.ftz = true;
    return tilecc::emu::add(a, b, modifiers);
  }
};
struct Min { template <class T> T operator()(T a, T b) const { return std::min(a, b); } };
struct Max { template <class T> T operator()(T a, T b) const { return std::max(a, b); } };
struct Increment { u32 operator()(u32 a, u32 b) const { return a >= b ? 0 : a + 1; } };
struct Decrement { u32 operator()(u32 a, u32 b) const { return a == 0 || a > b ? b : a - 1; } };
struct And { template <class T> T operator()(T a, T b) const { return a & b; } };
struct Or { template <class T> T operator()(T a, T b) const { return a | b; } };
struct Xor { template <class T> T operator()(T a, T b) const { return a ^ b; } };
struct Exchange { template <class T> T operator()(T, T b) const { return b; } };
} // namespace

Rows tilecc::emu::atomicRows() {
  Rows rows;
  ATOMIC("add", "u32 s32 u64 s64", Add, u32, u32, u64, u64);
  ATOMIC("add", "f32", AddFlushing, float);
  ATOMIC("add", "f64", Add, double);
  ATOMIC("add.noftz", "f16 f16x2 bf16 bf16x2", Add, f16, f16x2, bf16, bf16x2);
  ATOMIC("min", "u32 s32 u64 s64", Min, u32, s32, u64, s64);
  ATOMIC("max", "u32 s32 u64 s64", Max, u32, s32, u64, s64);
  ATOMIC("inc", "u32", Increment, u32);
  ATOMIC("dec", "u32", Decrement, u32);
  ATOMIC("and", "b32 b64", And, u32, u64);
  ATOMIC("or", "b32 b64", Or, u32, u64);
  ATOMIC("xor", "b32 b64", Xor, u32, u64);
  ATOMIC("exch", "b32 b64", Exchange, u32, u64);
  // Vectors (sm_90): each element for itself.
#define VECTOR_ATOMIC(LIST, F, ...)                                                                                    \
  addOperation<"atom{.$sem}{.$scope}{.global}.add{.noftz}{.$hint}.$vec.T {d}, [a], {b}, c:b64?; T = " LIST,            \
               "red{.$sem}{.$scope}{.global}.add{.noftz}{.$hint}.$vec.T [a], {b}, c:b64?; T = " LIST, F, __VA_ARGS__>(rows)
  VECTOR_ATOMIC("f32", AddFlushing, float);
  VECTOR_ATOMIC("f16 f16x2 bf16 bf16x2", Add, f16, f16x2, bf16, bf16x2);
  rows.push_back({"atom" ATOMIC_MODIFIERS ".cas{.$hint}.T d, [a], b, c, h:b64?; T = b16 b32 b64",
                  [](const Match &match, Inst &inst) {
                    selectModifiers(match, inst);
                    inst.run = bySize(inst.elementBytes, nullptr, &compareAndSwap<u16>, &compareAndSwap<u32>,
                                      &compareAndSwap<u64>);
                  }});
  return rows;
}
