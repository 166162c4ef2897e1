//===-- AnswersTest.cpp - compares instructions with answers from the ISA documents ----------------------------===//
#include "Harness.h"

#include <gtest/gtest.h>

#include <bit>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;
using namespace tilecc::emu::amd::test;

namespace {

u32 f(float x) { return std::bit_cast<u32>(x); }

// Sources are in v2, v3, ... in all lanes, or in s2, s3, ...; results in v0, v1, ... or s0, s1, ...
struct Answer {
  Processor processor;
  const char *text;
  std::vector<u32> sources, results;
  int scc = -1; // -1: any
};

void PrintTo(const Answer &answer, std::ostream *stream) { *stream << answer.processor.name << ": " << answer.text; }

class VectorAnswers : public testing::TestWithParam<Answer> {};
class ScalarAnswers : public testing::TestWithParam<Answer> {};

TEST_P(VectorAnswers, AreThose) {
  const Answer &answer = GetParam();
  TestMachine machine(answer.processor);
  machine.prepare = [&](Wave &wave) {
    wave.setMask(scalarVcc, 0);
    for (size_t i = 0; i < answer.sources.size(); ++i)
      std::fill_n(wave.vector(2 + i), maxLanes, answer.sources[i]);
  };
  machine.run(answer.text, [&](Wave &wave) {
    for (size_t i = 0; i < answer.results.size(); ++i)
      for (unsigned lane = 0; lane < wave.lanes; ++lane)
        ASSERT_EQ(wave.vector(i)[lane], answer.results[i]) << "v" << i << ", lane " << lane;
  });
  EXPECT_EQ(machine.error, "");
  EXPECT_EQ(machine.findings, "");
}

TEST_P(ScalarAnswers, AreThose) {
  const Answer &answer = GetParam();
  TestMachine machine(answer.processor);
  machine.prepare = [&](Wave &wave) {
    for (size_t i = 0; i < answer.sources.size(); ++i)
      wave.setScalar(2 + i, answer.sources[i]);
  };
  machine.run(answer.text, [&](Wave &wave) {
    for (size_t i = 0; i < answer.results.size(); ++i)
      EXPECT_EQ(wave.scalar(i), answer.results[i]) << "s" << i;
    if (answer.scc >= 0)
      EXPECT_EQ(wave.scc, answer.scc != 0);
  });
  EXPECT_EQ(machine.error, "");
}

const u32 inf = 0x7f800000, nan = 0x7fc00000, negative = 0x80000000;

const Answer vectorAnswers[] = {
    {gfx942, "v_add_f32 v0, v2, v3", {f(1.5f), f(2.25f)}, {f(3.75f)}},
    {gfx942, "v_add_f32 v0, -v2, |v3|", {f(1.5f), f(-2.25f)}, {f(0.75f)}},
    {gfx942, "v_add_f32_e64 v0, v2, v3 clamp", {f(1.5f), f(2.25f)}, {f(1)}},
    {gfx942, "v_mul_f32_e64 v0, v2, v3 mul:2", {f(1.5f), f(2)}, {f(6)}},
    {gfx942, "v_sub_f32 v0, v2, v3", {f(1.5f), f(2.25f)}, {f(-0.75f)}},
    {gfx942, "v_subrev_f32 v0, v2, v3", {f(1.5f), f(2.25f)}, {f(0.75f)}},
    {gfx942, "v_fma_f32 v0, v2, v3, v4", {f(3), f(4), f(-5)}, {f(7)}},
    {gfx1100, "v_fmamk_f32 v0, v2, 0x40400000, v3", {f(2), f(1)}, {f(7)}},
    {gfx1100, "v_fmaak_f32 v0, v2, v3, 0x40400000", {f(2), f(5)}, {f(13)}},
    {gfx942, "v_mov_b32 v0, 1.0\nv_fmac_f32 v0, v2, v3", {f(2), f(5)}, {f(11)}},
    {gfx942, "v_max_f32 v0, v2, v3", {nan, f(2)}, {f(2)}},
    {gfx942, "v_min_f32 v0, v2, v3", {f(0), negative}, {negative}},
    {gfx1201, "v_maximum_f32 v0, v2, v3", {f(7), f(2)}, {f(7)}},
    {gfx1201, "v_max_num_f32 v0, v2, v3", {nan, f(2)}, {f(2)}},
    {gfx942, "v_max3_f32 v0, v2, v3, v4", {f(7), f(2), f(9)}, {f(9)}},
    {gfx942, "v_med3_f32 v0, v2, v3, v4", {f(7), f(2), f(9)}, {f(7)}},
    {gfx950, "v_med3_f16 v0, v2, v3, v4", {0x4000, 0x3c00, 0x4200}, {0x4000}},
    {gfx1201, "v_med3_num_f16 v0, v2, v3, v4", {0xc000, 0xbc00, 0x4200}, {0xbc00}},
    {gfx942, "v_floor_f32 v0, v2", {f(-1.5f)}, {f(-2)}},
    {gfx942, "v_ceil_f32 v0, v2", {f(1.25f)}, {f(2)}},
    {gfx942, "v_trunc_f32 v0, v2", {f(-1.5f)}, {f(-1)}},
    {gfx942, "v_rndne_f32 v0, v2", {f(2.5f)}, {f(2)}},
    {gfx942, "v_fract_f32 v0, v2", {f(-1.25f)}, {f(0.75f)}},
    {gfx942, "v_frexp_mant_f32 v0, v2", {f(12)}, {f(0.75f)}},
    {gfx942, "v_frexp_exp_i32_f32 v0, v2", {f(12)}, {4}},
    {gfx942, "v_ldexp_f32 v0, v2, v3", {f(3), 4}, {f(48)}},
    {gfx942, "v_exp_f32 v0, v2", {f(5)}, {f(32)}},
    {gfx942, "v_log_f32 v0, v2", {f(32)}, {f(5)}},
    {gfx942, "v_rcp_f32 v0, v2", {f(4)}, {f(0.25f)}},
    {gfx942, "v_rcp_f32 v0, v2", {1}, {inf}}, // subnormal numbers count as 0
    {gfx942, "v_rsq_f32 v0, v2", {f(16)}, {f(0.25f)}},
    {gfx942, "v_sqrt_f32 v0, v2", {f(9)}, {f(3)}},
    {gfx942, "v_sin_f32 v0, v2", {f(0.25f)}, {f(1)}},
    {gfx942, "v_cos_f32 v0, v2", {f(1)}, {f(1)}},
    {gfx942, "v_div_fixup_f32 v0, v2, v3, v4", {f(123), f(0), f(-1)}, {f(-std::numeric_limits<float>::infinity())}},
    {gfx942, "v_div_fmas_f32 v0, v2, v3, v4", {f(2), f(3), f(1)}, {f(7)}},
    {gfx942, "v_div_scale_f32 v0, vcc, v2, v2, v3", {f(2), f(3)}, {f(2)}},
    {gfx942, "v_add_f64 v[0:1], v[2:3], v[4:5]", {0, 0x3ff80000, 0, 0x40000000}, {0, 0x400c0000}}, // 1.5 + 2
    {gfx942, "v_fma_f64 v[0:1], v[2:3], v[4:5], 1.0", {0, 0x3ff80000, 0, 0x40000000}, {0, 0x40100000}},
    {gfx942, "v_add_f16 v0, v2, v3", {0xffff3c00, 0x4000}, {0x4200}}, // gfx9 clears the upper half
    {gfx1100, "v_mov_b32 v0, 0x12345678\nv_add_f16 v0.l, v2.l, v3.l", {0x3c00, 0x4000}, {0x12344200}},
    {gfx1100, "v_mov_b32 v0, 0x12345678\nv_add_f16 v0.h, v2.h, v3.l", {0x3c000000, 0x4000}, {0x42005678}},
    {gfx942, "v_mov_b32 v0, 0x12345678\nv_fma_f16 v0, v2, v3, v4", {0x4000, 0x4200, 0x3c00}, {0x12344700}},
    {gfx942, "v_cvt_f16_f32 v0, v2", {f(1)}, {0x3c00}},
    {gfx942, "v_cvt_f32_f16 v0, v2", {0xc000}, {f(-2)}},
    {gfx942, "v_cvt_f32_f16_sdwa v0, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", {0x3c00c000}, {f(1)}},
    {gfx942, "v_cvt_pkrtz_f16_f32 v0, v2, v3", {f(1), f(-2)}, {0xc0003c00}},
    {gfx950, "v_cvt_pk_bf16_f32 v0, v2, v3", {f(1), 0x3f818000}, {0x3f823f80}}, // a tie goes to even
    {gfx942, "v_cvt_i32_f32 v0, v2", {f(-3.75f)}, {static_cast<u32>(-3)}},
    {gfx942, "v_cvt_u32_f32 v0, v2", {f(-3.75f)}, {0}},
    {gfx942, "v_cvt_i32_f32 v0, v2", {f(1e20f)}, {0x7fffffff}},
    {gfx942, "v_cvt_i32_f32 v0, v2", {nan}, {0}},
    {gfx942, "v_cvt_f32_i32 v0, v2", {static_cast<u32>(-3)}, {f(-3)}},
    {gfx942, "v_cvt_f32_u32 v0, v2", {0x80000000}, {f(2147483648.0f)}},
    {gfx942, "v_cvt_f64_f32 v[0:1], v2", {f(1.5f)}, {0, 0x3ff80000}},
    {gfx942, "v_cvt_f32_ubyte2 v0, v2", {0x00ab0000}, {f(171)}},
    // 1 has the exponent 8 + 0 in e4m3 fnuz and 7 + 0 in e4m3.
    {gfx942, "v_mov_b32 v0, 0\nv_cvt_pk_fp8_f32 v0, v2, v3", {f(1), f(-2)}, {0xc840}},
    {gfx1201, "v_mov_b32 v0, 0\nv_cvt_pk_fp8_f32 v0, v2, v3", {f(1), f(-2)}, {0xc038}},
    {gfx942, "v_cvt_f32_fp8 v0, v2", {0x7f}, {f(240)}},
    {gfx1201, "v_cvt_f32_fp8 v0, v2", {0x7e}, {f(448)}},
    {gfx942, "v_cvt_pk_f32_fp8 v[0:1], v2", {0x4840}, {f(1), f(2)}},
    {gfx942, "v_cvt_f32_bf8 v0, v2", {0x40}, {f(1)}},

    {gfx942, "v_add_u32 v0, v2, v3", {0xffffffff, 3}, {2}},
    {gfx1100, "v_add_nc_u32 v0, v2, v3", {0xffffffff, 3}, {2}},
    {gfx942, "v_sub_u32 v0, v2, v3", {1, 3}, {0xfffffffe}},
    {gfx942, "v_sub_u32_e64 v0, v2, v3 clamp", {1, 3}, {0}},
    {gfx942, "v_add_i32 v0, v2, v3 clamp", {0x7fffffff, 3}, {0x7fffffff}},
    {gfx942, "v_subrev_u32 v0, v2, v3", {1, 3}, {2}},
    {gfx942, "v_add_co_u32 v1, vcc, v2, v3\nv_addc_co_u32 v0, vcc, v4, v5, vcc", {0xffffffff, 3, 1, 1}, {3, 2}},
    {gfx942, "v_sub_co_u32 v1, vcc, v2, v3\nv_subb_co_u32 v0, vcc, v4, v5, vcc", {1, 3, 5, 1}, {3, 0xfffffffe}},
    {gfx942, "v_lshl_add_u64 v[0:1], v[2:3], 2, v[4:5]", {0x40000000, 0, 1, 0}, {1, 1}},
    {gfx942, "v_lshl_add_u32 v0, v2, 2, v3", {3, 1}, {13}},
    {gfx942, "v_add_lshl_u32 v0, v2, v3, 2", {3, 1}, {16}},
    {gfx942, "v_lshl_or_b32 v0, v2, 4, v3", {3, 1}, {0x31}},
    {gfx942, "v_and_or_b32 v0, v2, v3, v4", {0xff, 0x3c, 0x100}, {0x13c}},
    {gfx942, "v_or3_b32 v0, v2, v3, v4", {1, 2, 4}, {7}},
    {gfx942, "v_xad_u32 v0, v2, v3, v4", {6, 3, 1}, {6}},
    {gfx942, "v_add3_u32 v0, v2, v3, v4", {6, 3, 1}, {10}},
    {gfx942, "v_mul_lo_u32 v0, v2, v3", {0x10001, 0x10001}, {0x20001}},
    {gfx942, "v_mul_hi_u32 v0, v2, v3", {0xffffffff, 4}, {3}},
    {gfx942, "v_mul_hi_i32 v0, v2, v3", {0xffffffff, 4}, {0xffffffff}},
    {gfx942, "v_mul_u32_u24 v0, v2, v3", {0xff000003, 4}, {12}},
    {gfx942, "v_mad_u32_u24 v0, v2, v3, v4", {3, 4, 5}, {17}},
    {gfx942, "v_mad_i32_i24 v0, v2, v3, v4", {0xffffff, 4, 5}, {1}},
    {gfx942, "v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]", {0x80000000, 4, 7, 1}, {7, 3}},
    {gfx942, "v_lshlrev_b32 v0, 4, v2", {3}, {48}},
    {gfx942, "v_lshrrev_b32 v0, 4, v2", {0x80000000}, {0x08000000}},
    {gfx942, "v_ashrrev_i32 v0, 4, v2", {0x80000000}, {0xf8000000}},
    {gfx942, "v_lshlrev_b64 v[0:1], 33, v[2:3]", {3, 0}, {0, 6}},
    {gfx942, "v_and_b32 v0, v2, v3", {0xf0, 0x3c}, {0x30}},
    {gfx942, "v_or_b32 v0, v2, v3", {0xf0, 0x3c}, {0xfc}},
    {gfx942, "v_xor_b32 v0, v2, v3", {0xf0, 0x3c}, {0xcc}},
    {gfx942, "v_not_b32 v0, v2", {0xf0}, {0xffffff0f}},
    {gfx942, "v_bfe_u32 v0, v2, 8, 4", {0x12345678}, {6}},
    {gfx942, "v_bfe_i32 v0, v2, 4, 4", {0x12345698}, {0xfffffff9}},
    {gfx942, "v_bfi_b32 v0, v2, v3, v4", {0xff00, 0x1234, 0x5678}, {0x1278}},
    {gfx950, "v_bitop3_b32 v0, v2, v3, v4 bitop3:0xca", {0xff00, 0x1234, 0x5678}, {0x1278}}, // the table of v_bfi_b32
    {gfx950, "v_bitop3_b32 v0, v2, v3, v4 bitop3:0x6c", {0xf0, 0xcc, 0xaa}, {0x6c}},
    {gfx950, "v_bitop3_b16 v0, v2, v3, v4 bitop3:0x6c", {0xf0, 0xcc, 0xaa}, {0x6c}},
    {gfx942, "v_alignbit_b32 v0, v2, v3, 8", {0x12345678, 0x9abcdef0}, {0x789abcde}},
    {gfx942, "v_alignbyte_b32 v0, v2, v3, 2", {0x12345678, 0x9abcdef0}, {0x56789abc}},
    {gfx942, "v_perm_b32 v0, v2, v3, v4", {0x07060504, 0x03020100, 0x0c070005}, {0x00070005}},
    {gfx942, "v_ffbh_u32 v0, v2", {0x00010000}, {15}},
    {gfx942, "v_ffbl_b32 v0, v2", {0x00010000}, {16}},
    {gfx942, "v_ffbl_b32 v0, v2", {0}, {0xffffffff}},
    {gfx942, "v_bfrev_b32 v0, v2", {1}, {0x80000000}},
    {gfx942, "v_bcnt_u32_b32 v0, v2, v3", {0xff, 3}, {11}},
    {gfx942, "v_min_i32 v0, v2, v3", {0xffffffff, 3}, {0xffffffff}},
    {gfx942, "v_max_u32 v0, v2, v3", {0xffffffff, 3}, {0xffffffff}},
    {gfx942, "v_med3_i32 v0, v2, v3, v4", {0xffffffff, 3, 9}, {3}},
    {gfx942, "v_mul_lo_u16 v0, v2, v3", {0x101, 0x101}, {0x0201}},
    {gfx942, "v_accvgpr_write_b32 a7, v2\nv_accvgpr_read_b32 v0, a7", {77}, {77}},
    {gfx942, "v_pack_b32_f16 v0, v2, v3", {0x3c00, 0x4000}, {0x40003c00}},
    {gfx942, "v_dot4_i32_i8 v0, v2, v3, v4", {0x010203ff, 0x02020202, 10}, {20}},
    {gfx1100, "v_dot4_i32_iu8 v0, v2, v3, v4 neg_lo:[1,1,0]", {0x010203ff, 0x02020202, 10}, {20}},
    {gfx1100, "v_dot4_i32_iu8 v0, v2, v3, v4 neg_lo:[0,1,0]", {0x010203ff, 0x020202fe, 10}, {u32(10 + 12 - 510)}},
    {gfx1100, "v_dual_mov_b32 v0, v3 :: v_dual_mov_b32 v1, v2", {4, 5}, {5, 4}},
    {gfx1100, "v_mov_b32 v0, v2\nv_mov_b32 v1, v3\nv_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0", {4, 5}, {5, 4}},

    {gfx942, "v_pk_add_f16 v0, v2, v3", {0x40003c00, 0x3c003c00}, {0x42004000}},
    {gfx942, "v_pk_fma_f16 v0, v2, v3, v4 op_sel_hi:[1,0,1]", {0x40003c00, 0x00004000, 0x3c003c00}, {0x45004200}},
    {gfx942, "v_pk_mul_f16 v0, v2, v3 neg_lo:[1,0]", {0x40003c00, 0x40004000}, {0x4400c000}},
    {gfx942, "v_pk_mul_f32 v[0:1], v[2:3], v[4:5]", {f(2), f(3), f(4), f(5)}, {f(8), f(15)}},
    {gfx942, "v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] op_sel_hi:[1,0,1]", {f(2), f(3), f(4), f(5), f(1), f(1)},
     {f(9), f(13)}},
    {gfx942, "v_pk_add_f32 v[0:1], v[2:3], v[4:5] op_sel:[1,0] op_sel_hi:[0,1]", {f(2), f(3), f(4), f(5)}, {f(7), f(7)}},
    {gfx942, "v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,0]", {1, 2, 3, 4}, {2, 3}},
    {gfx942, "v_pk_add_u16 v0, v2, v3", {0xffff0001, 0x00010001}, {0x00000002}},
    {gfx942, "v_pk_lshlrev_b16 v0, v2, v3", {0x00040001, 0x00010001}, {0x00100002}},
    {gfx942, "v_fma_mix_f32 v0, v2, v3, v4 op_sel:[1,0,0] op_sel_hi:[1,0,0]", {0x40003c00, f(3), f(1)}, {f(7)}},
    {gfx942, "v_dot2_f32_f16 v0, v2, v3, v4", {0x40003c00, 0x3c004000, f(1)}, {f(5)}},

    {gfx942, "v_cmp_lt_f32 vcc, v2, v3\nv_cndmask_b32 v0, v2, v3, vcc", {f(1), f(2)}, {f(2)}},
    {gfx942, "v_cmp_lt_f32 vcc, v2, v3\nv_cndmask_b32 v0, v2, v3, vcc", {nan, f(2)}, {nan}},
    {gfx942, "v_cmp_nge_f32 vcc, v2, v3\nv_cndmask_b32 v0, 0, 1, vcc", {nan, f(2)}, {1}},
    {gfx942, "v_cmp_u_f32 s[4:5], v2, v3\nv_cndmask_b32 v0, 0, 1, s[4:5]", {nan, f(2)}, {1}},
    {gfx942, "v_cmp_gt_i32 vcc, v2, v3\nv_cndmask_b32 v0, 0, 1, vcc", {0xffffffff, 2}, {0}},
    {gfx942, "v_cmp_gt_u32 vcc, v2, v3\nv_cndmask_b32 v0, 0, 1, vcc", {0xffffffff, 2}, {1}},
    {gfx942, "v_cmp_class_f32 vcc, v2, 3\nv_cndmask_b32 v0, 0, 1, vcc", {nan}, {1}},
    {gfx1100, "v_cmp_eq_u32 vcc_lo, v2, v3\nv_cndmask_b32 v0, 0, 1, vcc_lo", {2, 2}, {1}},
    // v_cmpx keeps the lanes for which the comparison is true.
    {gfx1100, "v_mov_b32 v0, 1\nv_cmpx_eq_u32 v2, v3\nv_mov_b32 v0, 2", {2, 3}, {1}},
    {gfx942, "v_mov_b32 v0, 1\nv_cmpx_ne_u32 vcc, v2, v3\nv_mov_b32 v0, 2", {2, 3}, {2}},
};
INSTANTIATE_TEST_SUITE_P(Amd, VectorAnswers, testing::ValuesIn(vectorAnswers));

const Answer scalarAnswers[] = {
    {gfx942, "s_mov_b32 s0, s2", {7}, {7}},
    {gfx942, "s_mov_b64 s[0:1], -2", {}, {0xfffffffe, 0xffffffff}},
    {gfx942, "s_movk_i32 s0, 0x8000", {}, {0xffff8000}},
    {gfx942, "s_add_u32 s0, s2, s3\ns_addc_u32 s1, s4, s5", {0xffffffff, 2, 3, 4}, {1, 8}, 0},
    {gfx942, "s_sub_u32 s0, s2, s3\ns_subb_u32 s1, s4, s5", {1, 2, 3, 4}, {0xffffffff, 0xfffffffe}, 1},
    {gfx942, "s_add_i32 s0, s2, s3", {0x7fffffff, 1}, {0x80000000}, 1},
    {gfx942, "s_mul_i32 s0, s2, s3", {5, 7}, {35}},
    {gfx942, "s_mul_hi_u32 s0, s2, s3", {0x80000000, 6}, {3}},
    {gfx942, "s_and_b64 s[0:1], s[2:3], s[4:5]", {0xf0, 3, 0x3c, 1}, {0x30, 1}, 1},
    {gfx942, "s_or_b32 s0, s2, s3", {0xf0, 0x0f}, {0xff}, 1},
    {gfx942, "s_xor_b32 s0, s2, s3", {5, 5}, {0}, 0},
    {gfx942, "s_andn2_b32 s0, s2, s3", {7, 2}, {5}, 1},
    {gfx1100, "s_and_not1_b32 s0, s2, s3", {7, 2}, {5}, 1},
    {gfx942, "s_lshl_b32 s0, s2, s3", {7, 34}, {28}, 1},
    {gfx942, "s_lshr_b64 s[0:1], s[2:3], 4", {0, 1}, {0x10000000, 0}, 1},
    {gfx942, "s_ashr_i32 s0, s2, 31", {0x80000000}, {0xffffffff}, 1},
    {gfx942, "s_bfe_u32 s0, s2, 0x40008", {0x12345678}, {6}, 1},
    {gfx942, "s_bfe_i32 s0, s2, 0x80000", {0xff}, {0xffffffff}, 1},
    {gfx942, "s_lshl2_add_u32 s0, s2, s3", {3, 5}, {17}, 0},
    {gfx942, "s_min_i32 s0, s2, s3", {0xffffffff, 5}, {0xffffffff}, 1},
    {gfx942, "s_max_u32 s0, s2, s3", {0xffffffff, 5}, {0xffffffff}, 1},
    {gfx942, "s_cmp_lt_i32 s2, s3\ns_cselect_b32 s0, s4, s5", {0xffffffff, 0, 10, 20}, {10}, 1},
    {gfx942, "s_cmp_lt_u32 s2, s3\ns_cselect_b32 s0, s4, s5", {0xffffffff, 0, 10, 20}, {20}, 0},
    {gfx942, "s_cmp_eq_u64 s[2:3], s[4:5]", {1, 2, 1, 2}, {}, 1},
    {gfx942, "s_cmpk_gt_i32 s2, 0xffff", {0}, {}, 1},
    {gfx942, "s_bitcmp1_b32 s2, 3", {8}, {}, 1},
    {gfx942, "s_bcnt1_i32_b64 s0, s[2:3]", {0xff, 0xf}, {12}, 1},
    {gfx942, "s_ff1_i32_b32 s0, s2", {0x100}, {8}},
    {gfx942, "s_flbit_i32_b32 s0, s2", {0x100}, {23}},
    {gfx942, "s_brev_b32 s0, s2", {1}, {0x80000000}},
    {gfx942, "s_sext_i32_i8 s0, s2", {0x80}, {0xffffff80}},
    {gfx942, "s_pack_ll_b32_b16 s0, s2, s3", {0x11112222, 0x33334444}, {0x44442222}},
    {gfx942, "s_mov_b32 s0, 40\ns_addk_i32 s0, 0xfffe", {}, {38}, 0},
    {gfx942, "s_and_saveexec_b64 s[0:1], s[2:3]\ns_mov_b64 s[2:3], exec", {0xf0, 0}, {~0u, ~0u, 0xf0, 0}, 1},
    {gfx1100, "s_and_saveexec_b32 s0, s2\ns_mov_b32 s1, exec_lo", {0xf0}, {~0u, 0xf0}, 1},
    {gfx942, "s_andn2_saveexec_b64 s[0:1], s[2:3]\ns_mov_b64 s[2:3], exec", {~0u, ~0u}, {~0u, ~0u, 0, 0}, 0},
    {gfx1201, "s_add_f32 s0, s2, s3", {f(1.5f), f(2)}, {f(3.5f)}},
    {gfx1201, "s_fmac_f32 s2, s3, s4\ns_mov_b32 s0, s2", {f(1), f(2), f(3)}, {f(7)}},
    {gfx1201, "s_mul_u64 s[0:1], s[2:3], s[4:5]", {0x80000000, 0, 6, 0}, {0, 3}},
    // A loop: 1 + 2 + ... + 5.
    {gfx942, "s_mov_b32 s0, 0\ns_mov_b32 s1, 5\nloop:\ns_add_u32 s0, s0, s1\ns_sub_u32 s1, s1, 1\n"
             "s_cmp_lg_u32 s1, 0\ns_cbranch_scc1 loop", {}, {15, 0}, 0},
};
INSTANTIATE_TEST_SUITE_P(Amd, ScalarAnswers, testing::ValuesIn(scalarAnswers));

//===-- lanes --------------------------------------------------------------------------------------------------===//

// v2 contains the lane's number, and v3 the same plus 100. The answers are v0 in each lane afterwards.
template <class F> void expectLanes(Processor processor, const char *text, F expected, LaneMask exec = ~LaneMask(0)) {
  TestMachine machine(processor);
  machine.prepare = [&](Wave &wave) {
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
      wave.vector(0)[lane] = 1000;
      wave.vector(2)[lane] = lane;
      wave.vector(3)[lane] = 100 + lane;
    }
    wave.setMask(scalarExec, exec & wave.existing);
  };
  machine.run(text, [&](Wave &wave) {
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      EXPECT_EQ(wave.vector(0)[lane], u32(expected(int(lane)))) << text << ", lane " << lane;
  });
  EXPECT_EQ(machine.error, "");
  EXPECT_EQ(machine.findings, "");
}

