//===-- tilecc/tiles/reduce.h - reductions and scans --------------------------------------------------------------===//
//
// A reduction keeps its dimension, with size 1, and the element type. 16-bit floating-point numbers are added and
// multiplied in float and rounded once.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_REDUCE_H
#define TILECC_TILES_REDUCE_H
#pragma GCC system_header

#include "../tt/reduce.h"
#include "math.h"

namespace cuda::tiles::inline __1 {
namespace detail {

template <class S, size_t D, class I> struct reduced;
template <class S, size_t D, size_t... I> struct reduced<S, D, indices<I...>> {
  using type = shape<(I == D ? 1 : S::static_extent(I))...>;
};
template <class X, class E, size_t D>
using reduction = tile<E, typename reduced<shape_of<X>, D, up_to<shape_of<X>::rank()>>::type>;

template <auto D, class X> constexpr bool check_dimension() {
  if constexpr (!is_arithmetic<element_of<X>>) {
    __TILECC_CHECK((is_arithmetic<element_of<X>>), (complain<X>("no arithmetic on ", "")));
    return false;
  } else {
    constexpr bool fits = D >= 0 && size_t(D) < shape_of<X>::rank();
    __TILECC_CHECK((fits), (complain<X>("the dimension is out of range for ", "")));
    return fits;
  }
}
template <class X> constexpr bool check_integer() {
  __TILECC_CHECK((is_integer<element_of<X>>), (complain<X>("no such operation on ", ": it is for integers")));
  return is_integer<element_of<X>>;
}

// The type in which elements are combined.
template <class E>
using combined =
    typename tt::detail::choose<(sizeof(stored<E>) >= 4), stored<E>,
                                typename tt::detail::choose<is_float<E>, float, computed<stored<E>>>::type>::type;

struct maximum_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return tt::builtin::maximum(a, b); }
};
struct minimum_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return tt::builtin::minimum(a, b); }
};
struct and_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return tt::builtin::bit_and(a, b); }
};

template <auto D, class C, class E, class F, class X> __TILECC_FN auto reduce(X x, F combine) {
  if constexpr (check_dimension<D, X>()) {
    auto whole = tt::reduce<int(D)>(tt::cast<C>(lower(x)), combine, tt::keep_dims);
    return raise_to<reduction<X, E, size_t(D)>>(tt::cast<stored<E>>(whole));
  } else {
    return x;
  }
}
template <auto D, scan_direction Direction, class F, class X> __TILECC_FN X scan(X x, F combine) {
  using E = element_of<X>;
  if constexpr (!check_dimension<D, X>())
    return x;
  else if constexpr (Direction == scan_direction::backward)
    return raise_to<X>(
        tt::cast<stored<E>>(tt::associative_scan<int(D)>(tt::cast<combined<E>>(lower(x)), combine, tt::reverse)));
  else
    return raise_to<X>(tt::cast<stored<E>>(tt::associative_scan<int(D)>(tt::cast<combined<E>>(lower(x)), combine)));
}

} // namespace detail

//===-- reductions ------------------------------------------------------------------------------------------------===//

/// Sums and products along dimension D: sum<1>(x) or sum(x, 1_ic).
#define __TILECC_REDUCTION(name, function)                                                                             \
  template <integral auto D, tile_like X> __TILECC_FN auto name(X x, integral_constant<D> = {}) {                      \
    return detail::reduce<D, detail::combined<tile_element_t<X>>, tile_element_t<X>>(x, function());                   \
  }                                                                                                                    \
  template <integral auto D, rounding_mode M, subnormals_rounding_mode N = default_subnormals_rounding_mode(),         \
            tile_like X>                                                                                               \
  __TILECC_FN auto name(X x, integral_constant<D> d, rounding_mode_constant<M>,                                        \
                        subnormals_rounding_mode_constant<N> = {}) {                                                   \
    detail::check_rounding<M>();                                                                                       \
    return name(x, d);                                                                                                 \
  }
__TILECC_REDUCTION(sum, tt::detail::sum_fn)
__TILECC_REDUCTION(prod, tt::detail::prod_fn)
#undef __TILECC_REDUCTION

