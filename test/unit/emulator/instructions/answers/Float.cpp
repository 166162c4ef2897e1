// Single and double precision (PTX ISA 9.7.3). 0x33800000 is 2^-24, half a unit in the last place of 1; in double
// precision this is 2^-53, 0x3ca0000000000000.
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::floatingAnswers() {
  return {
      {"add.f32 %rx, %ra, %rb",
       "1.5 2.25 -> 3.75; 1.0 0x33800000 -> 1.0; 0x3f800001 0x33800000 -> 0x3f800002; inf 1.0 -> inf;"
       "inf -inf -> 0x7fffffff;"
       "nan 1.0 -> 0x7fffffff; 0x00000001 0x00000001 -> 0x00000002; 0x7f7fffff 0x7f7fffff -> inf; -0.0 -0.0 -> -0.0;"
       "1.0 -1.0 -> 0.0"},
      {"add.rn.f32 %rx, %ra, %rb", "1.0 0x33800000 -> 1.0; -1.0 0xb3800000 -> -1.0"},
      {"add.rz.f32 %rx, %ra, %rb",
       "0x3f800001 0x33800000 -> 0x3f800001; 0xbf800001 0xb3800000 -> 0xbf800001;"
       "0x7f7fffff 0x7f7fffff -> 0x7f7fffff"},
      {"add.rm.f32 %rx, %ra, %rb", "1.0 0x33800000 -> 1.0; -1.0 0xb3800000 -> 0xbf800001; 1.0 -1.0 -> -0.0"},
      {"add.rp.f32 %rx, %ra, %rb", "1.0 0x33800000 -> 0x3f800001; -1.0 0xb3800000 -> -1.0; 1.0 -1.0 -> 0.0"},
      {"add.ftz.f32 %rx, %ra, %rb",
       "0x00000001 0x00000001 -> 0; 0x80000001 -0.0 -> -0.0; 0x00800001 0x80800000 -> 0; 1.0 2.0 -> 3.0"},
      {"add.sat.f32 %rx, %ra, %rb",
       "0.75 0.75 -> 1.0; -1.0 0.5 -> 0.0; nan 1.0 -> 0.0; 0.25 0.25 -> 0.5; inf 0.0 -> 1.0"},
      {"add.f64 %dx, %da, %db", "1.5 2.25 -> 3.75; 1.0 0x3ca0000000000000 -> 1.0; inf -inf -> nan; 1 1 -> 2"},
      {"add.rp.f64 %dx, %da, %db", "1.0 0x3ca0000000000000 -> 0x3ff0000000000001; -1.0 0xbca0000000000000 -> -1.0"},
      {"sub.f32 %rx, %ra, %rb", "1.5 2.25 -> -0.75; inf inf -> 0x7fffffff; 0.0 0.0 -> 0.0; 1.0 0xb3800000 -> 1.0"},
      {"sub.rz.ftz.f32 %rx, %ra, %rb", "1.0 0x33800000 -> 0x3f7fffff; 0x00800001 0x00800000 -> 0"},
      {"sub.sat.f32 %rx, %ra, %rb", "1.0 2.0 -> 0.0; 3.0 1.0 -> 1.0; 1.0 0.75 -> 0.25"},
      {"sub.f64 %dx, %da, %db", "1.5 2.25 -> -0.75; 1.0 0xbca0000000000000 -> 1.0"},
      {"sub.rm.f64 %dx, %da, %db", "1.0 0x3c90000000000000 -> 0x3fefffffffffffff; 2.0 2.0 -> -0.0"},
      // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46
      {"mul.f32 %rx, %ra, %rb",
       "1.5 -2.0 -> -3.0; 0x3f800001 0x3f800001 -> 0x3f800002; 0.0 inf -> 0x7fffffff; 0x00000003 0.5 -> 0x00000002;"
       "-0.0 5.0 -> -0.0"},
      {"mul.rp.f32 %rx, %ra, %rb", "0x3f800001 0x3f800001 -> 0x3f800003; 0x00000001 0.5 -> 0x00000001"},
      {"mul.rz.ftz.f32 %rx, %ra, %rb", "0x3f800001 0x3f800001 -> 0x3f800002; 0x00800000 0.5 -> 0; 0x00000001 2.0 -> 0"},
      {"mul.sat.f32 %rx, %ra, %rb", "2.0 2.0 -> 1.0; -2.0 2.0 -> 0.0; 0.5 0.5 -> 0.25"},
      {"mul.f64 %dx, %da, %db", "1.5 -2.0 -> -3.0; 0x3ff0000000000001 0x3ff0000000000001 -> 0x3ff0000000000002"},
      {"mul.rp.f64 %dx, %da, %db", "0x3ff0000000000001 0x3ff0000000000001 -> 0x3ff0000000000003"},
      // (1 + 2^-23) (1 - 2^-23) - 1 = -2^-46, which would be 0 if the product were rounded.
      {"fma.rn.f32 %rx, %ra, %rb, %rc",
       "0x3f800001 0x3f7ffffe -1.0 -> 0xa8800000; 2.0 3.0 4.0 -> 10.0; 0.0 inf 1.0 -> 0x7fffffff;"
       "1.0 1.0 0x33800000 -> 1.0"},
      {"fma.rp.f32 %rx, %ra, %rb, %rc", "1.0 1.0 0x33800000 -> 0x3f800001"},
      {"fma.rm.ftz.f32 %rx, %ra, %rb, %rc", "1.0 1.0 0xb3000000 -> 0x3f7fffff; 0x00000001 1.0 0.0 -> 0"},
      {"fma.rz.sat.f32 %rx, %ra, %rb, %rc", "2.0 3.0 4.0 -> 1.0; -2.0 3.0 4.0 -> 0.0; 0.5 0.5 0.5 -> 0.75"},
      // The same in double precision: -2^-104.
      {"fma.rn.f64 %dx, %da, %db, %dc",
       "0x3ff0000000000001 0x3feffffffffffffe -1.0 -> 0xb970000000000000; 2.0 3.0 4.0 -> 10.0"},
      {"fma.rz.f64 %dx, %da, %db, %dc", "1.0 1.0 0xbc90000000000000 -> 0x3fefffffffffffff"},
      {"mad.rn.f32 %rx, %ra, %rb, %rc", "0x3f800001 0x3f7ffffe -1.0 -> 0xa8800000; 2.0 3.0 4.0 -> 10.0"},
      {"mad.rp.ftz.sat.f32 %rx, %ra, %rb, %rc", "2.0 3.0 4.0 -> 1.0; 0x00000001 1.0 0.0 -> 0"},
      {"mad.rn.f64 %dx, %da, %db, %dc",
       "0x3ff0000000000001 0x3feffffffffffffe -1.0 -> 0xb970000000000000; 2.0 3.0 4.0 -> 10.0"},
      {"div.rn.f32 %rx, %ra, %rb",
       "1.0 3.0 -> 0x3eaaaaab; 1.0 0.0 -> inf; -1.0 0.0 -> -inf; 0.0 0.0 -> 0x7fffffff; 6.0 2.0 -> 3.0;"
       "inf inf -> 0x7fffffff"},
      {"div.rz.f32 %rx, %ra, %rb", "1.0 3.0 -> 0x3eaaaaaa; -1.0 3.0 -> 0xbeaaaaaa"},
      {"div.rm.f32 %rx, %ra, %rb", "1.0 3.0 -> 0x3eaaaaaa; -1.0 3.0 -> 0xbeaaaaab"},
      {"div.rp.ftz.f32 %rx, %ra, %rb", "1.0 3.0 -> 0x3eaaaaab; 1.0 0x00000001 -> inf; 0x00000001 1.0 -> 0"},
      {"div.rn.f64 %dx, %da, %db", "1.0 3.0 -> 0x3fd5555555555555; 1.0 -0.0 -> -inf; 6.0 2.0 -> 3.0"},
      {"div.rp.f64 %dx, %da, %db", "1.0 3.0 -> 0x3fd5555555555556; -1.0 3.0 -> 0xbfd5555555555555"},
      {"rcp.rn.f32 %rx, %ra", "3.0 -> 0x3eaaaaab; 4.0 -> 0.25; -0.0 -> -inf; inf -> 0.0; 0x00400000 -> 0x7f000000"},
      {"rcp.rz.ftz.f32 %rx, %ra", "3.0 -> 0x3eaaaaaa; 0x00400000 -> inf; 0x7f000001 -> 0"},
      {"rcp.rn.f64 %dx, %da", "3.0 -> 0x3fd5555555555555; 4.0 -> 0.25; -inf -> -0.0"},
      {"rcp.rp.f64 %dx, %da", "3.0 -> 0x3fd5555555555556"},
      {"sqrt.rn.f32 %rx, %ra", "2.0 -> 0x3fb504f3; 9.0 -> 3.0; -1.0 -> 0x7fffffff; -0.0 -> -0.0; inf -> inf"},
      {"sqrt.rp.f32 %rx, %ra", "2.0 -> 0x3fb504f4; 9.0 -> 3.0"},
      {"sqrt.rz.ftz.f32 %rx, %ra", "2.0 -> 0x3fb504f3; 0x00000001 -> 0; 0x80000001 -> -0.0"},
      {"sqrt.rn.f64 %dx, %da", "2.0 -> 0x3ff6a09e667f3bcd; 9.0 -> 3.0; -1.0 -> nan"},
      {"sqrt.rm.f64 %dx, %da", "2.0 -> 0x3ff6a09e667f3bcc"},
      {"abs.f32 %rx, %ra", "-1.5 -> 1.5; -0.0 -> 0.0; -inf -> inf; 0x80000001 -> 1"},
      {"abs.ftz.f32 %rx, %ra", "-1.5 -> 1.5; 0x80000001 -> 0"},
      {"abs.f64 %dx, %da", "-1.5 -> 1.5; -0.0 -> 0.0"},
      {"neg.f32 %rx, %ra", "1.5 -> -1.5; 0.0 -> -0.0; 0x80000001 -> 1"},
      {"neg.ftz.f32 %rx, %ra", "1.5 -> -1.5; 0x80000001 -> 0; 0x00000001 -> -0.0"},
      {"neg.f64 %dx, %da", "1.5 -> -1.5; 0.0 -> -0.0"},
      // Of a number and a NaN, the result is the number; -0 is less than +0.
      {"min.f32 %rx, %ra, %rb",
       "1.0 2.0 -> 1.0; nan 1.0 -> 1.0; 1.0 nan -> 1.0; nan nan -> 0x7fffffff; 0.0 -0.0 -> -0.0; -inf 5.0 -> -inf;"
       "0x00000001 0.0 -> 0"},
      {"min.ftz.f32 %rx, %ra, %rb", "0x80000001 0.0 -> -0.0; 1.0 2.0 -> 1.0"},
      {"min.NaN.f32 %rx, %ra, %rb", "nan 1.0 -> 0x7fffffff; 1.0 0x7f800001 -> 0x7fffffff; 1.0 2.0 -> 1.0"},
      {"min.xorsign.abs.f32 %rx, %ra, %rb", "-3.0 2.0 -> -2.0; -3.0 -2.0 -> 2.0; 3.0 2.0 -> 2.0"},
      {"min.f64 %dx, %da, %db", "1.0 2.0 -> 1.0; nan 1.0 -> 1.0; 0.0 -0.0 -> -0.0"},
      {"max.f32 %rx, %ra, %rb",
       "1.0 2.0 -> 2.0; nan 1.0 -> 1.0; -0.0 0.0 -> 0.0; nan nan -> 0x7fffffff; -inf 5.0 -> 5.0"},
      {"max.ftz.NaN.f32 %rx, %ra, %rb", "nan 1.0 -> 0x7fffffff; 0x00000001 -0.0 -> 0.0; 1.0 2.0 -> 2.0"},
      {"max.NaN.xorsign.abs.f32 %rx, %ra, %rb", "-3.0 2.0 -> -3.0; -3.0 -2.0 -> 3.0; nan 2.0 -> 0x7fffffff"},
      {"max.f32 %rx, %ra, %rb, %rc", "1.0 2.0 3.0 -> 3.0; nan -2.0 -3.0 -> -2.0; nan nan 1.0 -> 1.0; nan nan nan -> 0x7fffffff"},
      {"max.NaN.f32 %rx, %ra, %rb, %rc", "1.0 2.0 nan -> 0x7fffffff; -1.0 -2.0 -3.0 -> -1.0"},
      {"max.ftz.abs.f32 %rx, %ra, %rb, %rc", "-3.0 2.0 1.0 -> 3.0; 0x80000001 0.0 0.0 -> 0.0"},
      {"min.f32 %rx, %ra, %rb, %rc", "1.0 2.0 -3.0 -> -3.0; nan 2.0 3.0 -> 2.0; 0.0 -0.0 1.0 -> -0.0"},
      {"max.f64 %dx, %da, %db", "1.0 2.0 -> 2.0; nan 1.0 -> 1.0; -0.0 0.0 -> 0.0"},

      // Approximations: the values of the manual's tables for special values, and the error bounds that it states for
      // others.
      {"rcp.approx.f32 %rx, %ra",
       "-inf -> -0.0; -0.0 -> -inf; 0.0 -> inf; inf -> 0.0; nan -> nan; 4.0 -> 0x3e7fffff..0x3e800001;"
       "3.0 -> 0x3eaaaaaa..0x3eaaaaac"},
      {"rcp.approx.ftz.f32 %rx, %ra", "0x80000001 -> -inf; 0x00000001 -> inf; 4.0 -> 0x3e7fffff..0x3e800001"},
      {"rcp.approx.ftz.f64 %dx, %da", "-inf -> -0.0; 1 -> inf; -0.0 -> -inf; nan -> nan; 4.0 -> 0.249999..0.250001"},
      {"sqrt.approx.f32 %rx, %ra",
       "-inf -> nan; -1.0 -> nan; -0.0 -> -0.0; inf -> inf; 4.0 -> 1.9999997..2.0000003; 2.0 -> 1.414213..1.414214"},
      {"sqrt.approx.ftz.f32 %rx, %ra", "0x80000001 -> -0.0; 0x00000001 -> 0.0; 4.0 -> 1.9999997..2.0000003"},
      {"rsqrt.approx.f32 %rx, %ra", "-1.0 -> nan; -0.0 -> -inf; 0.0 -> inf; inf -> 0.0; 4.0 -> 0.4999998..0.5000002"},
      {"rsqrt.approx.ftz.f32 %rx, %ra", "0x80000001 -> -inf; 0x00000001 -> inf; 4.0 -> 0.4999998..0.5000002"},
      {"rsqrt.approx.f64 %dx, %da", "-1.0 -> nan; -0.0 -> -inf; inf -> 0.0; 4.0 -> 0.4999998..0.5000002"},
      {"rsqrt.approx.ftz.f64 %dx, %da", "-1.0 -> nan; 1 -> inf; inf -> 0.0; 4.0 -> 0.49999..0.50001"},
      // A divisor between 2^126 and 2^128 gives 0, or NaN if the dividend is infinite.
      {"div.approx.f32 %rx, %ra, %rb",
       "6.0 3.0 -> 0x3ffffffd..0x40000002; 1.0 0x7f000000 -> 0.0; inf 0x7f000000 -> nan; 1.0 0.0 -> inf;"
       "1.0 inf -> 0.0"},
      {"div.approx.ftz.f32 %rx, %ra, %rb",
       "6.0 3.0 -> 0x3ffffffd..0x40000002; 1.0 0x00000001 -> inf; 0x00000001 1.0 -> 0.0"},
      {"div.full.f32 %rx, %ra, %rb",
       "6.0 3.0 -> 0x3ffffffd..0x40000002; 1.0 0x7f000000 -> 0x003ffffe..0x00400002; 1.0 0.0 -> inf"},
      {"div.full.ftz.f32 %rx, %ra, %rb", "6.0 3.0 -> 0x3ffffffd..0x40000002; 0x00000001 1.0 -> 0.0"},
      {"ex2.approx.f32 %rx, %ra",
       "-inf -> 0.0; -0.0 -> 1.0; 0.0 -> 1.0; inf -> inf; nan -> nan; 3.0 -> 7.999998..8.000002;"
       "-1.0 -> 0.4999998..0.5000002"},
      {"ex2.approx.ftz.f32 %rx, %ra", "-inf -> 0.0; 0x00000001 -> 1.0; -140.0 -> 0.0; 3.0 -> 7.999998..8.000002"},
      {"lg2.approx.f32 %rx, %ra",
       "-1.0 -> nan; 0.0 -> -inf; -0.0 -> -inf; inf -> inf; 8.0 -> 2.999999..3.000001;"
       "1.0 -> -0.00000024..0.00000024"},
      {"lg2.approx.ftz.f32 %rx, %ra", "0x00000001 -> -inf; 0.5 -> -1.0000003..-0.9999997"},
      {"sin.approx.f32 %rx, %ra",
       "inf -> nan; -inf -> nan; -0.0 -> -0.0; 0.0 -> 0.0; 1.5707964 -> 0.999999..1.000001;"
       "0.5235988 -> 0.499999..0.500001"},
      {"sin.approx.ftz.f32 %rx, %ra", "0x80000001 -> -0.0; 1.5707964 -> 0.999999..1.000001"},
      {"cos.approx.f32 %rx, %ra",
       "inf -> nan; -0.0 -> 1.0; 0.0 -> 1.0; 1.0471976 -> 0.499999..0.500001; 3.1415927 -> -1.000001..-0.999999"},
      {"cos.approx.ftz.f32 %rx, %ra", "0x80000001 -> 1.0; 1.0471976 -> 0.499999..0.500001"},
      {"tanh.approx.f32 %rx, %ra",
       "-inf -> -1.0; inf -> 1.0; -0.0 -> -0.0; 0.0 -> 0.0; nan -> nan; 0.5 -> 0.46189..0.46235"},

      {"copysign.f32 %rx, %ra, %rb", "-1.0 2.0 -> -2.0; 1.0 -2.0 -> 2.0; -0.0 inf -> -inf"}, // a's sign, b's magnitude
      {"copysign.f64 %dx, %da, %db", "-1.0 2.0 -> -2.0; 1.0 -2.0 -> 2.0"},
      {"testp.finite.f32 %px, %ra", "1.0 -> 1; 0.0 -> 1; 1 -> 1; inf -> 0; nan -> 0"},
      {"testp.finite.f64 %px, %da", "1.0 -> 1; -inf -> 0; nan -> 0"},
      {"testp.infinite.f32 %px, %ra", "1.0 -> 0; inf -> 1; -inf -> 1; nan -> 0"},
      {"testp.infinite.f64 %px, %da", "1.0 -> 0; -inf -> 1; nan -> 0"},
      {"testp.number.f32 %px, %ra", "1.0 -> 1; inf -> 1; nan -> 0"},
      {"testp.number.f64 %px, %da", "1.0 -> 1; inf -> 1; nan -> 0"},
      {"testp.notanumber.f32 %px, %ra", "1.0 -> 0; inf -> 0; nan -> 1"},
      {"testp.notanumber.f64 %px, %da", "1.0 -> 0; inf -> 0; nan -> 1"},
      // Zeros are normal numbers, according to the manual.
      {"testp.normal.f32 %px, %ra",
       "1.0 -> 1; 0.0 -> 1; -0.0 -> 1; 0x00800000 -> 1; 0x007fffff -> 0; inf -> 0; nan -> 0"},
      {"testp.normal.f64 %px, %da", "1.0 -> 1; 0.0 -> 1; 0x0010000000000000 -> 1; 1 -> 0; inf -> 0"},
      {"testp.subnormal.f32 %px, %ra", "0x007fffff -> 1; 0x80000001 -> 1; 0x00800000 -> 0; 1.0 -> 0"},
      {"testp.subnormal.f64 %px, %da", "1 -> 1; 0x0010000000000000 -> 0; 1.0 -> 0"},
  };
}

std::vector<Program> tilecc::emu::test::floatingPrograms() { return {}; }
