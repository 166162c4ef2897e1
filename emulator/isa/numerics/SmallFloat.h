//===-- SmallFloat.h - floating-point types of 4, 6 and 8 bits, and scales ---------------------------------------===//
//
// The formats that the tensor core of sm_100 reads in addition to e4m3 and e5m2: e2m1, e2m3 and e3m2, which have
// neither infinities nor NaN; and the scales of blocks of elements, ue8m0 (a power of two; 0xff is NaN) and ue4m3 (e4m3
// with the sign ignored).
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_NUMERICS_SMALLFLOAT_H
#define TILECC_EMULATOR_ISA_NUMERICS_SMALLFLOAT_H

#include "emulator/isa/numerics/Scalar.h"

#include <limits>

namespace tilecc::emu {

// A number in the low bits of `bits`: a sign, `exponentBits` and `fractionBits`, from high to low. The bias is as in
// IEEE 754.
template <unsigned exponentBits, unsigned fractionBits> constexpr double smallFloat(u32 bits) {
  constexpr int bias = (1 << (exponentBits - 1)) - 1;
  u32 fraction = bits & ((1u << fractionBits) - 1), exponent = bits >> fractionBits & ((1u << exponentBits) - 1);
  double value = fraction + (exponent ? 1u << fractionBits : 0);
  for (int scale = static_cast<int>(exponent ? exponent : 1) - bias - static_cast<int>(fractionBits); scale != 0;
       scale += scale < 0 ? 1 : -1)
    value = scale < 0 ? value / 2 : value * 2;
  return bits >> (exponentBits + fractionBits) & 1 ? -value : value;
}
constexpr double e2m1(u32 bits) { return smallFloat<2, 1>(bits); }
constexpr double e2m3(u32 bits) { return smallFloat<2, 3>(bits); }
constexpr double e3m2(u32 bits) { return smallFloat<3, 2>(bits); }

inline double ue8m0(u8 bits) {
  return bits == 0xff ? std::numeric_limits<double>::quiet_NaN() : doubleOf(u64(1023 - 127 + bits) << 52);
}
inline double ue4m3(u8 bits) { return toDouble(e4m3{static_cast<u8>(bits & 0x7f)}); }

} // namespace tilecc::emu
#endif