/// The largest and the smallest element along D. NaNs are ignored, or propagated with propagate_nan_t.
#define __TILECC_REDUCTION(name, losing, winning)                                                                      \
  template <integral auto D, nan_propagation_mode M = default_nan_propagation_mode(),                                  \
            subnormals_rounding_mode N = default_subnormals_rounding_mode(), tile_like X>                              \
  __TILECC_FN auto name(X x, integral_constant<D> = {}, nan_propagation_mode_constant<M> = {},                         \
                        subnormals_rounding_mode_constant<N> = {}) {                                                   \
    using F = typename tt::detail::choose<M == nan_propagation_mode::propagate_nan, winning, losing>::type;            \
    return detail::reduce<D, detail::combined<tile_element_t<X>>, tile_element_t<X>>(x, F());                          \
  }
__TILECC_REDUCTION(reduce_max, tt::detail::max_fn, detail::maximum_fn)
__TILECC_REDUCTION(reduce_min, tt::detail::min_fn, detail::minimum_fn)
#undef __TILECC_REDUCTION

#define __TILECC_REDUCTION(name, function)                                                                             \
  template <integral auto D, tile_like X> __TILECC_FN auto name(X x, integral_constant<D> = {}) {                      \
    if constexpr (detail::check_integer<X>())                                                                          \
      return detail::reduce<D, detail::combined<tile_element_t<X>>, tile_element_t<X>>(x, function());                 \
    else                                                                                                               \
      return x;                                                                                                        \
  }
__TILECC_REDUCTION(reduce_bitand, detail::and_fn)
__TILECC_REDUCTION(reduce_bitor, tt::detail::or_fn)
__TILECC_REDUCTION(reduce_bitxor, tt::detail::xor_fn)
#undef __TILECC_REDUCTION

/// all_of: true if all elements along D are true. any_of: true if at least one is.
template <integral auto D, tile_like X> __TILECC_FN auto all_of(X x, integral_constant<D> = {}) {
  return detail::reduce<D, int, bool>(element_cast<bool>(x), detail::and_fn());
}
template <integral auto D, tile_like X> __TILECC_FN auto any_of(X x, integral_constant<D> = {}) {
  return detail::reduce<D, int, bool>(element_cast<bool>(x), tt::detail::or_fn());
}

/// The position along D of the largest and of the smallest element. Of equal elements it is the first.
#define __TILECC_REDUCTION(name, function)                                                                             \
  template <integral auto D, tile_like X> __TILECC_FN auto name(X x, integral_constant<D> = {}) {                      \
    if constexpr (detail::check_dimension<D, X>()) {                                                                   \
      auto v = tt::cast<detail::combined<tile_element_t<X>>>(detail::lower(x));                                        \
      auto at = tt::function<int(D)>(v, tt::keep_dims);                                                                \
      return detail::raise_to<detail::reduction<X, uint32_t, size_t(D)>>(tt::cast<uint32_t>(at));                      \
    } else {                                                                                                           \
      return x;                                                                                                        \
    }                                                                                                                  \
  }
__TILECC_REDUCTION(max_element, argmax)
__TILECC_REDUCTION(min_element, argmin)
#undef __TILECC_REDUCTION

//===-- scans -----------------------------------------------------------------------------------------------------===//

/// Computes the sum or product of each element and those before it along D. With scan_backward_t, it is computed from
/// each element and those behind it.
#define __TILECC_SCAN(name, function)                                                                                  \
  template <integral auto D, scan_direction Direction = scan_direction::forward, tile_like X>                          \
  __TILECC_FN X name(X x, integral_constant<D> = {}, scan_direction_constant<Direction> = {}) {                        \
    return detail::scan<D, Direction>(x, function());                                                                  \
  }                                                                                                                    \
  template <integral auto D, rounding_mode M, subnormals_rounding_mode N = default_subnormals_rounding_mode(),         \
            scan_direction Direction = scan_direction::forward, tile_like X>                                           \
  __TILECC_FN X name(X x, integral_constant<D>, rounding_mode_constant<M>, subnormals_rounding_mode_constant<N> = {},  \
                     scan_direction_constant<Direction> = {}) {                                                        \
    detail::check_rounding<M>();                                                                                       \
    return detail::scan<D, Direction>(x, function());                                                                  \
  }
__TILECC_SCAN(partial_sum, tt::detail::sum_fn)
__TILECC_SCAN(partial_prod, tt::detail::prod_fn)
#undef __TILECC_SCAN

} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_REDUCE_H
