// Bits: logic, shifts, fields, permutations (PTX ISA 9.7.1, 9.7.8).
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::logicAnswers() {
  return {
      {"and.pred %px, %pa, %pb", "0 0 -> 0; 0 1 -> 0; 1 0 -> 0; 1 1 -> 1"},
      {"and.pred %px, %pa, !%pb", "0 0 -> 0; 0 1 -> 0; 1 0 -> 1; 1 1 -> 0"},
      {"and.b16 %hx, %ha, %hb", "0x1234 0xff0f -> 0x1204"},
      {"and.b32 %rx, %ra, %rb", "0x12345678 0xff00ff0f -> 0x12005608"},
      {"and.b64 %dx, %da, %db", "0x123456789abcdef0 0xff00ff00ff00ff0f -> 0x120056009a00de00"},
      {"or.pred %px, %pa, %pb", "0 0 -> 0; 0 1 -> 1; 1 0 -> 1; 1 1 -> 1"},
      {"or.b16 %hx, %ha, %hb", "0x1234 0xff00 -> 0xff34"},
      {"or.b32 %rx, %ra, %rb", "0x12345678 0x0000ff00 -> 0x1234ff78"},
      {"or.b64 %dx, %da, %db", "0x123456789abcdef0 0xff00000000000001 -> 0xff3456789abcdef1"},
      {"xor.pred %px, %pa, %pb", "0 0 -> 0; 0 1 -> 1; 1 0 -> 1; 1 1 -> 0"},
      {"xor.b16 %hx, %ha, %hb", "0x1234 0xffff -> 0xedcb"},
      {"xor.b32 %rx, %ra, %rb", "0x12345678 0xffffffff -> 0xedcba987"},
      {"xor.b64 %dx, %da, %db", "0x123456789abcdef0 0x123456789abcdef1 -> 1"},
      {"not.pred %px, %pa", "0 -> 1; 1 -> 0"},
      {"not.b16 %hx, %ha", "0x1234 -> 0xedcb"},
      {"not.b32 %rx, %ra", "0x12345678 -> 0xedcba987"},
      {"not.b64 %dx, %da", "0x123456789abcdef0 -> 0xedcba9876543210f"},
      {"cnot.b16 %hx, %ha", "0 -> 1; 1 -> 0; 0x8000 -> 0"},
      {"cnot.b32 %rx, %ra", "0 -> 1; 1 -> 0; 0x80000000 -> 0"},
      {"cnot.b64 %dx, %da", "0 -> 1; 1 -> 0; 0x8000000000000000 -> 0"},

      // An amount above the width has the effect of the width.
      {"shl.b16 %hx, %ha, %rb", "0x8001 1 -> 2; 1 15 -> 0x8000; 1 16 -> 0; 1 0xffffffff -> 0"},
      {"shl.b32 %rx, %ra, %rb", "0x80000001 1 -> 2; 1 31 -> 0x80000000; 1 32 -> 0; 1 33 -> 0"},
      {"shl.b64 %dx, %da, %rb", "1 32 -> 0x100000000; 1 63 -> 0x8000000000000000; 1 64 -> 0"},
      {"shr.b16 %hx, %ha, %rb", "0x8001 1 -> 0x4000; 0x8000 15 -> 1; 0x8000 16 -> 0"},
      {"shr.b32 %rx, %ra, %rb", "0x80000001 1 -> 0x40000000; 0x80000000 31 -> 1; 0x80000000 32 -> 0"},
      {"shr.b64 %dx, %da, %rb", "0x8000000000000000 63 -> 1; -1 64 -> 0; 0x100000000 32 -> 1"},
      {"shr.u16 %hx, %ha, %rb", "0x8001 1 -> 0x4000; 0x8000 16 -> 0"},
      {"shr.u32 %rx, %ra, %rb", "0x80000001 1 -> 0x40000000; 0x80000000 32 -> 0"},
      {"shr.u64 %dx, %da, %rb", "0x8000000000000000 63 -> 1; -1 64 -> 0"},
      {"shr.s16 %hx, %ha, %rb", "0x8001 1 -> 0xc000; 0x8000 16 -> 0xffff; 0x4000 100 -> 0"},
      {"shr.s32 %rx, %ra, %rb", "-8 1 -> -4; 0x80000000 32 -> -1; 0x40000000 100 -> 0"},
      {"shr.s64 %dx, %da, %rb", "-8 1 -> -4; 0x8000000000000000 64 -> -1; 1 64 -> 0"},
      // The 64 bits b:a are shifted; the result is the upper half of a left shift, and the lower half of a right shift.
      {"shf.l.clamp.b32 %rx, %ra, %rb, %rc",
       "0x80000000 1 1 -> 3; 0xaaaaaaaa 0xbbbbbbbb 32 -> 0xaaaaaaaa; 0xaaaaaaaa 0xbbbbbbbb 40 -> 0xaaaaaaaa"},
      {"shf.r.clamp.b32 %rx, %ra, %rb, %rc",
       "2 1 1 -> 0x80000001; 0xaaaaaaaa 0xbbbbbbbb 32 -> 0xbbbbbbbb; 0xaaaaaaaa 0xbbbbbbbb 40 -> 0xbbbbbbbb"},
      {"shf.l.wrap.b32 %rx, %ra, %rb, %rc", "0x80000000 1 33 -> 3; 0xaaaaaaaa 0xbbbbbbbb 32 -> 0xbbbbbbbb"},
      {"shf.r.wrap.b32 %rx, %ra, %rb, %rc", "2 1 33 -> 0x80000001; 0xaaaaaaaa 0xbbbbbbbb 32 -> 0xaaaaaaaa"},
      // The manual's table uses a = 0xf0, b = 0xcc, c = 0xaa.
      {"lop3.b32 %rx, %ra, %rb, %rc, 0x80", "0xf0 0xcc 0xaa -> 0x80"},                // a & b & c
      {"lop3.b32 %rx, %ra, %rb, %rc, 0xfe", "0xf0 0xcc 0xaa -> 0xfe"},                // a | b | c
      {"lop3.b32 %rx, %ra, %rb, %rc, 0x40", "0xf0 0xcc 0xaa -> 0x40"},                // a & b & ~c
      {"lop3.b32 %rx, %ra, %rb, %rc, 0x1a", "0x12345678 0x0f0f0f0f 0xff00ff00 -> 0xed30a970"}, // (a & b | c) ^ a
      {"lop3.b32 %rx, %ra, %rb, %rc, 0xca", "0xffff0000 0x12345678 0x9abcdef0 -> 0x1234def0"}, // a ? b : c

      {"bfe.u32 %rx, %ra, %rb, %rc",
       "0x12345678 8 8 -> 0x56; 0x12345678 24 16 -> 0x12; 0x12345678 40 8 -> 0; -1 4 0 -> 0"},
      {"bfe.s32 %rx, %ra, %rb, %rc",
       "0x12348678 8 8 -> 0xffffff86; 0x12345678 8 8 -> 0x56; 0x82345678 24 16 -> 0xffffff82; 0x80000000 40 8 -> -1;"
       "-1 4 0 -> 0"},
      {"bfe.u64 %dx, %da, %rb, %rc", "0x123456789abcdef0 32 16 -> 0x5678; -1 60 8 -> 15; 5 0 255 -> 5"},
      {"bfe.s64 %dx, %da, %rb, %rc", "0x123496789abcdef0 32 16 -> 0xffffffffffff9678; 0x4000000000000000 62 1 -> -1"},
      {"bfi.b32 %rx, %ra, %rb, %rc, %rd",
       "0xff 0x12345678 8 4 -> 0x12345f78; 0xff 0x12345678 28 8 -> 0xf2345678; 0xff 5 8 0 -> 5; 0 -1 40 8 -> -1"},
      {"bfi.b64 %dx, %da, %db, %rc, %rd",
       "0xff 0 32 8 -> 0xff00000000; 0 -1 60 8 -> 0x0fffffffffffffff; -1 0 0 64 -> -1"},
      {"bfind.u32 %rx, %ra", "0 -> -1; 1 -> 0; 0x80000000 -> 31; 0x00ff0000 -> 23"},
      {"bfind.s32 %rx, %ra", "0 -> -1; -1 -> -1; 1 -> 0; -2 -> 0; 0x80000000 -> 30"},
      {"bfind.u64 %rx, %da", "0 -> -1; 0x100000000 -> 32; -1 -> 63"},
      {"bfind.s64 %rx, %da", "-1 -> -1; 0x100000000 -> 32; 0x8000000000000000 -> 62"},
      {"bfind.shiftamt.u32 %rx, %ra", "0 -> -1; 1 -> 31; 0x80000000 -> 0"},
      {"bfind.shiftamt.s32 %rx, %ra", "-1 -> -1; 1 -> 31; 0x80000000 -> 1"},
      {"bfind.shiftamt.u64 %rx, %da", "0 -> -1; 1 -> 63; 0x100000000 -> 31"},
      {"bfind.shiftamt.s64 %rx, %da", "-1 -> -1; 1 -> 63; 0x8000000000000000 -> 1"},
      {"brev.b32 %rx, %ra", "1 -> 0x80000000; 0x12345678 -> 0x1e6a2c48"},
      {"brev.b64 %dx, %da", "1 -> 0x8000000000000000; 0x12345678 -> 0x1e6a2c4800000000"},
      {"clz.b32 %rx, %ra", "0 -> 32; 1 -> 31; 0x80000000 -> 0"},
      {"clz.b64 %rx, %da", "0 -> 64; 1 -> 63; 0x100000000 -> 31"},
      {"popc.b32 %rx, %ra", "0 -> 0; 0xf0f0 -> 8; -1 -> 32"},
      {"popc.b64 %rx, %da", "0 -> 0; 0xf0f0f0f0f0 -> 20; -1 -> 64"},
      // Bits 1, 2, 4 and 6.
      {"fns.b32 %rx, %ra, %rb, %rc",
       "0x56 0 1 -> 1; 0x56 0 2 -> 2; 0x56 0 3 -> 4; 0x56 0 5 -> -1; 0x56 4 1 -> 4; 0x56 4 -1 -> 4; 0x56 4 -2 -> 2;"
       "0x56 4 -4 -> -1; 0x56 4 0 -> 4; 0x56 3 0 -> -1; 0 0 1 -> -1"},
      // Byte i of b:a is 0xii. Bit 3 of a selector replaces all bits of the byte with its sign.
      {"prmt.b32 %rx, %ra, %rb, %rc",
       "0x33221100 0x77665544 0x3210 -> 0x33221100; 0x33221100 0x77665544 0x0246 -> 0x00224466;"
       "0x33221100 0x77665544 0x7777 -> 0x77777777; 0x80008000 0x00ff007f 0xb9ce -> 0xffff00ff;"
       "0x33221100 0x77665544 0xffff0000 -> 0"},
      {"prmt.b32.f4e %rx, %ra, %rb, %rc",
       "0x33221100 0x77665544 0 -> 0x33221100; 0x33221100 0x77665544 1 -> 0x44332211;"
       "0x33221100 0x77665544 3 -> 0x66554433"},
      {"prmt.b32.b4e %rx, %ra, %rb, %rc",
       "0x33221100 0x77665544 0 -> 0x55667700; 0x33221100 0x77665544 1 -> 0x66770011;"
       "0x33221100 0x77665544 3 -> 0x00112233"},
      {"prmt.b32.rc8 %rx, %ra, %rb, %rc", "0x33221100 0x77665544 0 -> 0; 0x33221100 0x77665544 2 -> 0x22222222"},
      {"prmt.b32.ecl %rx, %ra, %rb, %rc",
       "0x33221100 0x77665544 0 -> 0x33221100; 0x33221100 0x77665544 1 -> 0x33221111;"
       "0x33221100 0x77665544 2 -> 0x33222222;"
       "0x33221100 0x77665544 3 -> 0x33333333"},
      {"prmt.b32.ecr %rx, %ra, %rb, %rc",
       "0x33221100 0x77665544 0 -> 0; 0x33221100 0x77665544 1 -> 0x11111100; 0x33221100 0x77665544 2 -> 0x22221100;"
       "0x33221100 0x77665544 3 -> 0x33221100"},
      {"prmt.b32.rc16 %rx, %ra, %rb, %rc",
       "0x33221100 0x77665544 0 -> 0x11001100; 0x33221100 0x77665544 1 -> 0x33223322;"
       "0x33221100 0x77665544 2 -> 0x11001100"},
      {"bmsk.clamp.b32 %rx, %ra, %rb",
       "4 8 -> 0xff0; 0 32 -> -1; 28 8 -> 0xf0000000; 32 4 -> 0; 3 0 -> 0; 0 100 -> -1"},
      {"bmsk.wrap.b32 %rx, %ra, %rb", "4 8 -> 0xff0; 36 8 -> 0xff0; 4 40 -> 0xff0; 0 32 -> 0"},
      {"szext.clamp.u32 %rx, %ra, %rb",
       "0x12345678 8 -> 0x78; 0x12345678 0 -> 0; 0x12345678 32 -> 0x12345678; -1 99 -> -1"},
      {"szext.clamp.s32 %rx, %ra, %rb", "0x12345688 8 -> 0xffffff88; 0x12345678 8 -> 0x78; -5 32 -> -5"},
      {"szext.wrap.u32 %rx, %ra, %rb", "0x12345678 40 -> 0x78; -1 32 -> 0"},
      {"szext.wrap.s32 %rx, %ra, %rb", "0x12345688 40 -> 0xffffff88; 1 1 -> -1"},
  };
}

std::vector<Program> tilecc::emu::test::logicPrograms() { return {}; }
