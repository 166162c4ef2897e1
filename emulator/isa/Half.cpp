//===-- Half.cpp - half precision, scalar and packed (PTX ISA 9.7.4) -------------------------------------------===//
#include "emulator/isa/numerics/Approximate.h"
#include "emulator/isa/numerics/Arithmetic.h"
#include "emulator/isa/numerics/Compare.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;

// Applies f to a number, or to both halves of a pair.
template <class F> static f16x2 each(f16x2 a, F f) { return f16x2::of(f(a.lo()), f(a.hi())); }
template <class F> static bf16x2 each(bf16x2 a, F f) { return bf16x2::of(f(a.lo()), f(a.hi())); }
template <Half T, class F> static T each(T a, F f) { return f(a); }
template <class F> static f16x2 each(f16x2 a, f16x2 b, F f) { return f16x2::of(f(a.lo(), b.lo()), f(a.hi(), b.hi())); }
template <class F> static bf16x2 each(bf16x2 a, bf16x2 b, F f) {
  return bf16x2::of(f(a.lo(), b.lo()), f(a.hi(), b.hi()));
}
template <Half T, class F> static T each(T a, T b, F f) { return f(a, b); }
template <class F> static f16x2 each(f16x2 a, f16x2 b, f16x2 c, F f) {
  return f16x2::of(f(a.lo(), b.lo(), c.lo()), f(a.hi(), b.hi(), c.hi()));
}
template <class F> static bf16x2 each(bf16x2 a, bf16x2 b, bf16x2 c, F f) {
  return bf16x2::of(f(a.lo(), b.lo(), c.lo()), f(a.hi(), b.hi(), c.hi()));
}
template <Half T, class F> static T each(T a, T b, T c, F f) { return f(a, b, c); }

template <class T, bool Max> static void minMaxLanes(Warp &warp, const Inst &inst, Mask lanes) {
  const T *a = warp.row<T>(inst.op[1]), *b = warp.row<T>(inst.op[2]);
  MinMaxModifiers modifiers;
  modifiers.ftz = inst.extra & 1;
  modifiers.nan = inst.extra & 2;
  modifiers.xorsignAbs = inst.extra & 4;
  writeRow<T>(warp, inst.op[0], lanes, [&](unsigned lane) {
    return each(a[lane], b[lane], [&](auto x, auto y) { return Max ? max(x, y, modifiers) : min(x, y, modifiers); });
  });
}

template <bool Max> static void selectMinMax(const Match &match, Inst &inst) {
  inst.extra = match.has("ftz") + 2 * match.has("NaN") + 4 * match.has("abs");
  static constexpr Handler handlers[] = {&minMaxLanes<f16, Max>, &minMaxLanes<f16x2, Max>, &minMaxLanes<bf16, Max>,
                                         &minMaxLanes<bf16x2, Max>};
  inst.run = handlers[match.indexT];
}

// Applies f to two single-precision numbers in a 64-bit register (sm_100).
template <class F> static u64 eachSingle(u64 a, u64 b, u64 c, F f) {
  auto half = [](u64 pair, unsigned at) { return floatOf(static_cast<u32>(pair >> at)); };
  u32 low = bitsOf(f(half(a, 0), half(b, 0), half(c, 0))), high = bitsOf(f(half(a, 32), half(b, 32), half(c, 32)));
  return u64(high) << 32 | low;
}

Rows tilecc::emu::halfRows() {
  return {
      op<"add{.rn}{.ftz}{.sat}.T d, a, b; T = f16 f16x2 bf16 bf16x2">(
          [](auto a, auto b, const Modifiers &m) { return each(a, b, [&](auto x, auto y) { return add(x, y, m); }); }),
      op<"sub{.rn}{.ftz}{.sat}.T d, a, b; T = f16 f16x2 bf16 bf16x2">(
          [](auto a, auto b, const Modifiers &m) { return each(a, b, [&](auto x, auto y) { return sub(x, y, m); }); }),
      op<"mul{.rn}{.ftz}{.sat}.T d, a, b; T = f16 f16x2 bf16 bf16x2">(
          [](auto a, auto b, const Modifiers &m) { return each(a, b, [&](auto x, auto y) { return mul(x, y, m); }); }),
      op<"fma.rn{.ftz}{.sat}{.relu}.T d, a, b, c; T = f16 f16x2 bf16 bf16x2">(
          [](auto a, auto b, auto c, const Modifiers &m) {
            return each(a, b, c, [&](auto x, auto y, auto z) { return fma(x, y, z, m); });
          }),
      op<"neg{.ftz}.T d, a; T = f16 f16x2 bf16 bf16x2">(
          [](auto a, const Modifiers &m) { return each(a, [&](auto x) { return neg(x, m); }); }),
      op<"abs{.ftz}.T d, a; T = f16 f16x2 bf16 bf16x2">(
          [](auto a, const Modifiers &m) { return each(a, [&](auto x) { return abs(x, m); }); }),
      {"min{.ftz}{.NaN}{.xorsign}{.abs}.T d, a, b; T = f16 f16x2 bf16 bf16x2", selectMinMax<false>},
      {"max{.ftz}{.NaN}{.xorsign}{.abs}.T d, a, b; T = f16 f16x2 bf16 bf16x2", selectMinMax<true>},
      op<"ex2.approx{.ftz}.T d, a; T = f16 f16x2 bf16 bf16x2">(
          [](auto a, const Modifiers &m) { return each(a, [&](auto x) { return ex2Approx(x, m); }); }),
      op<"tanh.approx.T d, a; T = f16 f16x2 bf16 bf16x2">(
          [](auto a) { return each(a, [](auto x) { return tanhApprox(x); }); }),
      // Mixed-precision sums (sm_100).
      op<"add{.$rnd}{.sat}.f32.T d:f32, a, b:f32; T = f16 bf16">(
          [](auto a, float b, const Modifiers &m) { return add(toFloat(a), b, m); }),
      op<"sub{.$rnd}{.sat}.f32.T d:f32, a, b:f32; T = f16 bf16">(
          [](auto a, float b, const Modifiers &m) { return sub(toFloat(a), b, m); }),
      op<"fma.$rnd{.sat}.f32.T d:f32, a, b, c:f32; T = f16 bf16">(
          [](auto a, auto b, float c, const Modifiers &m) { return fma(toFloat(a), toFloat(b), c, m); }),
      op<"add{.$rnd}{.ftz}.T d, a, b; T = f32x2">([](u64 a, u64 b, const Modifiers &m) {
        return eachSingle(a, b, 0, [&](float x, float y, float) { return add(x, y, m); });
      }),
      op<"sub{.$rnd}{.ftz}.T d, a, b; T = f32x2">([](u64 a, u64 b, const Modifiers &m) {
        return eachSingle(a, b, 0, [&](float x, float y, float) { return sub(x, y, m); });
      }),
      op<"mul{.$rnd}{.ftz}.T d, a, b; T = f32x2">([](u64 a, u64 b, const Modifiers &m) {
        return eachSingle(a, b, 0, [&](float x, float y, float) { return mul(x, y, m); });
      }),
      op<"fma.$rnd{.ftz}.T d, a, b, c; T = f32x2">([](u64 a, u64 b, u64 c, const Modifiers &m) {
        return eachSingle(a, b, c, [&](float x, float y, float z) { return fma(x, y, z, m); });
      }),
  };
}