TEST(Lanes, MoveByDpp) {
  expectLanes(gfx942, "v_mov_b32_dpp v0, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", [](int l) { return l ^ 1; });
  expectLanes(gfx942, "v_mov_b32_dpp v0, v2 row_shr:1 row_mask:0xf bank_mask:0xf",
              [](int l) { return l % 16 ? l - 1 : 1000; });
  expectLanes(gfx942, "v_mov_b32_dpp v0, v2 row_shl:2 row_mask:0xf bank_mask:0xf bound_ctrl:0",
              [](int l) { return l % 16 < 14 ? l + 2 : 0; });
  expectLanes(gfx942, "v_mov_b32_dpp v0, v2 row_ror:3 row_mask:0xf bank_mask:0xf",
              [](int l) { return l / 16 * 16 + (l + 13) % 16; });
  expectLanes(gfx942, "v_mov_b32_dpp v0, v2 row_half_mirror row_mask:0xf bank_mask:0xf", [](int l) { return l ^ 7; });
  expectLanes(gfx942, "v_mov_b32_dpp v0, v2 row_mirror row_mask:0xf bank_mask:0xf", [](int l) { return l ^ 15; });
  expectLanes(gfx942, "v_mov_b32_dpp v0, v2 row_bcast:15 row_mask:0xa bank_mask:0xf",
              [](int l) { return l / 16 % 2 ? l / 16 * 16 - 1 : 1000; });
  expectLanes(gfx942, "v_mov_b32_dpp v0, v2 row_bcast:31 row_mask:0xc bank_mask:0xf",
              [](int l) { return l < 32 ? 1000 : 31; });
  expectLanes(gfx942, "v_add_u32_dpp v0, v2, v3 row_newbcast:5 row_mask:0xf bank_mask:0xf",
              [](int l) { return l / 16 * 16 + 5 + 100 + l; });
  expectLanes(gfx1100, "v_mov_b32_dpp v0, v2 row_xmask:5 row_mask:0xf bank_mask:0xf", [](int l) { return l ^ 5; });
  expectLanes(gfx1100, "v_mov_b32_dpp v0, v2 dpp8:[7,6,5,4,3,2,1,0]", [](int l) { return l ^ 7; });
}

