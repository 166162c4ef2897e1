//===-- tilecc/tiles/constants.h - integers and options that are types --------------------------------------------===//
//
// cuda::tiles passes values that must be known at compile time either as template arguments or as objects whose type
// contains the value: sum<1>(x) and sum(x, 1_ic) are the same call. The options for rounding, order and padding work in
// the same way.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_CONSTANTS_H
#define TILECC_TILES_CONSTANTS_H
#pragma GCC system_header

#include "../detail/broadcast.h"

namespace cuda::tiles::inline __1 {

using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char *>(nullptr) - static_cast<char *>(nullptr));
using int32_t = int;
using uint32_t = unsigned;
using int64_t = long;
using uint64_t = unsigned long;

template <class T> concept integral = __is_integral(T);
template <class T, class U> concept same_as = __is_same(T, U);

/// An integer that is part of a type; 16_ic with `using namespace cuda::tiles::literals`.
template <integral auto V> struct integral_constant {
  using type = integral_constant;
  using value_type = decltype(V);
  static constexpr value_type value = V;
  __TILECC_HOST_FN constexpr operator value_type() const noexcept { return V; }
  __TILECC_HOST_FN constexpr value_type operator()() const noexcept { return V; }
};

#define __TILECC_CONSTANT(op)                                                                                          \
  template <auto A, auto B>                                                                                            \
  __TILECC_HOST_FN constexpr integral_constant<(A op B)> operator op(integral_constant<A>,                             \
                                                                     integral_constant<B>) noexcept {                  \
    return {};                                                                                                         \
  }
__TILECC_CONSTANT(+)
__TILECC_CONSTANT(-)
__TILECC_CONSTANT(*)
__TILECC_CONSTANT(/)
__TILECC_CONSTANT(%)
__TILECC_CONSTANT(&)
__TILECC_CONSTANT(|)
__TILECC_CONSTANT(^)
__TILECC_CONSTANT(<<)
__TILECC_CONSTANT(>>)
#undef __TILECC_CONSTANT
#define __TILECC_CONSTANT(op)                                                                                          \
  template <auto A> __TILECC_HOST_FN constexpr integral_constant<(op A)> operator op(integral_constant<A>) noexcept {  \
    return {};                                                                                                         \
  }
__TILECC_CONSTANT(+)
__TILECC_CONSTANT(-)
__TILECC_CONSTANT(~)
#undef __TILECC_CONSTANT

namespace detail {

template <class T> inline constexpr bool is_constant = false;
template <auto V> inline constexpr bool is_constant<integral_constant<V>> = true;

template <class T> using unqualified = typename tt::detail::unqualified<T>::type;

template <size_t... I> using indices = tt::detail::sequence<size_t, I...>;
template <size_t N> using up_to = __make_integer_seq<tt::detail::sequence, size_t, N>;

// The value of a literal's digits; -1 if they are not a decimal number below 2^63.
template <char... C> constexpr long long parse_decimal() {
  constexpr char digits[] = {C...};
  unsigned long long n = 0;
  if (digits[0] == '0' && sizeof...(C) > 1)
    return -1;
  for (char c : digits) {
    if (c == '\'')
      continue;
    if (c < '0' || c > '9' || n > (0x7fffffffffffffffull - (c - '0')) / 10)
      return -1;
    n = n * 10 + (c - '0');
  }
  return static_cast<long long>(n);
}
template <long long N> constexpr auto narrowest() {
  if constexpr (N <= 0x7fffffff)
    return static_cast<int>(N);
  else
    return static_cast<long>(N);
}

} // namespace detail

namespace literals {
template <char... C> __TILECC_HOST_FN constexpr auto operator""_ic() noexcept {
  constexpr long long value = detail::parse_decimal<C...>();
  static_assert(value >= 0, "a literal with _ic is a decimal integer below 2^63");
  return integral_constant<detail::narrowest<value>()>{};
}
} // namespace literals

//===-- options ---------------------------------------------------------------------------------------------------===//

enum class rounding_mode : unsigned char {
  round_ties_to_even = 0,
  round_toward_zero = 1,
  round_toward_negative = 2,
  round_toward_positive = 3,
  round_approximate = 4,
  round_full = 5,
  round_ties_to_away = 6
};
enum class subnormals_rounding_mode : unsigned char { preserve_subnormals = 0, round_subnormals_to_zero = 1 };
enum class saturation_mode : unsigned char { saturate_none = 0, saturate_finite = 1 };
enum class nan_propagation_mode : unsigned char { suppress_nan = 0, propagate_nan = 1 };
enum class memory_order : unsigned char { relaxed = 0, acquire = 1, release = 2, acq_rel = 3 };
enum class thread_scope : unsigned char { system = 0, device = 1, block = 2 };
enum class scan_direction : unsigned char { forward = 0, backward = 1 };
enum class view_padding : unsigned char { zero = 0, negative_zero = 1, positive_inf = 2, negative_inf = 3, nan = 4 };

