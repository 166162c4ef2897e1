//===-- tilecc/tt/shape.h - functions that rearrange the elements of tiles ---------------------------------------===//
//
// None of these functions computes anything. On a GPU, reshaping, transposing, joining and splitting tiles only renames
// registers; a gather moves elements between threads.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_SHAPE_H
#define TILECC_TT_SHAPE_H
#pragma GCC system_header

#include "operators.h"
#include "tuple.h"

namespace tt {

struct can_reorder_t {};
/// Last argument of `reshape`, `ravel` and `cat`: the elements may end up in any order, which can be cheaper. Use it
/// where the order does not matter, for instance before a sum of all elements.
inline constexpr can_reorder_t can_reorder{};

namespace detail {

// Resolves an axis; negative numbers count from the end. Returns -1 if there is no such axis.
template <class S> constexpr int find_axis(int axis) {
  return axis >= -S::rank && axis < S::rank ? (axis < 0 ? axis + S::rank : axis) : -1;
}

// replace_dim is the shape S with the dimensions D in place of dimension Axis. doubled adds a last dimension of size
// two.
template <class S, class D, int Axis> constexpr int replaced_dim(int i) {
  return i < Axis ? S::dims[i] : i < Axis + D::rank ? D::dims[i - Axis] : S::dims[i - D::rank + 1];
}
template <class S, class D, int Axis, int... I>
constexpr auto replace(sequence<int, I...>) -> shape<replaced_dim<S, D, Axis>(I)...>;
template <class S, int Axis, int... D>
using replace_dim = decltype(replace<S, shape<D...>, Axis>(up_to<S::rank + int(sizeof...(D)) - 1>()));
template <int... Dims> constexpr auto append_two(shape<Dims...>) -> shape<Dims..., 2>;
template <class S> using doubled = decltype(append_two(S()));

template <bool Reorder, class R, class T, class S> __TILECC_FN auto reshape(tensor<T, S> x) {
  constexpr bool fits = R::shape_type::size == S::size;
  __TILECC_CHECK((fits), (complain<tensor<T, S>, R>("cannot reshape ", " to ", ": ")
                          << int(S::size) << " and " << int(R::shape_type::size) << " elements"));
  if constexpr (fits)
    return builtin::reshape<Reorder, R>(x);
  else
    return R{};
}

template <class S, int... Order> constexpr bool names_each_once() {
  unsigned seen = 0;
  ((seen |= Order >= 0 && Order < S::rank ? 1u << Order : 0), ...);
  return int(sizeof...(Order)) == S::rank && seen == (1u << S::rank) - 1;
}
template <int... Order, class T, class S> __TILECC_FN auto permute(tensor<T, S> x) {
  return builtin::trans<tensor<T, shape<S::dims[Order]...>>, Order...>(x);
}
template <class T, class S, int... I> __TILECC_FN auto swap_last(tensor<T, S> x, sequence<int, I...>) {
  return detail::permute<(I < S::rank - 2 ? I : 2 * S::rank - 3 - I)...>(x);
}
// Moves the last dimension before dimension Axis.
template <int Axis, class T, class S, int... I> __TILECC_FN auto move_last(tensor<T, S> x, sequence<int, I...>) {
  return detail::permute<(I < Axis ? I : I == Axis ? S::rank - 1 : I - 1)...>(x);
}

// The element type of a tile that holds the elements of A and B.
template <class A, class B> constexpr auto find_mixed_element() {
  constexpr bool fits = is_pointer<A> == is_pointer<B> && (!is_pointer<A> || __is_same(element<A>, element<B>));
  __TILECC_CHECK((fits), complain<A, B>("no tile has the elements of both ", " and ", ""));
  if constexpr (fits)
    return joint_element<A, B>();
  else
    return element<A>();
}
template <class A, class B> using mixed_element = decltype(find_mixed_element<A, B>());

template <class S, class I> constexpr bool fits_gather(int axis) {
  if (S::rank != I::rank)
    return false;
  for (int d = 0; d < S::rank; ++d)
    if (d != axis && S::dims[d] != I::dims[d])
      return false;
  return true;
}

// Broadcasts a one-dimensional tile along dimension Axis to the shape of R.
template <int Axis, class R, class X> __TILECC_FN R along(X x) {
  if constexpr (X::rank < R::rank - Axis)
    return along<Axis, R>(
        builtin::expand_dims<X::rank, tensor<element<X>, insert_dim<typename X::shape_type, X::rank>>>(x));
  else
    return spread<R>(x);
}
// Element i along the axis of the result is element i ^ bits of x.
template <int Axis, class T, class S, class I>
__TILECC_FN tensor<T, S> exchange(tensor<T, S> x, I positions, int bits) {
  return builtin::gather<Axis, tensor<T, S>>(x, along<Axis, tensor<int, S>>(positions ^ bits));
}

} // namespace detail

//===-- shape -----------------------------------------------------------------------------------------------------===//

/// `x` in another shape with as many elements. The elements keep their row-major order, unless `tt::can_reorder` is
/// given. The shape is a template argument or a `tt::shape`.
/// Errors: the numbers of elements differ.
/// Triton: `tl.reshape`.
/// Example:
///   auto x = tt::reshape<2, 2>(tt::arange<4>()); // [[0, 1], [2, 3]]
template <int... Dims, class T, class S> __TILECC_VALUE tensor<T, shape<Dims...>> reshape(tensor<T, S> x) {
  return detail::reshape<false, tensor<T, shape<Dims...>>>(x);
}
template <int... Dims, class T, class S>
__TILECC_VALUE tensor<T, shape<Dims...>> reshape(tensor<T, S> x, can_reorder_t) {
  return detail::reshape<true, tensor<T, shape<Dims...>>>(x);
}
template <int... Dims, class T, class S>
__TILECC_VALUE tensor<T, shape<Dims...>> reshape(tensor<T, S> x, shape<Dims...>) {
  return detail::reshape<false, tensor<T, shape<Dims...>>>(x);
}
template <int... Dims, class T, class S>
__TILECC_VALUE tensor<T, shape<Dims...>> reshape(tensor<T, S> x, shape<Dims...>, can_reorder_t) {
  return detail::reshape<true, tensor<T, shape<Dims...>>>(x);
}

/// The elements of `x` in row-major order as a tile of one dimension; in any order with `tt::can_reorder`.
/// Triton: `tl.ravel`.
/// Example:
///   auto flat = tt::ravel(tt::reshape<2, 2>(tt::arange<4>())); // [0, 1, 2, 3]
template <class T, class S> __TILECC_VALUE tensor<T, shape<int(S::size)>> ravel(tensor<T, S> x) {
  return detail::reshape<false, tensor<T, shape<int(S::size)>>>(x);
}
template <class T, class S> __TILECC_VALUE tensor<T, shape<int(S::size)>> ravel(tensor<T, S> x, can_reorder_t) {
  return detail::reshape<true, tensor<T, shape<int(S::size)>>>(x);
}

/// `x` with its dimensions in another order: dimension `d` of the result is dimension `Order[d]` of `x`.
/// Errors: the template arguments do not name each dimension once.
/// Triton: `tl.permute`.
/// Example:
///   auto x = tt::reshape<2, 2>(tt::arange<4>());
///   auto transposed = tt::permute<1, 0>(x); // [[0, 2], [1, 3]]
template <int... Order, class T, class S> __TILECC_VALUE auto permute(tensor<T, S> x) {
  constexpr bool fits = detail::names_each_once<S, Order...>();
  __TILECC_CHECK((fits), detail::complain<tensor<T, S>>("permute names each dimension of ", " once"));
  if constexpr (fits)
    return detail::permute<Order...>(x);
  else
    return x;
}

/// `x` with its last two dimensions exchanged. With template arguments it is `permute`.
/// Errors: `x` has fewer than two dimensions.
/// Triton: `tl.trans`.
/// Example:
///   auto transposed = tt::trans(tt::reshape<2, 2>(tt::arange<4>())); // [[0, 2], [1, 3]]
template <class T, class S> __TILECC_VALUE auto trans(tensor<T, S> x) {
  __TILECC_CHECK((S::rank >= 2), detail::complain<tensor<T, S>>("cannot transpose ", ": it has no two dimensions"));
  if constexpr (S::rank >= 2)
    return detail::swap_last(x, detail::up_to<S::rank>());
  else
    return x;
}
template <int First, int... Order, class T, class S> __TILECC_VALUE auto trans(tensor<T, S> x) {
  return permute<First, Order...>(x);
}

//===-- two tiles and one -----------------------------------------------------------------------------------------===//

/// `a` and `b` side by side in a new last dimension of size 2.
/// Shapes: the operands broadcast to each other; two scalars make a tile of two elements.
/// Types: the operands convert to a common type, as operands of an operator do.
/// Errors: the shapes do not broadcast, or there is no common type.
/// Triton: `tl.join`.
/// Example:
///   auto pairs = tt::join(tt::arange<2>(), tt::arange<2>() + 5); // [[0, 5], [1, 6]]
template <detail::operand A, detail::operand B> __TILECC_VALUE auto join(A a, B b) {
  using T = detail::mixed_element<A, B>;
  if constexpr (detail::is_tile<A> || detail::is_tile<B>) {
    using S = detail::joint_shape<A, B>;
    using V = tensor<T, S>;
    return builtin::join<tensor<T, detail::doubled<S>>>(detail::spread<V>(a), detail::spread<V>(b));
  } else {
    using V = tensor<T, shape<1>>;
    return reshape<2>(builtin::join<tensor<T, shape<1, 2>>>(detail::spread<V>(a), detail::spread<V>(b)));
  }
}

/// The two halves of a last dimension of size 2, as a pair. It undoes `join`. A tile of two elements splits into
/// scalars.
/// Errors: the last dimension is not 2.
/// Triton: `tl.split`.
/// Example:
///   auto [left, right] = tt::split(tt::reshape<2, 2>(tt::arange<4>())); // [0, 2] and [1, 3]
template <class T, class S> __TILECC_VALUE auto split(tensor<T, S> x) {
  constexpr bool fits = S::rank > 0 && S::dims[S::rank - 1] == 2;
  __TILECC_CHECK((fits), detail::complain<tensor<T, S>>("cannot split ", ": its last dimension is not 2"));
  if constexpr (!fits) {
    return pair<tensor<T, S>, tensor<T, S>>{x, x};
  } else if constexpr (S::rank == 1) {
    auto halves = split(reshape<1, 2>(x));
    return pair<T, T>{builtin::unsplat<T>(halves.first), builtin::unsplat<T>(halves.second)};
  } else {
    using R = tensor<T, detail::remove_dim<S, S::rank - 1>>;
    return pair<R, R>{builtin::split<0, R>(x), builtin::split<1, R>(x)};
  }
}

/// `b` after `a` along `Axis`, by default the first. The elements keep their order, unless `tt::can_reorder` is
/// given.
/// Shapes: both tiles have the same shape; the axis doubles.
/// Types: both tiles have the same element type.
/// Errors: shapes or element types differ, or the axis is out of range.
/// Triton: `tl.cat`, which always may reorder and takes one dimension.
/// Example:
///   auto both = tt::cat(tt::arange<2>(), tt::arange<2>() + 5); // [0, 1, 5, 6]
template <int Axis = 0, class T, class U, class S, class R> __TILECC_VALUE auto cat(tensor<T, S> a, tensor<U, R> b) {
  constexpr int axis = detail::find_axis<S>(Axis);
  __TILECC_CHECK((axis >= 0), detail::complain<tensor<T, S>>("cat: the axis is out of range for ", ""));
  __TILECC_CHECK((__is_same(S, R)),
                 (detail::complain<tensor<T, S>, tensor<U, R>>("cannot concatenate ", " and ",
                                                               ": the sum of two sizes is a power of two only if "
                                                               "they are equal")));
  __TILECC_CHECK((__is_same(T, U)), (detail::complain<tensor<T, S>, tensor<U, R>>("cannot concatenate ", " and ",
                                                                                  ": convert one with .to<T>()")));
  using E = T;
  if constexpr (axis >= 0 && __is_same(S, R)) {
    auto both =
        builtin::join<tensor<E, detail::doubled<S>>>(detail::spread<tensor<E, S>>(a), detail::spread<tensor<E, S>>(b));
    auto moved = detail::move_last<axis>(both, detail::up_to<S::rank + 1>());
    return builtin::reshape<false, tensor<E, detail::replace_dim<S, axis, 2 * S::dims[axis]>>>(moved);
  } else {
    return a;
  }
}
template <int Axis = 0, class T, class U, class S, class R>
__TILECC_VALUE auto cat(tensor<T, S> a, tensor<U, R> b, can_reorder_t) {
  using Result = decltype(cat<Axis>(a, b));
  using E = typename Result::element_type;
  if constexpr (__is_same(S, R) && Result::shape_type::size == 2 * S::size) {
    using Flat = tensor<E, shape<int(S::size)>>;
    auto both = builtin::cat<tensor<E, shape<int(2 * S::size)>>>(detail::spread<Flat>(ravel(a, can_reorder)),
                                                                 detail::spread<Flat>(ravel(b, can_reorder)));
    return detail::reshape<true, Result>(both);
  } else {
    return a;
  }
}

/// The elements of `a` and `b` alternating along the last dimension: a0 b0 a1 b1 and so on.
/// Shapes: the operands broadcast to each other; two scalars make a tile of two elements.
/// Triton: `tl.interleave`.
/// Example:
///   auto both = tt::interleave(tt::arange<2>(), tt::arange<2>() + 5); // [0, 5, 1, 6]
template <detail::operand A, detail::operand B> __TILECC_VALUE auto interleave(A a, B b) {
  auto both = join(a, b);
  using S = typename decltype(both)::shape_type;
  if constexpr (S::rank == 1) {
    return both;
  } else {
    using Halves = detail::remove_dim<S, S::rank - 1>;
    using R = detail::replace_dim<Halves, S::rank - 2, 2 * S::dims[S::rank - 2]>;
    return builtin::reshape<false, tensor<typename decltype(both)::element_type, R>>(both);
  }
}

//===-- permutations along an axis --------------------------------------------------------------------------------===//

/// Elements of `source` selected along `Axis`. For a matrix, element (i, j) of `gather<0>(source, indices)` is
/// `source[indices[i, j], j]`. An index out of range selects some element of `source`.
/// Shapes: the result has the shape of `indices`. Both shapes agree in every dimension but `Axis`.
/// Types: `indices` are integers; `source` has any element type.
/// Errors: other shapes or index types; the axis is out of range.
/// Triton: `tl.gather`.
/// Example:
///   auto x = tt::arange<4>() * 10;
///   auto picked = tt::gather<0>(x, 3 - tt::arange<4>()); // [30, 20, 10, 0]
template <int Axis, class T, class S, class I, class R>
__TILECC_VALUE tensor<T, R> gather(tensor<T, S> source, tensor<I, R> indices) {
  constexpr int axis = detail::find_axis<S>(Axis);
  constexpr bool fits = detail::fits_gather<S, R>(axis);
  __TILECC_CHECK((axis >= 0), detail::complain<tensor<T, S>>("gather: the axis is out of range for ", ""));
  __TILECC_CHECK((detail::kind_of<I> == detail::int_kind),
                 detail::complain<tensor<I, R>>("gather takes integers as indices, not ", ""));
  __TILECC_CHECK((axis < 0 || fits),
                 (detail::complain<tensor<T, S>, tensor<I, R>>("cannot gather from ", " by ", ": only along axis ")
                  << axis << " may they differ"));
  if constexpr (axis >= 0 && fits && detail::kind_of<I> == detail::int_kind)
    return builtin::gather<axis, tensor<T, R>>(source, indices.template to<int>());
  else
    return tensor<T, R>{};
}

/// `x` with its elements along `Axis`, by default the last, in reverse order.
/// Errors: the axis is out of range.
/// Triton: `tl.flip`.
/// Example:
///   auto backwards = tt::flip(tt::arange<4>()); // [3, 2, 1, 0]
template <int Axis = -1, class T, class S> __TILECC_VALUE tensor<T, S> flip(tensor<T, S> x) {
  constexpr int axis = detail::find_axis<S>(Axis);
  __TILECC_CHECK((axis >= 0), detail::complain<tensor<T, S>>("flip: the axis is out of range for ", ""));
  constexpr int size = axis < 0 ? 1 : S::dims[axis];
  if constexpr (size > 1)
    return detail::exchange<axis>(x, arange<size>(), size - 1);
  else
    return x;
}

/// Maps row and column (`i`, `j`) of a `size_i` x `size_j` grid to another row and column, so that programs that run
/// at the same time share more of what they load. The new order walks down the columns of groups of `size_g` rows.
/// Types: integers or tiles of integers; the result is a pair.
/// Triton: `tl.swizzle2d`.
/// Example:
///   auto [m, k] = tt::swizzle2d(1, 0, 4, 4, 2); // 0 and 2
template <detail::operand I, detail::operand J, detail::operand SI, detail::operand SJ, detail::operand SG>
__TILECC_VALUE auto swizzle2d(I i, J j, SI size_i, SJ size_j, SG size_g) {
  auto ij = i * size_j + j;
  auto size_gj = size_g * size_j;
  auto first = ij / size_gj * size_g; // of the group's rows
  auto rows = minimum(size_i - first, size_g); // the last group may have fewer
  auto position = ij % size_gj; // within the group
  auto new_i = first + position % rows;
  auto new_j = position / rows;
  return pair<decltype(new_i), decltype(new_j)>{new_i, new_j};
}

} // namespace tt

#endif // TILECC_TT_SHAPE_H