TEST(Lanes, MoveThroughLds) {
  expectLanes(gfx942, "v_xor_b32 v4, 33, v2\nv_lshlrev_b32 v4, 2, v4\nds_bpermute_b32 v0, v4, v3\ns_waitcnt lgkmcnt(0)",
              [](int l) { return 100 + (l ^ 33); });
  expectLanes(gfx942, "v_add_u32 v4, 1, v2\nv_lshlrev_b32 v4, 2, v4\nds_permute_b32 v0, v4, v3\ns_waitcnt lgkmcnt(0)",
              [](int l) { return 100 + (l + 63) % 64; });
  expectLanes(gfx942, "ds_swizzle_b32 v0, v2 offset:swizzle(SWAP,16)\ns_waitcnt lgkmcnt(0)", [](int l) { return l ^ 16; });
  expectLanes(gfx942, "ds_swizzle_b32 v0, v2 offset:0x101f\ns_waitcnt lgkmcnt(0)", [](int l) { return l ^ 4; });
  expectLanes(gfx942, "ds_swizzle_b32 v0, v2 offset:swizzle(BITMASK_PERM,\"01pi0\")\ns_waitcnt lgkmcnt(0)",
              [](int l) { return (l & 32) + ((l & 6) ^ 2) + 8; });
}

