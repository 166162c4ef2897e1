//===-- Scalar.cpp - scalar instructions -----------------------------------------------------------------------===//
#include "emulator/amd/Table.h"
#include "emulator/isa/numerics/Convert.h"

#include <algorithm>
#include <cmath>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

template <class T> T noting(T result, Scc &scc) {
  scc.value = result != 0;
  return result;
}

u32 add(u32 a, u32 b, bool carry, Scc &scc) {
  u64 sum = u64(a) + b + carry;
  scc.value = sum >> 32;
  return static_cast<u32>(sum);
}
template <unsigned Shift>
constexpr auto shiftAndAdd = [](u32 a, u32 b, Scc &scc) {
  u64 sum = (u64(a) << Shift) + b;
  scc.value = sum >> 32;
  return static_cast<u32>(sum);
};
u32 subtract(u32 a, u32 b, bool borrow, Scc &scc) {
  scc.value = u64(b) + borrow > a;
  return a - b - borrow;
}

template <class T> T extract(T a, u32 b) {
  constexpr unsigned bits = 8 * sizeof(T);
  unsigned offset = b & (bits - 1), width = std::min<unsigned>(b >> 16 & 0x7f, bits - offset);
  if (!width)
    return 0;
  using Unsigned = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<T>(static_cast<Unsigned>(a) >> offset << (bits - width)) >> (bits - width));
}

template <class T> u32 leadingZeros(T a) { return a ? static_cast<u32>(std::countl_zero(a)) : ~0u; }
template <class T> u32 trailingZeros(T a) { return a ? static_cast<u32>(std::countr_zero(a)) : ~0u; }
u64 reversed(u64 a, unsigned bits) {
  u64 result = 0;
  for (unsigned i = 0; i < bits; ++i)
    result |= (a >> i & 1) << (bits - 1 - i);
  return result;
}

// s_and_saveexec and similar: the result is the old EXEC; EXEC becomes the result of the operation.
enum class Logic { andOf, orOf, xorOf, andNot1, andNot0, orNot1 };
template <Logic L, unsigned Bits, bool WritesResult> void saveExec(Wave &wave, const Inst &inst) {
  u64 all = Bits == 64 ? ~u64(0) : 0xffffffff;
  u64 exec = wave.exec(), source = readScalar(wave, inst.op[1], Bits);
  u64 result = L == Logic::andOf     ? source & exec
               : L == Logic::orOf    ? source | exec
               : L == Logic::xorOf   ? source ^ exec
               : L == Logic::andNot1 ? source & ~exec // s_andn2: the second operand is EXEC
               : L == Logic::andNot0 ? ~source & exec
                                     : source | ~exec;
  result &= all;
  writeScalar(wave, inst.op[0], Bits, WritesResult ? result : exec);
  wave.setMask(scalarExec, result);
  wave.scc = result != 0;
}
template <Logic L, unsigned Bits, bool WritesResult = false> Row saving(std::string_view names) {
  Row row = special(names, saveExec<L, Bits, WritesResult>,
                    [](Inst &inst, const InstructionText &text, const Target &target) {
                      bindOperands(inst, text, target);
                      inst.uses.push_back({scalarExec, 2, false, true});
                    });
  row.results = {{Bits, false, false}};
  row.sources = {{Bits, false, false}};
  row.flags = Row::isScalar;
  return row;
}

s32 toSigned(float x) {
  return std::isnan(x) ? 0 : static_cast<s32>(std::clamp(std::trunc(static_cast<double>(x)), -0x1p31, 0x1p31 - 1));
}
u32 toUnsigned(float x) {
  return std::isnan(x) ? 0 : static_cast<u32>(std::clamp(std::trunc(static_cast<double>(x)), 0.0, 0x1p32 - 1));
}

// s_movk_i32 s0, 0x1234 prints a signed 16-bit number.
s32 simm16(u32 bits) { return static_cast<s16>(bits); }

void getProgramCounter(Wave &wave, const Inst &inst) {
  const Program &program = *wave.group.launch.program;
  writeScalar(wave, inst.op[0], 64, program.imageAddress + inst.address + inst.bytes);
}

} // namespace

