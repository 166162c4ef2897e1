//===-- tilecc/tiles/elements.h - element types and their conversions ---------------------------------------------===//
//
// The element types of cuda::tiles, the types with which tt stores them, and the conversions that lose nothing.
// NVIDIA's number types are only declared here: their names are enough to distinguish them, and the headers that define
// them need not be installed. In a tile
//
//   __half, __nv_bfloat16         are _Float16 and __bf16
//   __nv_fp8_e4m3, __nv_fp8_e5m2  are those of tt
//   __nv_tf32                     is a float, rounded to 10 digits where it leaves the tile (see convert.h)
//   __nv_fp8_e8m0, __nv_fp8_ue5m3, __nv_fp4_e2m1    are bytes
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_ELEMENTS_H
#define TILECC_TILES_ELEMENTS_H
#pragma GCC system_header

#include "extents.h"

struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;
struct __nv_fp8_e8m0;
struct __nv_fp8_ue5m3;
struct __nv_fp4_e2m1;
struct __nv_tf32;

namespace cuda::tiles::inline __1 {
namespace detail {

// A floating-point format: the number of significand bits including the leading one, the number of exponent bits, and
// whether there is arithmetic on it. ue5m3 is listed with one exponent bit more than it has, because its range exceeds
// that of half.
struct format {
  int digits = 0, exponent = 0;
  bool arithmetic = false, has_sign = true;
};

template <class T> struct element_info {
  using stored = T;
  static constexpr format number{};
};
#define __TILECC_ELEMENT(type, as, ...)                                                                                \
  template <> struct element_info<type> {                                                                              \
    using stored = as;                                                                                                 \
    static constexpr format number{__VA_ARGS__};                                                                       \
  };
__TILECC_ELEMENT(double, double, 53, 11, true)
__TILECC_ELEMENT(float, float, 24, 8, true)
__TILECC_ELEMENT(__half, _Float16, 11, 5, true)
__TILECC_ELEMENT(__nv_bfloat16, __bf16, 8, 8, true)
__TILECC_ELEMENT(__nv_tf32, float, 11, 8)
__TILECC_ELEMENT(__nv_fp8_e4m3, tt::float8_e4m3fn, 4, 4)
__TILECC_ELEMENT(__nv_fp8_e5m2, tt::float8_e5m2, 3, 5)
__TILECC_ELEMENT(__nv_fp8_ue5m3, unsigned char, 4, 6, false, false)
__TILECC_ELEMENT(__nv_fp8_e8m0, unsigned char, 1, 8, false, false)
__TILECC_ELEMENT(__nv_fp4_e2m1, unsigned char, 2, 2)
#undef __TILECC_ELEMENT
template <class T> struct element_info<T *> {
  using stored = typename element_info<T>::stored *;
  static constexpr format number{};
};
template <class T> struct element_info<const T> {
  using stored = const typename element_info<T>::stored;
  static constexpr format number{};
};
template <class T> using stored = typename element_info<T>::stored;

template <class T> inline constexpr bool is_integer = __is_integral(T) && sizeof(T) <= 8;
template <class T> inline constexpr bool is_float = element_info<T>::number.digits > 0;
template <class T> inline constexpr bool is_arithmetic = is_integer<T> || element_info<T>::number.arithmetic;
template <class T> inline constexpr bool is_number = is_integer<T> || is_float<T>;
template <class T> inline constexpr bool is_pointer = false;
template <class T> inline constexpr bool is_pointer<T *> = is_number<unqualified<T>> || __is_same(unqualified<T>, void);
template <class T> inline constexpr bool is_element = is_number<T> || is_pointer<T>;

template <class T> inline constexpr bool is_unsigned = T(-1) > T(0);
template <class T> constexpr int value_bits() { return __is_same(T, bool) ? 1 : int(8 * sizeof(T)) - !is_unsigned<T>; }

// Returns true if a conversion may lose information. The conversion from integers to floating-point numbers must be
// explicit.
template <class From, class To> constexpr bool narrows() {
  if constexpr (__is_same(From, To)) {
    return false;
  } else if constexpr (is_float<From> && is_float<To>) {
    constexpr format a = element_info<From>::number, b = element_info<To>::number;
    return !b.has_sign || a.digits > b.digits || a.exponent > b.exponent;
  } else if constexpr (is_integer<From> && is_integer<To>) {
    return value_bits<From>() > value_bits<To>() || (!is_unsigned<From> && is_unsigned<To>);
  } else {
    return !(is_pointer<From> && is_pointer<To>);
  }
}
template <class From, class To> constexpr bool converts() {
  if constexpr (is_number<From> && is_number<To>)
    return true;
  else if constexpr (is_pointer<From> && is_pointer<To>)
    return __is_convertible_to(From, To);
  else
    return is_pointer<From> && __is_same(To, bool);
}

// The common type of two element types, as in C's arithmetic, but without promotion of narrow integers.
template <class A, class B> constexpr auto find_joint_integer() {
  if constexpr (__is_same(A, B))
    return A();
  else if constexpr (sizeof(A) >= 4 || sizeof(B) >= 4)
    return A() + B();
  else if constexpr (__is_same(A, bool) || (sizeof(B) > sizeof(A) && !__is_same(B, bool)))
    return B();
  else if constexpr (__is_same(B, bool) || sizeof(A) > sizeof(B) || is_unsigned<A>)
    return A();
  else
    return B();
}
template <class T> struct named {
  using type = T;
}; // an element type as an object; the type may be incomplete
template <class A, class B> constexpr auto find_joint() {
  if constexpr (__is_same(A, B))
    return named<A>();
  else if constexpr (is_integer<A> && is_integer<B>)
    return named<decltype(find_joint_integer<A, B>())>();
  else if constexpr (is_integer<A>)
    return named<B>();
  else if constexpr (is_integer<B> || element_info<A>::number.digits + element_info<A>::number.exponent >
                                          element_info<B>::number.digits + element_info<B>::number.exponent)
    return named<A>();
  else
    return named<B>();
}
template <class A, class B> using joint = typename decltype(find_joint<A, B>())::type;
template <class A, class B>
inline constexpr bool are_halves_of_two_kinds =
    (__is_same(A, __half) && __is_same(B, __nv_bfloat16)) || (__is_same(A, __nv_bfloat16) && __is_same(B, __half));
// In arithmetic, integers convert implicitly to floating-point numbers.
template <class From, class To>
inline constexpr bool narrows_operand = narrows<From, To>() && !(is_integer<From> && is_float<To>);

} // namespace detail
} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_ELEMENTS_H
