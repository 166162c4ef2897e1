//===-- tilecc/tt/reduce.h - reductions and scans ----------------------------------------------------------------===//
//
// reduce<Axis>(x, f) combines the elements along one axis with f, in any order and grouping: f must be associative and
// commutative. A reduction along the only axis of a tile, or without an axis, gives a scalar. associative_scan<Axis>(x,
// f) gives each element combined with all before it, in order: there f need not be commutative.
//
// Several tiles of one shape are combined together when they come as a tuple. Then f takes one element of each, and
// another one of each, and returns a tuple:
//
//   auto [best, at] = tt::reduce<1>(tt::pair{x, index}, [](float a, int i, float b, int j) {
//     return a < b ? tt::pair{a, i} : tt::pair{b, j};
//   });
//
// A mask after the tile excludes elements: sum<1>(x, mask) is the sum of those where it is true.
//
// NaNs: max, min, argmax, argmin, cummax and cummin ignore them, as maximum and minimum do by default; if all elements
// are NaN, the result is NaN. With return_indices, and in argmax and argmin, a NaN may win or lose. Sums and products
// propagate them.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_REDUCE_H
#define TILECC_TT_REDUCE_H
#pragma GCC system_header

#include "operators.h"
#include "tuple.h"

namespace tt {

/// Option of reductions: reduced axes stay in the shape, with size 1.
/// Triton: `keep_dims=True`.
inline constexpr struct keep_dims_t : detail::option {
} keep_dims{};
/// Option of `max`, `min` and `topk`: return a pair of the elements and their positions along the axis.
/// Triton: `return_indices=True`.
inline constexpr struct return_indices_t : detail::option {
} return_indices{};
/// Option of `max`, `min`, `argmax` and `argmin`: of equal elements the first is found. This is the default.
inline constexpr struct tie_break_left_t : detail::option {
} tie_break_left{};
/// Option of `max`, `min`, `argmax` and `argmin`: of equal elements any is found, which takes fewer instructions.
inline constexpr struct tie_break_fast_t : detail::option {
} tie_break_fast{};
/// Option of scans: start at the end of the axis.
/// Triton: `reverse=True`.
inline constexpr struct reverse_t : detail::option {
} reverse{};
/// Option of `cumsum`, `cumprod`, `cummax` and `cummin`: each result leaves out the element itself, and the first
/// result is the neutral element.
inline constexpr struct exclusive_t : detail::option {
} exclusive{};

namespace detail {

//===-- the user's function ---------------------------------------------------------------------------------------===//

template <class... T, class R, int... I> __TILECC_FN void yield(R result, sequence<int, I...>) {
  if constexpr (sizeof...(T) == 1)
    builtin::yield<T...>(static_cast<T>(result)...);
  else
    builtin::yield<T...>(static_cast<T>(member<I>(result))...);
}

// Converts a function object to a function, so that the compiler finds its body by address. This is possible only for
// lambdas without captures; Triton makes the same requirement for combine functions.
template <class F, class... T> struct combiner {
  static __TILECC_FN void call(T... a, T... b) { yield<T...>(F()(a..., b...), up_to<sizeof...(T)>()); }
};

template <class T> __TILECC_FN T declare();
// A combine function returns an element. It may return int for integers narrower than int, because C's arithmetic
// promotes them.
template <class T, class R> constexpr bool returns_element() {
  constexpr bool same = __is_same(T, R) || (__is_same(R, int) && kind_of<T> <= int_kind && sizeof(T) < sizeof(int));
  __TILECC_CHECK((same), complain<R, T>("a combine function returns the element type, not ", " for elements of ", ""));
  return same;
}
template <class T, class R> constexpr bool check_return(R *) { return returns_element<T, R>(); }
template <class... T, class... R>
  requires(sizeof...(T) > 1)
constexpr bool check_return(tuple<R...> *) {
  return (returns_element<T, R>() && ...);
}
template <class F, class... T> constexpr bool check_function() {
  constexpr bool callable = requires { F()(declare<T>()..., declare<T>()...); };
  static_assert(callable, "a combine function takes one element of each tile, and another one of each");
  if constexpr (callable) {
    constexpr bool fits = tuple_size<decltype(F()(declare<T>()..., declare<T>()...))> == sizeof...(T);
    static_assert(fits,
                  "a combine function returns one value for each tile: of several tiles, a tt::pair or tt::tuple");
    if constexpr (fits)
      return (check_return<T...>(static_cast<decltype(F()(declare<T>()..., declare<T>()...)) *>(nullptr)));
    return fits;
  }
  return false;
}
template <class F, class X, class Y> constexpr bool check_tiles() {
  __TILECC_CHECK((is_tile<Y>), complain<Y>("cannot combine the elements of ", ", which is not a tile"));
  if constexpr (is_tile<Y>) {
    __TILECC_CHECK((!is_pointer<Y>), complain<Y>("cannot combine ", ""));
    can_compute<Y>();
    __TILECC_CHECK((__is_same(typename X::shape_type, typename Y::shape_type)),
                   complain<X, Y>("tiles that are combined have one shape, not ", " and ", ""));
  }
  static_assert(__is_empty(F), "a combine function cannot capture");
  return is_tile<Y> && __is_empty(F);
}

template <class F, class X, class... Y> constexpr bool check_combined() {
  if constexpr ((check_tiles<F, X, X>() && ... && check_tiles<F, X, Y>()))
    return check_function<F, element<X>, element<Y>...>();
  else
    return false;
}

// A result of the right kind for calls with an error, so that no further error is reported.
template <class X> X as_given(X x) { return x; }
template <class... X> tuple<X...> as_given(X... x) { return {x...}; }

template <int Axis, class X> constexpr int find_axis() {
  constexpr int rank = X::shape_type::rank, axis = Axis < 0 ? Axis + rank : Axis;
  __TILECC_CHECK((axis >= 0 && axis < rank), complain<X>("the axis is out of range for ", ""));
  return axis >= 0 && axis < rank ? axis : 0;
}

//===-- reductions ------------------------------------------------------------------------------------------------===//

inline constexpr int all_axes = -1 - __INT_MAX__;

template <class T, class S> struct reduced {
  using type = tensor<T, S>;
};
template <class T> struct reduced<T, shape<>> {
  using type = T;
};

template <class S, int... I> constexpr auto ones(sequence<int, I...>) -> shape<(I * 0 + 1)...>;

// Flattens a tile. The elements of a single tile may be in any order; those of several tiles must correspond.
template <bool Reorder, class T, class S> __TILECC_FN auto flat(tensor<T, S> x) {
  if constexpr (S::rank == 1)
    return x;
  else
    return builtin::reshape<Reorder, tensor<T, shape<int(S::size)>>>(x);
}

// Gives the result the requested shape. Kept is the shape with the reduced axes if they are kept, otherwise void.
template <int Axis, class Kept, class R> __TILECC_FN auto restore_axis(R x) {
  if constexpr (__is_same(Kept, void))
    return x;
  else if constexpr (is_tile<R>)
    return builtin::expand_dims<Axis, tensor<element<R>, Kept>>(x);
  else
    return builtin::splat<tensor<R, Kept>>(x);
}
template <int Axis, class Kept, class... R, int... I> __TILECC_FN auto unpack(results *r, sequence<int, I...>) {
  if constexpr (sizeof...(R) == 1)
    return restore_axis<Axis, Kept>(builtin::result<0, R...>(r));
  else
    return tuple{restore_axis<Axis, Kept>(builtin::result<I, R>(r))...};
}
template <int Axis, class Kept, class F, class S, class... T> __TILECC_FN auto reduce_axis(F, tensor<T, S>... x) {
  return unpack<Axis, Kept, typename reduced<T, remove_dim<S, Axis>>::type...>(
      builtin::reduce<Axis>(&combiner<F, T...>::call, x...), up_to<sizeof...(T)>());
}

template <int Axis, class... O, class F, class X, class... Y> __TILECC_FN auto reduce_tiles(F f, X x, Y... y) {
  static_assert((__is_same(O, keep_dims_t) && ...), "the option of a reduction is tt::keep_dims");
  constexpr bool ok = check_combined<F, X, Y...>();
  using S = typename X::shape_type;
  constexpr bool keep = sizeof...(O) > 0;
  if constexpr (!ok) {
    return as_given(x, y...);
  } else if constexpr (Axis == all_axes) {
    using Kept = typename choose<keep, decltype(ones<S>(up_to<S::rank>())), void>::type;
    constexpr bool reorder = sizeof...(Y) == 0;
    return reduce_axis<0, Kept>(f, flat<reorder>(x), flat<reorder>(y)...);
  } else {
    constexpr int axis = find_axis<Axis, X>();
    using Kept = typename choose<keep, insert_dim<remove_dim<S, axis>, axis>, void>::type;
    return reduce_axis<axis, Kept>(f, x, y...);
  }
}
template <int Axis, class... O, class F, class... X, int... I>
__TILECC_FN auto reduce_tuple(F f, tuple<X...> x, sequence<int, I...>) {
  return reduce_tiles<Axis, O...>(f, member<I>(x)...);
}

struct sum_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return builtin::add(a, b); }
};
struct prod_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return builtin::mul(a, b); }
};
struct max_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return builtin::maxnum(a, b); }
};
struct min_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return builtin::minnum(a, b); }
};
struct xor_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return builtin::bit_xor(a, b); }
};
struct and_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return builtin::bit_and(a, b); }
};
struct or_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return builtin::bit_or(a, b); }
};
template <bool Max, class T> __TILECC_FN bool beats(T a, T b) {
  if constexpr (Max)
    return builtin::greater<bool>(a, b);
  else
    return builtin::less<bool>(a, b);
}
template <bool Max, bool Left> struct arg_fn {
  template <class T> __TILECC_FN pair<T, int> operator()(T a, int i, T b, int j) const {
    bool better = beats<Max>(a, b);
    if constexpr (Left)
      better = builtin::bit_or(better, builtin::bit_and(builtin::equal<bool>(a, b), builtin::less<bool>(i, j)));
    return {builtin::select(better, a, b), builtin::select(better, i, j)};
  }
};