std::vector<Row> tilecc::emu::amd::scalarRows() {
  Row getpc =
      special("s_getpc_b64", getProgramCounter, [](Inst &inst, const InstructionText &text, const Target &target) {
        bindOperands(inst, text, target);
        inst.bytes = 4;
      });
  getpc.results = {{64, false, false}};
  getpc.flags = Row::isScalar;
  constexpr auto acc = Row::accumulates;
  return {
      getpc,
      scalar<[](u32 a) { return a; }>("s_mov_b32"),
      scalar<[](u64 a) { return a; }>("s_mov_b64"),
      scalar<[](u32 a) { return simm16(a); }>("s_movk_i32"),
      scalar<[](u32 a, u32 old, Scc &scc) { return scc.value ? a : old; }>("s_cmov_b32", acc),
      scalar<[](u32 a, u32 b, Scc &scc) { return scc.value ? a : b; }>("s_cselect_b32"),
      scalar<[](u64 a, u64 b, Scc &scc) { return scc.value ? a : b; }>("s_cselect_b64"),
      scalar<[](u32 a, u32 b, Scc &scc) { return add(a, b, false, scc); }>("s_add_u32|s_add_co_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { return add(a, b, scc.value, scc); }>("s_addc_u32|s_add_co_ci_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { return subtract(a, b, false, scc); }>("s_sub_u32|s_sub_co_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { return subtract(a, b, scc.value, scc); }>("s_subb_u32|s_sub_co_ci_u32"),
      scalar<[](s32 a, s32 b, Scc &scc) {
        s32 result;
        scc.value = __builtin_add_overflow(a, b, &result);
        return result;
      }>("s_add_i32|s_add_co_i32"),
      scalar<[](s32 a, s32 b, Scc &scc) {
        s32 result;
        scc.value = __builtin_sub_overflow(a, b, &result);
        return result;
      }>("s_sub_i32|s_sub_co_i32"),
      scalar<[](u32 a, s32 old, Scc &scc) {
        s32 result;
        scc.value = __builtin_add_overflow(old, simm16(a), &result);
        return result;
      }>("s_addk_i32|s_addk_co_i32", acc),
      scalar<[](u32 a, u32 old) { return old * static_cast<u32>(simm16(a)); }>("s_mulk_i32", acc),
      scalar<[](u64 a, u64 b) { return a + b; }>("s_add_nc_u64|s_add_u64"),
      scalar<[](u64 a, u64 b) { return a - b; }>("s_sub_nc_u64|s_sub_u64"),
      scalar<[](u64 a, u64 b) { return a * b; }>("s_mul_u64"),
      scalar<[](u32 a, u32 b) { return a * b; }>("s_mul_i32"),
      scalar<[](u32 a, u32 b) { return static_cast<u32>(u64(a) * b >> 32); }>("s_mul_hi_u32"),
      scalar<[](s32 a, s32 b) { return static_cast<u32>(s64(a) * b >> 32); }>("s_mul_hi_i32"),
      scalar<[](s32 a, Scc &scc) { return noting(static_cast<u32>(a < 0 ? 0 - u32(a) : u32(a)), scc); }>("s_abs_i32"),
      scalar<[](s32 a, s32 b, Scc &scc) { return scc.value = a < b, std::min(a, b); }>("s_min_i32"),
      scalar<[](s32 a, s32 b, Scc &scc) { return scc.value = a >= b, std::max(a, b); }>("s_max_i32"),
      scalar<[](u32 a, u32 b, Scc &scc) { return scc.value = a < b, std::min(a, b); }>("s_min_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { return scc.value = a >= b, std::max(a, b); }>("s_max_u32"),
      scalar<[](s32 a) { return s32(s8(a)); }>("s_sext_i32_i8"),
      scalar<[](s32 a) { return s32(s16(a)); }>("s_sext_i32_i16"),

      scalar<[](u32 a, u32 b, Scc &scc) { return noting(a & b, scc); }>("s_and_b32"),
      scalar<[](u64 a, u64 b, Scc &scc) { return noting(a & b, scc); }>("s_and_b64"),
      scalar<[](u32 a, u32 b, Scc &scc) { return noting(a | b, scc); }>("s_or_b32"),
      scalar<[](u64 a, u64 b, Scc &scc) { return noting(a | b, scc); }>("s_or_b64"),
      scalar<[](u32 a, u32 b, Scc &scc) { return noting(a ^ b, scc); }>("s_xor_b32"),
      scalar<[](u64 a, u64 b, Scc &scc) { return noting(a ^ b, scc); }>("s_xor_b64"),
      scalar<[](u32 a, u32 b, Scc &scc) { return noting(a & ~b, scc); }>("s_andn2_b32|s_and_not1_b32"),
      scalar<[](u64 a, u64 b, Scc &scc) { return noting(a & ~b, scc); }>("s_andn2_b64|s_and_not1_b64"),
      scalar<[](u32 a, u32 b, Scc &scc) { return noting(a | ~b, scc); }>("s_orn2_b32|s_or_not1_b32"),
      scalar<[](u64 a, u64 b, Scc &scc) { return noting(a | ~b, scc); }>("s_orn2_b64|s_or_not1_b64"),
      scalar<[](u32 a, u32 b, Scc &scc) { return noting(~(a & b), scc); }>("s_nand_b32"),
      scalar<[](u64 a, u64 b, Scc &scc) { return noting(~(a & b), scc); }>("s_nand_b64"),
      scalar<[](u32 a, u32 b, Scc &scc) { return noting(~(a | b), scc); }>("s_nor_b32"),
      scalar<[](u64 a, u64 b, Scc &scc) { return noting(~(a | b), scc); }>("s_nor_b64"),
      scalar<[](u32 a, u32 b, Scc &scc) { return noting(~(a ^ b), scc); }>("s_xnor_b32"),
      scalar<[](u64 a, u64 b, Scc &scc) { return noting(~(a ^ b), scc); }>("s_xnor_b64"),
      scalar<[](u32 a, Scc &scc) { return noting(~a, scc); }>("s_not_b32"),
      scalar<[](u64 a, Scc &scc) { return noting(~a, scc); }>("s_not_b64"),
      scalar<[](u32 a, u32 b, Scc &scc) { return noting(a << (b & 31), scc); }>("s_lshl_b32"),
      scalar<[](u64 a, u32 b, Scc &scc) { return noting(a << (b & 63), scc); }>("s_lshl_b64"),
      scalar<[](u32 a, u32 b, Scc &scc) { return noting(a >> (b & 31), scc); }>("s_lshr_b32"),
      scalar<[](u64 a, u32 b, Scc &scc) { return noting(a >> (b & 63), scc); }>("s_lshr_b64"),
      scalar<[](s32 a, u32 b, Scc &scc) { return noting(a >> (b & 31), scc); }>("s_ashr_i32"),
      scalar<[](s64 a, u32 b, Scc &scc) { return noting(a >> (b & 63), scc); }>("s_ashr_i64"),
      scalar<shiftAndAdd<1>>("s_lshl1_add_u32"),
      scalar<shiftAndAdd<2>>("s_lshl2_add_u32"),
      scalar<shiftAndAdd<3>>("s_lshl3_add_u32"),
      scalar<shiftAndAdd<4>>("s_lshl4_add_u32"),
      scalar<[](u32 a, u32 b) { return ((1u << (a & 31)) - 1) << (b & 31); }>("s_bfm_b32"),
      scalar<[](u32 a, u32 b, Scc &scc) { return noting(extract(a, b), scc); }>("s_bfe_u32"),
      scalar<[](s32 a, u32 b, Scc &scc) { return noting(extract(a, b), scc); }>("s_bfe_i32"),
      scalar<[](u64 a, u32 b, Scc &scc) { return noting(extract(a, b), scc); }>("s_bfe_u64"),
      scalar<[](s64 a, u32 b, Scc &scc) { return noting(extract(a, b), scc); }>("s_bfe_i64"),
      scalar<[](u32 a) { return static_cast<u32>(reversed(a, 32)); }>("s_brev_b32"),
      scalar<[](u64 a) { return reversed(a, 64); }>("s_brev_b64"),
      scalar<[](u32 a, Scc &scc) { return noting(static_cast<u32>(std::popcount(a)), scc); }>("s_bcnt1_i32_b32"),
      scalar<[](u64 a, Scc &scc) { return noting(static_cast<u32>(std::popcount(a)), scc); }>("s_bcnt1_i32_b64"),
      scalar<[](u32 a) { return leadingZeros(a); }>("s_flbit_i32_b32|s_clz_i32_u32"),
      scalar<[](u64 a) { return leadingZeros(a); }>("s_flbit_i32_b64|s_clz_i32_u64"),
      scalar<[](u32 a) { return trailingZeros(a); }>("s_ff1_i32_b32|s_ctz_i32_b32"),
      scalar<[](u64 a) { return trailingZeros(a); }>("s_ff1_i32_b64|s_ctz_i32_b64"),
      scalar<[](u32 a, u32 old) { return old | 1u << (a & 31); }>("s_bitset1_b32", acc),
      scalar<[](u32 a, u32 old) { return old & ~(1u << (a & 31)); }>("s_bitset0_b32", acc),
      scalar<[](u32 a, u32 b) { return (a & 0xffff) | b << 16; }>("s_pack_ll_b32_b16"),
      scalar<[](u32 a, u32 b) { return (a & 0xffff) | (b & 0xffff0000); }>("s_pack_lh_b32_b16"),
      scalar<[](u32 a, u32 b) { return a >> 16 | b << 16; }>("s_pack_hl_b32_b16"),
      scalar<[](u32 a, u32 b) { return a >> 16 | (b & 0xffff0000); }>("s_pack_hh_b32_b16"),

      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a == b; }>("s_cmp_eq_u32|s_cmp_eq_i32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a != b; }>("s_cmp_lg_u32|s_cmp_lg_i32"),
      scalar<[](u64 a, u64 b, Scc &scc) { scc.value = a == b; }>("s_cmp_eq_u64"),
      scalar<[](u64 a, u64 b, Scc &scc) { scc.value = a != b; }>("s_cmp_lg_u64"),
      scalar<[](s32 a, s32 b, Scc &scc) { scc.value = a > b; }>("s_cmp_gt_i32"),
      scalar<[](s32 a, s32 b, Scc &scc) { scc.value = a >= b; }>("s_cmp_ge_i32"),
      scalar<[](s32 a, s32 b, Scc &scc) { scc.value = a < b; }>("s_cmp_lt_i32"),
      scalar<[](s32 a, s32 b, Scc &scc) { scc.value = a <= b; }>("s_cmp_le_i32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a > b; }>("s_cmp_gt_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a >= b; }>("s_cmp_ge_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a < b; }>("s_cmp_lt_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a <= b; }>("s_cmp_le_u32"),
      scalar<[](s32 a, u32 b, Scc &scc) { scc.value = a == simm16(b); }>("s_cmpk_eq_i32"),
      scalar<[](s32 a, u32 b, Scc &scc) { scc.value = a != simm16(b); }>("s_cmpk_lg_i32"),
      scalar<[](s32 a, u32 b, Scc &scc) { scc.value = a > simm16(b); }>("s_cmpk_gt_i32"),
      scalar<[](s32 a, u32 b, Scc &scc) { scc.value = a >= simm16(b); }>("s_cmpk_ge_i32"),
      scalar<[](s32 a, u32 b, Scc &scc) { scc.value = a < simm16(b); }>("s_cmpk_lt_i32"),
      scalar<[](s32 a, u32 b, Scc &scc) { scc.value = a <= simm16(b); }>("s_cmpk_le_i32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a == (b & 0xffff); }>("s_cmpk_eq_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a != (b & 0xffff); }>("s_cmpk_lg_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a > (b & 0xffff); }>("s_cmpk_gt_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a >= (b & 0xffff); }>("s_cmpk_ge_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a < (b & 0xffff); }>("s_cmpk_lt_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a <= (b & 0xffff); }>("s_cmpk_le_u32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = a >> (b & 31) & 1; }>("s_bitcmp1_b32"),
      scalar<[](u32 a, u32 b, Scc &scc) { scc.value = !(a >> (b & 31) & 1); }>("s_bitcmp0_b32"),
      scalar<[](u64 a, u32 b, Scc &scc) { scc.value = a >> (b & 63) & 1; }>("s_bitcmp1_b64"),
      scalar<[](u64 a, u32 b, Scc &scc) { scc.value = !(a >> (b & 63) & 1); }>("s_bitcmp0_b64"),

      saving<Logic::andOf, 32>("s_and_saveexec_b32"),
      saving<Logic::andOf, 64>("s_and_saveexec_b64"),
      saving<Logic::orOf, 32>("s_or_saveexec_b32"),
      saving<Logic::orOf, 64>("s_or_saveexec_b64"),
      saving<Logic::xorOf, 32>("s_xor_saveexec_b32"),
      saving<Logic::xorOf, 64>("s_xor_saveexec_b64"),
      saving<Logic::andNot1, 32>("s_andn2_saveexec_b32|s_and_not1_saveexec_b32"),
      saving<Logic::andNot1, 64>("s_andn2_saveexec_b64|s_and_not1_saveexec_b64"),
      saving<Logic::andNot0, 32>("s_andn1_saveexec_b32|s_and_not0_saveexec_b32"),
      saving<Logic::andNot0, 64>("s_andn1_saveexec_b64|s_and_not0_saveexec_b64"),
      saving<Logic::andNot1, 32, true>("s_andn2_wrexec_b32|s_and_not1_wrexec_b32"),
      saving<Logic::andNot1, 64, true>("s_andn2_wrexec_b64|s_and_not1_wrexec_b64"),

      // The scalar unit of gfx11.5 and gfx12 has floating-point instructions.
      scalar<[](float a, float b) { return a + b; }>("s_add_f32"),
      scalar<[](float a, float b) { return a - b; }>("s_sub_f32"),
      scalar<[](float a, float b) { return a * b; }>("s_mul_f32"),
      scalar<[](float a, float b, float c) { return std::fma(a, b, c); }>("s_fmaak_f32|s_fmamk_f32"),
      scalar<[](float a, float b, float c) { return std::fma(a, b, c); }>("s_fmac_f32", acc),
      scalar<[](float a, float b) { return std::fmin(a, b); }>("s_min_f32|s_min_num_f32"),
      scalar<[](float a, float b) { return std::fmax(a, b); }>("s_max_f32|s_max_num_f32"),
      scalar<[](float a) { return std::floor(a); }>("s_floor_f32"),
      scalar<[](float a) { return std::ceil(a); }>("s_ceil_f32"),
      scalar<[](float a) { return std::trunc(a); }>("s_trunc_f32"),
      scalar<[](float a) { return std::nearbyint(a); }>("s_rndne_f32"),
      scalar<[](s32 a) { return static_cast<float>(a); }>("s_cvt_f32_i32"),
      scalar<[](u32 a) { return static_cast<float>(a); }>("s_cvt_f32_u32"),
      scalar<[](float a) { return toSigned(a); }>("s_cvt_i32_f32"),
      scalar<[](float a) { return toUnsigned(a); }>("s_cvt_u32_f32"),
      scalar<[](float a) { return u32(convert<f16>(a).bits); }>("s_cvt_f16_f32"),
      scalar<[](u32 a) { return toFloat(f16{static_cast<u16>(a)}); }>("s_cvt_f32_f16"),
      scalar<[](float a, float b, Scc &scc) { scc.value = a < b; }>("s_cmp_lt_f32"),
      scalar<[](float a, float b, Scc &scc) { scc.value = a == b; }>("s_cmp_eq_f32"),
      scalar<[](float a, float b, Scc &scc) { scc.value = a <= b; }>("s_cmp_le_f32"),
      scalar<[](float a, float b, Scc &scc) { scc.value = a > b; }>("s_cmp_gt_f32"),
      scalar<[](float a, float b, Scc &scc) { scc.value = a < b || a > b; }>("s_cmp_lg_f32"),
      scalar<[](float a, float b, Scc &scc) { scc.value = a >= b; }>("s_cmp_ge_f32"),
      scalar<[](float a, float b, Scc &scc) { scc.value = !(a < b); }>("s_cmp_nlt_f32"),
      scalar<[](float a, float b, Scc &scc) { scc.value = !(a == b); }>("s_cmp_neq_f32"),
      scalar<[](float a, float b, Scc &scc) { scc.value = !(a <= b); }>("s_cmp_nle_f32"),
      scalar<[](float a, float b, Scc &scc) { scc.value = !(a > b); }>("s_cmp_ngt_f32"),
      scalar<[](float a, float b, Scc &scc) { scc.value = !(a >= b); }>("s_cmp_nge_f32"),
      scalar<[](float a, float b, Scc &scc) { scc.value = std::isnan(a) || std::isnan(b); }>("s_cmp_u_f32"),
      scalar<[](float a, float b, Scc &scc) { scc.value = !std::isnan(a) && !std::isnan(b); }>("s_cmp_o_f32"),
  };
}
