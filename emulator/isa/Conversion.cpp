//===-- Conversion.cpp - cvt (PTX ISA 9.7.9.21) ----------------------------------------------------------------===//
#include "emulator/isa/numerics/Convert.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;

// op: d, a
template <class To, class From> static void convertLanes(Warp &warp, const Inst &inst, Mask lanes) {
  const From *from = warp.row<From>(inst.op[1]);
  const Modifiers modifiers = inst.fp;
  writeRow<To>(warp, inst.op[0], lanes, [&](unsigned lane) { return convert<To>(from[lane], modifiers); });
}

// The same without modifiers, except .rn, as compile-time constants.
template <class To, class From> static void convertUsually(Warp &warp, const Inst &inst, Mask lanes) {
  const From *from = warp.row<From>(inst.op[1]);
  writeRow<To>(warp, inst.op[0], lanes, [&](unsigned lane) { return convert<To>(from[lane]); });
}

// cvt.rzi.f32.f32 and similar: source and destination have the same type.
template <class T> static void roundLanes(Warp &warp, const Inst &inst, Mask lanes) {
  const T *from = warp.row<T>(inst.op[1]);
  const Modifiers modifiers = inst.fp;
  writeRow<T>(warp, inst.op[0], lanes, [&](unsigned lane) { return roundToIntegral(from[lane], modifiers); });
}

template <class To, class From> static Handler handlerOf(const Modifiers &modifiers, bool toIntegral) {
  if constexpr (Floating<To> && std::is_same_v<To, From>)
    if (toIntegral)
      return &roundLanes<To>;
  return modifiers == Modifiers() ? &convertUsually<To, From> : &convertLanes<To, From>;
}

// Calls f with a value of the C++ type that represents an integer or floating-point type.
template <class F> static Handler withType(Type type, F f) {
  switch (type) {
  case Type::u8: return f(u8());
  case Type::u16: return f(u16());
  case Type::u32: return f(u32());
  case Type::u64: return f(u64());
  case Type::s8: return f(s8());
  case Type::s16: return f(s16());
  case Type::s32: return f(s32());
  case Type::s64: return f(s64());
  case Type::f16: return f(f16());
  case Type::bf16: return f(bf16());
  case Type::f32: return f(float());
  case Type::f64: return f(double());
  default: return nullptr;
  }
}

static void selectConversion(const Match &match, Inst &inst) {
  inst.fp = fpModifiers(match);
  bool toIntegral = !match["rndi"].empty();
  inst.run = withType(match.U, [&](auto to) {
    return withType(match.T, [&](auto from) {
      using To = decltype(to);
      using From = decltype(from);
      if constexpr (std::is_integral_v<To> && std::is_integral_v<From>)
        if (inst.fp == Modifiers()) // the lower part
          inst.parts = sizeof(From) == 2 * sizeof(To)   ? Parts::half
                       : sizeof(From) >= 4 * sizeof(To) ? Parts::quarter
                                                        : Parts::none;
      return handlerOf<To, From>(inst.fp, toIntegral);
    });
  });
}

namespace {

// Converts each half of a pair.
template <class Pair> struct Halves;
template <> struct Halves<f16x2> {
  using type = f16;
};
template <> struct Halves<bf16x2> {
  using type = bf16;
};
template <> struct Halves<e4m3x2> {
  using type = e4m3;
};
template <> struct Halves<e5m2x2> {
  using type = e5m2;
};

// cvt.x2 d, a, b: a goes to the upper half.
template <class Pair> Pair convertTwo(float a, float b, const Modifiers &modifiers) {
  using Half = typename Halves<Pair>::type;
  return Pair::of(convert<Half>(b, modifiers), convert<Half>(a, modifiers));
}
template <class To, class From> To convertPair(From a, const Modifiers &modifiers) {
  using Half = typename Halves<To>::type;
  return To::of(convert<Half>(a.lo(), modifiers), convert<Half>(a.hi(), modifiers));
}

} // namespace