// As in Triton, narrow integers are summed in 32 bits, and the maximum of any narrow type is computed in 32 bits.
template <class T> struct sum_element {
  using type = T;
};
template <class T>
  requires(kind_of<T> == int_kind && sizeof(T) < 4)
struct sum_element<T> {
  using type = typename choose<is_unsigned<T>, unsigned, int>::type;
};
template <> struct sum_element<bool> {
  using type = int;
};
template <class T> struct max_element {
  using type = typename choose<sizeof(T) >= 4, T, typename choose<is_float<T> || is_float8<T>, float, int>::type>::type;
};
template <class T> struct without_bfloat {
  using type = T;
};
template <> struct without_bfloat<bfloat16> {
  using type = float;
};

// The neutral elements of maximum and minimum.
template <class T> constexpr T lowest() {
  if constexpr (kind_of<T> > float_kind)
    return T();
  else if constexpr (kind_of<T> == float_kind)
    return -inf<T>;
  else
    return T(-1) < T(0) ? T(1ull << (8 * sizeof(T) - 1)) : T(0);
}
template <class T> constexpr T highest() {
  if constexpr (kind_of<T> > float_kind)
    return T();
  else if constexpr (kind_of<T> == float_kind)
    return inf<T>;
  else if constexpr (__is_same(T, bool))
    return true;
  else
    return T(~lowest<T>());
}

