//===-- tilecc/tt/create.h - program ids, new tiles, and conversions of tiles ------------------------------------===//
//
// The position of a program in its grid, tiles of consecutive integers or of equal elements, and conversions of tiles
// to another element type or to more dimensions.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_CREATE_H
#define TILECC_TT_CREATE_H
#pragma GCC system_header

#include "../detail/broadcast.h"

namespace tt {

/// The position of this program in the grid along an axis.
/// Types: `axis` is 0, 1 or 2; the result is an `int`.
/// Errors: a constant `axis` that is not 0, 1 or 2.
/// Triton: `tl.program_id`.
/// Example:
///   auto program = tt::program_id(0); // 0
__TILECC_VALUE inline int program_id(int axis)
    __attribute__((diagnose_if(axis < 0 || axis > 2, "a grid has the axes 0, 1 and 2", "error"))) {
  return builtin::program_id(axis);
}

template <int Axis> __TILECC_VALUE int program_id() { return program_id(Axis); }

/// The size of the grid along an axis.
/// Types: `axis` is 0, 1 or 2; the result is an `int`.
/// Errors: a constant `axis` that is not 0, 1 or 2.
/// Triton: `tl.num_programs`.
/// Example:
///   auto programs = tt::num_programs(0); // 1
__TILECC_VALUE inline int num_programs(int axis)
    __attribute__((diagnose_if(axis < 0 || axis > 2, "a grid has the axes 0, 1 and 2", "error"))) {
  return builtin::num_programs(axis);
}

template <int Axis> __TILECC_VALUE int num_programs() { return num_programs(Axis); }

/// The integers from 0 to `N` - 1.
/// Shapes: the result is a `tile<int, N>`.
/// Errors: `N` is not a power of two.
/// Triton: `tl.arange(0, N)`.
/// Example:
///   auto i = tt::arange<4>(); // [0, 1, 2, 3]
template <int N> __TILECC_VALUE tensor<int, shape<N>> arange() { return builtin::make_range<0, N>(); }
/// The integers from `Start` to `End` - 1.
/// Errors: `End` - `Start` is not a power of two.
/// Triton: `tl.arange(Start, End)`.
/// Example:
///   auto i = tt::arange<4, 8>(); // [4, 5, 6, 7]
template <int Start, int End> __TILECC_VALUE tensor<int, shape<End - Start>> arange() {
  return builtin::make_range<Start, End>();
}

/// A tile whose elements all equal `value`. The shape is a template argument or a `tt::shape`.
/// Types: any element type.
/// Triton: `tl.full`.
/// Example:
///   auto ones = tt::full<float, 2, 2>(1.0f);                // [[1, 1], [1, 1]]
///   auto twos = tt::full<float>(tt::shape<2, 2>{}, 2.0f);   // [[2, 2], [2, 2]]
template <class T, int... Dims> __TILECC_VALUE tensor<T, shape<Dims...>> full(T value) {
  return builtin::splat<tensor<T, shape<Dims...>>>(value);
}
template <class T, int... Dims> __TILECC_VALUE tensor<T, shape<Dims...>> full(shape<Dims...>, T value) {
  return builtin::splat<tensor<T, shape<Dims...>>>(value);
}

/// A tile of zeros. The shape is a template argument or a `tt::shape`.
/// Types: any element type.
/// Triton: `tl.zeros`.
/// Example:
///   auto none = tt::zeros<int, 2>();                 // [0, 0]
///   auto also_none = tt::zeros<int>(tt::shape<2>{}); // [0, 0]
template <class T, int... Dims>
  requires(sizeof...(Dims) > 0)
__TILECC_VALUE tensor<T, shape<Dims...>> zeros() {
  return builtin::splat<tensor<T, shape<Dims...>>>(T(0));
}
template <class T, int... Dims> __TILECC_VALUE tensor<T, shape<Dims...>> zeros(shape<Dims...>) {
  return builtin::splat<tensor<T, shape<Dims...>>>(T(0));
}

/// A tile of zeros with the type and shape of `x`.
/// Triton: `tl.zeros_like`.
/// Example:
///   auto like = tt::zeros_like(tt::full<float, 2>(1.0f)); // [0, 0]
template <class T, class S> __TILECC_VALUE tensor<T, S> zeros_like(tensor<T, S>) {
  return builtin::splat<tensor<T, S>>(T(0));
}

/// `x` with a new dimension of size 1 at position `Axis`. A negative axis counts from the end.
/// Errors: the axis is out of range.
/// Triton: `tl.expand_dims`.
/// Example:
///   auto row = tt::expand_dims<0>(tt::arange<2>()); // [[0, 1]]
template <int Axis, class T, class S> __TILECC_VALUE auto expand_dims(tensor<T, S> x) {
  constexpr int axis = Axis < 0 ? Axis + S::rank + 1 : Axis;
  __TILECC_CHECK((axis >= 0 && axis <= S::rank),
                 detail::complain<tensor<T, S>>("expand_dims: the axis is out of range for ", ""));
  return builtin::expand_dims<axis, tensor<T, detail::insert_dim<S, axis>>>(x);
}

/// `x`, a tile or a scalar, stretched to a shape by NumPy's rules: shapes are aligned at their last dimensions, and
/// dimensions of size 1 are repeated.
/// Errors: `x` does not broadcast to the shape.
/// Triton: `tl.broadcast_to`.
/// Example:
///   auto twice = tt::broadcast_to<2, 2>(tt::arange<2>()); // [[0, 1], [0, 1]]
template <int... Dims, class X>
  requires detail::operand<X>
__TILECC_VALUE auto broadcast_to(X x) {
  using R = tensor<detail::element<X>, shape<Dims...>>;
  if constexpr (detail::is_tile<X>)
    __TILECC_CHECK((__is_same(detail::joint_shape<X, R>, shape<Dims...>)),
                   detail::complain<X, R>("cannot broadcast ", " to ", ": it would lose elements"));
  return detail::spread<R>(x);
}

namespace detail {
template <class R, class U> __TILECC_FN R fill(U value) {
  return builtin::splat<R>(static_cast<typename R::element_type>(value));
}
template <class X, class U> __TILECC_FN auto convert(X x) {
  constexpr bool wide = sizeof(U) == 8 && sizeof(element<X>) == 8;
  constexpr bool integer = kind_of<U> == int_kind || kind_of<element<X>> == int_kind;
  constexpr bool fits = is_pointer<X> == is_pointer<U> || (integer && wide);
  __TILECC_CHECK((fits), complain<X, U>("cannot convert ", " to ", ": addresses are integers of 64 bits"));
  if constexpr (__is_same(element<X>, U) || !fits)
    return x;
  else if constexpr (is_pointer<X> && is_pointer<U>)
    return builtin::bitcast<tensor<U, typename X::shape_type>>(x);
  else
    return builtin::cast<tensor<U, typename X::shape_type>>(x);
}
} // namespace detail
template <class T, class S> template <class U> __TILECC_FN auto tensor<T, S>::to() const {
  return detail::convert<tensor<T, S>, U>(*this);
}

/// `x`, a tile or a scalar, converted to `U` as by `x.to<U>()`.
/// Types: those of `tile::to`.
/// Triton: `tl.cast`.
/// Example:
///   auto scalar = tt::cast<int>(2.5f); // 2
template <class U, detail::operand X> __TILECC_VALUE auto cast(X x) {
  if constexpr (detail::is_tile<X>)
    return x.template to<U>();
  else
    return (U)x; // a pointer's address, too
}

/// The bits of `x`, a tile or a scalar, as another type.
/// Types: two number types of the same width, or two pointer types; not `bool`.
/// Errors: the widths differ.
/// Triton: `x.to(dtype, bitcast=True)`.
/// Example:
///   auto bits = tt::bitcast<unsigned>(tt::full<float, 2>(1.0f)); // [1065353216, 1065353216]
template <class U, detail::operand X> __TILECC_VALUE auto bitcast(X x) {
  using T = detail::element<X>;
  using R = typename detail::choose<detail::is_tile<X>, tensor<U, typename detail::shape_of<X>::type>, U>::type;
  constexpr bool fits = sizeof(T) == sizeof(U) && detail::is_pointer<T> == detail::is_pointer<U> &&
                        __is_same(T, bool) == __is_same(U, bool);
  __TILECC_CHECK((fits),
                 detail::complain<X, U>("cannot take the bits of ", " as ", ": they are no numbers of one width"));
  if constexpr (fits)
    return builtin::bitcast<R>(x);
  else
    return R{};
}

template <class T, class S> template <class... Index> __TILECC_FN auto tensor<T, S>::operator()(Index... index) const {
  constexpr int alls = (0 + ... + int(__is_same(Index, all_t)));
  static_assert(((__is_same(Index, all_t) || __is_same(Index, newaxis_t)) && ...),
                "a tile is indexed with tt::all and tt::newaxis");
  __TILECC_CHECK((alls == S::rank),
                 detail::complain<tensor<T, S>>("", " is indexed with one tt::all for each of its dimensions"));
  return detail::index<0>(*this, index...);
}
template <class T, class S> __TILECC_FN auto tensor<T, S>::col() const {
  __TILECC_CHECK((S::rank == 1),
                 detail::complain<tensor<T, S>>("a column is made of a tile of one dimension, not of ", ""));
  return detail::index<0>(*this, all, newaxis);
}
template <class T, class S> __TILECC_FN auto tensor<T, S>::row() const {
  __TILECC_CHECK((S::rank == 1),
                 detail::complain<tensor<T, S>>("a row is made of a tile of one dimension, not of ", ""));
  return detail::index<0>(*this, newaxis, all);
}

} // namespace tt

#endif // TILECC_TT_CREATE_H
