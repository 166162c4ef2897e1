//===-- tilecc/tiles/convert.h - conversions of elements ----------------------------------------------------------===//
//
// Conversions between the stored types of elements (see elements.h), for tiles of tt and for scalars. tt converts the
// types for which it has arithmetic; the formats that tt does not have are decoded and encoded here.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_CONVERT_H
#define TILECC_TILES_CONVERT_H
#pragma GCC system_header

#include "../tt/math.h"
#include "elements.h"

namespace cuda::tiles::inline __1 {
namespace detail {

template <class V> using tt_element = tt::detail::element<V>;

// Rounds away the last 13 of the 23 fraction bits of x, as in NVIDIA's tf32. NaNs stay NaNs.
template <rounding_mode M, class V> __TILECC_FN V round_to_tf32(V x) {
  auto bits = tt::bitcast<unsigned>(x);
  if constexpr (M == rounding_mode::round_ties_to_away)
    bits = bits + 0x1000u;
  else if constexpr (M == rounding_mode::round_ties_to_even)
    bits = bits + (((bits >> 13) & 1u) + 0xfffu);
  return tt::where(x == x, tt::bitcast<float>(bits & 0xffffe000u), x);
}

// Decodes a byte of a format that tt does not have to float.
template <class From, class V> __TILECC_FN auto decode(V byte) {
  auto bits = tt::cast<unsigned>(byte);
  if constexpr (__is_same(From, __nv_fp8_e8m0)) { // 2^(bits - 127)
    auto power = tt::where(bits == 0u, 0x00400000u, bits << 23);
    return tt::bitcast<float>(tt::where(bits == 0xffu, 0x7fc00000u, power));
  } else if constexpr (__is_same(From, __nv_fp8_ue5m3)) {
    auto normal = tt::bitcast<float>(tt::where(bits == 0xffu, 0x7fc00000u, (bits << 20) + (112u << 23)));
    return tt::where(bits < 8u, tt::cast<float>(bits) * 0x1p-17f, normal);
  } else {
    static_assert(__is_same(From, __nv_fp4_e2m1));
    auto magnitude = bits & 7u;
    auto normal = tt::bitcast<float>((magnitude << 22) + (126u << 23));
    auto value = tt::where(magnitude < 2u, tt::cast<float>(magnitude) * 0.5f, normal);
    return tt::where((bits & 8u) == 0u, value, -value);
  }
}
template <class C> __TILECC_FN auto count(C condition) { return tt::where(condition, 1u, 0u); }
template <class To, rounding_mode M, class V> __TILECC_FN auto encode(V x) {
  if constexpr (__is_same(To, __nv_fp8_e8m0)) {
    auto bits = tt::bitcast<unsigned>(x) & 0x7fffffffu;
    auto up = M == rounding_mode::round_toward_positive ? bits + 0x7fffffu : bits;
    return tt::cast<unsigned char>(tt::where(x == x, tt::minimum(up >> 23, 254u), 255u));
  } else {
    static_assert(__is_same(To, __nv_fp4_e2m1), "there is no conversion to __nv_fp8_ue5m3 yet");
    // Values halfway between two neighbours round to the even one.
    auto size = tt::abs(x);
    auto code = count(size > 0.25f) + count(size >= 0.75f) + count(size > 1.25f) + count(size >= 1.75f) +
                count(size > 2.5f) + count(size >= 3.5f) + count(size > 5.0f);
    auto sign = (tt::bitcast<unsigned>(x) >> 28) & 8u;
    return tt::cast<unsigned char>(tt::where(x == x, code | sign, 7u));
  }
}

// Corrects a conversion that rounded to nearest to the neighbour that M requires. The bits of numbers with the same
// sign are ordered like the numbers.
template <rounding_mode M, class From, class V, class R> __TILECC_FN R step_toward(V exact, R nearest) {
  using T = tt_element<R>;
  using I = typename tt::detail::choose<sizeof(T) == 2, short, int>::type;
  auto back = tt::cast<From>(nearest);
  auto bits = tt::bitcast<I>(nearest);
  auto outward = tt::bitcast<T>(tt::cast<I>(bits + I(1))), inward = tt::bitcast<T>(tt::cast<I>(bits - I(1)));
  if constexpr (M == rounding_mode::round_toward_zero)
    return tt::where(tt::abs(back) > tt::abs(exact), inward, nearest);
  else if constexpr (M == rounding_mode::round_toward_positive)
    return tt::where(back < exact, tt::where(back < From(0), inward, outward), nearest);
  else
    return tt::where(back > exact, tt::where(back > From(0), inward, outward), nearest);
}

template <class V> __TILECC_FN auto address(V pointers) {
  if constexpr (tt::detail::is_tile<V>)
    return pointers.template to<long>();
  else
    return reinterpret_cast<long>(pointers);
}

// Converts v from elements of type From to elements of type To.
template <class To, class From, rounding_mode M = rounding_mode::round_ties_to_even, class V>
__TILECC_FN auto convert(V v) {
  constexpr format to = element_info<To>::number, from = element_info<From>::number;
  if constexpr (__is_same(To, From)) {
    return v;
  } else if constexpr (is_pointer<From>) {
    if constexpr (!is_pointer<To>)
      return address(v) != 0l;
    else if constexpr (tt::detail::is_tile<V>)
      return tt::bitcast<stored<To>>(v);
    else
      return static_cast<stored<To>>(v);
  } else if constexpr (__is_same(From, __nv_tf32)) {
    return convert<To, float, M>(round_to_tf32<rounding_mode::round_ties_to_even>(v));
  } else if constexpr (is_float<From> && __is_same(stored<From>, unsigned char)) {
    return convert<To, float, M>(decode<From>(v));
  } else if constexpr (is_float<To> && __is_same(stored<To>, unsigned char)) {
    return encode<To, M>(tt::cast<float>(v));
  } else if constexpr (__is_same(To, __nv_tf32)) {
    // Rounding to nearest is delayed until the elements are read, because tensor cores round operands at no cost.
    if constexpr (M == rounding_mode::round_ties_to_even)
      return tt::cast<float>(v);
    else
      return round_to_tf32<M>(tt::cast<float>(v));
  } else if constexpr (is_float<To> && is_float<From> && to.digits < from.digits &&
                       M != rounding_mode::round_ties_to_even) {
    return step_toward<M, stored<From>>(v, tt::cast<stored<To>>(v));
  } else {
    return tt::cast<stored<To>>(v);
  }
}

// Converts floating-point numbers to integers of type To. Numbers out of range become the nearest integer of that type.
template <class To, class V> __TILECC_FN auto convert_saturated(V v) {
  using T = tt_element<V>;
  constexpr int bits = value_bits<To>();
  constexpr T beyond = T(0x1p63) * (bits == 64 ? T(2) : T(1)) / T(1ull << (bits == 64 ? 0 : 63 - bits)); // 2^bits
  constexpr To most = To(bits == 64 ? ~0ull : (1ull << bits) - 1), least = is_unsigned<To> ? To(0) : To(-most - 1);
  auto inside = tt::cast<To>(tt::where((v < beyond) & (v > (is_unsigned<To> ? T(-1) : -beyond)), v, T(0)));
  return tt::where(v >= beyond, most, tt::where(v <= (is_unsigned<To> ? T(-1) : -beyond), least, inside));
}

} // namespace detail
} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_CONVERT_H