// Returns x where mask is true, and the neutral element of a reduction elsewhere.
template <class M> concept mask = operand<M> && __is_same(element<M>, bool);
template <class X, class M> __TILECC_FN auto keep_masked(X x, M mask, element<X> neutral) {
  constexpr bool fits = can_compute<X>() && __is_same(joint_shape<M, X>, typename X::shape_type);
  __TILECC_CHECK((is_tile<M>), "the mask of a reduction is a tile, not one bool; tt::keep_dims keeps the dimension");
  __TILECC_CHECK((fits || is_float8<X>), (complain<M, X>("cannot broadcast the mask, a ", ", to the shape of ", "")));
  if constexpr (fits)
    return builtin::select(spread<tensor<bool, typename X::shape_type>>(mask), x, builtin::splat<X>(neutral));
  else
    return x;
}

// The type in which mean and var compute, and the element type of their results: that of x, or float for integers.
template <class T> struct mean_element {
  using type = typename choose<sizeof(T) == 8 && kind_of<T> == float_kind, T, float>::type;
};
template <class T, class R> __TILECC_FN auto as_mean(R result) {
  using V = typename choose<kind_of<T> == float_kind, T, float>::type;
  if constexpr (is_tile<R>)
    return result.template to<V>();
  else
    return static_cast<V>(result);
}
// The number of elements that are reduced to one. It is a power of two, so multiplying by its inverse is exact.
template <int Axis, class T, class S> constexpr int count_reduced() {
  if constexpr (Axis == all_axes)
    return int(S::size);
  else
    return S::dims[find_axis<Axis, tensor<T, S>>()];
}

// The position of each element of a tile of shape S: along axis D, or in row-major order.
template <class S, int D, class X> __TILECC_FN auto position_along(X x) {
  if constexpr (X::rank == S::rank - D)
    return spread<tensor<int, S>>(x);
  else
    return position_along<S, D>(
        builtin::expand_dims<X::rank, tensor<int, insert_dim<typename X::shape_type, X::rank>>>(x));
}
template <class S, int D> __TILECC_FN tensor<int, S> position() {
  return position_along<S, D>(builtin::make_range<0, S::dims[D]>());
}
template <class S, int D = S::rank - 1, int Stride = 1> __TILECC_FN tensor<int, S> position_of_all() {
  if constexpr (D == 0)
    return position<S, 0>() * Stride;
  else
    return position_of_all<S, D - 1, Stride * S::dims[D]>() + position<S, D>() * Stride;
}