#define __TILECC_OPTION(name)                                                                                          \
  template <name V> struct name##_constant {                                                                           \
    using type = name##_constant;                                                                                      \
    using value_type = name;                                                                                           \
    static constexpr name value = V;                                                                                   \
    __TILECC_HOST_FN constexpr operator name() const noexcept { return V; }                                            \
    __TILECC_HOST_FN constexpr name operator()() const noexcept { return V; }                                          \
  };
__TILECC_OPTION(rounding_mode)
__TILECC_OPTION(subnormals_rounding_mode)
__TILECC_OPTION(saturation_mode)
__TILECC_OPTION(nan_propagation_mode)
__TILECC_OPTION(memory_order)
__TILECC_OPTION(thread_scope)
__TILECC_OPTION(scan_direction)
__TILECC_OPTION(view_padding)
#undef __TILECC_OPTION

using round_ties_to_even_t = rounding_mode_constant<rounding_mode::round_ties_to_even>;
using round_toward_zero_t = rounding_mode_constant<rounding_mode::round_toward_zero>;
using round_toward_negative_t = rounding_mode_constant<rounding_mode::round_toward_negative>;
using round_toward_positive_t = rounding_mode_constant<rounding_mode::round_toward_positive>;
using round_approximate_t = rounding_mode_constant<rounding_mode::round_approximate>;
using round_full_t = rounding_mode_constant<rounding_mode::round_full>;
using round_ties_to_away_t = rounding_mode_constant<rounding_mode::round_ties_to_away>;
using preserve_subnormals_t = subnormals_rounding_mode_constant<subnormals_rounding_mode::preserve_subnormals>;
using round_subnormals_to_zero_t =
    subnormals_rounding_mode_constant<subnormals_rounding_mode::round_subnormals_to_zero>;
using saturate_none_t = saturation_mode_constant<saturation_mode::saturate_none>;
using saturate_finite_t = saturation_mode_constant<saturation_mode::saturate_finite>;
using suppress_nan_t = nan_propagation_mode_constant<nan_propagation_mode::suppress_nan>;
using propagate_nan_t = nan_propagation_mode_constant<nan_propagation_mode::propagate_nan>;
using memory_order_relaxed_t = memory_order_constant<memory_order::relaxed>;
using memory_order_acquire_t = memory_order_constant<memory_order::acquire>;
using memory_order_release_t = memory_order_constant<memory_order::release>;
using memory_order_acq_rel_t = memory_order_constant<memory_order::acq_rel>;
using thread_scope_system_t = thread_scope_constant<thread_scope::system>;
using thread_scope_device_t = thread_scope_constant<thread_scope::device>;
using thread_scope_block_t = thread_scope_constant<thread_scope::block>;
using scan_forward_t = scan_direction_constant<scan_direction::forward>;
using scan_backward_t = scan_direction_constant<scan_direction::backward>;
using view_padding_zero_t = view_padding_constant<view_padding::zero>;
using view_padding_negative_zero_t = view_padding_constant<view_padding::negative_zero>;
using view_padding_positive_inf_t = view_padding_constant<view_padding::positive_inf>;
using view_padding_negative_inf_t = view_padding_constant<view_padding::negative_inf>;
using view_padding_nan_t = view_padding_constant<view_padding::nan>;

/// The defaults if no option is given.
__TILECC_HOST_FN constexpr rounding_mode default_rounding_mode() noexcept { return rounding_mode::round_ties_to_even; }
__TILECC_HOST_FN constexpr subnormals_rounding_mode default_subnormals_rounding_mode() noexcept {
  return subnormals_rounding_mode::preserve_subnormals;
}
__TILECC_HOST_FN constexpr nan_propagation_mode default_nan_propagation_mode() noexcept {
  return nan_propagation_mode::suppress_nan;
}
__TILECC_HOST_FN constexpr thread_scope default_thread_scope() noexcept { return thread_scope::system; }
__TILECC_HOST_FN constexpr view_padding default_view_padding() noexcept { return view_padding::zero; }
using default_rounding_mode_t = rounding_mode_constant<default_rounding_mode()>;
using default_subnormals_rounding_mode_t = subnormals_rounding_mode_constant<default_subnormals_rounding_mode()>;
using default_nan_propagation_mode_t = nan_propagation_mode_constant<default_nan_propagation_mode()>;
using default_thread_scope_t = thread_scope_constant<default_thread_scope()>;
using default_view_padding_t = view_padding_constant<default_view_padding()>;

} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_CONSTANTS_H