TEST(Lanes, AreRead) {
  expectLanes(gfx942, "v_readlane_b32 s4, v2, 37\nv_mov_b32 v0, s4", [](int) { return 37; });
  expectLanes(gfx942, "v_readfirstlane_b32 s4, v3\nv_mov_b32 v0, s4", [](int l) { return l < 8 ? 1000 : 108; }, ~LaneMask(255));
  expectLanes(gfx942, "v_writelane_b32 v0, 5, 3", [](int l) { return l == 3 ? 5 : 1000; });
  expectLanes(gfx942, "v_mbcnt_lo_u32_b32 v0, -1, 0\nv_mbcnt_hi_u32_b32 v0, -1, v0", [](int l) { return l; });
  expectLanes(gfx1100, "v_mbcnt_lo_u32_b32 v0, -1, 0", [](int l) { return l; });
  expectLanes(gfx1100, "s_mov_b32 s4, 0x76543210\ns_mov_b32 s5, 0xfedcba98\nv_permlanex16_b32 v0, v2, s4, s5",
              [](int l) { return l ^ 16; });
  expectLanes(gfx1100, "s_mov_b32 s4, 0x67452301\ns_mov_b32 s5, 0xefcdab89\nv_permlane16_b32 v0, v2, s4, s5",
              [](int l) { return l ^ 1; });
  expectLanes(gfx950, "v_mov_b32 v0, v2\nv_permlane32_swap_b32 v0, v3", [](int l) { return l < 32 ? l : 100 + l - 32; });
}