// The positions that a reduction along Axis returns.
template <int Axis, class T, class S> __TILECC_FN tensor<int, S> positions_of(tensor<T, S>) {
  if constexpr (Axis == all_axes)
    return position_of_all<S>();
  else
    return position<S, find_axis<Axis, tensor<T, S>>()>();
}
template <int Axis, bool Max, class... O, class T, class S>
__TILECC_FN auto find_extremum_at(tensor<T, S> x, tensor<int, S> positions) {
  using V = typename without_bfloat<T>::type;
  constexpr bool left = !is_given<tie_break_fast_t, O...>;
  static_assert(left || !is_given<tie_break_left_t, O...>,
                "tt::tie_break_left and tt::tie_break_fast exclude each other");
  if constexpr (is_given<keep_dims_t, O...>)
    return reduce_tiles<Axis, keep_dims_t>(arg_fn<Max, left>(), x.template to<V>(), positions);
  else
    return reduce_tiles<Axis>(arg_fn<Max, left>(), x.template to<V>(), positions);
}
// An element where the mask is false has the neutral element and the largest position, so that any other one comes
// before it.
template <int Axis, bool Max, class... O, class T, class S, class M>
__TILECC_FN auto find_masked_extremum_at(tensor<T, S> x, M mask) {
  auto positions = keep_masked(positions_of<Axis>(x), mask, __INT_MAX__);
  auto kept = keep_masked(x, mask, Max ? lowest<T>() : highest<T>());
  if constexpr (is_given<keep_dims_t, O...>)
    return find_extremum_at<Axis, Max, keep_dims_t>(kept, positions);
  else
    return find_extremum_at<Axis, Max>(kept, positions);
}
template <int Axis, bool Max, class... O, class T, class S> __TILECC_FN auto find_extremum(tensor<T, S> x) {
  static_assert(((__is_same(O, keep_dims_t) || __is_same(O, return_indices_t) || __is_same(O, tie_break_left_t) ||
                  __is_same(O, tie_break_fast_t)) &&
                 ...),
                "the options of max and min are keep_dims, return_indices, tie_break_left and tie_break_fast of tt");
  using V = typename max_element<T>::type;
  if constexpr (is_given<return_indices_t, O...>)
    return find_extremum_at<Axis, Max, O...>(x, positions_of<Axis>(x));
  else if constexpr (is_given<keep_dims_t, O...>)
    return reduce_tiles<Axis, keep_dims_t>(typename choose<Max, max_fn, min_fn>::type(), x.template to<V>());
  else
    return reduce_tiles<Axis>(typename choose<Max, max_fn, min_fn>::type(), x.template to<V>());
}

//===-- scans -----------------------------------------------------------------------------------------------------===//

template <class... R, int... I> __TILECC_FN auto unpack_scan(results *r, sequence<int, I...>) {
  if constexpr (sizeof...(R) == 1)
    return builtin::result<0, R...>(r);
  else
    return tuple{builtin::result<I, R>(r)...};
}
template <int Axis, bool Reverse, class F, class S, class... T> __TILECC_FN auto scan_axis(F, tensor<T, S>... x) {
  return unpack_scan<tensor<T, S>...>(builtin::scan<Axis, Reverse>(&combiner<F, T...>::call, x...),
                                      up_to<sizeof...(T)>());
}
template <int Axis, class... O, class F, class X, class... Y> __TILECC_FN auto scan_tiles(F f, X x, Y... y) {
  static_assert((__is_same(O, reverse_t) && ...), "the option of a scan by a function is tt::reverse");
  constexpr bool ok = check_combined<F, X, Y...>();
  if constexpr (ok)
    return scan_axis<find_axis<Axis, X>(), (sizeof...(O) > 0)>(f, x, y...);
  else
    return as_given(x, y...);
}
// A scan whose function has a neutral element. Its exclusive form is the inclusive one, shifted by one element.
template <int Axis, class... O, class F, class T, class S> __TILECC_FN auto scan_from(F f, tensor<T, S> x, T neutral) {
  static_assert(((__is_same(O, reverse_t) || __is_same(O, exclusive_t)) && ...),
                "the options of a scan are tt::reverse and tt::exclusive");
  constexpr bool reversed = is_given<reverse_t, O...>;
  constexpr int axis = find_axis<Axis, tensor<T, S>>(), size = S::dims[axis];
  auto all = scan_axis<axis, reversed>(f, x);
  if constexpr (!is_given<exclusive_t, O...>) {
    return all;
  } else {
    using Positions = tensor<int, S>;
    Positions at = position<S, axis>(), edge = builtin::splat<Positions>(reversed ? size - 1 : 0);
    Positions one = builtin::splat<Positions>(1);
    Positions from =
        reversed ? builtin::minnum(builtin::add(at, one), edge) : builtin::maxnum(builtin::sub(at, one), edge);
    return builtin::select(builtin::equal<tensor<bool, S>>(at, edge), builtin::splat<tensor<T, S>>(neutral),
                           builtin::gather<axis, tensor<T, S>>(all, from));
  }
}
template <int Axis, class... O, class F, class... X, int... I>
__TILECC_FN auto scan_tuple(F f, tuple<X...> x, sequence<int, I...>) {
  return scan_tiles<Axis, O...>(f, member<I>(x)...);
}

} // namespace detail

