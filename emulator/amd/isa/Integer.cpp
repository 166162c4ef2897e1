//===-- Integer.cpp - integer and bitwise vector instructions --------------------------------------------------===//
#include "emulator/amd/Table.h"

#include <algorithm>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

u32 extractUnsigned(u32 a, u32 offset, u32 width) {
  offset &= 31;
  width &= 31;
  return a >> offset & ((1u << width) - 1);
}
s32 extractSigned(u32 a, u32 offset, u32 width) {
  offset &= 31;
  width &= 31;
  if (!width)
    return 0;
  u32 bits = a >> offset;
  u32 room = 32 - std::min(width, 32 - offset);
  return static_cast<s32>(bits << room) >> room;
}

s32 low24(s32 a) { return a << 8 >> 8; }
u32 low24(u32 a) { return a & 0xffffff; }

// Returns the byte that v_perm's selector chooses: one of two registers, or a constant.
u32 permutedByte(u32 a, u32 b, u32 selector) {
  u64 both = u64(a) << 32 | b;
  if (selector >= 13)
    return 0xff;
  if (selector == 12)
    return 0;
  if (selector >= 8) // the sign of a 16-bit half
    return both >> ((selector - 8) * 16 + 15) & 1 ? 0xff : 0;
  return static_cast<u32>(both >> (8 * selector)) & 0xff;
}
u32 permute(u32 a, u32 b, u32 selectors) {
  u32 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= permutedByte(a, b, selectors >> (8 * i) & 0xff) << (8 * i);
  return result;
}

// v_bitop3: any function of three bits. The modifier is its truth table: bit 4 a + 2 b + c is the result.
template <class T> void combineBits(Wave &wave, const Inst &inst) {
  LanesOf<T> a, b, c, to;
  fetch<T>(wave, inst, 0, a);
  fetch<T>(wave, inst, 1, b);
  fetch<T>(wave, inst, 2, c);
  for (unsigned lane = 0; lane < maxLanes; ++lane) {
    to[lane] = 0;
    for (unsigned entry = 0; entry < 8; ++entry)
      if (inst.numbers[0] >> entry & 1)
        to[lane] |=
            (entry & 4 ? a[lane] : ~a[lane]) & (entry & 2 ? b[lane] : ~b[lane]) & (entry & 1 ? c[lane] : ~c[lane]);
  }
  store<T>(wave, inst, 0, writtenLanes(wave, inst), to);
}
void bindBitFunction(Inst &inst, const InstructionText &text, const Target &target) {
  if (!target.isGfx950())
    throw Unsupported("this processor has no functions of three bits");
  InstructionText plain = text;
  inst.numbers[0] = static_cast<uint32_t>(plain.number("bitop3"));
  plain.modifiers.erase("bitop3");
  bindOperands(inst, plain, target);
}
template <class T> Row bitFunctionRow(std::string_view name) {
  Row row = lanes<[](T a, T, T) { return a; }>(name); // only for its types
  row.run = combineBits<T>;
  row.bind = bindBitFunction;
  return row;
}

u32 leadingZeros(u32 a) { return a ? static_cast<u32>(std::countl_zero(a)) : ~0u; }
u32 trailingZeros(u32 a) { return a ? static_cast<u32>(std::countr_zero(a)) : ~0u; }
u32 signBits(s32 a) { return a == 0 || a == -1 ? ~0u : leadingZeros(static_cast<u32>(a < 0 ? ~a : a)); }
u32 reversed(u32 a) {
  u32 result = 0;
  for (unsigned i = 0; i < 32; ++i)
    result |= (a >> i & 1) << (31 - i);
  return result;
}
u32 sumOfDifferences(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 32; i += 8) {
    int x = a >> i & 0xff, y = b >> i & 0xff;
    c += static_cast<u32>(x > y ? x - y : y - x);
  }
  return c;
}
template <class T> T middle(T a, T b, T c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }

s32 saturated(s64 x) { return static_cast<s32>(std::clamp<s64>(x, INT32_MIN, INT32_MAX)); }

constexpr auto acc = Row::accumulates;

} // namespace

