//===-- Integer.cpp - integer arithmetic (PTX ISA 9.7.1, 9.7.2) ------------------------------------------------===//
#include "emulator/isa/numerics/Integer.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;

//===-- Instructions with carries ------------------------------------------------------------------------------===//

// The flag that .cc writes and addc reads is an additional predicate. op: d, the carry out (if any), a, b, c (if any),
// the carry in.
template <class T, class F> static void withCarry(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned sources = inst.sources - (inst.extra & 1), first = inst.dests;
  const T *a = warp.row<T>(inst.op[first]), *b = warp.row<T>(inst.op[first + 1]);
  const T *c = sources > 2 ? warp.row<T>(inst.op[first + 2]) : a;
  Mask none = inst.extra & 2 ? allLanes : 0; // represents no carry
  Mask in = inst.extra & 1 ? warp.mask(inst.op[first + sources]) : none, out = 0;
  writeRow<T>(warp, inst.op[0], lanes, [&](unsigned lane) {
    WithCarry<T> result = F{}(a[lane], b[lane], c[lane], bool(in >> lane & 1));
    out |= Mask(result.carry) << lane;
    return result.value;
  });
  if (inst.dests > 1) {
    Mask &cc = warp.mask(inst.op[1]);
    cc = (cc & ~lanes) | (out & lanes);
  }
}

namespace {
struct Add {
  template <class T> auto operator()(T a, T b, T, bool carry) const { return addCarry(a, b, carry); }
};
struct Sub { // adds the complement: a borrow is the inverse of a carry, which matters if a kernel mixes both
  template <class T> auto operator()(T a, T b, T, bool carry) const {
    WithCarry<T> result = subBorrow(a, b, !carry);
    return WithCarry<T>{result.value, !result.carry};
  }
};
struct MadLo {
  template <class T> auto operator()(T a, T b, T c, bool carry) const { return madLoCarry(a, b, c, carry); }
};
struct MadHi { // the signs of the factors affect the upper half
  template <class T> auto operator()(T a, T b, T c, bool carry) const { return madHiCarry(a, b, c, carry); }
};
struct MadHiSigned {
  template <class T> auto operator()(T a, T b, T c, bool carry) const {
    using S = std::make_signed_t<T>;
    WithCarry<S> result = madHiCarry(S(a), S(b), S(c), carry);
    return WithCarry<T>{T(result.value), result.carry};
  }
};
} // namespace

template <class F> static void selectCarry(const Match &match, Inst &inst) {
  inst.extra = (match.syntax.find("cc in") != std::string_view::npos) + 2 * std::is_same_v<F, Sub>;
  inst.run = ptx::info(match.T).bits == 32 ? &withCarry<u32, F> : &withCarry<u64, F>;
}

//===-- The rows -----------------------------------------------------------------------------------------------===//

