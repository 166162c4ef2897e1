//===-- Conversion.cpp - v_cvt ---------------------------------------------------------------------------------===//
#include "emulator/amd/Table.h"
#include "emulator/amd/isa/Float8.h"
#include "emulator/isa/numerics/Convert.h"

#include <algorithm>
#include <cmath>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

template <class To> To clampedInteger(double x) { // truncates; a NaN becomes 0
  if (std::isnan(x))
    return 0;
  constexpr double lowest = std::numeric_limits<To>::min(), highest = std::numeric_limits<To>::max();
  return static_cast<To>(std::clamp(std::trunc(x), lowest, highest));
}

f16 towardsZero(float x) { return convert<f16>(x, {.rounding = Rounding::rz}); }
u32 pack(u16 low, u16 high) { return low | u32(high) << 16; }

// v_cvt_pk_fp8_f32 and v_cvt_pk_bf8_f32: write two numbers to one half of the register and preserve the other half.
template <bool IsE5m2> void packFloat8(Wave &wave, const Inst &inst) {
  LanesOf<float> a, b;
  fetch<float>(wave, inst, 0, a);
  fetch<float>(wave, inst, 1, b);
  bool fnuz = wave.target.hasFnuz();
  u32 *to = wave.vector(inst.op[0].first);
  unsigned shift = inst.op[0].high ? 16 : 0;
  for (LaneMask rest = writtenLanes(wave, inst); rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    u32 bits = toFloat8<IsE5m2>(a[lane], fnuz) | toFloat8<IsE5m2>(b[lane], fnuz) << 8;
    to[lane] = (to[lane] & ~(0xffffu << shift)) | bits << shift;
  }
}

// v_cvt_f32_fp8 and v_cvt_f32_bf8: convert the byte that SDWA or byte_sel selects.
template <bool IsE5m2> void unpackFloat8(Wave &wave, const Inst &inst) {
  LanesOf<u32> from;
  LanesOf<float> to;
  fetch<u32>(wave, inst, 0, from);
  for (unsigned lane = 0; lane < maxLanes; ++lane)
    to[lane] = fromFloat8<IsE5m2>(static_cast<u8>(from[lane] >> (8 * inst.numbers[0])), wave.target.hasFnuz());
  store<float>(wave, inst, 0, writtenLanes(wave, inst), to);
}

// v_cvt_pk_f32_fp8 and v_cvt_pk_f32_bf8: convert one half of the register to two numbers.
template <bool IsE5m2> void unpackPair(Wave &wave, const Inst &inst) {
  LanesOf<u32> from;
  LanesOf<u64> to;
  fetch<u32>(wave, inst, 0, from);
  bool fnuz = wave.target.hasFnuz();
  for (unsigned lane = 0; lane < maxLanes; ++lane) {
    u32 half = from[lane] >> (inst.numbers[0] ? 16 : 0);
    to[lane] = bitsOf(fromFloat8<IsE5m2>(static_cast<u8>(half), fnuz)) |
               u64(bitsOf(fromFloat8<IsE5m2>(static_cast<u8>(half >> 8), fnuz))) << 32;
  }
  store<u64>(wave, inst, 0, writtenLanes(wave, inst), to);
}

void bindFloat8(Inst &inst, const InstructionText &text, const Target &target) {
  if (target.isGfx9() ? target.minor < 4 : target.major < 12)
    throw Unsupported("this processor has no conversions of 8-bit floating point numbers");
  InstructionText plain = text;
  auto bytes = plain.modifiers.extract("byte_sel");
  std::vector<int> halves = plain.list("op_sel");
  plain.modifiers.erase("op_sel");
  bindOperands(inst, plain, target);
  bool isPacking = inst.row->sources.size() == 2;
  if (isPacking) {
    inst.op[0].high |= !halves.empty() && halves.back();
    use(inst, inst.op[0], false); // preserves the other half
  } else {
    inst.numbers[0] = bytes ? static_cast<u32>(std::stoul(bytes.mapped())) : 0;
    if (!halves.empty() && halves[0])
      inst.numbers[0] = 2;
    if (inst.op[inst.results].high) // v0.h
      inst.numbers[0] |= 2;
    inst.op[inst.results].high = false;
    // SDWA's word_1 selects the upper half.
    if (inst.op[inst.results].select == Operand::word1 && inst.row->results[0].bits == 64) {
      inst.op[inst.results].select = Operand::dword;
      inst.numbers[0] = 1;
    }
  }
}

template <bool IsE5m2> Row packRow(std::string_view name) {
  Row row = special(name, packFloat8<IsE5m2>, bindFloat8);
  row.results = {{16, false, false}};
  row.sources = {{32, true, false}, {32, true, false}};
  return row;
}
Row unpackRow(std::string_view name, Handler run, bool isPair) {
  Row row = special(name, run, bindFloat8);
  row.results = {{uint8_t(isPair ? 64 : 32), !isPair, false}};
  row.sources = {{uint8_t(32), false, false}};
  return row;
}

} // namespace