std::vector<Row> tilecc::emu::amd::integerRows() {
  return {
      lanes<[](u32 a) { return a; }>("v_mov_b32"),
      lanes<[](u16 a) { return a; }>("v_mov_b16"),
      lanes<[](u64 a) { return a; }>("v_mov_b64"),
      lanes<[](u32 a) { return a; }>("v_accvgpr_read_b32|v_accvgpr_write_b32|v_accvgpr_mov_b32"),
      lanes<[](u32 a, u32 b, bool c) { return c ? b : a; }>("v_cndmask_b32"),
      lanes<[](u16 a, u16 b, bool c) { return c ? b : a; }>("v_cndmask_b16"),
      lanes<[](u32 a) { return ~a; }>("v_not_b32"),
      lanes<[](u32 a, u32 b) { return a & b; }>("v_and_b32"),
      lanes<[](u32 a, u32 b) { return a | b; }>("v_or_b32"),
      lanes<[](u32 a, u32 b) { return a ^ b; }>("v_xor_b32"),
      lanes<[](u32 a, u32 b) { return ~(a ^ b); }>("v_xnor_b32"),
      lanes<[](u16 a, u16 b) { return u16(a & b); }>("v_and_b16"),
      lanes<[](u16 a, u16 b) { return u16(a | b); }>("v_or_b16"),
      lanes<[](u16 a, u16 b) { return u16(a ^ b); }>("v_xor_b16"),
      lanes<[](u16 a) { return u16(~a); }>("v_not_b16"),
      lanes<[](u32 a, u32 b) { return b << (a & 31); }>("v_lshlrev_b32"),
      lanes<[](u32 a, u32 b) { return b >> (a & 31); }>("v_lshrrev_b32"),
      lanes<[](u32 a, s32 b) { return b >> (a & 31); }>("v_ashrrev_i32"),
      lanes<[](u16 a, u16 b) { return u16(b << (a & 15)); }>("v_lshlrev_b16"),
      lanes<[](u16 a, u16 b) { return u16(b >> (a & 15)); }>("v_lshrrev_b16"),
      lanes<[](u16 a, s16 b) { return s16(b >> (a & 15)); }>("v_ashrrev_i16"),
      lanes<[](u32 a, u64 b) { return b << (a & 63); }>("v_lshlrev_b64"),
      lanes<[](u32 a, u64 b) { return b >> (a & 63); }>("v_lshrrev_b64"),
      lanes<[](u32 a, s64 b) { return b >> (a & 63); }>("v_ashrrev_i64"),
      lanes<[](u32 a, u32 b) { return a + b; }>("v_add_u32|v_add_nc_u32|v_add_i32|v_add_nc_i32"),
      lanes<[](u32 a, u32 b) { return a - b; }>("v_sub_u32|v_sub_nc_u32|v_sub_i32|v_sub_nc_i32"),
      lanes<[](u32 a, u32 b) { return b - a; }>("v_subrev_u32|v_subrev_nc_u32"),
      lanes<[](u32 a, u32 b) { return a + b < a ? ~0u : a + b; }>("v_add_u32 clamp|v_add_nc_u32 clamp"),
      lanes<[](u32 a, u32 b) { return a < b ? 0 : a - b; }>("v_sub_u32 clamp|v_sub_nc_u32 clamp"),
      lanes<[](s32 a, s32 b) { return saturated(s64(a) + b); }>("v_add_i32 clamp|v_add_nc_i32 clamp"),
      lanes<[](s32 a, s32 b) { return saturated(s64(a) - b); }>("v_sub_i32 clamp|v_sub_nc_i32 clamp"),
      lanes<[](u16 a, u16 b) { return u16(a + b); }>("v_add_u16|v_add_nc_u16|v_add_nc_i16|v_add_i16"),
      lanes<[](u16 a, u16 b) { return u16(a - b); }>("v_sub_u16|v_sub_nc_u16|v_sub_nc_i16|v_sub_i16"),
      lanes<[](u16 a, u16 b) { return u16(b - a); }>("v_subrev_u16"),
      lanes<[](u16 a, u16 b) { return u16(a * b); }>("v_mul_lo_u16"),
      lanes<[](u16 a, u16 b, u16 c) { return u16(a * b + c); }>("v_mad_u16|v_mad_i16", Row::keepsHalf),
      lanes<[](u32 a, u32 b) { return Carry{a + b, a + b < a}; }>("v_add_co_u32"),
      lanes<[](u32 a, u32 b) { return Carry{a - b, a < b}; }>("v_sub_co_u32"),
      lanes<[](u32 a, u32 b) { return Carry{b - a, b < a}; }>("v_subrev_co_u32"),
      lanes<[](u32 a, u32 b, bool c) {
        u64 sum = u64(a) + b + c;
        return Carry{static_cast<u32>(sum), (sum >> 32) != 0};
      }>("v_addc_co_u32|v_add_co_ci_u32"),
      lanes<[](u32 a, u32 b, bool c) { return Carry{a - b - c, u64(b) + c > a}; }>("v_subb_co_u32|v_sub_co_ci_u32"),
      lanes<[](u32 a, u32 b, bool c) { return Carry{b - a - c, u64(a) + c > b}; }>(
          "v_subbrev_co_u32|v_subrev_co_ci_u32"),
      lanes<[](u32 a, u32 b, u32 c) { return a + b + c; }>("v_add3_u32"),
      lanes<[](u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; }>("v_lshl_add_u32"),
      lanes<[](u64 a, u32 b, u64 c) { return (a << (b & 7)) + c; }>("v_lshl_add_u64"),
      lanes<[](u64 a, u64 b) { return a + b; }>("v_add_nc_u64"),
      lanes<[](u32 a, u32 b, u32 c) { return (a + b) << (c & 31); }>("v_add_lshl_u32"),
      lanes<[](u32 a, u32 b, u32 c) { return (a << (b & 31)) | c; }>("v_lshl_or_b32"),
      lanes<[](u32 a, u32 b, u32 c) { return (a & b) | c; }>("v_and_or_b32"),
      lanes<[](u32 a, u32 b, u32 c) { return a | b | c; }>("v_or3_b32"),
      lanes<[](u32 a, u32 b, u32 c) { return a ^ b ^ c; }>("v_xor3_b32"),
      lanes<[](u32 a, u32 b, u32 c) { return (a ^ b) + c; }>("v_xad_u32"),
      lanes<[](u32 a, u32 b) { return a * b; }>("v_mul_lo_u32|v_mul_lo_i32"),
      lanes<[](u32 a, u32 b) { return static_cast<u32>(u64(a) * b >> 32); }>("v_mul_hi_u32"),
      lanes<[](s32 a, s32 b) { return static_cast<s32>(s64(a) * b >> 32); }>("v_mul_hi_i32"),
      lanes<[](u32 a, u32 b) { return low24(a) * low24(b); }>("v_mul_u32_u24"),
      lanes<[](s32 a, s32 b) { return static_cast<u32>(s64(low24(a)) * low24(b)); }>("v_mul_i32_i24"),
      lanes<[](u32 a, u32 b) { return static_cast<u32>(u64(low24(a)) * low24(b) >> 32); }>("v_mul_hi_u32_u24"),
      lanes<[](s32 a, s32 b) { return static_cast<u32>(s64(low24(a)) * low24(b) >> 32); }>("v_mul_hi_i32_i24"),
      lanes<[](u32 a, u32 b, u32 c) { return low24(a) * low24(b) + c; }>("v_mad_u32_u24"),
      lanes<[](s32 a, s32 b, u32 c) { return static_cast<u32>(s64(low24(a)) * low24(b)) + c; }>("v_mad_i32_i24"),
      lanes<[](u16 a, u16 b, u32 c) { return u32(a) * b + c; }>("v_mad_u32_u16"),
      lanes<[](s16 a, s16 b, u32 c) { return static_cast<u32>(s32(a) * b) + c; }>("v_mad_i32_i16"),
      lanes<[](u32 a, u32 b, u64 c) {
        u64 sum = u64(a) * b + c;
        return WithCarry<u64>{sum, sum < c};
      }>("v_mad_u64_u32|v_mad_co_u64_u32"),
      lanes<[](s32 a, s32 b, s64 c) {
        s64 product = s64(a) * b, sum;
        bool over = __builtin_add_overflow(product, c, &sum);
        return WithCarry<u64>{static_cast<u64>(sum), over};
      }>("v_mad_i64_i32|v_mad_co_i64_i32"),
      lanes<[](u32 a, u32 b) { return std::min(a, b); }>("v_min_u32"),
      lanes<[](u32 a, u32 b) { return std::max(a, b); }>("v_max_u32"),
      lanes<[](s32 a, s32 b) { return std::min(a, b); }>("v_min_i32"),
      lanes<[](s32 a, s32 b) { return std::max(a, b); }>("v_max_i32"),
      lanes<[](u16 a, u16 b) { return std::min(a, b); }>("v_min_u16"),
      lanes<[](u16 a, u16 b) { return std::max(a, b); }>("v_max_u16"),
      lanes<[](s16 a, s16 b) { return std::min(a, b); }>("v_min_i16"),
      lanes<[](s16 a, s16 b) { return std::max(a, b); }>("v_max_i16"),
      lanes<[](u32 a, u32 b, u32 c) { return std::min({a, b, c}); }>("v_min3_u32"),
      lanes<[](u32 a, u32 b, u32 c) { return std::max({a, b, c}); }>("v_max3_u32"),
      lanes<[](s32 a, s32 b, s32 c) { return std::min({a, b, c}); }>("v_min3_i32"),
      lanes<[](s32 a, s32 b, s32 c) { return std::max({a, b, c}); }>("v_max3_i32"),
      lanes<[](u32 a, u32 b, u32 c) { return middle(a, b, c); }>("v_med3_u32"),
      lanes<[](s32 a, s32 b, s32 c) { return middle(a, b, c); }>("v_med3_i32"),
      lanes<[](s32 a, s32 b, s32 c) { return std::min(std::max(a, b), c); }>("v_maxmin_i32"),
      lanes<[](s32 a, s32 b, s32 c) { return std::max(std::min(a, b), c); }>("v_minmax_i32"),
      lanes<[](u32 a, u32 b, u32 c) { return std::min(std::max(a, b), c); }>("v_maxmin_u32"),
      lanes<[](u32 a, u32 b, u32 c) { return std::max(std::min(a, b), c); }>("v_minmax_u32"),
      lanes<[](u32 a, u32 b, u32 c) { return extractUnsigned(a, b, c); }>("v_bfe_u32"),
      lanes<[](u32 a, u32 b, u32 c) { return extractSigned(a, b, c); }>("v_bfe_i32"),
      lanes<[](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }>("v_bfi_b32"),
      bitFunctionRow<u32>("v_bitop3_b32"),
      bitFunctionRow<u16>("v_bitop3_b16"),
      lanes<[](u32 a, u32 b) { return ((1u << (a & 31)) - 1) << (b & 31); }>("v_bfm_b32"),
      lanes<[](u32 a, u32 b, u32 c) { return static_cast<u32>((u64(a) << 32 | b) >> (c & 31)); }>("v_alignbit_b32"),
      lanes<[](u32 a, u32 b, u32 c) { return static_cast<u32>((u64(a) << 32 | b) >> (8 * (c & 3))); }>(
          "v_alignbyte_b32"),
      lanes<[](u32 a, u32 b, u32 c) { return permute(a, b, c); }>("v_perm_b32"),
      lanes<[](u32 a) { return leadingZeros(a); }>("v_ffbh_u32|v_clz_i32_u32"),
      lanes<[](u32 a) { return trailingZeros(a); }>("v_ffbl_b32|v_ctz_i32_b32"),
      lanes<[](s32 a) { return signBits(a); }>("v_ffbh_i32|v_cls_i32"),
      lanes<[](u32 a) { return reversed(a); }>("v_bfrev_b32"),
      lanes<[](u32 a, u32 b) { return static_cast<u32>(std::popcount(a)) + b; }>("v_bcnt_u32_b32"),
      lanes<[](u32 a, u32 b, u32 c) { return sumOfDifferences(a, b, c); }>("v_sad_u8"),
      lanes<[](u16 a, u16 b) { return u32(a) | u32(b) << 16; }>("v_pack_b32_f16"),
      lanes<[](u32 a, u32 b, u32 c) {
        for (unsigned i = 0; i < 32; i += 8)
          c += static_cast<u32>(s32(s8(a >> i)) * s8(b >> i));
        return c;
      }>("v_dot4_i32_i8"),
      lanes<[](u32 a, u32 b, u32 c) {
        for (unsigned i = 0; i < 32; i += 8)
          c += (a >> i & 0xff) * (b >> i & 0xff);
        return c;
      }>("v_dot4_u32_u8"),
      lanes<[](u32 a, u32 b, u32 c) {
        for (unsigned i = 0; i < 32; i += 8)
          c += static_cast<u32>(s32(s8(a >> i)) * s8(b >> i));
        return c;
      }>("v_dot4c_i32_i8", acc),
  };
}
