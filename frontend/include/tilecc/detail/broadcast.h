//===-- tilecc/detail/broadcast.h - broadcasting of operands ------------------------------------------------------===//
//
// Shared by the functions of tilecc/tt/: the shape to which two operands broadcast, and the conversion of values to it.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_BROADCAST_H
#define TILECC_DETAIL_BROADCAST_H
#pragma GCC system_header

#include "builtins.h"

namespace tt {
namespace detail {

template <class T, T... I> struct sequence {};
template <int N> using up_to = __make_integer_seq<sequence, int, N>;

// S with a dimension of size 1 inserted before dimension Axis, and S without dimension Axis.
template <class S, int Axis, int... I>
constexpr auto insert(sequence<int, I...>) -> shape<(I < Axis    ? S::dims[I]
                                                     : I == Axis ? 1
                                                                 : S::dims[I - 1])...>;
template <class S, int Axis> using insert_dim = decltype(insert<S, Axis>(up_to<S::rank + 1>()));
template <class S, int Axis, int... I>
constexpr auto remove(sequence<int, I...>) -> shape<S::dims[I < Axis ? I : I + 1]...>;
template <class S, int Axis> using remove_dim = decltype(remove<S, Axis>(up_to<S::rank - 1>()));

// NumPy's broadcasting: shapes are aligned at their last dimensions, and a dimension of size 1 is repeated.
template <class A, class B> inline constexpr int joint_rank = A::rank > B::rank ? A::rank : B::rank;
template <class S> constexpr int dim_from_end(int i) { return i < S::rank ? S::dims[S::rank - 1 - i] : 1; }
template <class A, class B> constexpr int joint_dim(int i) {
  int a = dim_from_end<A>(joint_rank<A, B> - 1 - i), b = dim_from_end<B>(joint_rank<A, B> - 1 - i);
  return a > b ? a : b;
}
template <class A, class B, int... I> constexpr auto join(sequence<int, I...>) -> shape<joint_dim<A, B>(I)...>;
// The first dimension, counted from the end, in which the shapes do not fit; -1 if they fit.
template <class A, class B> constexpr int find_clash() {
  for (int i = joint_rank<A, B> - 1; i >= 0; --i) {
    int a = dim_from_end<A>(i), b = dim_from_end<B>(i);
    if (a != b && a != 1 && b != 1)
      return i;
  }
  return -1;
}
template <class A, class B> constexpr message clash() {
  using X = typename A::shape_type;
  using Y = typename B::shape_type;
  constexpr int i = find_clash<X, Y>();
  return complain<A, B>("cannot broadcast ", " with ", ": dimension ")
         << joint_rank<X, Y> - 1 - i << " is " << dim_from_end<X>(i) << " and " << dim_from_end<Y>(i);
}

// The shape of an expression over A and B, at least one of which is a tile. Here and below, checks are in functions:
// Clang abandons a class whose assertion fails, and would report the errors that follow from that, too.
template <class A> struct shape_of {
  using type = shape<>;
};
template <class T, class S> struct shape_of<tensor<T, S>> {
  using type = S;
};
template <class A, class B> constexpr auto find_joint_shape() {
  using X = typename shape_of<A>::type;
  using Y = typename shape_of<B>::type;
  if constexpr (!is_tile<A>) {
    return Y();
  } else if constexpr (!is_tile<B> || __is_same(X, Y)) {
    return X();
  } else if constexpr (find_clash<X, Y>() < 0) {
    return decltype(join<X, Y>(up_to<joint_rank<X, Y>>()))();
  } else {
    __TILECC_CHECK((find_clash<X, Y>() < 0), clash<A, B>());
    return X();
  }
}
template <class A, class B> using joint_shape = decltype(find_joint_shape<A, B>());

// Converts any value to the tile type R: scalars are converted and splatted, tiles are converted and broadcast.
template <class R, class V> __TILECC_FN R spread(V x) {
  using T = typename R::element_type;
  if constexpr (!is_tile<V>)
    return builtin::splat<R>(static_cast<T>(x));
  else if constexpr (__is_same(V, R))
    return x;
  else if constexpr (!__is_same(element<V>, T) && is_pointer<R>)
    return spread<R>(builtin::bitcast<tensor<T, typename V::shape_type>>(x));
  else if constexpr (!__is_same(element<V>, T))
    return spread<R>(builtin::cast<tensor<T, typename V::shape_type>>(x));
  else if constexpr (V::rank < R::rank)
    return spread<R>(builtin::expand_dims<0, tensor<T, insert_dim<typename V::shape_type, 0>>>(x));
  else
    return builtin::broadcast<R>(x);
}

// Implements x(tt::all, tt::newaxis). Position is the next dimension of the result.
template <int Position, class X> __TILECC_FN auto index(X x) { return x; }
template <int Position, class X, class First, class... Rest> __TILECC_FN auto index(X x, First, Rest... rest) {
  if constexpr (__is_same(First, all_t)) {
    return index<Position + 1>(x, rest...);
  } else {
    using R = tensor<typename X::element_type, insert_dim<typename X::shape_type, Position>>;
    return index<Position + 1>(builtin::expand_dims<Position, R>(x), rest...);
  }
}

} // namespace detail

} // namespace tt

#endif // TILECC_DETAIL_BROADCAST_H
