// Instructions on the halves and bytes of words (PTX ISA 9.7.18).
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Program> tilecc::emu::test::videoPrograms() { return {}; }

std::vector<Answers> tilecc::emu::test::videoAnswers() {
  return {
      // There is no carry between parts; with .sat, parts saturate.
      {"vadd2.u32.u32.u32 %rx, %ra, %rb, 0", "0x0001ffff 0x00020001 -> 0x00030000"},
      {"vadd2.u32.u32.u32.sat %rx, %ra, %rb, 0", "0x0001ffff 0x00020001 -> 0x0003ffff"},
      {"vadd2.s32.s32.s32 %rx, %ra, %rb, 0", "0x7fff8000 0x0001ffff -> 0x80007fff"},
      {"vadd2.s32.s32.s32.sat %rx, %ra, %rb, 0", "0x7fff8000 0x0001ffff -> 0x7fff8000; 0x00050005 0xfffd0001 -> 0x00020006"},
      {"vadd4.u32.u32.u32 %rx, %ra, %rb, 0", "0xff01807f 0x02028001 -> 0x01030080"},
      {"vadd4.u32.u32.u32.sat %rx, %ra, %rb, 0", "0xff01807f 0x02028001 -> 0xff03ff80"},
      {"vadd4.s32.s32.s32 %rx, %ra, %rb, 0", "0x7f80ff01 0x01ff0102 -> 0x807f0003"},
      {"vadd4.s32.s32.s32.sat %rx, %ra, %rb, 0", "0x7f80ff01 0x01ff0102 -> 0x7f800003"},
      {"vsub2.u32.u32.u32 %rx, %ra, %rb, 0", "0x00010000 0x00020001 -> 0xffffffff"},
      {"vsub2.u32.u32.u32.sat %rx, %ra, %rb, 0", "0x00010009 0x00020001 -> 0x00000008"},
      {"vsub2.s32.s32.s32 %rx, %ra, %rb, 0", "0x80000005 0x00010007 -> 0x7ffffffe"},
      {"vsub2.s32.s32.s32.sat %rx, %ra, %rb, 0", "0x80000005 0x00010007 -> 0x8000fffe; 0x7fff0000 0xffff0000 -> 0x7fff0000"},
      {"vsub4.u32.u32.u32 %rx, %ra, %rb, 0", "0x00050105 0x01030206 -> 0xff02ffff"},
      {"vsub4.u32.u32.u32.sat %rx, %ra, %rb, 0", "0x00050105 0x01030206 -> 0x00020000"},
      {"vsub4.s32.s32.s32 %rx, %ra, %rb, 0", "0x807f0001 0x01ff0002 -> 0x7f8000ff"},
      {"vsub4.s32.s32.s32.sat %rx, %ra, %rb, 0", "0x807f0001 0x01ff0002 -> 0x807f00ff"},
      {"vabsdiff2.u32.u32.u32 %rx, %ra, %rb, 0", "0x0001ffff 0x00030000 -> 0x0002ffff"},
      {"vabsdiff2.s32.s32.s32 %rx, %ra, %rb, 0", "0x8000ffff 0x7fff0001 -> 0xffff0002"},
      {"vabsdiff2.s32.s32.s32.sat %rx, %ra, %rb, 0", "0x8000ffff 0x7fff0001 -> 0x7fff0002"},
      {"vabsdiff4.u32.u32.u32 %rx, %ra, %rb, 0", "0xff000105 0x00ff0306 -> 0xffff0201"},
      {"vabsdiff4.s32.s32.s32 %rx, %ra, %rb, 0", "0x80ff0105 0x7f010306 -> 0xff020201"},
      {"vabsdiff4.s32.s32.s32.sat %rx, %ra, %rb, 0", "0x80ff0105 0x7f010306 -> 0x7f020201"},
      {"vabsdiff2.u32.u32.u32.add %rx, %ra, %rb, %rc", "0x0001ffff 0x00030000 5 -> 0x00010006"},
      {"vabsdiff2.s32.s32.s32.add %rx, %ra, %rb, %rc", "0x8000ffff 0x7fff0001 5 -> 0x00010006"},
      {"vabsdiff4.u32.u32.u32.add %rx, %ra, %rb, %rc", "0xff000105 0x00ff0306 5 -> 518"},
      {"vabsdiff4.s32.s32.s32.add %rx, %ra, %rb, %rc", "0x80ff0105 0x7f010306 5 -> 265"},
      {"vmin2.u32.u32.u32 %rx, %ra, %rb, 0", "0xffff0001 0x00010002 -> 0x00010001"},
      {"vmin2.s32.s32.s32 %rx, %ra, %rb, 0", "0xffff0001 0x00010002 -> 0xffff0001"},
      {"vmin4.u32.u32.u32 %rx, %ra, %rb, 0", "0xff018000 0x01027f05 -> 0x01017f00"},
      {"vmin4.s32.s32.s32 %rx, %ra, %rb, 0", "0xff018000 0x01027f05 -> 0xff018000"},
      {"vmax2.u32.u32.u32 %rx, %ra, %rb, 0", "0xffff0001 0x00010002 -> 0xffff0002"},
      {"vmax2.s32.s32.s32 %rx, %ra, %rb, 0", "0xffff0001 0x00010002 -> 0x00010002"},
      {"vmax4.u32.u32.u32 %rx, %ra, %rb, 0", "0xff018000 0x01027f05 -> 0xff028005"},
      {"vmax4.s32.s32.s32 %rx, %ra, %rb, 0", "0xff018000 0x01027f05 -> 0x01027f05"},
      // Averages are rounded up.
      {"vavrg2.u32.u32.u32 %rx, %ra, %rb, 0", "0xffff0002 0xffff0005 -> 0xffff0004"},
      {"vavrg4.u32.u32.u32 %rx, %ra, %rb, 0", "0xff020001 0xff050000 -> 0xff040001"},
      {"vset2.u32.u32.gt %rx, %ra, %rb, 0", "0xffff0001 0x00010001 -> 0x00010000"},
      {"vset2.u32.u32.ne %rx, %ra, %rb, 0", "0xffff0001 0x00010001 -> 0x00010000"},
      {"vset2.s32.s32.lt %rx, %ra, %rb, 0", "0xffff0001 0x00010001 -> 0x00010000"},
      {"vset4.u32.u32.eq %rx, %ra, %rb, 0", "0x01020304 0x01000300 -> 0x01000100"},
      {"vset4.u32.u32.ge %rx, %ra, %rb, 0", "0x80020304 0x01030300 -> 0x01000101"},
      {"vset4.s32.s32.le %rx, %ra, %rb, 0", "0x80020304 0x01030300 -> 0x01010100"},
      {"vset4.s32.s32.gt %rx, %ra, %rb, 0", "0x80020304 0x01030300 -> 0x00000001"},
  };
}
