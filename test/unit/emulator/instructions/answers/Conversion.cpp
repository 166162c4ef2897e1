// cvt (PTX ISA 9.7.9.21).
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::conversionAnswers() {
  return {
      // Integers are truncated, extended according to the source's sign, or clamped. Registers may be wider than the
      // types: only the low bits of a source are used, and a result is extended to its register according to its own
      // type.
      {"cvt.u8.s32 %rx, %ra", "0x1ff -> 0xff; -1 -> 0xff"},
      {"cvt.s8.s32 %rx, %ra", "0x80 -> 0xffffff80; 0x17f -> 0x7f"},
      {"cvt.sat.u8.s32 %rx, %ra", "300 -> 255; -5 -> 0; 7 -> 7"},
      {"cvt.sat.s8.s32 %rx, %ra", "300 -> 127; -300 -> -128; -7 -> -7"},
      {"cvt.u16.u32 %hx, %ra", "0x12345678 -> 0x5678"},
      {"cvt.s16.s64 %hx, %da", "-5 -> -5; 0x1ffff -> 0xffff"},
      {"cvt.sat.s16.u64 %hx, %da", "-1 -> 0x7fff; 5 -> 5"},
      {"cvt.u32.u8 %rx, %ra", "0x1ff -> 0xff"},
      {"cvt.s32.s8 %rx, %ra", "0x180 -> 0xffffff80; 0x7f -> 0x7f"},
      {"cvt.u32.u16 %rx, %ha", "0xffff -> 0xffff"},
      {"cvt.s32.s16 %rx, %ha", "0xffff -> -1; 0x7fff -> 0x7fff"},
      {"cvt.u64.s32 %dx, %ra", "-1 -> -1; 5 -> 5"},
      {"cvt.u64.u32 %dx, %ra", "0xffffffff -> 0xffffffff"},
      {"cvt.s64.s32 %dx, %ra", "-1 -> -1; 0x7fffffff -> 0x7fffffff"},
      {"cvt.sat.u32.s64 %rx, %da", "-1 -> 0; 0x100000000 -> 0xffffffff; 5 -> 5"},
      {"cvt.sat.s32.u32 %rx, %ra", "0xffffffff -> 0x7fffffff; 5 -> 5"},
      // Floating-point numbers to integers: rounded as specified, and clamped to the type's range.
      {"cvt.rni.s32.f32 %rx, %ra", "2.5 -> 2; 3.5 -> 4; -2.5 -> -2; 0.5 -> 0"},
      {"cvt.rzi.s32.f32 %rx, %ra",
       "2.9 -> 2; -2.9 -> -2; 3.0e9 -> 0x7fffffff; -3.0e9 -> 0x80000000; nan -> 0; inf -> 0x7fffffff"},
      {"cvt.rmi.s32.f32 %rx, %ra", "2.9 -> 2; -2.1 -> -3"},
      {"cvt.rpi.u32.f32 %rx, %ra", "2.1 -> 3; -2.1 -> 0; 5.0e9 -> 0xffffffff; nan -> 0"},
      {"cvt.rpi.ftz.u32.f32 %rx, %ra", "0x00000001 -> 0; 0.1 -> 1"},
      {"cvt.rzi.u8.f32 %rx, %ra", "300.0 -> 255; -1.0 -> 0; 7.9 -> 7"},
      {"cvt.rzi.s8.f32 %rx, %ra", "300.0 -> 127; -300.0 -> -128; -7.9 -> -7"},
      {"cvt.rzi.u16.f64 %hx, %da", "70000.0 -> 0xffff; 7.9 -> 7"},
      {"cvt.rni.s16.f16 %hx, %ha", "0x4100 -> 2; 0xc100 -> -2; 0x7bff -> 0x7fff"}, // 2.5, 65504
      {"cvt.rzi.s32.bf16 %rx, %ha", "0x4020 -> 2; 0xc020 -> -2; 0x7f80 -> 0x7fffffff"},
      {"cvt.rzi.u64.f32 %dx, %ra", "4294967296.0 -> 0x100000000; -1.0 -> 0; inf -> -1; nan -> 0x8000000000000000"},
      {"cvt.rzi.s64.f64 %dx, %da",
       "-4294967296.5 -> -0x100000000; 1.0e300 -> 0x7fffffffffffffff; nan -> 0x8000000000000000"},
      {"cvt.rzi.u32.f64 %rx, %da", "4294967295.9 -> 0xffffffff; nan -> 0x80000000"},
      // Rounded to integral values.
      {"cvt.rni.f32.f32 %rx, %ra", "2.5 -> 2.0; -2.5 -> -2.0; -0.3 -> -0.0; inf -> inf; 8388609.0 -> 8388609.0"},
      {"cvt.rzi.f32.f32 %rx, %ra", "2.9 -> 2.0; -2.9 -> -2.0"},
      {"cvt.rmi.ftz.f32.f32 %rx, %ra", "-2.1 -> -3.0; 0x80000001 -> -0.0"},
      {"cvt.rpi.sat.f32.f32 %rx, %ra", "0.3 -> 1.0; -0.3 -> 0.0; 7.2 -> 1.0; -5.0 -> 0.0"},
      {"cvt.rmi.f64.f64 %dx, %da", "2.9 -> 2.0; -2.1 -> -3.0"},
      {"cvt.rni.f16.f16 %hx, %ha", "0x4100 -> 0x4000; 0x4300 -> 0x4400"}, // 2.5, 3.5
      {"cvt.rzi.bf16.bf16 %hx, %ha", "0x4020 -> 0x4000"},
      // Floating-point numbers to the same or a wider format.
      {"cvt.f64.f32 %dx, %ra", "1.5 -> 1.5; 0x00000001 -> 0x36a0000000000000; -inf -> -inf; nan -> nan"},
      {"cvt.ftz.f64.f32 %dx, %ra", "0x00000001 -> 0; 1.5 -> 1.5"},
      {"cvt.f32.f16 %rx, %ha", "0x3c00 -> 1.0; 1 -> 0x33800000; 0x7c00 -> inf; 0x7e00 -> 0x7fffffff"},
      {"cvt.f32.bf16 %rx, %ha", "0x3fc0 -> 1.5; 0xff80 -> -inf"},
      {"cvt.f64.f16 %dx, %ha", "0x3e00 -> 1.5"},
      {"cvt.sat.f32.f32 %rx, %ra", "1.5 -> 1.0; -1.5 -> 0.0; nan -> 0.0; 0.5 -> 0.5"},
      {"cvt.ftz.f32.f32 %rx, %ra", "0x80000001 -> -0.0; 1.5 -> 1.5"},
      // To a narrower format: 1 + 2^-24 is half way between two singles, 1 + 2^-11 between two halves.
      {"cvt.rn.f32.f64 %rx, %da",
       "1.000000059604644775390625 -> 1.0; 1.0e300 -> inf; 1.5 -> 1.5; 0x36a0000000000000 -> 1"},
      {"cvt.rp.f32.f64 %rx, %da", "1.000000059604644775390625 -> 0x3f800001; -1.000000059604644775390625 -> -1.0"},
      {"cvt.rz.ftz.f32.f64 %rx, %da", "1.0e300 -> 0x7f7fffff; 0x36a0000000000000 -> 0"},
      {"cvt.rn.f16.f32 %hx, %ra",
       "1.00048828125 -> 0x3c00; 1.00146484375 -> 0x3c02; 65519.0 -> 0x7bff; 65520.0 -> 0x7c00; nan -> 0x7fff;"
       "0x33800000 -> 1; 0x33000000 -> 0"},
      {"cvt.rz.f16.f32 %hx, %ra", "1.00146484375 -> 0x3c01; 65520.0 -> 0x7bff"},
      {"cvt.rn.relu.f16.f32 %hx, %ra", "-1.0 -> 0; 1.0 -> 0x3c00"},
      {"cvt.rn.bf16.f32 %hx, %ra", "1.00390625 -> 0x3f80; 1.01171875 -> 0x3f82; nan -> 0x7fff; 0x7f7fffff -> 0x7f80"},
      {"cvt.rn.satfinite.f16.f32 %hx, %ra", "1.0e9 -> 0x7bff; -1.0e9 -> 0xfbff; inf -> 0x7bff; 1.0 -> 0x3c00"},
      {"cvt.rn.f16.f64 %hx, %da", "1.00048828125 -> 0x3c00; 1.000488281250001 -> 0x3c01"}, // rounded once
      {"cvt.rn.f32.s32 %rx, %ra", "-7 -> -7.0; 16777217 -> 16777216.0; 16777219 -> 16777220.0"},
      {"cvt.rz.f32.u32 %rx, %ra", "0xffffffff -> 4294967040.0; 7 -> 7.0"},
      {"cvt.rn.f32.u32 %rx, %ra", "0xffffffff -> 4294967296.0"},
      {"cvt.rp.f32.u64 %rx, %da", "16777217 -> 16777218.0"},
      {"cvt.rm.f32.s64 %rx, %da", "-16777217 -> -16777218.0; 16777217 -> 16777216.0"},
      {"cvt.rn.f64.s64 %dx, %da", "9007199254740993 -> 9007199254740992.0; -5 -> -5.0"},
      {"cvt.rn.f64.u64 %dx, %da", "-1 -> 18446744073709551616.0"},
      {"cvt.rn.f32.u8 %rx, %ra", "0x1ff -> 255.0"},
      {"cvt.rn.f32.s8 %rx, %ra", "0x1ff -> -1.0"},
      {"cvt.rn.f16.u16 %hx, %ha", "2049 -> 0x6800; 0xffff -> 0x7c00"},
      {"cvt.rn.f16.s16 %hx, %ha", "-1 -> 0xbc00"},
      {"cvt.rn.bf16.s32 %hx, %ra", "257 -> 0x4380; -1 -> 0xbf80"},
      {"cvt.rn.sat.f32.s32 %rx, %ra", "7 -> 1.0; -7 -> 0.0"},
      {"cvt.rn.bf16.f16 %hx, %ha", "0x3c00 -> 0x3f80"},
      {"cvt.rn.f16.bf16 %hx, %ha", "0x3f80 -> 0x3c00; 0x4f80 -> 0x7c00"},
      // tf32 has 10 fraction bits; the manual does not define the other 13.
      {"cvt.rna.tf32.f32 %rx, %ra", "1.00048828125 -> 0x3f802000..0x3f803fff; 1.5 -> 0x3fc00000..0x3fc01fff"},
      {"cvt.rn.tf32.f32 %rx, %ra", "1.00048828125 -> 0x3f800000..0x3f801fff; 1.00146484375 -> 0x3f804000..0x3f805fff"},
      {"cvt.rz.relu.tf32.f32 %rx, %ra", "1.00146484375 -> 0x3f802000..0x3f803fff; -1.0 -> 0..0x1fff"},
      // Pairs: the first source goes to the upper half.
      {"cvt.rn.f16x2.f32 %rx, %ra, %rb", "1.0 2.0 -> 0x3c004000; 65520.0 -1.0 -> 0x7c00bc00"},
      {"cvt.rz.relu.f16x2.f32 %rx, %ra, %rb", "1.00146484375 -2.0 -> 0x3c010000"},
      {"cvt.rn.bf16x2.f32 %rx, %ra, %rb", "1.0 2.0 -> 0x3f804000"},
      {"cvt.rn.relu.satfinite.bf16x2.f32 %rx, %ra, %rb", "inf -2.0 -> 0x7f7f0000"},
      // e4m3: 1 is 0x38, the largest 448 is 0x7e; e5m2: 1 is 0x3c, the largest 57344 is 0x7b.
      {"cvt.rn.satfinite.e4m3x2.f32 %hx, %ra, %rb",
       "1.0 1.125 -> 0x3839; 1.0625 1.1875 -> 0x383a; 1000.0 -1000.0 -> 0x7efe; nan 448.0 -> 0x7f7e;"
       "0.001953125 0.0 -> 0x0100"},
      {"cvt.rn.satfinite.relu.e4m3x2.f32 %hx, %ra, %rb", "-1.0 2.0 -> 0x0040"},
      {"cvt.rn.satfinite.e5m2x2.f32 %hx, %ra, %rb",
       "1.0 1.25 -> 0x3c3d; 1.0e6 -1.0e6 -> 0x7bfb; 57344.0 1.125 -> 0x7b3c; nan 0.0 -> 0x7f00"},
      {"cvt.rn.satfinite.e4m3x2.f16x2 %hx, %ra", "0x3c004000 -> 0x3840; 0x7bff8000 -> 0x7e80"},
      {"cvt.rn.satfinite.relu.e5m2x2.f16x2 %hx, %ra", "0x3c00bc00 -> 0x3c00"},
      // 448 is 0x5f00
      {"cvt.rn.f16x2.e4m3x2 %rx, %ha",
       "0x387e -> 0x3c005f00; 0x0180 -> 0x18008000; 0x7f38 -> 0x7fff3c00"},
      {"cvt.rn.relu.f16x2.e5m2x2 %rx, %ha", "0x3cbc -> 0x3c000000; 0x7c3c -> 0x7c003c00"},
      // Clamped, then packed: from low to high b, a, and the low bits of c.
      {"cvt.pack.sat.u16.s32 %rx, %ra, %rb", "1 2 -> 0x00010002; 70000 -1 -> 0xffff0000"},
      {"cvt.pack.sat.s16.s32 %rx, %ra, %rb", "1 -2 -> 0x0001fffe; 70000 -70000 -> 0x7fff8000"},
      {"cvt.pack.sat.u8.s32.b32 %rx, %ra, %rb, %rc", "1 2 0x12345678 -> 0x56780102; 300 -1 0 -> 0xff00"},
      {"cvt.pack.sat.s8.s32.b32 %rx, %ra, %rb, %rc", "1 -2 0x12345678 -> 0x567801fe; 300 -300 0 -> 0x7f80"},
      {"cvt.pack.sat.u4.s32.b32 %rx, %ra, %rb, %rc", "1 2 0x12345678 -> 0x34567812; 300 -1 0 -> 0xf0"},
      {"cvt.pack.sat.s4.s32.b32 %rx, %ra, %rb, %rc", "1 -2 0x12345678 -> 0x3456781e; 300 -300 0 -> 0x78"},
      {"cvt.pack.sat.u2.s32.b32 %rx, %ra, %rb, %rc", "1 2 0x12345678 -> 0x23456786; 300 -1 0 -> 0xc"},
      {"cvt.pack.sat.s2.s32.b32 %rx, %ra, %rb, %rc", "1 -2 0x12345678 -> 0x23456786; 300 -300 0 -> 0x6"},
  };
}

std::vector<Program> tilecc::emu::test::conversionPrograms() { return {}; }
