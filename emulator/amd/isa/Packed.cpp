//===-- Packed.cpp - packed instructions: v_pk, v_fma_mix, v_dot2 ----------------------------------------------===//
#include "emulator/amd/Table.h"
#include "emulator/isa/numerics/Convert.h"

#include <algorithm>
#include <cmath>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

// Reads both halves of a source: 16-bit halves of a register, or the registers of a pair.
template <class T> void fetchHalves(Wave &wave, const Inst &inst, unsigned source, LanesOf<T> (&halves)[2]) {
  constexpr bool isPair = sizeof(T) == 4;
  const Operand &operand = inst.op[inst.results + source];
  LanesOf<std::conditional_t<isPair, u64, u32>> words;
  fetch(wave, inst, source, words);
  for (unsigned half = 0; half < 2; ++half) {
    bool high = (half ? inst.opSelectHigh : inst.opSelect) >> source & 1;
    bool negate = (half ? inst.negateHigh : inst.negateLow) >> source & 1;
    // A one-register constant is used for both registers of a pair; a 16-bit constant has an upper half.
    unsigned shift = high && !(isPair && operand.kind == Operand::constant) ? 8 * sizeof(T) : 0;
    using Bits = std::conditional_t<isPair, u32, u16>;
    for (unsigned lane = 0; lane < maxLanes; ++lane) {
      Bits bits = static_cast<Bits>(words[lane] >> shift);
      if (negate)
        bits ^= Bits(1) << (8 * sizeof(T) - 1);
      std::memcpy(&halves[half][lane], &bits, sizeof(T));
    }
  }
}

template <auto F, size_t... I> void runPacked(Wave &wave, const Inst &inst, std::index_sequence<I...>) {
  using R = typename Signature<F>::Result;
  constexpr bool isPair = sizeof(R) == 4;
  LanesOf<R> in[sizeof...(I)][2];
  (fetchHalves<R>(wave, inst, I, in[I]), ...);
  LanesOf<std::conditional_t<isPair, u64, u32>> out;
  for (unsigned lane = 0; lane < maxLanes; ++lane) {
    out[lane] = 0;
    for (unsigned half = 0; half < 2; ++half) {
      R result = F(in[I][half][lane]...);
      if (inst.clamp) {
        if constexpr (std::is_same_v<R, float>)
          result = std::clamp(result, 0.0f, 1.0f);
        else if constexpr (std::is_same_v<R, f16>)
          result = convert<f16>(std::clamp(toFloat(result), 0.0f, 1.0f));
      }
      std::conditional_t<isPair, u32, u16> bits;
      std::memcpy(&bits, &result, sizeof(R));
      out[lane] |= std::conditional_t<isPair, u64, u32>(bits) << (half * 8 * sizeof(R));
    }
  }
  store(wave, inst, 0, writtenLanes(wave, inst), out);
}

template <auto F> Row packed(std::string_view names, uint32_t flags = 0) {
  using S = Signature<F>;
  constexpr bool isPair = sizeof(typename S::Result) == 4, isFloat = typeOf<typename S::Result>().isFloat;
  Row row;
  row.names = names;
  row.run = [](Wave &wave, const Inst &inst) { runPacked<F>(wave, inst, std::make_index_sequence<S::sources>()); };
  row.bind = [](Inst &inst, const InstructionText &text, const Target &target) {
    if (text.has("clamp") && !isFloat)
      throw Unsupported("clamp is not known for this instruction");
    // Constants have the type of one half.
    InstructionText plain = text;
    bindOperands(inst, plain, target);
    size_t printed = text.operands.size();
    for (size_t i = inst.results; i < inst.op.size() && i < printed; ++i)
      if (inst.op[i].kind == Operand::constant)
        inst.op[i].value = makeOperand(text.operands[i], {uint8_t(isPair ? 32 : 16), isFloat, false}, target).value;
  };
  row.results = {{uint8_t(isPair ? 64 : 32), false, false}};
  row.sources.assign(S::sources, {uint8_t(isPair ? 64 : 32), isPair, false});
  row.flags = flags | Row::isPacked;
  return row;
}

