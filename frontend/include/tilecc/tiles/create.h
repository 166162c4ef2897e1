//===-- tilecc/tiles/create.h - new tiles, conversions of them, assumptions and loops -----------------------------===//
#ifndef TILECC_TILES_CREATE_H
#define TILECC_TILES_CREATE_H
#pragma GCC system_header

#include "../tt/hints.h"
#include "../tt/range.h"
#include "tile.h"

namespace cuda::tiles::inline __1 {

//===-- conversions -----------------------------------------------------------------------------------------------===//

template <class E, class S>
template <class X>
  requires(!__is_same(X, tile<E, S>)) && tile_convertible_to<X, tile<E, S>>
__TILECC_FN tile<E, S>::tile(X x) : held(detail::lower_as<E>(x)) {}

template <class E, class S>
template <scalar X>
  requires(shape_size_v<S> == 1 && detail::converts<E, X>())
__TILECC_FN tile<E, S>::operator X() const {
  if constexpr (S::rank() == 0) {
    return detail::raise_to<X>(detail::convert<X, E>(held));
  } else {
    auto element = tt::builtin::unsplat<detail::stored<E>>(tt::reshape<1>(held));
    return detail::raise_to<X>(detail::convert<X, E>(element));
  }
}

/// Returns x with its elements converted to E. Floating-point numbers round to nearest, ties to even, unless an option
/// says otherwise. Conversions to integers truncate; with saturate_finite_t, numbers out of range become the nearest
/// integer of the type.
template <scalar E, tile_like X> __TILECC_FN auto element_cast(X x) {
  using From = detail::element_of<X>;
  __TILECC_CHECK((detail::converts<From, E>()), (detail::complain<X, E>("cannot convert ", " to elements of ", "")));
  if constexpr (detail::converts<From, E>())
    return detail::raise_to<detail::with_element<X, E>>(detail::lower_as<E>(x));
  else
    return detail::with_element<X, E>();
}
template <scalar E, tile_like X, rounding_mode M> __TILECC_FN auto element_cast(X x, rounding_mode_constant<M>) {
  using From = detail::element_of<X>;
  constexpr bool fits = detail::is_float<From> && detail::is_float<E> && M != rounding_mode::round_approximate &&
                        M != rounding_mode::round_full;
  __TILECC_CHECK((fits), (detail::complain<X, E>("no conversion of ", " to elements of ", " rounds in this way")));
  if constexpr (fits)
    return detail::raise_to<detail::with_element<X, E>>(detail::convert<E, From, M>(detail::lower(x)));
  else
    return detail::with_element<X, E>();
}
template <scalar E, tile_like X, saturation_mode M> __TILECC_FN auto element_cast(X x, saturation_mode_constant<M>) {
  using From = detail::element_of<X>;
  constexpr bool fits = basic_floating_point_tile<X> && detail::is_integer<E>;
  __TILECC_CHECK((fits), (detail::complain<X, E>("cannot convert ", " to ",
                                                 " with saturation: that is for floating point "
                                                 "to integers")));
  if constexpr (!fits)
    return detail::with_element<X, E>();
  else if constexpr (M == saturation_mode::saturate_none)
    return element_cast<E>(x);
  else
    return detail::raise_to<detail::with_element<X, E>>(detail::convert_saturated<E>(detail::lower(x)));
}

/// Reinterprets the bits of x's elements as elements of type E, which has the same size.
template <scalar E, tile_like X> __TILECC_FN auto element_bitcast(X x) {
  using From = detail::element_of<X>;
  constexpr bool fits = sizeof(detail::stored<From>) == sizeof(detail::stored<E>) &&
                        detail::is_pointer<From> == detail::is_pointer<E> &&
                        __is_same(From, __nv_tf32) == __is_same(E, __nv_tf32) &&
                        __is_same(From, __nv_fp4_e2m1) == __is_same(E, __nv_fp4_e2m1);
  __TILECC_CHECK((fits), (detail::complain<X, E>("cannot take the bits of ", " as ", ": they are not as many")));
  if constexpr (fits && __is_same(detail::stored<From>, detail::stored<E>))
    return detail::raise_to<detail::with_element<X, E>>(detail::lower(x));
  else if constexpr (fits && __is_same(E, bool))
    return detail::raise_to<detail::with_element<X, E>>(detail::lower(x) != 0);
  else if constexpr (fits && __is_same(From, bool))
    return detail::raise_to<detail::with_element<X, E>>(
        tt::bitcast<detail::stored<E>>(tt::cast<unsigned char>(detail::lower(x))));
  else if constexpr (fits)
    return detail::raise_to<detail::with_element<X, E>>(tt::bitcast<detail::stored<E>>(detail::lower(x)));
  else
    return detail::with_element<X, E>();
}

//===-- new tiles -------------------------------------------------------------------------------------------------===//

/// A tile of equal elements: full<tile<float, shape<64, 32>>>(1.f). R may be a scalar.
template <tile_like R> __TILECC_FN R full(tile_element_t<R> x) {
  return detail::raise_to<R>(detail::lower_to<tile_element_t<R>, tile_shape_t<R>>(x));
}
template <numeric_tile R> __TILECC_FN R zeros() {
  using E = tile_element_t<R>;
  static_assert(!__is_same(E, __nv_fp8_e8m0), "__nv_fp8_e8m0 has no zero");
  return detail::raise_to<R>(tt::detail::as<detail::held<E, tile_shape_t<R>>>(detail::convert<E, int>(0)));
}
template <numeric_tile R> __TILECC_FN R ones() {
  using E = tile_element_t<R>;
  return detail::raise_to<R>(tt::detail::as<detail::held<E, tile_shape_t<R>>>(detail::convert<E, int>(1)));
}

/// 0, 1, 2, ... in row-major order.
template <integral_tile R> __TILECC_FN R iota() {
  using E = tile_element_t<R>;
  using S = tile_shape_t<R>;
  constexpr bool fits = detail::value_bits<E>() >= 32 || shape_size_v<S> - 1 < 1ull << detail::value_bits<E>();
  __TILECC_CHECK((fits), detail::complain<R>("iota: the elements of ", " cannot count so far"));
  if constexpr (S::rank() == 0)
    return R(E(0));
  else
    return detail::raise_to<R>(detail::reshaped<detail::to_tt<S>>(tt::arange<int(shape_size_v<S>)>().template to<E>()));
}

namespace detail {
// Returns element I of nested arrays, in row-major order.
template <size_t I, class T, size_t N> __TILECC_FN auto element_at(const T (&x)[N]) {
  if constexpr (__is_array(T))
    return element_at<I % flat_size<T>>(x[I / flat_size<T>]);
  else
    return x[I];
}
// Selects, at each position, the element with that number among the N elements from First on. A bit of the position
// decides between the first and the second half. N is a power of two.
template <class E, class R, size_t First, size_t N, class A, class P> __TILECC_FN R pick(const A &values, P position) {
  if constexpr (N == 1)
    return tt::builtin::splat<R>(convert<E, typename innermost<A>::type>(lower(element_at<First>(values))));
  else
    return tt::builtin::select((position & int(N / 2)) == 0, pick<E, R, First, N / 2>(values, position),
                               pick<E, R, First + N / 2, N / 2>(values, position));
}
} // namespace detail

template <class E, class S> template <class A> __TILECC_FN detail::held<E, S> tile<E, S>::from_array(const A &values) {
  constexpr int size = int(shape_size_v<S>);
  using Row = tt::tensor<detail::stored<E>, tt::shape<size>>;
  return tt::reshape(detail::pick<E, Row, 0, size>(values, tt::arange<size>()), detail::to_tt<S>());
}

//===-- assumptions -----------------------------------------------------------------------------------------------===//

/// Returns x and tells the compiler that it is a multiple of N, aligned to N bytes, or within bounds. Assumptions about
/// tiles have no effect: the compiler derives what it needs from the scalars from which tiles are computed.
template <integral auto N, integral_tile X>
[[nodiscard]] __TILECC_FN X assume_divisible(X x, integral_constant<N> = {}) {
  static_assert(N > 0 && (N & (N - 1)) == 0, "a divisor that is assumed is a power of two");
  if constexpr (detail::is_tile<X>)
    return x;
  else
    return tt::multiple_of<int(N)>(x);
}
template <integral auto N, pointer_tile X> [[nodiscard]] __TILECC_FN X assume_aligned(X x, integral_constant<N> = {}) {
  static_assert(N > 0 && (N & (N - 1)) == 0, "an alignment is a power of two");
  if constexpr (detail::is_tile<X>)
    return x;
  else
    return detail::raise_to<X>(tt::multiple_of<int(N)>(detail::lower(x)));
}
template <integral auto L, integral_tile X>
[[nodiscard]] __TILECC_FN X assume_bounded_below(X x, integral_constant<L> = {}) {
  if constexpr (!detail::is_tile<X>)
    tt::assume(x >= static_cast<X>(L));
  return x;
}
template <integral auto H, integral_tile X>
[[nodiscard]] __TILECC_FN X assume_bounded_above(X x, integral_constant<H> = {}) {
  if constexpr (!detail::is_tile<X>)
    tt::assume(x <= static_cast<X>(H));
  return x;
}
template <integral auto L, integral auto H, integral_tile X>
[[nodiscard]] __TILECC_FN X assume_bounded(X x, integral_constant<L> = {}, integral_constant<H> = {}) {
  static_assert(L <= H, "no number is within these bounds");
  return assume_bounded_above<H>(assume_bounded_below<L>(x));
}
template <integral auto N, integral auto Stride, integral auto Dim, integral_tile X>
[[nodiscard]] __TILECC_FN X assume_divisible_strided(X x, integral_constant<N> = {}, integral_constant<Stride> = {},
                                                     integral_constant<Dim> = {}) {
  return x;
}
template <integral auto N, integral auto Stride, integral auto Dim, pointer_tile X>
[[nodiscard]] __TILECC_FN X assume_aligned_strided(X x, integral_constant<N> = {}, integral_constant<Stride> = {},
                                                   integral_constant<Dim> = {}) {
  return x;
}
template <shape_like S, tile_like X> [[nodiscard]] __TILECC_FN X assume_blocked(X x, S = {}) { return x; }

//===-- loops -----------------------------------------------------------------------------------------------------===//

/// The integers from lower to upper, without upper, by a positive step: for (auto i : irange(0, n, 32)).
template <integral T> struct irange {
  struct iterator {
    using difference_type = int64_t;
    using value_type = T;
    __TILECC_HOST_FN constexpr T operator*() const noexcept { return current; }
    __TILECC_HOST_FN constexpr iterator &operator++() noexcept {
      current += step;
      return *this;
    }
    __TILECC_HOST_FN constexpr iterator operator++(int) noexcept {
      iterator before = *this;
      current += step;
      return before;
    }
    __TILECC_HOST_FN constexpr bool operator==(const iterator &other) const noexcept {
      return current == other.current;
    }
    // The end of a loop. In a kernel, the builtin lets the compiler recognize a counted loop.
    __attribute__((host)) constexpr bool operator==(T end) const noexcept { return current >= end; }
    __TILECC_FN bool operator==(T end) const noexcept {
      constexpr int none = tt::detail::range_not_given;
      return !tt::builtin::range_goes_on(current, end, step, none, none, none, none, none, none);
    }
    T current, step;
  };
  using const_iterator = iterator;

  __TILECC_HOST_FN constexpr irange(T lower, T upper, T step = 1) noexcept : first(lower), last(upper), by(step) {}
  __TILECC_HOST_FN constexpr iterator begin() const noexcept { return {first, by}; }
  __TILECC_HOST_FN constexpr T end() const noexcept { return last; }
  __TILECC_HOST_FN constexpr bool empty() const noexcept { return first >= last; }
  __TILECC_HOST_FN constexpr T size() const noexcept { return empty() ? T(0) : T((last - first - 1) / by + 1); }
  __TILECC_HOST_FN constexpr T lower_bound() const noexcept { return first; }
  __TILECC_HOST_FN constexpr T upper_bound() const noexcept { return last; }
  __TILECC_HOST_FN constexpr T step() const noexcept { return by; }

private:
  T first, last, by;
};
namespace detail {
template <class T, class... X> inline constexpr bool counts_in = (is_integer<X> && ...) && !(narrows<X, T>() || ...);
} // namespace detail
template <class A, class B>
  requires detail::counts_in<detail::joint<A, B>, A, B>
irange(A, B) -> irange<detail::joint<A, B>>;
template <class A, class B, class C>
  requires detail::counts_in<detail::joint<detail::joint<A, B>, C>, A, B, C>
irange(A, B, C) -> irange<detail::joint<detail::joint<A, B>, C>>;

} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_CREATE_H