//===-- reductions ------------------------------------------------------------------------------------------------===//

/// Combines the elements along `Axis`, or all elements, with `combine(a, b)`. The function must be associative and
/// commutative: the order is unspecified.
/// Shapes: the axis is removed; without an axis, and for a tile of one dimension, the result is a scalar.
/// Types: `combine` is a lambda without captures, or an empty function object, and returns the element type.
/// Errors: the lambda captures; it returns another type; the axis is out of range.
/// Options: `tt::keep_dims`.
/// Triton: `tl.reduce`.
/// Example:
///   auto product = tt::reduce<0>(tt::arange<4>() + 1, [](int a, int b) { return a * b; }); // 24
template <int Axis = detail::all_axes, class T, class S, class F, detail::option_type... O>
__TILECC_VALUE auto reduce(tensor<T, S> x, F combine, O...) {
  return detail::reduce_tiles<Axis, O...>(combine, x);
}
/// Combines several tiles of one shape together. `combine(a0, a1, ..., b0, b1, ...)` takes an element of each tile and
/// another element of each, and returns a `tt::tuple`.
/// Example:
///   auto x = tt::arange<4>() * 3 % 4;
///   auto [best, at] = tt::reduce<0>(tt::pair{x, tt::arange<4>()}, [](int a, int i, int b, int j) {
///     return tt::pair{a > b ? a : b, a > b ? i : j};
///   }); // 3 and 1
template <int Axis = detail::all_axes, class... X, class F, detail::option_type... O>
__TILECC_VALUE auto reduce(tuple<X...> x, F combine, O...) {
  return detail::reduce_tuple<Axis, O...>(combine, x, detail::up_to<sizeof...(X)>());
}

