//===-- tilecc/tt/float8.h - 8-bit floating-point types ----------------------------------------------------------===//
//
// These types are for storage: their tiles are loaded, stored, moved, converted and multiplied by tt::dot, and there is
// no other arithmetic on them. A scalar converts implicitly to float and explicitly from other numbers, on the host and
// in kernels. Scalars round like tiles: to nearest, ties to even. Infinities and numbers beyond the largest one become
// the largest one.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_FLOAT8_H
#define TILECC_TT_FLOAT8_H
#pragma GCC system_header

namespace tt {
namespace detail {

// The format has a sign, an exponent of 7 - Digits bits with the bias Bias, and Digits fraction bits; Max is the
// largest number.
template <int Digits, int Bias, int Max> struct float8 {
  // Converts a float or a double, given as an integer of its width. WideDigits and WideBias are its fraction bits and
  // its exponent's bias.
  template <int WideDigits, int WideBias, class Wide>
  __TILECC_HOST_FN static constexpr unsigned char encode(Wide number) {
    constexpr int smallest = WideBias + 1 - Bias; // the exponent of the smallest normal number
    constexpr Wide one = 1, infinity = (one * (2 * WideBias + 1)) << WideDigits;
    const unsigned char sign = (number >> (sizeof(Wide) * 8 - 8)) & 0x80;
    const Wide magnitude = number & ~(one << (sizeof(Wide) * 8 - 1));
    if (magnitude > infinity)
      return 0x7f;
    const int exponent = int(magnitude >> WideDigits);
    int cut = WideDigits - Digits; // number of fraction bits that are dropped
    Wide kept = magnitude - (Wide(smallest - 1) << WideDigits);
    if (exponent < smallest) {
      kept = (magnitude & ((one << WideDigits) - 1)) | (one << WideDigits);
      cut += smallest - exponent < Digits + 2 ? smallest - exponent : Digits + 2; // larger values drop everything, too
    }
    kept = (kept + (one << (cut - 1)) - 1 + ((kept >> cut) & 1)) >> cut;
    return sign | (unsigned char)(kept < Max ? kept : Max);
  }
  __TILECC_HOST_FN static constexpr unsigned char encode(float x) {
    return encode<23, 127>(__builtin_bit_cast(unsigned, x));
  }
  __TILECC_HOST_FN static constexpr unsigned char encode(double x) {
    return encode<52, 1023>(__builtin_bit_cast(unsigned long long, x));
  }
  __TILECC_HOST_FN static constexpr float decode(unsigned char bits) {
    const unsigned magnitude = bits & 0x7f, sign = (bits & 0x80u) << 24;
    unsigned wide = (magnitude << (23 - Digits)) + (unsigned(127 - Bias) << 23);
    if (magnitude > Max) // infinity, if the type has it, and NaNs
      wide = magnitude << (23 - Digits) | 0x7f800000 | (Max == 0x7e) << 22;
    if (magnitude >> Digits == 0)
      wide = __builtin_bit_cast(unsigned, float(magnitude) / float(1u << (Bias - 1 + Digits)));
    return __builtin_bit_cast(float, wide | sign);
  }
};

using e4m3fn = float8<3, 7, 0x7e>;
using e5m2 = float8<2, 15, 0x7b>;

} // namespace detail

#define __TILECC_FLOAT8(name, format)                                                                                  \
  struct name {                                                                                                        \
    unsigned char bits;                                                                                                \
    name() = default;                                                                                                  \
    template <class T, class = decltype(static_cast<double>(*static_cast<T *>(nullptr)))>                              \
    __TILECC_HOST_FN explicit constexpr name(T x) {                                                                    \
      if constexpr (sizeof(T) <= 4)                                                                                    \
        bits = format::encode(static_cast<float>(x)); /* beyond 24 digits there is only the largest number */          \
      else                                                                                                             \
        bits = format::encode(static_cast<double>(x));                                                                 \
    }                                                                                                                  \
    __TILECC_HOST_FN constexpr operator float() const { return format::decode(bits); }                                 \
  }

/// 8-bit float with 4 exponent bits and 3 fraction bits. The largest value is 448; there are no infinities, and 0x7f
/// and 0xff are NaN. Tiles of it are loaded, stored, moved, converted and multiplied by `dot`; other arithmetic needs
/// `.to<float>()`.
/// Triton: `tl.float8e4nv`.
__TILECC_FLOAT8(float8_e4m3fn, detail::e4m3fn);
/// 8-bit float with 5 exponent bits and 2 fraction bits. The largest finite value is 57344; infinities and NaNs are
/// IEEE 754's. Tiles of it are loaded, stored, moved, converted and multiplied by `dot`; other arithmetic needs
/// `.to<float>()`.
/// Triton: `tl.float8e5`.
__TILECC_FLOAT8(float8_e5m2, detail::e5m2);
#undef __TILECC_FLOAT8

} // namespace tt

#endif // TILECC_TT_FLOAT8_H