float number(f16 x) { return toFloat(x); }
f16 half(double x) { return convert<f16>(x); }

// v_fma_mix: sources are 32 bits, or one half of a register if op_sel_hi selects that.
void fetchMixed(Wave &wave, const Inst &inst, unsigned source, LanesOf<float> &out) {
  LanesOf<u32> words;
  fetch(wave, inst, source, words);
  bool isHalf = inst.opSelectHigh >> source & 1, high = inst.opSelect >> source & 1;
  for (unsigned lane = 0; lane < maxLanes; ++lane) {
    float value = isHalf ? toFloat(f16{static_cast<u16>(words[lane] >> (high ? 16 : 0))}) : floatOf(words[lane]);
    if (inst.negateHigh >> source & 1) // means the absolute value here
      value = std::fabs(value);
    out[lane] = inst.negateLow >> source & 1 ? -value : value;
  }
}

enum Mixed { toWhole, toLow, toHigh };
template <Mixed To> void runMixed(Wave &wave, const Inst &inst) {
  LanesOf<float> a, b, c;
  fetchMixed(wave, inst, 0, a);
  fetchMixed(wave, inst, 1, b);
  fetchMixed(wave, inst, 2, c);
  u32 *to = wave.vector(inst.op[0].first);
  for (LaneMask rest = writtenLanes(wave, inst); rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    float value = std::fma(a[lane], b[lane], c[lane]);
    if (inst.clamp)
      value = std::clamp(value, 0.0f, 1.0f);
    u32 bits = convert<f16>(value).bits;
    to[lane] = To == toWhole ? bitsOf(value)
               : To == toLow ? (to[lane] & 0xffff0000) | bits
                             : (to[lane] & 0xffff) | bits << 16;
  }
}

void bindMixed(Inst &inst, const InstructionText &text, const Target &target) {
  InstructionText plain = text;
  // Sign modifiers apply to the whole source.
  uint8_t negated = 0, absolute = 0;
  for (size_t i = 1; i < plain.operands.size(); ++i) {
    negated |= uint8_t(plain.operands[i].negate) << (i - 1);
    absolute |= uint8_t(plain.operands[i].absolute) << (i - 1);
    plain.operands[i].negate = plain.operands[i].absolute = false;
  }
  bindOperands(inst, plain, target);
  inst.negateLow = negated;
  inst.negateHigh = absolute;
  if (!text.has("op_sel_hi"))
    inst.opSelectHigh = 0;
  if (inst.row->run != Handler(runMixed<toWhole>))
    use(inst, inst.op[0], false); // preserves the other half
}

Row mixed(std::string_view names, Handler run) {
  Row row = special(names, run, bindMixed);
  row.results = {{32, false, false}};
  row.sources = {{32, true, false}, {32, true, false}, {32, true, false}};
  row.flags = Row::isPacked;
  return row;
}

// v_dot4_i32_iu8: neg_lo marks the sources whose bytes are signed.
void runDotOfBytes(Wave &wave, const Inst &inst) {
  LanesOf<u32> a, b, c;
  fetch(wave, inst, 0, a);
  fetch(wave, inst, 1, b);
  fetch(wave, inst, 2, c);
  auto extend = [&](unsigned source, u32 byte) { return inst.negateLow >> source & 1 ? s32(s8(byte)) : s32(u8(byte)); };
  for (unsigned lane = 0; lane < maxLanes; ++lane)
    for (unsigned i = 0; i < 32; i += 8)
      c[lane] += static_cast<u32>(extend(0, a[lane] >> i) * extend(1, b[lane] >> i));
  store(wave, inst, 0, writtenLanes(wave, inst), c);
}