/// The sum along `Axis`, or of all elements. With a mask, the sum of the elements where it is true.
/// Shapes: the axis is removed; without an axis, and for a tile of one dimension, the result is a scalar.
/// Types: numbers. Integers narrower than `int` are summed as `int`.
/// Options: `tt::keep_dims`.
/// Triton: `tl.sum`.
/// Example:
///   auto x = tt::reshape<2, 2>(tt::arange<4>());
///   auto rows = tt::sum<1>(x);         // [1, 5]
///   auto some = tt::sum<1>(x, x > 1);  // [0, 5]
template <int Axis = detail::all_axes, class T, class S, detail::option_type... O>
__TILECC_VALUE auto sum(tensor<T, S> x, O...) {
  return detail::reduce_tiles<Axis, O...>(detail::sum_fn(), x.template to<typename detail::sum_element<T>::type>());
}
template <int Axis = detail::all_axes, class T, class S, detail::mask M, detail::option_type... O>
__TILECC_VALUE auto sum(tensor<T, S> x, M mask, O... options) {
  return sum<Axis>(detail::keep_masked(x, mask, T(0)), options...);
}
/// The mean along `Axis`, or of all elements. With a mask, the mean of the elements where it is true; NaN if there are
/// none.
/// Types: numbers. It is computed in `float`, or in `double` for `double`; the result has the type of `x`, or is
/// `float` for integers.
/// Options: `tt::keep_dims`.
/// Triton: no equivalent; `tl.sum(x) / n`.
/// Example:
///   auto average = tt::mean(tt::arange<4>()); // 1.5
template <int Axis = detail::all_axes, class T, class S, detail::option_type... O>
__TILECC_VALUE auto mean(tensor<T, S> x, O... options) {
  detail::can_compute<tensor<T, S>>();
  using V = typename detail::mean_element<T>::type;
  return detail::as_mean<T>(sum<Axis>(x.template to<V>(), options...) *
                            (V(1) / V(detail::count_reduced<Axis, T, S>())));
}
template <int Axis = detail::all_axes, class T, class S, detail::mask M, detail::option_type... O>
__TILECC_VALUE auto mean(tensor<T, S> x, M mask, O... options) {
  detail::can_compute<tensor<T, S>>();
  using V = typename detail::mean_element<T>::type;
  auto counts = detail::keep_masked(builtin::splat<tensor<V, S>>(V(1)), mask, V(0));
  return detail::as_mean<T>(sum<Axis>(x.template to<V>(), mask, options...) / sum<Axis>(counts, options...));
}
/// The variance along `Axis`, or of all elements: the mean of the squared distances from the mean. With a mask, of the
/// elements where it is true.
/// Types: as for `mean`.
/// Options: `tt::keep_dims`.
/// Triton: no equivalent.
/// Example:
///   auto spread = tt::var(tt::arange<4>()); // 1.25
template <int Axis = detail::all_axes, class T, class S, detail::option_type... O>
__TILECC_VALUE auto var(tensor<T, S> x, O... options) {
  detail::can_compute<tensor<T, S>>();
  auto wide = x.template to<typename detail::mean_element<T>::type>();
  auto distance = wide - mean<Axis>(wide, keep_dims);
  return detail::as_mean<T>(mean<Axis>(distance * distance, options...));
}
template <int Axis = detail::all_axes, class T, class S, detail::mask M, detail::option_type... O>
__TILECC_VALUE auto var(tensor<T, S> x, M mask, O... options) {
  detail::can_compute<tensor<T, S>>();
  auto wide = x.template to<typename detail::mean_element<T>::type>();
  auto distance = wide - mean<Axis>(wide, mask, keep_dims);
  return detail::as_mean<T>(mean<Axis>(distance * distance, mask, options...));
}

