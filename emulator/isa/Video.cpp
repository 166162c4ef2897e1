//===-- Video.cpp - SIMD video instructions (PTX ISA 9.7.18) ----------------------------------------------------===//
//
// Masks that exclude parts, which then come from the third operand, and the average of signed parts are not supported.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/isa/numerics/Video.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;
using namespace tilecc::emu::video;

// Writes 1 to each part for which the comparison holds. op: d, a, b, c
template <unsigned Bits, bool isSigned, class Holds> static void set(Warp &warp, const Inst &inst, Mask lanes) {
  const u32 *a = warp.row<u32>(inst.op[1]), *b = warp.row<u32>(inst.op[2]);
  struct IsTrue {
    s32 operator()(s32 a, s32 b) const { return Holds{}(a, b); }
  };
  writeRow<u32>(warp, inst.op[0], lanes,
                [&](unsigned lane) { return eachPart<Bits, isSigned, IsTrue>(a[lane], b[lane], false); });
}

template <unsigned Bits, bool isSigned> static void selectSet(const Match &match, Inst &inst) {
  inst.run = match.has("eq")   ? &set<Bits, isSigned, std::equal_to<s32>>
             : match.has("ne") ? &set<Bits, isSigned, std::not_equal_to<s32>>
             : match.has("lt") ? &set<Bits, isSigned, std::less<s32>>
             : match.has("le") ? &set<Bits, isSigned, std::less_equal<s32>>
             : match.has("gt") ? &set<Bits, isSigned, std::greater<s32>>
                               : &set<Bits, isSigned, std::greater_equal<s32>>;
}

Rows tilecc::emu::videoRows() {
  return {
      op<"vadd2.u32.u32.u32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<16, false, Add>(a, b, m.sat); }),
      op<"vsub2.u32.u32.u32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<16, false, Sub>(a, b, m.sat); }),
      op<"vabsdiff2.u32.u32.u32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<16, false, AbsoluteDifference>(a, b, m.sat); }),
      op<"vmin2.u32.u32.u32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<16, false, Min>(a, b, m.sat); }),
      op<"vmax2.u32.u32.u32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<16, false, Max>(a, b, m.sat); }),
      op<"vavrg2.u32.u32.u32 d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32) { return eachPart<16, false, Average>(a, b, false); }),
      op<"vabsdiff2.u32.u32.u32.add d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32 c) { return sumOfParts<16, false, AbsoluteDifference>(a, b, c); }),
      {"vset2.u32.u32(.eq|.ne|.lt|.le|.gt|.ge) d:b32, a:b32, b:b32, c:b32", selectSet<16, false>},
      op<"vadd2.s32.s32.s32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<16, true, Add>(a, b, m.sat); }),
      op<"vsub2.s32.s32.s32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<16, true, Sub>(a, b, m.sat); }),
      op<"vabsdiff2.s32.s32.s32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<16, true, AbsoluteDifference>(a, b, m.sat); }),
      op<"vmin2.s32.s32.s32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<16, true, Min>(a, b, m.sat); }),
      op<"vmax2.s32.s32.s32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<16, true, Max>(a, b, m.sat); }),
      op<"vabsdiff2.s32.s32.s32.add d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32 c) { return sumOfParts<16, true, AbsoluteDifference>(a, b, c); }),
      {"vset2.s32.s32(.eq|.ne|.lt|.le|.gt|.ge) d:b32, a:b32, b:b32, c:b32", selectSet<16, true>},
      op<"vadd4.u32.u32.u32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<8, false, Add>(a, b, m.sat); }),
      op<"vsub4.u32.u32.u32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<8, false, Sub>(a, b, m.sat); }),
      op<"vabsdiff4.u32.u32.u32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<8, false, AbsoluteDifference>(a, b, m.sat); }),
      op<"vmin4.u32.u32.u32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<8, false, Min>(a, b, m.sat); }),
      op<"vmax4.u32.u32.u32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<8, false, Max>(a, b, m.sat); }),
      op<"vavrg4.u32.u32.u32 d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32) { return eachPart<8, false, Average>(a, b, false); }),
      op<"vabsdiff4.u32.u32.u32.add d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32 c) { return sumOfParts<8, false, AbsoluteDifference>(a, b, c); }),
      {"vset4.u32.u32(.eq|.ne|.lt|.le|.gt|.ge) d:b32, a:b32, b:b32, c:b32", selectSet<8, false>},
      op<"vadd4.s32.s32.s32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<8, true, Add>(a, b, m.sat); }),
      op<"vsub4.s32.s32.s32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<8, true, Sub>(a, b, m.sat); }),
      op<"vabsdiff4.s32.s32.s32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<8, true, AbsoluteDifference>(a, b, m.sat); }),
      op<"vmin4.s32.s32.s32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<8, true, Min>(a, b, m.sat); }),
      op<"vmax4.s32.s32.s32{.sat} d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32, const Modifiers &m) { return eachPart<8, true, Max>(a, b, m.sat); }),
      op<"vabsdiff4.s32.s32.s32.add d:b32, a:b32, b:b32, c:b32">(
          [](u32 a, u32 b, u32 c) { return sumOfParts<8, true, AbsoluteDifference>(a, b, c); }),
      {"vset4.s32.s32(.eq|.ne|.lt|.le|.gt|.ge) d:b32, a:b32, b:b32, c:b32", selectSet<8, true>},
  };
}