Rows tilecc::emu::integerRows() {
  return {
      op<"add.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return wrappingAdd(a, b); }),
      op<"add.sat.T d, a, b; T = s32">([](s32 a, s32 b) { return addSat(a, b); }),
      op<"add.T d, a, b; T = u16x2 s16x2">(
          [](u32 a, u32 b) { return ((a + b) & 0xffff) | ((a & 0xffff0000) + (b & 0xffff0000)); }),
      op<"sub.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return wrappingSub(a, b); }),
      op<"sub.sat.T d, a, b; T = s32">([](s32 a, s32 b) { return subSat(a, b); }),
      op<"mul.lo.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return mulLo(a, b); }),
      op<"mul.hi.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return mulHi(a, b); }),
      op<"mul.wide.T d:b32, a, b; T = u16 s16">([](auto a, auto b) { return mulWide(a, b); }),
      op<"mul.wide.T d:b64, a, b; T = u32 s32">([](auto a, auto b) { return mulWide(a, b); }),
      op<"mad.lo.T d, a, b, c; T = u16 u32 u64 s16 s32 s64">(
          [](auto a, auto b, auto c) { return wrappingAdd(mulLo(a, b), c); }),
      op<"mad.hi.T d, a, b, c; T = u16 u32 u64 s16 s32 s64">(
          [](auto a, auto b, auto c) { return wrappingAdd(mulHi(a, b), c); }),
      op<"mad.hi.sat.T d, a, b, c; T = s32">([](s32 a, s32 b, s32 c) { return madHiSat(a, b, c); }),
      op<"mad.wide.T d:b32, a, b, c:b32; T = u16 s16">([](auto a, auto b, u32 c) { return u32(mulWide(a, b)) + c; }),
      op<"mad.wide.T d:b64, a, b, c:b64; T = u32 s32">([](auto a, auto b, u64 c) { return u64(mulWide(a, b)) + c; }),
      op<"mul24.lo.T d, a, b; T = u32 s32">([](auto a, auto b) { return mul24Lo(a, b); }),
      op<"mul24.hi.T d, a, b; T = u32 s32">([](auto a, auto b) { return mul24Hi(a, b); }),
      op<"mad24.lo.T d, a, b, c; T = u32 s32">([](auto a, auto b, auto c) { return wrappingAdd(mul24Lo(a, b), c); }),
      op<"mad24.hi.T d, a, b, c; T = u32 s32">([](auto a, auto b, auto c) { return wrappingAdd(mul24Hi(a, b), c); }),
      op<"mad24.hi.sat.T d, a, b, c; T = s32">([](s32 a, s32 b, s32 c) { return mad24HiSat(a, b, c); }),
      op<"sad.T d, a, b, c; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b, auto c) { return sad(a, b, c); }),
      op<"div.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return div(a, b); }),
      op<"rem.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return rem(a, b); }),
      op<"abs.T d, a; T = s16 s32 s64">([](auto a) { return abs(a); }),
      op<"neg.T d, a; T = s16 s32 s64">([](auto a) { return neg(a); }),
      op<"min{.relu}.T d, a, b; T = s32">([](s32 a, s32 b, const Modifiers &m) { return min(a, b, m.relu); }),
      op<"max{.relu}.T d, a, b; T = s32">([](s32 a, s32 b, const Modifiers &m) { return max(a, b, m.relu); }),
      op<"min.T d, a, b; T = u16 u32 u64 s16 s64">([](auto a, auto b) { return min(a, b); }),
      op<"max.T d, a, b; T = u16 u32 u64 s16 s64">([](auto a, auto b) { return max(a, b); }),
      op<"dp4a.u32.u32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp4a(a, b, c, false, false); }),
      op<"dp4a.u32.s32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp4a(a, b, c, false, true); }),
      op<"dp4a.s32.u32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp4a(a, b, c, true, false); }),
      op<"dp4a.s32.s32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp4a(a, b, c, true, true); }),
      op<"dp2a.lo.u32.u32 d:u32, a:b32, b:b32, c:u32">(
          [](u32 a, u32 b, u32 c) { return dp2a(a, b, c, false, false, false); }),
      op<"dp2a.lo.u32.s32 d:u32, a:b32, b:b32, c:u32">(
          [](u32 a, u32 b, u32 c) { return dp2a(a, b, c, false, true, false); }),
      op<"dp2a.lo.s32.u32 d:u32, a:b32, b:b32, c:u32">(
          [](u32 a, u32 b, u32 c) { return dp2a(a, b, c, true, false, false); }),
      op<"dp2a.lo.s32.s32 d:u32, a:b32, b:b32, c:u32">(
          [](u32 a, u32 b, u32 c) { return dp2a(a, b, c, true, true, false); }),
      op<"dp2a.hi.u32.u32 d:u32, a:b32, b:b32, c:u32">(
          [](u32 a, u32 b, u32 c) { return dp2a(a, b, c, false, false, true); }),
      op<"dp2a.hi.u32.s32 d:u32, a:b32, b:b32, c:u32">(
          [](u32 a, u32 b, u32 c) { return dp2a(a, b, c, false, true, true); }),
      op<"dp2a.hi.s32.u32 d:u32, a:b32, b:b32, c:u32">(
          [](u32 a, u32 b, u32 c) { return dp2a(a, b, c, true, false, true); }),
      op<"dp2a.hi.s32.s32 d:u32, a:b32, b:b32, c:u32">(
          [](u32 a, u32 b, u32 c) { return dp2a(a, b, c, true, true, true); }),
      {"add.cc.T d, a, b; T = u32 s32 u64 s64; cc out", selectCarry<Add>},
      {"addc.T d, a, b; T = u32 s32 u64 s64; cc in", selectCarry<Add>},
      {"addc.cc.T d, a, b; T = u32 s32 u64 s64; cc in; cc out", selectCarry<Add>},
      {"sub.cc.T d, a, b; T = u32 s32 u64 s64; cc out", selectCarry<Sub>},
      {"subc.T d, a, b; T = u32 s32 u64 s64; cc in", selectCarry<Sub>},
      {"subc.cc.T d, a, b; T = u32 s32 u64 s64; cc in; cc out", selectCarry<Sub>},
      {"mad.lo.cc.T d, a, b, c; T = u32 s32 u64 s64; cc out", selectCarry<MadLo>},
      {"madc.lo.T d, a, b, c; T = u32 s32 u64 s64; cc in", selectCarry<MadLo>},
      {"madc.lo.cc.T d, a, b, c; T = u32 s32 u64 s64; cc in; cc out", selectCarry<MadLo>},
      {"mad.hi.cc.T d, a, b, c; T = u32 u64; cc out", selectCarry<MadHi>},
      {"madc.hi.T d, a, b, c; T = u32 u64; cc in", selectCarry<MadHi>},
      {"madc.hi.cc.T d, a, b, c; T = u32 u64; cc in; cc out", selectCarry<MadHi>},
      {"mad.hi.cc.T d, a, b, c; T = s32 s64; cc out", selectCarry<MadHiSigned>},
      {"madc.hi.T d, a, b, c; T = s32 s64; cc in", selectCarry<MadHiSigned>},
      {"madc.hi.cc.T d, a, b, c; T = s32 s64; cc in; cc out", selectCarry<MadHiSigned>},
  };
}