/// The largest element along `Axis`, or of all elements. With a mask, of the elements where it is true, with the
/// position that `argmax` gives.
/// Types: numbers; types narrower than 32 bits widen to `int` or `float`. With `tt::return_indices` the result is a
/// pair of the element and its position (of all elements: in row-major order), and types stay, but `bfloat16` becomes
/// `float`.
/// NaN: NaNs are ignored. With `tt::return_indices` a NaN may or may not be returned.
/// Options: `tt::keep_dims`, `tt::return_indices`, `tt::tie_break_left`, `tt::tie_break_fast`.
/// Triton: `tl.max`.
/// Example:
///   auto x = tt::arange<4>() * 3 % 4;
///   auto most = tt::max(x); // 3
///   auto [value, where] = tt::max<0>(x, tt::return_indices); // 3 and 1
template <int Axis = detail::all_axes, class T, class S, detail::option_type... O>
__TILECC_VALUE auto max(tensor<T, S> x, O...) {
  return detail::find_extremum<Axis, true, O...>(x);
}
template <int Axis = detail::all_axes, class T, class S, detail::mask M, detail::option_type... O>
__TILECC_VALUE auto max(tensor<T, S> x, M mask, O... options) {
  if constexpr (detail::is_given<return_indices_t, O...>)
    return detail::find_masked_extremum_at<Axis, true, O...>(x, mask);
  else
    return max<Axis>(detail::keep_masked(x, mask, detail::lowest<T>()), options...);
}
/// The smallest element along `Axis`, or of all elements. Types, NaNs and options are those of `max`.
/// Options: `tt::keep_dims`, `tt::return_indices`, `tt::tie_break_left`, `tt::tie_break_fast`.
/// Triton: `tl.min`.
/// Example:
///   auto least = tt::min(tt::arange<4>() - 2); // -2
template <int Axis = detail::all_axes, class T, class S, detail::option_type... O>
__TILECC_VALUE auto min(tensor<T, S> x, O...) {
  return detail::find_extremum<Axis, false, O...>(x);
}
template <int Axis = detail::all_axes, class T, class S, detail::mask M, detail::option_type... O>
__TILECC_VALUE auto min(tensor<T, S> x, M mask, O... options) {
  if constexpr (detail::is_given<return_indices_t, O...>)
    return detail::find_masked_extremum_at<Axis, false, O...>(x, mask);
  else
    return min<Axis>(detail::keep_masked(x, mask, detail::highest<T>()), options...);
}
/// The position of the largest element along `Axis`, or among all elements in row-major order. Of equal elements it is
/// the first, unless `tt::tie_break_fast` is given. With a mask, it is found among the elements where the mask is true;
/// if there are none, the result is the largest `int`.
/// Types: numbers; the result is `int`.
/// NaN: a NaN may or may not be found.
/// Options: `tt::keep_dims`, `tt::tie_break_left`, `tt::tie_break_fast`.
/// Triton: `tl.argmax`.
/// Example:
///   auto x = tt::arange<4>() * 3 % 4;
///   auto at = tt::argmax(x);           // 1
///   auto masked = tt::argmax(x, x < 3); // 2
template <int Axis = detail::all_axes, class T, class S, detail::option_type... O>
__TILECC_VALUE auto argmax(tensor<T, S> x, O...) {
  return detail::find_extremum<Axis, true, return_indices_t, O...>(x).second;
}
template <int Axis = detail::all_axes, class T, class S, detail::mask M, detail::option_type... O>
__TILECC_VALUE auto argmax(tensor<T, S> x, M mask, O...) {
  return detail::find_masked_extremum_at<Axis, true, O...>(x, mask).second;
}
/// The position of the smallest element, as `argmax` finds that of the largest.
/// Options: `tt::keep_dims`, `tt::tie_break_left`, `tt::tie_break_fast`.
/// Triton: `tl.argmin`.
/// Example:
///   auto at = tt::argmin(tt::arange<4>() * 3 % 4); // 0
template <int Axis = detail::all_axes, class T, class S, detail::option_type... O>
__TILECC_VALUE auto argmin(tensor<T, S> x, O...) {
  return detail::find_extremum<Axis, false, return_indices_t, O...>(x).second;
}
template <int Axis = detail::all_axes, class T, class S, detail::mask M, detail::option_type... O>
__TILECC_VALUE auto argmin(tensor<T, S> x, M mask, O...) {
  return detail::find_masked_extremum_at<Axis, false, O...>(x, mask).second;
}
#define __TILECC_BITWISE_REDUCTION(name, function, neutral)                                                            \
  template <int Axis = detail::all_axes, class T, class S, detail::option_type... O>                                   \
  __TILECC_VALUE auto name(tensor<T, S> x, O...) {                                                                     \
    __TILECC_CHECK((!detail::is_float<T>), detail::complain<tensor<T, S>>(#name " is of integers, not of ", ""));      \
    return detail::reduce_tiles<Axis, O...>(detail::function(), x);                                                    \
  }                                                                                                                    \
  template <int Axis = detail::all_axes, class T, class S, detail::mask M, detail::option_type... O>                   \
  __TILECC_VALUE auto name(tensor<T, S> x, M mask, O... options) {                                                     \
    return name<Axis>(detail::keep_masked(x, mask, neutral), options...);                                              \
  }
/// Elements along `Axis`, or all elements, combined by exclusive or. With a mask, the elements where it is true.
/// Types: integers and `bool`.
/// Errors: floating-point elements.
/// Options: `tt::keep_dims`.
/// Triton: `tl.xor_sum`.
/// Example:
///   auto parity = tt::xor_sum(tt::arange<4>()); // 0
__TILECC_BITWISE_REDUCTION(xor_sum, xor_fn, T(0))
/// Elements along `Axis`, or all elements, combined by or. With a mask, the elements where it is true.
/// Types: integers and `bool`.
/// Errors: floating-point elements.
/// Options: `tt::keep_dims`.
/// Triton: `tl.reduce_or`.
/// Example:
///   auto any = tt::reduce_or(tt::arange<4>() > 2); // true
__TILECC_BITWISE_REDUCTION(reduce_or, or_fn, T(0))
/// Elements along `Axis`, or all elements, combined by and. With a mask, the elements where it is true.
/// Types: integers and `bool`.
/// Errors: floating-point elements.
/// Options: `tt::keep_dims`.
/// Triton: no equivalent.
/// Example:
///   auto all = tt::reduce_and(tt::arange<4>() > 2); // false
__TILECC_BITWISE_REDUCTION(reduce_and, and_fn, T(-1))
#undef __TILECC_BITWISE_REDUCTION

//===-- scans -----------------------------------------------------------------------------------------------------===//

/// Each element along `Axis` combined with those before it, by `combine(earlier, later)`. The function must be
/// associative; it need not be commutative.
/// Types: `combine` is a lambda without captures, or an empty function object, and returns the element type.
/// Errors: the lambda captures; it returns another type; the axis is out of range.
/// Options: `tt::reverse`.
/// Triton: `tl.associative_scan`.
/// Example:
///   auto highest = tt::associative_scan<0>(tt::arange<4>() * 3 % 4, [](int a, int b) { return a > b ? a : b; }); // [0, 3, 3, 3]
template <int Axis, class T, class S, class F, detail::option_type... O>
__TILECC_VALUE auto associative_scan(tensor<T, S> x, F combine, O...) {
  return detail::scan_tiles<Axis, O...>(combine, x);
}
/// Scans several tiles of one shape together. `combine(a0, a1, ..., b0, b1, ...)` returns a `tt::tuple`.
/// Example:
///   auto i = tt::arange<4>();
///   auto [sum, product] = tt::associative_scan<0>(tt::pair{i, i + 1}, [](int a, int b, int c, int d) {
///     return tt::pair{a + c, b * d};
///   }); // [0, 1, 3, 6] and [1, 2, 6, 24]
template <int Axis, class... X, class F, detail::option_type... O>
__TILECC_VALUE auto associative_scan(tuple<X...> x, F combine, O...) {
  return detail::scan_tuple<Axis, O...>(combine, x, detail::up_to<sizeof...(X)>());
}
/// The sum of each element and those before it along `Axis`, by default the first.
/// Types: numbers. Integers narrower than `int` are summed as `int`, `bfloat16` as `float`.
/// Options: `tt::reverse`, `tt::exclusive`.
/// Triton: `tl.cumsum`.
/// Example:
///   auto running = tt::cumsum(tt::arange<4>());                // [0, 1, 3, 6]
///   auto before = tt::cumsum(tt::arange<4>(), tt::exclusive);  // [0, 0, 1, 3]
template <int Axis = 0, class T, class S, detail::option_type... O> __TILECC_VALUE auto cumsum(tensor<T, S> x, O...) {
  using V = typename detail::without_bfloat<typename detail::sum_element<T>::type>::type;
  if constexpr (detail::check_combined<detail::sum_fn, tensor<V, S>>())
    return detail::scan_from<Axis, O...>(detail::sum_fn(), x.template to<V>(), V(0));
  else
    return x;
}
/// The product of each element and those before it along `Axis`, by default the first.
/// Types: numbers; `bfloat16` is multiplied as `float`.
/// Options: `tt::reverse`, `tt::exclusive`.
/// Triton: `tl.cumprod`.
/// Example:
///   auto products = tt::cumprod(tt::arange<4>() + 1); // [1, 2, 6, 24]
template <int Axis = 0, class T, class S, detail::option_type... O> __TILECC_VALUE auto cumprod(tensor<T, S> x, O...) {
  using V = typename detail::without_bfloat<T>::type;
  if constexpr (detail::check_combined<detail::prod_fn, tensor<V, S>>())
    return detail::scan_from<Axis, O...>(detail::prod_fn(), x.template to<V>(), V(1));
  else
    return x;
}
/// The largest of each element and those before it along `Axis`, by default the first.
/// NaN: NaNs are ignored.
/// Options: `tt::reverse`, `tt::exclusive` (the first result is then -inf, or the smallest integer).
/// Triton: no equivalent; `tl.associative_scan`.
/// Example:
///   auto so_far = tt::cummax(tt::arange<4>() * 3 % 4); // [0, 3, 3, 3]
template <int Axis = 0, class T, class S, detail::option_type... O> __TILECC_VALUE auto cummax(tensor<T, S> x, O...) {
  using V = typename detail::without_bfloat<T>::type;
  if constexpr (detail::check_combined<detail::max_fn, tensor<V, S>>())
    return detail::scan_from<Axis, O...>(detail::max_fn(), x.template to<V>(), detail::lowest<V>()).template to<T>();
  else
    return x;
}
/// The smallest of each element and those before it along `Axis`, by default the first.
/// NaN: NaNs are ignored.
/// Options: `tt::reverse`, `tt::exclusive` (the first result is then inf, or the largest integer).
/// Triton: no equivalent; `tl.associative_scan`.
/// Example:
///   auto so_far = tt::cummin(3 - tt::arange<4>()); // [3, 2, 1, 0]
template <int Axis = 0, class T, class S, detail::option_type... O> __TILECC_VALUE auto cummin(tensor<T, S> x, O...) {
  using V = typename detail::without_bfloat<T>::type;
  if constexpr (detail::check_combined<detail::min_fn, tensor<V, S>>())
    return detail::scan_from<Axis, O...>(detail::min_fn(), x.template to<V>(), detail::highest<V>()).template to<T>();
  else
    return x;
}

} // namespace tt

#endif // TILECC_TT_REDUCE_H
