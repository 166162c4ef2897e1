//===-- tilecc/tiles/math.h - functions of elements ---------------------------------------------------------------===//
//
// These functions are as accurate as those of tt (tilecc/tt/math.h has the table), which are as accurate as NVIDIA's
// default or better. However, / and sqrt round correctly unless an option requests less. Functions that tt lacks are
// implemented here, within 6 units in the last place of float and 4 of double: sinh, cosh, tan, atan2.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_MATH_H
#define TILECC_TILES_MATH_H
#pragma GCC system_header

#include "operators.h"

namespace cuda::tiles::inline __1 {
namespace detail {

template <class X> constexpr bool check_float() {
  constexpr bool fits = is_float<element_of<X>> && is_arithmetic<element_of<X>>;
  __TILECC_CHECK((fits), (complain<X>("this function takes floating-point numbers, not ", "")));
  return fits;
}
// Functions of 16-bit numbers are computed in float.
template <class E> using working = typename tt::detail::choose<(sizeof(stored<E>) < 4), float, stored<E>>::type;
template <class X> __TILECC_FN auto widen(X x) { return tt::cast<working<element_of<X>>>(lower(x)); }
template <class R, class V> __TILECC_FN R narrow(V v) { return raise_to<R>(tt::cast<stored<element_of<R>>>(v)); }

// For small x, e^x - e^-x suffers from cancellation; there, eight terms of the series are enough.
template <class V> __TILECC_FN auto sinh(V x) {
  using T = tt_element<V>;
  auto square = x * x;
  auto series = tt::fma(square, T(1.0 / 210), T(1));
  series = tt::fma(square * T(1.0 / 156), series, T(1));
  series = tt::fma(square * T(1.0 / 110), series, T(1));
  series = tt::fma(square * T(1.0 / 72), series, T(1));
  series = tt::fma(square * T(1.0 / 42), series, T(1));
  series = tt::fma(square * T(1.0 / 20), series, T(1));
  series = tt::fma(square * T(1.0 / 6), series, T(1));
  auto half = tt::exp(tt::abs(x) - T(0.693147180559945309)); // half of e^|x|, because e^|x| may overflow
  auto wide = half - T(0.25) / half;
  return tt::where(tt::abs(x) < T(1), x * series, tt::where(x < T(0), -wide, wide));
}
template <class V> __TILECC_FN auto cosh(V x) {
  using T = tt_element<V>;
  auto half = tt::exp(tt::abs(x) - T(0.693147180559945309));
  return half + T(0.25) / half;
}

// t - t^3/3 + t^5/5 - ..., from the term with t^(2 N + 1) on.
template <int N, int Last, class V> __TILECC_FN auto arctan_series(V square) {
  using T = tt_element<V>;
  if constexpr (N == Last)
    return tt::fma(square, T(0), T(1.0 / (2 * N + 1)));
  else
    return tt::fma(-square, arctan_series<N + 1, Last>(square), T(1.0 / (2 * N + 1)));
}
template <class V> __TILECC_FN auto atan2(V y, V x) {
  using T = tt_element<V>;
  constexpr T pi = T(3.14159265358979324), infinity = T(__builtin_inf());
  auto a = tt::abs(x), b = tt::abs(y);
  auto large = tt::maximum<tt::propagate_nan::all>(a, b), small = tt::minimum<tt::propagate_nan::all>(a, b);
  auto slope = tt::where(small == infinity, T(1), tt::where(large == T(0), large, tt::div_rn(small, large)));
  auto steep = slope > T(0.4142135623730950); // tan(pi / 8)
  auto t = tt::where(steep, tt::div_rn(slope - T(1), slope + T(1)), slope);
  auto square = t * t;
  auto angle = t * arctan_series<0, (sizeof(T) == 8 ? 20 : 9)>(square);
  angle = tt::where(steep, angle + pi / 4, angle);
  angle = tt::where(b > a, pi / 2 - angle, angle);
  using I = typename tt::detail::choose<sizeof(T) == 8, long, int>::type;
  angle = tt::where(tt::bitcast<I>(x) < I(0), pi - angle, angle);
  return tt::where(tt::bitcast<I>(y) < I(0), -angle, angle);
}

} // namespace detail

//===-- functions of one number -----------------------------------------------------------------------------------===//

#define __TILECC_FUNCTION(name, expression)                                                                            \
  template <tile_like X> __TILECC_FN X name(X a) {                                                                     \
    if constexpr (detail::check_float<X>()) {                                                                          \
      auto x = detail::widen(a);                                                                                       \
      return detail::narrow<X>(expression);                                                                            \
    } else {                                                                                                           \
      return a;                                                                                                        \
    }                                                                                                                  \
  }
__TILECC_FUNCTION(ceil, tt::ceil(x))
__TILECC_FUNCTION(floor, tt::floor(x))
__TILECC_FUNCTION(log, tt::log(x))
__TILECC_FUNCTION(log2, tt::log2(x))
__TILECC_FUNCTION(sin, tt::sin(x))
__TILECC_FUNCTION(cos, tt::cos(x))
__TILECC_FUNCTION(tan, tt::div_rn(tt::sin(x), tt::cos(x)))
__TILECC_FUNCTION(sinh, detail::sinh(x))
__TILECC_FUNCTION(cosh, detail::cosh(x))
#undef __TILECC_FUNCTION

/// Functions with an option for rounding or for subnormal numbers. The options have no effect, since they only allow
/// less accurate results.
#define __TILECC_FUNCTION(name, option, standard, expression)                                                          \
  template <option M = option::standard, tile_like X> __TILECC_FN X name(X a, option##_constant<M> = {}) {             \
    if constexpr (detail::check_float<X>()) {                                                                          \
      auto x = detail::widen(a);                                                                                       \
      return detail::narrow<X>(expression);                                                                            \
    } else {                                                                                                           \
      return a;                                                                                                        \
    }                                                                                                                  \
  }
__TILECC_FUNCTION(exp, rounding_mode, round_full, tt::exp(x))
__TILECC_FUNCTION(tanh, rounding_mode, round_full, tt::tanh(x))
__TILECC_FUNCTION(exp2, subnormals_rounding_mode, preserve_subnormals, tt::exp2(x))
__TILECC_FUNCTION(rsqrt, subnormals_rounding_mode, preserve_subnormals, tt::rsqrt(x))
#undef __TILECC_FUNCTION

/// The square root, rounded correctly. With round_approximate_t, it is within 2 units in the last place for float.
template <rounding_mode M = default_rounding_mode(), subnormals_rounding_mode N = default_subnormals_rounding_mode(),
          tile_like X>
__TILECC_FN X sqrt(X a, rounding_mode_constant<M> = {}, subnormals_rounding_mode_constant<N> = {}) {
  if constexpr (!detail::check_float<X>() || !detail::check_rounding<M>())
    return a;
  else if constexpr (M == rounding_mode::round_approximate)
    return detail::narrow<X>(tt::sqrt(detail::widen(a)));
  else
    return detail::narrow<X>(tt::sqrt_rn(detail::widen(a)));
}

/// The absolute value. The absolute value of the smallest signed integer is that integer.
template <arithmetic_tile X> __TILECC_FN X abs(X x) {
  if constexpr (__is_same(tile_element_t<X>, bool))
    return x;
  else
    return detail::raise_to<X>(tt::abs(detail::lower(x)));
}

template <floating_point_tile X> __TILECC_FN auto isnan(X x) {
  using E = typename tt::detail::choose<__is_same(tile_element_t<X>, double), double, float>::type;
  auto v = detail::lower_as<E>(x);
  return detail::raise_to<detail::with_element<X, bool>>(v != v);
}
template <floating_point_tile X> __TILECC_FN auto isinf(X x) {
  using E = typename tt::detail::choose<__is_same(tile_element_t<X>, double), double, float>::type;
  return detail::raise_to<detail::with_element<X, bool>>(tt::abs(detail::lower_as<E>(x)) == E(__builtin_inf()));
}

//===-- functions of several numbers ------------------------------------------------------------------------------===//

/// The larger and the smaller of two numbers. If one operand is NaN, the result is the other one, or NaN with
/// propagate_nan_t.
#define __TILECC_EXTREMUM(name, losing, winning)                                                                       \
  template <nan_propagation_mode M = default_nan_propagation_mode(),                                                   \
            subnormals_rounding_mode N = default_subnormals_rounding_mode(), tile_like A, tile_like B>                 \
  __TILECC_FN auto name(A a, B b, nan_propagation_mode_constant<M> = {}, subnormals_rounding_mode_constant<N> = {}) {  \
    using R = detail::operation<A, B>;                                                                                 \
    using E = detail::computed<tile_element_t<R>>;                                                                     \
    if constexpr (!detail::check_operation<A, B>())                                                                    \
      return R();                                                                                                      \
    else if constexpr (M == nan_propagation_mode::propagate_nan)                                                       \
      return detail::finish<R>(tt::builtin::winning(detail::operand<E, R>(a), detail::operand<E, R>(b)));              \
    else                                                                                                               \
      return detail::finish<R>(tt::builtin::losing(detail::operand<E, R>(a), detail::operand<E, R>(b)));               \
  }
__TILECC_EXTREMUM(max, maxnum, maximum)
__TILECC_EXTREMUM(min, minnum, minimum)
#undef __TILECC_EXTREMUM

/// a * b + c, rounded once. The result has c's type, to which a and b must convert without loss.
template <rounding_mode M = default_rounding_mode(), subnormals_rounding_mode N = default_subnormals_rounding_mode(),
          tile_like A, tile_like B, tile_like C>
__TILECC_FN C fma(A a, B b, C c, rounding_mode_constant<M> = {}, subnormals_rounding_mode_constant<N> = {}) {
  using E = tile_element_t<C>;
  constexpr bool left = detail::narrows<tile_element_t<A>, E>(), right = detail::narrows<tile_element_t<B>, E>();
  constexpr bool shapes = broadcastable_to<A, tile_shape_t<C>> && broadcastable_to<B, tile_shape_t<C>>;
  detail::check_rounding<M>();
  if constexpr (!detail::check_float<C>()) {
    return c;
  } else {
    __TILECC_CHECK((!left && !right), (detail::complain<typename tt::detail::choose<left, A, B>::type, C>(
                                          "", " would be narrowed in an fma with ", ": convert it with element_cast")));
    __TILECC_CHECK((shapes), (detail::complain<C>("the operands of an fma do not broadcast to ", ", its third")));
    if constexpr (!left && !right && shapes)
      return detail::raise_to<C>(
          tt::builtin::fma(detail::operand<E, C>(a), detail::operand<E, C>(b), detail::operand<E, C>(c)));
    else
      return c;
  }
}

/// a to the power b, as C's pow. powi takes integer exponents.
template <tile_like A, tile_like B> __TILECC_FN auto pow(A a, B b) {
  using R = detail::operation<A, B>;
  if constexpr (detail::check_float<A>() && detail::check_operation<A, B>()) {
    using E = detail::working<tile_element_t<R>>;
    return detail::narrow<R>(tt::builtin::pow(detail::operand<E, R>(a), detail::operand<E, R>(b)));
  } else {
    return R();
  }
}
template <tile_like A, integral_tile B> __TILECC_FN auto powi(A a, B b) {
  using R = detail::operation<A, B, tile_element_t<A>>;
  if constexpr (detail::check_float<A>() && detail::check_shapes<A, B>()) {
    // The exponent's last bit decides the sign; a large exponent would lose that bit in a conversion to float.
    using E = detail::working<tile_element_t<A>>;
    auto base = detail::operand<E, R>(a);
    auto exponent = detail::operand<int, R>(b);
    auto power = tt::pow(tt::abs(base), tt::cast<E>(exponent));
    return detail::narrow<R>(tt::where((base < E(0)) & ((exponent & 1) != 0), -power, power));
  } else {
    return R();
  }
}

/// The angle of the point (x, y), from -pi to pi.
template <tile_like Y, tile_like X> __TILECC_FN auto atan2(Y y, X x) {
  using R = detail::operation<Y, X>;
  if constexpr (detail::check_operation<Y, X>() && detail::check_float<R>()) {
    using E = detail::working<tile_element_t<R>>;
    return detail::narrow<R>(detail::atan2(detail::operand<E, R>(y), detail::operand<E, R>(x)));
  } else {
    return R();
  }
}

/// The upper half of the product of two integers.
template <tile_like A, tile_like B> __TILECC_FN auto mulhi(A a, B b) {
  using R = detail::operation<A, B>;
  using E = tile_element_t<R>;
  if constexpr (!detail::check_integers<A, B>()) {
    return R();
  } else if constexpr (!detail::check_operation<A, B>()) {
    return R();
  } else if constexpr (sizeof(E) < 4) {
    auto product = detail::operand<int, R>(a) * detail::operand<int, R>(b);
    return detail::raise_to<R>(tt::cast<E>(product >> int(8 * sizeof(E))));
  } else {
    auto x = detail::operand<E, R>(a), y = detail::operand<E, R>(b);
    auto high = tt::builtin::mulhiui(x, y); // the operands as unsigned integers
    if constexpr (detail::is_unsigned<E>)
      return detail::raise_to<R>(high);
    else
      return detail::raise_to<R>(high - tt::where(x < E(0), y, E(0)) - tt::where(y < E(0), x, E(0)));
  }
}

/// Integer divisions that round up and down.
#define __TILECC_QUOTIENT(name, sign, op)                                                                              \
  template <tile_like A, tile_like B> __TILECC_FN auto name(A a, B b) {                                                \
    using R = detail::operation<A, B>;                                                                                 \
    using E = detail::computed<tile_element_t<R>>;                                                                     \
    if constexpr (!detail::check_integers<A, B>()) {                                                                   \
      return R();                                                                                                      \
    } else if constexpr (!detail::check_operation<A, B>()) {                                                           \
      return R();                                                                                                      \
    } else {                                                                                                           \
      auto x = detail::operand<E, R>(a), y = detail::operand<E, R>(b);                                                 \
      auto quotient = tt::builtin::div(x, y);                                                                          \
      auto inexact = quotient * y != x;                                                                                \
      return detail::finish<R>(tt::cast<E>(quotient op tt::where(inexact & ((x ^ y) sign E(0)), E(1), E(0))));         \
    }                                                                                                                  \
  }
__TILECC_QUOTIENT(ceildiv, >=, +)
__TILECC_QUOTIENT(floordiv, <, -)
#undef __TILECC_QUOTIENT

/// a where the condition is true, and b elsewhere. a and b are tiles of one type, and the condition broadcasts to their
/// shape.
template <tile_like C, tile_like A, tile_like B> __TILECC_FN A select(C condition, A a, B b) {
  constexpr bool same = __is_same(A, B), fits = broadcastable_to<C, tile_shape_t<A>>;
  __TILECC_CHECK((same), (detail::complain<A, B>("select takes two values of one type, not ", " and ", "")));
  __TILECC_CHECK((!same || fits), (detail::complain<C, A>("cannot broadcast ", " to the shape of ", "")));
  if constexpr (same && fits)
    return detail::raise_to<A>(
        tt::builtin::select(detail::operand<bool, A>(condition), detail::lower(a), detail::lower(b)));
  else
    return a;
}

} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_MATH_H