Row dotOfBytes(std::string_view name) {
  Row row = special(name, runDotOfBytes, bindOperands);
  row.results = {{32, false, false}};
  row.sources.assign(3, {32, false, false});
  row.flags = Row::isPacked;
  return row;
}

} // namespace

std::vector<Row> tilecc::emu::amd::packedRows() {
  return {
      packed<[](f16 a, f16 b) { return half(number(a) + number(b)); }>("v_pk_add_f16"),
      packed<[](f16 a, f16 b) { return half(number(a) * number(b)); }>("v_pk_mul_f16"),
      packed<[](f16 a, f16 b, f16 c) { return half(std::fma(toDouble(a), toDouble(b), toDouble(c))); }>("v_pk_fma_f16"),
      packed<[](f16 a, f16 b) { return half(std::fmin(number(a), number(b))); }>("v_pk_min_f16|v_pk_min_num_f16"),
      packed<[](f16 a, f16 b) { return half(std::fmax(number(a), number(b))); }>("v_pk_max_f16|v_pk_max_num_f16"),
      packed<[](u16 a, u16 b) { return u16(a + b); }>("v_pk_add_u16|v_pk_add_i16"),
      packed<[](u16 a, u16 b) { return u16(a - b); }>("v_pk_sub_u16|v_pk_sub_i16"),
      packed<[](u16 a, u16 b) { return u16(a * b); }>("v_pk_mul_lo_u16"),
      packed<[](u16 a, u16 b, u16 c) { return u16(a * b + c); }>("v_pk_mad_u16|v_pk_mad_i16"),
      packed<[](u16 a, u16 b) { return u16(b << (a & 15)); }>("v_pk_lshlrev_b16"),
      packed<[](u16 a, u16 b) { return u16(b >> (a & 15)); }>("v_pk_lshrrev_b16"),
      packed<[](s16 a, s16 b) { return s16(b >> (a & 15)); }>("v_pk_ashrrev_i16"),
      packed<[](u16 a, u16 b) { return std::min(a, b); }>("v_pk_min_u16"),
      packed<[](u16 a, u16 b) { return std::max(a, b); }>("v_pk_max_u16"),
      packed<[](s16 a, s16 b) { return std::min(a, b); }>("v_pk_min_i16"),
      packed<[](s16 a, s16 b) { return std::max(a, b); }>("v_pk_max_i16"),
      packed<[](float a, float b) { return a + b; }>("v_pk_add_f32"),
      packed<[](float a, float b) { return a * b; }>("v_pk_mul_f32"),
      packed<[](float a, float b, float c) { return std::fma(a, b, c); }>("v_pk_fma_f32"),
      mixed("v_fma_mix_f32", runMixed<toWhole>),
      mixed("v_fma_mixlo_f16", runMixed<toLow>),
      mixed("v_fma_mixhi_f16", runMixed<toHigh>),
      lanes<[](u32 a, u32 b, float c) {
        float low = toFloat(f16{u16(a)}) * toFloat(f16{u16(b)}),
              high = toFloat(f16{u16(a >> 16)}) * toFloat(f16{u16(b >> 16)});
        return low + high + c;
      }>("v_dot2_f32_f16", Row::isPacked),
      lanes<[](u32 a, u32 b, float c) {
        float low = toFloat(bf16{u16(a)}) * toFloat(bf16{u16(b)}),
              high = toFloat(bf16{u16(a >> 16)}) * toFloat(bf16{u16(b >> 16)});
        return low + high + c;
      }>("v_dot2_f32_bf16", Row::isPacked),
      lanes<[](u32 a, u32 b, float c) {
        float low = toFloat(f16{u16(a)}) * toFloat(f16{u16(b)}),
              high = toFloat(f16{u16(a >> 16)}) * toFloat(f16{u16(b >> 16)});
        return low + high + c;
      }>("v_dot2c_f32_f16|v_dot2acc_f32_f16", Row::accumulates),
      dotOfBytes("v_dot4_i32_iu8"),
  };
}
