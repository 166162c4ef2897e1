// Half precision (PTX ISA 9.7.4). 1, 2 and 3 are 0x3c00, 0x4000 and 0x4200 in f16, and 0x3f80, 0x4000 and 0x4040 in
// bf16.
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::halfAnswers() {
  return {
      // 0x1000 is 2^-11, half a unit in the last place of 1.
      {"add.f16 %hx, %ha, %hb",
       "0x3c00 0x4000 -> 0x4200; 0x3c00 0x1000 -> 0x3c00; 0x3c01 0x1000 -> 0x3c02; 1 1 -> 2;"
       "0x7bff 0x7bff -> 0x7c00; 0x7c00 0xfc00 -> 0x7fff"},
      {"add.rn.ftz.f16 %hx, %ha, %hb", "1 1 -> 0; 0x8001 0x8000 -> 0x8000; 0x3c00 0x4000 -> 0x4200"},
      {"add.sat.f16 %hx, %ha, %hb",
       "0x3c00 0x3c00 -> 0x3c00; 0xbc00 0x3800 -> 0; 0x7e00 0 -> 0; 0x3400 0x3400 -> 0x3800"},
      {"add.f16x2 %rx, %ra, %rb", "0x40003c00 0x3c003c01 -> 0x42004000; 0x00017c00 0x0001fc00 -> 0x00027fff"},
      {"add.bf16 %hx, %ha, %hb",
       "0x3f80 0x4000 -> 0x4040; 0x3f80 0x3b80 -> 0x3f80; 0x3f81 0x3b80 -> 0x3f82; 0x7f80 0xff80 -> 0x7fff"},
      {"add.bf16x2 %rx, %ra, %rb", "0x40003f80 0x3f803f80 -> 0x40404000"},
      {"sub.f16 %hx, %ha, %hb", "0x4200 0x4000 -> 0x3c00; 0x3c00 0x3c00 -> 0; 0 0x3c00 -> 0xbc00"},
      {"sub.sat.f16x2 %rx, %ra, %rb", "0x42003c00 0x3c004000 -> 0x3c000000"},
      {"sub.bf16 %hx, %ha, %hb", "0x4040 0x4000 -> 0x3f80; 0 0x3f80 -> 0xbf80"},
      {"sub.bf16x2 %rx, %ra, %rb", "0x40403f80 0x40003f80 -> 0x3f800000"},
      {"mul.f16 %hx, %ha, %hb",
       "0x4000 0x4200 -> 0x4600; 0x3c01 0x3c01 -> 0x3c02; 1 0x3800 -> 0; 3 0x3800 -> 2; 0 0x7c00 -> 0x7fff"},
      {"mul.ftz.f16x2 %rx, %ra, %rb", "0x40000400 0x42003800 -> 0x46000000"},
      {"mul.bf16 %hx, %ha, %hb", "0x4000 0x4040 -> 0x40c0; 0x3f81 0x3f81 -> 0x3f82"},
      {"mul.bf16x2 %rx, %ra, %rb", "0x40003f80 0x4040bf80 -> 0x40c0bf80"},
      // (1 + u)(1 - u) - 1 = -u^2, rounded once: -2^-20 and -2^-14.
      {"fma.rn.f16 %hx, %ha, %hb, %hc",
       "0x3c01 0x3bfe 0xbc00 -> 0x8010; 0x4000 0x4200 0x3c00 -> 0x4700; 0 0x7c00 0 -> 0x7fff"},
      {"fma.rn.relu.f16 %hx, %ha, %hb, %hc",
       "0xbc00 0x4200 0x3c00 -> 0; 0x4000 0x4200 0x3c00 -> 0x4700; 0x7e00 0 0 -> 0x7fff"},
      {"fma.rn.sat.f16 %hx, %ha, %hb, %hc", "0x4000 0x4200 0x3c00 -> 0x3c00; 0x3800 0x3800 0 -> 0x3400"},
      {"fma.rn.ftz.f16x2 %rx, %ra, %rb, %rc", "0x40000001 0x42003c00 0x3c000000 -> 0x47000000"},
      {"fma.rn.bf16 %hx, %ha, %hb, %hc", "0x3f81 0x3f7e 0xbf80 -> 0xb880; 0x4000 0x4040 0x3f80 -> 0x40e0"},
      {"fma.rn.relu.bf16x2 %rx, %ra, %rb, %rc", "0x4000bf80 0x40403f80 0x3f800000 -> 0x40e00000"},
      {"neg.f16 %hx, %ha", "0x3c00 -> 0xbc00; 0x8000 -> 0; 1 -> 0x8001"},
      {"neg.ftz.f16 %hx, %ha", "0x3c00 -> 0xbc00; 1 -> 0x8000"},
      {"neg.f16x2 %rx, %ra", "0x3c00bc00 -> 0xbc003c00"},
      {"neg.bf16 %hx, %ha", "0x3f80 -> 0xbf80; 0x8000 -> 0"},
      {"neg.bf16x2 %rx, %ra", "0x3f80bf80 -> 0xbf803f80"},
      {"abs.f16 %hx, %ha", "0xbc00 -> 0x3c00; 0x8000 -> 0; 0x8001 -> 1"},
      {"abs.ftz.f16 %hx, %ha", "0xbc00 -> 0x3c00; 0x8001 -> 0"},
      {"abs.f16x2 %rx, %ra", "0x3c00bc00 -> 0x3c003c00"},
      {"abs.bf16 %hx, %ha", "0xbf80 -> 0x3f80"},
      {"abs.bf16x2 %rx, %ra", "0x3f80bf80 -> 0x3f803f80"},
      {"min.f16 %hx, %ha, %hb",
       "0x3c00 0x4000 -> 0x3c00; 0x7e00 0x3c00 -> 0x3c00; 0x7e00 0x7e00 -> 0x7fff; 0 0x8000 -> 0x8000"},
      {"min.NaN.f16 %hx, %ha, %hb", "0x7e00 0x3c00 -> 0x7fff; 0xbc00 0x3c00 -> 0xbc00"},
      {"min.ftz.f16x2 %rx, %ra, %rb", "0x40008001 0x3c000000 -> 0x3c008000"},
      {"min.xorsign.abs.f16x2 %rx, %ra, %rb", "0xc200c200 0x4000c000 -> 0xc0004000"},
      {"min.bf16 %hx, %ha, %hb", "0x3f80 0x4000 -> 0x3f80; 0x7fc0 0x3f80 -> 0x3f80"},
      {"min.NaN.bf16x2 %rx, %ra, %rb", "0x40007fc0 0x3f803f80 -> 0x3f807fff"},
      {"max.f16 %hx, %ha, %hb", "0x3c00 0x4000 -> 0x4000; 0x7e00 0x3c00 -> 0x3c00; 0x8000 0 -> 0"},
      {"max.NaN.f16x2 %rx, %ra, %rb", "0x40007e00 0x3c003c00 -> 0x40007fff"},
      {"max.bf16 %hx, %ha, %hb", "0x3f80 0x4000 -> 0x4000; 0x3f80 0x7fc0 -> 0x3f80"},
      {"max.xorsign.abs.bf16x2 %rx, %ra, %rb", "0xc040c040 0x4000c000 -> 0xc0404040"},
      // Approximations: the special values of the tables, and bounds around 2^1 and tanh(0.5) = 0.4621.
      {"ex2.approx.f16 %hx, %ha",
       "0xfc00 -> 0; 0x8000 -> 0x3c00; 0x7c00 -> 0x7c00; 0x7e00 -> 0x7fff; 0x3c00 -> 0x3ffe..0x4002"},
      {"ex2.approx.f16x2 %rx, %ra", "0xfc000000 -> 0x00003c00; 0x7c00fc00 -> 0x7c000000"},
      {"ex2.approx.ftz.bf16 %hx, %ha",
       "0xff80 -> 0; 0x8000 -> 0x3f80; 0x7f80 -> 0x7f80; 0x7fc0 -> 0x7fff; 0x3f80 -> 0x3ffe..0x4002"},
      {"ex2.approx.ftz.bf16x2 %rx, %ra", "0xff800000 -> 0x00003f80"},
      {"tanh.approx.f16 %hx, %ha",
       "0x7c00 -> 0x3c00; 0xfc00 -> 0xbc00; 0 -> 0; 0x8000 -> 0x8000; 0x7e00 -> 0x7fff; 0x3800 -> 0x3763..0x3767"},
      {"tanh.approx.f16x2 %rx, %ra", "0x7c00fc00 -> 0x3c00bc00"},
      {"tanh.approx.bf16 %hx, %ha",
       "0x7f80 -> 0x3f80; 0xff80 -> 0xbf80; 0 -> 0; 0x7fc0 -> 0x7fff; 0x3f00 -> 0x3eeb..0x3eee"},
      {"tanh.approx.bf16x2 %rx, %ra", "0x7f80ff80 -> 0x3f80bf80"},

      // Half and single precision together, rounded once.
      {"add.f32.f16 %rx, %ha, %rb", "0x3c01 0x3f800000 -> 0x40001000"},
      {"add.rz.sat.f32.bf16 %rx, %ha, %rb", "0x3f80 0x3f800000 -> 0x3f800000"},
      {"sub.rn.f32.bf16 %rx, %ha, %rb", "0x4040 0x3f800000 -> 0x40000000"},
      {"sub.f32.f16 %rx, %ha, %rb", "0x3c01 0x3f800000 -> 0x3a800000"},
      {"fma.rn.f32.f16 %rx, %ha, %hb, %rc", "0x4000 0x3800 0x3f800000 -> 0x40000000"},
      {"fma.rp.f32.bf16 %rx, %ha, %hb, %rc", "0x3f80 0x3f80 0x33000000 -> 0x3f800001"},

      // Pairs in single precision: 1 is 0x3f800000, 3 is 0x40400000.
      {"add.f32x2 %dx, %da, %db", "0x400000003f800000 0x3f8000003f800000 -> 0x4040000040000000"},
      {"add.rp.ftz.f32x2 %dx, %da, %db", "0x3f80000000000001 0x3380000000000001 -> 0x3f80000100000000"},
      {"sub.rn.f32x2 %dx, %da, %db", "0x404000003f800000 0x3f8000003f800000 -> 0x4000000000000000"},
      {"mul.rz.f32x2 %dx, %da, %db", "0x400000003f800000 0x4040000040400000 -> 0x40c0000040400000"},
      {"fma.rn.f32x2 %dx, %da, %db, %dc",
       "0x400000003f800001 0x404000003f7ffffe 0x3f800000bf800000 -> 0x40e00000a8800000"},
  };
}

std::vector<Program> tilecc::emu::test::halfPrograms() { return {}; }
