//===-- SoftFloat.cpp - conversions of 16-bit floats for compiled code ------------------------------------------===//
//
// If the processor has no instruction for a conversion to __bf16, Clang calls one of these functions in host code.
// libgcc has them only from version 13 on. On RISC-V, the same is true of _Float16, also for conversions from it. They
// are weak, so that libgcc's can be used, and hidden, so that libraries that contain the runtime do not export them.
//
// These types are passed and returned like a float, in the low 16 bits of a vector register. Compilers without the
// types can express that by a float with those bits; nothing computes with that float.
//
//===----------------------------------------------------------------------------------------------------------===//
#include <bit>
#include <float.h>
#include <stdint.h>
#include <string.h>

namespace {

// The magnitude of a number: significand / 2^63 * 2^exponent with the significand's top bit set, or 0. The lowest bit
// also stands for all nonzero bits of a wider format below it.
struct Magnitude {
  uint64_t significand;
  int exponent;
};

constexpr uint16_t signBit = 0x8000;

// A format of 16 bits.
template <int FractionBits> struct Format {
  static constexpr int fractionBits = FractionBits, exponentBits = 15 - FractionBits,
                       bias = (1 << (exponentBits - 1)) - 1, minExponent = 1 - bias;
  static constexpr uint16_t infinity = ((1 << exponentBits) - 1) << fractionBits, quietBit = 1 << (fractionBits - 1);
};
using BFloat16 = Format<7>;
using Float16 = Format<10>;

Magnitude normalized(uint64_t significand, int exponent) {
  if (significand == 0)
    return {0, 0};
  int shift = std::countl_zero(significand);
  return {significand << shift, exponent - shift};
}

// Rounds to nearest, ties to even, once.
template <class To> uint16_t roundMagnitude(Magnitude value) {
  if (value.significand == 0)
    return 0;
  if (value.exponent > To::bias)
    return To::infinity;
  bool subnormal = value.exponent < To::minExponent;
  int dropped = 63 - To::fractionBits + (subnormal ? To::minExponent - value.exponent : 0);
  if (dropped > 64)
    return 0; // less than half of the smallest number
  uint64_t kept = dropped == 64 ? 0 : value.significand >> dropped;
  uint64_t rest = value.significand << (64 - dropped); // the dropped bits, at the top; dropped > 0
  constexpr uint64_t half = uint64_t(1) << 63;
  uint64_t bits = kept;
  if (!subnormal) // the significand's leading one increments the exponent
    bits += static_cast<uint64_t>(value.exponent + To::bias - 1) << To::fractionBits;
  bits += rest > half || (rest == half && (kept & 1));
  return static_cast<uint16_t>(bits); // a carry correctly increments the exponent, up to infinity
}

template <class To> uint16_t quietNaN(uint64_t fractionFromTheTop) {
  return To::infinity | To::quietBit | static_cast<uint16_t>(fractionFromTheTop >> (64 - To::fractionBits));
}

// Converts from an IEEE format of up to 64 bits.
template <class To, int FractionBits, int ExponentBits> uint16_t truncate(uint64_t bits) {
  constexpr int formatBias = (1 << (ExponentBits - 1)) - 1, allOnes = (1 << ExponentBits) - 1;
  uint16_t sign = bits >> (FractionBits + ExponentBits) & 1 ? signBit : uint16_t(0);
  int exponent = static_cast<int>(bits >> FractionBits) & allOnes;
  uint64_t fraction = bits << (64 - FractionBits); // at the top
  if (exponent == allOnes)
    return sign | (fraction ? quietNaN<To>(fraction) : To::infinity);
  if (exponent == 0) // subnormal: no leading one, exponent 1
    return sign | roundMagnitude<To>(normalized(fraction, -formatBias));
  // Insert the leading one; the bit shifted out is a padding zero.
  return sign | roundMagnitude<To>({fraction >> 1 | uint64_t(1) << 63, exponent - formatBias});
}

float asReturned(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits)); }

} // namespace

#define BUILTIN extern "C" __attribute__((weak, visibility("hidden")))

BUILTIN float __truncsfbf2(float value) {
  return asReturned(truncate<BFloat16, 23, 8>(std::bit_cast<uint32_t>(value)));
}

BUILTIN float __truncdfbf2(double value) {
  return asReturned(truncate<BFloat16, 52, 11>(std::bit_cast<uint64_t>(value)));
}

#if LDBL_MANT_DIG == 64 // x87

BUILTIN float __truncxfbf2(long double value) {
  uint64_t significand; // including its leading one
  uint16_t signAndExponent;
  memcpy(&significand, &value, sizeof(significand));
  memcpy(&signAndExponent, reinterpret_cast<const char *>(&value) + sizeof(significand), sizeof(signAndExponent));
  uint16_t sign = signAndExponent & signBit;
  int exponent = signAndExponent & 0x7fff;
  if (exponent == 0x7fff)
    return asReturned(sign | (significand << 1 ? quietNaN<BFloat16>(significand << 1) : BFloat16::infinity));
  return asReturned(sign | roundMagnitude<BFloat16>(normalized(significand, exponent - 16383)));
}

#elif LDBL_MANT_DIG == 113 // IEEE binary128

template <class To> static float truncateLong(long double value) {
  uint64_t words[2];
  memcpy(words, &value, sizeof(words));
  uint16_t sign = words[1] >> 63 ? signBit : uint16_t(0);
  int exponent = words[1] >> 48 & 0x7fff;
  uint64_t fraction = words[1] << 16 | words[0] >> 48;
  uint64_t below = words[0] << 16 ? 1 : 0;
  if (exponent == 0x7fff)
    return asReturned(sign | (fraction | below ? quietNaN<To>(fraction) : To::infinity));
  if (exponent == 0) // far below the range of To
    return asReturned(sign);
  below |= fraction & 1;
  return asReturned(sign | roundMagnitude<To>({fraction >> 1 | uint64_t(1) << 63 | below, exponent - 16383}));
}

BUILTIN float __trunctfbf2(long double value) { return truncateLong<BFloat16>(value); }

#endif

#if defined(__riscv)

BUILTIN float __truncsfhf2(float value) { return asReturned(truncate<Float16, 23, 8>(std::bit_cast<uint32_t>(value))); }

BUILTIN float __truncdfhf2(double value) {
  return asReturned(truncate<Float16, 52, 11>(std::bit_cast<uint64_t>(value)));
}

BUILTIN float __trunctfhf2(long double value) { return truncateLong<Float16>(value); }

BUILTIN float __extendhfsf2(float passed) {
  const uint32_t bits = std::bit_cast<uint32_t>(passed), sign = (bits & signBit) << 16, magnitude = bits & 0x7fff;
  constexpr uint32_t allOnes = 0x7f800000, quietBit = 1 << 22;
  constexpr int shift = 23 - Float16::fractionBits;
  if (magnitude > Float16::infinity)
    return std::bit_cast<float>(sign | allOnes | quietBit | magnitude << shift);
  if (magnitude == Float16::infinity)
    return std::bit_cast<float>(sign | allOnes);
  // The fields fit those of f32, whose exponents are greater by 112. The multiplication also normalizes denormals.
  const float scaled = std::bit_cast<float>(magnitude << shift) * 0x1p112f;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(scaled));
}

#endif