std::vector<Row> tilecc::emu::amd::conversionRows() {
  return {
      lanes<[](s32 a) { return static_cast<float>(a); }>("v_cvt_f32_i32"),
      lanes<[](u32 a) { return static_cast<float>(a); }>("v_cvt_f32_u32"),
      lanes<[](float a) { return clampedInteger<s32>(a); }>("v_cvt_i32_f32"),
      lanes<[](float a) { return clampedInteger<u32>(a); }>("v_cvt_u32_f32"),
      lanes<[](float a) { return clampedInteger<s32>(std::floor(a)); }>("v_cvt_flr_i32_f32|v_cvt_floor_i32_f32"),
      lanes<[](float a) { return clampedInteger<s32>(std::floor(a + 0.5)); }>(
          "v_cvt_rpi_i32_f32|v_cvt_nearest_i32_f32"),
      lanes<[](float a) { return convert<f16>(a); }>("v_cvt_f16_f32"),
      lanes<[](f16 a) { return toFloat(a); }>("v_cvt_f32_f16"),
      lanes<[](bf16 a) { return toFloat(a); }>("v_cvt_f32_bf16"),
      lanes<[](u16 a) { return convert<f16>(static_cast<float>(a)); }>("v_cvt_f16_u16"),
      lanes<[](s16 a) { return convert<f16>(static_cast<float>(a)); }>("v_cvt_f16_i16"),
      lanes<[](f16 a) { return clampedInteger<u16>(toFloat(a)); }>("v_cvt_u16_f16"),
      lanes<[](f16 a) { return clampedInteger<s16>(toFloat(a)); }>("v_cvt_i16_f16"),
      lanes<[](u16 a) { return u32(a); }>("v_cvt_u32_u16"),
      lanes<[](s16 a) { return s32(a); }>("v_cvt_i32_i16"),
      lanes<[](double a) { return static_cast<float>(a); }>("v_cvt_f32_f64"),
      lanes<[](float a) { return static_cast<double>(a); }>("v_cvt_f64_f32"),
      lanes<[](s32 a) { return static_cast<double>(a); }>("v_cvt_f64_i32"),
      lanes<[](u32 a) { return static_cast<double>(a); }>("v_cvt_f64_u32"),
      lanes<[](double a) { return clampedInteger<s32>(a); }>("v_cvt_i32_f64"),
      lanes<[](double a) { return clampedInteger<u32>(a); }>("v_cvt_u32_f64"),
      lanes<[](u32 a) { return static_cast<float>(a & 0xff); }>("v_cvt_f32_ubyte0"),
      lanes<[](u32 a) { return static_cast<float>(a >> 8 & 0xff); }>("v_cvt_f32_ubyte1"),
      lanes<[](u32 a) { return static_cast<float>(a >> 16 & 0xff); }>("v_cvt_f32_ubyte2"),
      lanes<[](u32 a) { return static_cast<float>(a >> 24); }>("v_cvt_f32_ubyte3"),
      lanes<[](float a, float b) { return pack(towardsZero(a).bits, towardsZero(b).bits); }>(
          "v_cvt_pkrtz_f16_f32|v_cvt_pk_rtz_f16_f32"),
      lanes<[](float a, float b) { return pack(convert<f16>(a).bits, convert<f16>(b).bits); }>("v_cvt_pk_f16_f32"),
      lanes<[](float a, float b) { return pack(convert<bf16>(a).bits, convert<bf16>(b).bits); }>("v_cvt_pk_bf16_f32"),
      lanes<[](u32 a, u32 b) {
        return pack(static_cast<u16>(std::min(a, 0xffffu)), static_cast<u16>(std::min(b, 0xffffu)));
      }>("v_cvt_pk_u16_u32"),
      lanes<[](s32 a, s32 b) {
        return pack(static_cast<u16>(std::clamp(a, -0x8000, 0x7fff)), static_cast<u16>(std::clamp(b, -0x8000, 0x7fff)));
      }>("v_cvt_pk_i16_i32"),
      packRow<false>("v_cvt_pk_fp8_f32"),
      packRow<true>("v_cvt_pk_bf8_f32"),
      unpackRow("v_cvt_f32_fp8", unpackFloat8<false>, false),
      unpackRow("v_cvt_f32_bf8", unpackFloat8<true>, false),
      unpackRow("v_cvt_pk_f32_fp8", unpackPair<false>, true),
      unpackRow("v_cvt_pk_f32_bf8", unpackPair<true>, true),
  };
}
