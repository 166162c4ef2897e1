//===-- tilecc/tt/slice.h - parts of a tile ----------------------------------------------------------------------===//
//
// Rows, columns and slices of a tile, and tiles in which one of them is replaced. The position may be known only at run
// time. On a GPU the elements of a tile are distributed over the threads, so extracting a part moves elements between
// threads, as a gather does.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_SLICE_H
#define TILECC_TT_SLICE_H
#pragma GCC system_header

#include "reduce.h"
#include "shape.h"

namespace tt {
namespace detail {

template <int Axis, class T, class S> constexpr int find_slice_axis() {
  constexpr int axis = find_axis<S>(Axis);
  __TILECC_CHECK((axis >= 0), complain<tensor<T, S>>("the axis is out of range for ", ""));
  return axis < 0 ? 0 : axis;
}
template <class T, class S, int Rank> constexpr bool has_rank() {
  __TILECC_CHECK((S::rank == Rank), (complain<tensor<T, S>>("rows and columns are of matrices, not of ", "")));
  return S::rank == Rank;
}

} // namespace detail

/// The part of `x` at position `i` of an axis. `i` may be known only at run time; if it is out of range, the result is
/// some part of `x`.
/// Shapes: the result lacks the axis; for a tile of one dimension it is a scalar.
/// Errors: the axis is out of range.
/// Triton: no equivalent; masked sums or `tl.gather` are used there.
/// Example:
///   auto element = tt::extract<0>(tt::arange<4>() * 10, n - 7); // 30
template <int Axis, class T, class S> __TILECC_VALUE auto extract(tensor<T, S> x, int i) {
  constexpr int axis = detail::find_slice_axis<Axis, T, S>();
  using One = detail::replace_dim<S, axis, 1>;
  auto picked = builtin::gather<axis, tensor<T, One>>(x, builtin::splat<tensor<int, One>>(i));
  if constexpr (S::rank == 1)
    return builtin::unsplat<T>(picked);
  else
    return builtin::reshape<false, tensor<T, detail::remove_dim<S, axis>>>(picked);
}
/// `N` elements along an axis from position `first` on.
/// Errors: `N` is not a power of two, or is larger than the axis.
/// Example:
///   auto middle = tt::extract<0, 2>(tt::arange<4>() * 10, 1); // [10, 20]
template <int Axis, int N, class T, class S> __TILECC_VALUE auto extract(tensor<T, S> x, int first) {
  constexpr int axis = detail::find_slice_axis<Axis, T, S>();
  __TILECC_CHECK(
      (N <= S::dims[axis]),
      (detail::complain<tensor<T, S>>("extract: ", " has not so many elements along axis ") << axis << ": " << N));
  using Part = detail::replace_dim<S, axis, N>;
  auto at = builtin::add(builtin::make_range<0, N>(), builtin::splat<tensor<int, shape<N>>>(first));
  return builtin::gather<axis, tensor<T, Part>>(x, detail::along<axis, tensor<int, Part>>(at));
}

/// Row `i` of a matrix: `extract<0>(x, i)`.
/// Errors: `x` is not a matrix.
/// Example:
///   auto second = tt::row(tt::reshape<2, 2>(tt::arange<4>()), 1); // [2, 3]
template <class T, class S> __TILECC_VALUE auto row(tensor<T, S> x, int i) {
  if constexpr (detail::has_rank<T, S, 2>())
    return extract<0>(x, i);
  else
    return x;
}
/// Column `i` of a matrix: `extract<1>(x, i)`.
/// Errors: `x` is not a matrix.
/// Example:
///   auto second = tt::column(tt::reshape<2, 2>(tt::arange<4>()), 1); // [1, 3]
template <class T, class S> __TILECC_VALUE auto column(tensor<T, S> x, int i) {
  if constexpr (detail::has_rank<T, S, 2>())
    return extract<1>(x, i);
  else
    return x;
}
/// The last position of an axis, by default of the last axis.
/// Errors: the axis is out of range.
/// Example:
///   auto end = tt::last(tt::cumsum(tt::arange<4>())); // 6
template <int Axis = -1, class T, class S> __TILECC_VALUE auto last(tensor<T, S> x) {
  return extract<Axis>(x, S::dims[detail::find_slice_axis<Axis, T, S>()] - 1);
}

/// `x` with `part` at position `i` of an axis. Elements of `part` that would lie outside `x` are dropped.
/// Shapes: `part` is a scalar, a tile without that axis, or a tile of the same rank whose size along that axis is
/// smaller.
/// Errors: another shape; the axis is out of range.
/// Example:
///   auto changed = tt::insert<0>(tt::arange<4>(), 1, 70); // [0, 70, 2, 3]
template <int Axis, class T, class S, detail::operand V>
__TILECC_VALUE tensor<T, S> insert(tensor<T, S> x, int i, V part) {
  constexpr int axis = detail::find_slice_axis<Axis, T, S>();
  using Positions = tensor<int, S>;
  Positions at = detail::position<S, axis>(), first = builtin::splat<Positions>(i);
  auto take = [&](auto is_part, tensor<T, S> values) { return builtin::select(is_part, values, x); };
  if constexpr (!detail::is_tile<V>) {
    return take(builtin::equal<tensor<bool, S>>(at, first), detail::spread<tensor<T, S>>(part));
  } else if constexpr (V::rank == S::rank) {
    constexpr int size = V::shape_type::dims[axis];
    using Part = detail::replace_dim<S, axis, size>;
    constexpr bool fits = __is_same(typename V::shape_type, Part) && size <= S::dims[axis];
    __TILECC_CHECK(
        (fits),
        (detail::complain<V, tensor<T, S>>("cannot insert ", " into ", ": they differ in another dimension than ")
         << axis));
    if constexpr (fits) {
      auto within = builtin::sub(at, first);
      auto clamped =
          builtin::minnum(builtin::maxnum(within, builtin::splat<Positions>(0)), builtin::splat<Positions>(size - 1));
      return take(builtin::equal<tensor<bool, S>>(within, clamped),
                  builtin::gather<axis, tensor<T, S>>(detail::spread<tensor<T, Part>>(part), clamped));
    } else {
      return x;
    }
  } else {
    using Part = detail::remove_dim<S, axis>;
    constexpr bool fits = __is_same(typename V::shape_type, Part);
    __TILECC_CHECK(
        (fits),
        (detail::complain<V, tensor<T, S>>("cannot insert ", " into ", ": it does not fit at one position of axis ")
         << axis));
    if constexpr (fits) {
      using One = tensor<T, detail::insert_dim<Part, axis>>;
      return take(builtin::equal<tensor<bool, S>>(at, first),
                  detail::spread<tensor<T, S>>(builtin::expand_dims<axis, One>(detail::spread<tensor<T, Part>>(part))));
    } else {
      return x;
    }
  }
}

} // namespace tt

#endif // TILECC_TT_SLICE_H