TEST(Lanes, OfMasksThatAreNotSetAreNotWritten) {
  expectLanes(gfx942, "v_mov_b32 v0, 7", [](int l) { return l % 2 ? 7 : 1000; }, 0xaaaaaaaaaaaaaaaa);
}

//===-- memory -------------------------------------------------------------------------------------------------===//

// s[2:3] is a buffer of 0, 1, 2, ...; s[4:5] one that is written; v2 is the lane times 4.
struct MemoryCase {
  Processor processor;
  const char *text;
  u32 (*expected)(u32 lane);
};
class Memory : public testing::TestWithParam<MemoryCase> {};
TEST_P(Memory, HasTheValue) {
  const MemoryCase &test = GetParam();
  TestMachine machine(test.processor);
  std::vector<u32> numbers(256);
  for (u32 i = 0; i < 256; ++i)
    numbers[i] = i;
  uint64_t from = machine.buffer(numbers), to = machine.buffer(std::vector<u32>(256, 5));
  machine.sharedBytes = 4096;
  machine.scratchBytes = 64;
  unsigned lanes = test.processor.isWave32 ? 32 : 64;
  machine.prepare = [&](Wave &wave) {
    wave.setScalar(2, u32(from)), wave.setScalar(3, u32(from >> 32)), wave.setScalar(4, u32(to)), wave.setScalar(5, u32(to >> 32));
    // Buffers of 256 bytes.
    wave.setScalar(8, u32(from)), wave.setScalar(9, u32(from >> 32)), wave.setScalar(10, 64), wave.setScalar(11, 0x27000);
    for (unsigned lane = 0; lane < lanes; ++lane)
      wave.vector(2)[lane] = 4 * lane, wave.vector(3)[lane] = 100 + lane;
  };
  machine.run(std::string(test.text) + "\nglobal_store_" + (test.processor.isWave32 ? "b32" : "dword") + " v2, v0, s[4:5]");
  EXPECT_EQ(machine.error, "");
  EXPECT_EQ(machine.findings, "");
  std::vector<u32> found = machine.read(to, lanes);
  for (u32 lane = 0; lane < lanes; ++lane)
    EXPECT_EQ(found[lane], test.expected(lane)) << test.text << ", lane " << lane;
}
const MemoryCase memoryCases[] = {
    {gfx942, "global_load_dword v0, v2, s[2:3]\ns_waitcnt vmcnt(0)", [](u32 l) { return l; }},
    {gfx942, "global_load_dwordx4 v[4:7], v2, s[2:3] offset:16\ns_waitcnt vmcnt(0)\nv_mov_b32 v0, v7",
     [](u32 l) { return l + 7; }},
    {gfx942, "global_load_ubyte v0, v2, s[2:3] offset:4\ns_waitcnt vmcnt(0)", [](u32 l) { return l + 1; }},
    {gfx942, "v_mov_b32 v0, -1\nglobal_load_short_d16_hi v0, v2, s[2:3]\ns_waitcnt vmcnt(0)",
     [](u32 l) { return l << 16 | 0xffff; }},
    {gfx1201, "global_load_b32 v0, v2, s[2:3] offset:4\ns_wait_loadcnt 0x0", [](u32 l) { return l + 1; }},
    {gfx942, "v_mov_b32 v5, s3\nv_add_co_u32 v4, vcc, s2, v2\nv_addc_co_u32 v5, vcc, 0, v5, vcc\n"
             "flat_load_dword v0, v[4:5] offset:8\ns_waitcnt vmcnt(0) lgkmcnt(0)", [](u32 l) { return l + 2; }},
    {gfx942, "buffer_load_dword v0, v2, s[8:11], 0 offen offset:4\ns_waitcnt vmcnt(0)",
     [](u32 l) { return l < 15 ? l + 1 : 0; }}, // 64 bytes are in range
    {gfx942, "s_load_dwordx2 s[12:13], s[2:3], 0x10\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v0, s13", [](u32) { return 5u; }},
    {gfx1201, "s_load_b64 s[12:13], s[2:3], 0x10\ns_wait_kmcnt 0x0\nv_mov_b32 v0, s13", [](u32) { return 5u; }},
    {gfx942, "global_atomic_add v4, v2, v3, s[4:5] sc0\ns_waitcnt vmcnt(0)\nglobal_load_dword v0, v2, s[4:5]\n"
             "s_waitcnt vmcnt(0)\nv_add_u32 v0, v0, v4", [](u32 l) { return 5 + 105 + l; }},
    {gfx942, "ds_write_b32 v2, v3 offset:256\nds_read_b32 v0, v2 offset:256\ns_waitcnt lgkmcnt(0)",
     [](u32 l) { return 100 + l; }},
    {gfx942, "v_lshlrev_b32 v4, 1, v2\nds_write2_b32 v4, v2, v3 offset1:1\nds_read_b64 v[6:7], v4\n"
             "s_waitcnt lgkmcnt(0)\nv_add_u32 v0, v6, v7", [](u32 l) { return 100 + 5 * l; }},
    {gfx1100, "ds_store_b32 v2, v3\nds_add_rtn_u32 v4, v2, v3\nds_load_b32 v0, v2\ns_waitcnt lgkmcnt(0)\n"
              "v_sub_nc_u32 v0, v0, v4", [](u32 l) { return 100 + l; }},
    {gfx942, "scratch_store_dword off, v3, off offset:8\ns_waitcnt vmcnt(0)\nscratch_load_dword v0, off, off offset:8\n"
             "s_waitcnt vmcnt(0)", [](u32 l) { return 100 + l; }},
};
INSTANTIATE_TEST_SUITE_P(Amd, Memory, testing::ValuesIn(memoryCases));

} // namespace
