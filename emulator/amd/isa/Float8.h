//===-- Float8.h - the two families of 8-bit floating-point numbers --------------------------------------------===//
//
// gfx942 has the "fnuz" types: one NaN (0x80), no negative zero, no infinities, and exponent biases greater by one. The
// maximum is 240 for e4m3 and 57344 for e5m2. gfx950 and gfx12 have the types of the Open Compute Project.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_AMD_ISA_FLOAT8_H
#define TILECC_EMULATOR_AMD_ISA_FLOAT8_H

#include "emulator/isa/numerics/Convert.h"

#include <cmath>

namespace tilecc::emu::amd {

template <bool IsE5m2> float fromFloat8(u8 bits, bool fnuz) {
  if (!fnuz)
    return IsE5m2 ? toFloat(e5m2{bits}) : toFloat(e4m3{bits});
  if (bits == 0x80)
    return std::numeric_limits<float>::quiet_NaN();
  constexpr int fractionBits = IsE5m2 ? 2 : 3, bias = IsE5m2 ? 16 : 8;
  int exponent = bits >> fractionBits & (IsE5m2 ? 31 : 15), fraction = bits & ((1 << fractionBits) - 1);
  int significand = exponent ? fraction | 1 << fractionBits : fraction;
  float value = std::ldexp(static_cast<float>(significand), (exponent ? exponent : 1) - bias - fractionBits);
  return bits & 0x80 ? -value : value;
}

// Rounds to nearest even. Overflow becomes infinity, or NaN if the type has no infinity.
template <bool IsE5m2> u32 toFloat8(float x, bool fnuz) {
  constexpr int fractionBits = IsE5m2 ? 2 : 3, exponentBits = IsE5m2 ? 5 : 4;
  const int bias = (1 << (exponentBits - 1)) - 1 + fnuz;
  u32 sign = std::signbit(x) ? 0x80 : 0;
  u32 notANumber = fnuz ? 0x80 : sign | 0x7f;
  u32 largest = fnuz ? 0x7f : IsE5m2 ? 0x7b : 0x7e;
  u32 beyond = fnuz ? 0x80 : IsE5m2 ? sign | 0x7c : notANumber;
  if (std::isnan(x))
    return notANumber;
  if (std::isinf(x))
    return beyond;
  double magnitude = std::fabs(static_cast<double>(x));
  if (magnitude == 0)
    return fnuz ? 0 : sign;
  int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  // The significand in units of the last place. It may round up to the next exponent.
  auto steps = static_cast<u32>(std::nearbyint(std::ldexp(magnitude, fractionBits - exponent)));
  u32 bits = steps + (static_cast<u32>(exponent + bias - 1) << fractionBits);
  if (bits > largest)
    return beyond;
  return bits ? sign | bits : fnuz ? 0 : sign;
}

} // namespace tilecc::emu::amd
#endif