Rows tilecc::emu::conversionRows() {
  return {
      {"cvt{.$rndi}{.ftz}{.sat}.U.T d:U, a; U = u8 u16 u32 u64 s8 s16 s32 s64 f16 bf16 f32 f64; "
       "T = u8 u16 u32 u64 s8 s16 s32 s64 f16 bf16 f32 f64; wide",
       selectConversion},
      {"cvt.$rnd{.ftz}{.sat}{.relu}{.satfinite}.U.T d:U, a; U = f16 bf16 f32 f64; "
       "T = u8 u16 u32 u64 s8 s16 s32 s64 f16 bf16 f32 f64; wide",
       selectConversion},
      op<"cvt(.rna|.rn|.rz){.relu}{.satfinite}.tf32.T d:b32, a; T = f32">(
          [](float a, const Modifiers &m) { return convert<tf32>(a, m).bits; }),
      op<"cvt(.rn|.rz){.relu}{.satfinite}.f16x2.T d:f16x2, a, b; T = f32">(
          [](float a, float b, const Modifiers &m) { return convertTwo<f16x2>(a, b, m); }),
      op<"cvt(.rn|.rz){.relu}{.satfinite}.bf16x2.T d:bf16x2, a, b; T = f32">(
          [](float a, float b, const Modifiers &m) { return convertTwo<bf16x2>(a, b, m); }),
      op<"cvt.rn.satfinite{.relu}.e4m3x2.T d:e4m3x2, a, b; T = f32">(
          [](float a, float b, const Modifiers &m) { return convertTwo<e4m3x2>(a, b, m); }),
      op<"cvt.rn.satfinite{.relu}.e5m2x2.T d:e5m2x2, a, b; T = f32">(
          [](float a, float b, const Modifiers &m) { return convertTwo<e5m2x2>(a, b, m); }),
      op<"cvt.rn.satfinite{.relu}.e4m3x2.T d:e4m3x2, a; T = f16x2">(
          [](f16x2 a, const Modifiers &m) { return convertPair<e4m3x2>(a, m); }),
      op<"cvt.rn.satfinite{.relu}.e5m2x2.T d:e5m2x2, a; T = f16x2">(
          [](f16x2 a, const Modifiers &m) { return convertPair<e5m2x2>(a, m); }),
      op<"cvt.rn{.relu}.f16x2.T d:f16x2, a; T = e4m3x2 e5m2x2">(
          [](auto a, const Modifiers &m) { return convertPair<f16x2>(a, m); }),
      op<"cvt.pack.sat.u16.T d:b32, a, b; T = s32">([](s32 a, s32 b) { return convertPack<16, false>(a, b); }),
      op<"cvt.pack.sat.s16.T d:b32, a, b; T = s32">([](s32 a, s32 b) { return convertPack<16, true>(a, b); }),
      op<"cvt.pack.sat.u8.T.b32 d:b32, a, b, c:b32; T = s32">(
          [](s32 a, s32 b, u32 c) { return convertPack<8, false>(a, b, c); }),
      op<"cvt.pack.sat.s8.T.b32 d:b32, a, b, c:b32; T = s32">(
          [](s32 a, s32 b, u32 c) { return convertPack<8, true>(a, b, c); }),
      op<"cvt.pack.sat.u4.T.b32 d:b32, a, b, c:b32; T = s32">(
          [](s32 a, s32 b, u32 c) { return convertPack<4, false>(a, b, c); }),
      op<"cvt.pack.sat.s4.T.b32 d:b32, a, b, c:b32; T = s32">(
          [](s32 a, s32 b, u32 c) { return convertPack<4, true>(a, b, c); }),
      op<"cvt.pack.sat.u2.T.b32 d:b32, a, b, c:b32; T = s32">(
          [](s32 a, s32 b, u32 c) { return convertPack<2, false>(a, b, c); }),
      op<"cvt.pack.sat.s2.T.b32 d:b32, a, b, c:b32; T = s32">(
          [](s32 a, s32 b, u32 c) { return convertPack<2, true>(a, b, c); }),
  };
}
