//===-- tilecc/detail/shape.h - making tiles, and the shapes of tiles ---------------------------------------------===//
#ifndef TILECC_DETAIL_SHAPE_H
#define TILECC_DETAIL_SHAPE_H
#pragma GCC system_header

#include "builtins.h"

namespace tt {
namespace detail {


// shape<D...> with a 1 put in before dimension Axis.
template <int Axis, int... D> constexpr auto insert_dim(shape<D...>) {
  constexpr int n = sizeof...(D);
  constexpr auto at = [](int i) { return i < Axis ? shape<D...>::dims[i] : i == Axis ? 1 : shape<D...>::dims[i - 1]; };
  if constexpr (n == 0)
    return shape<1>{};
  else if constexpr (n == 1)
    return shape<at(0), at(1)>{};
  else if constexpr (n == 2)
    return shape<at(0), at(1), at(2)>{};
  else if constexpr (n == 3)
    return shape<at(0), at(1), at(2), at(3)>{};
  else
    return shape<at(0), at(1), at(2), at(3), at(4)>{};
}

// shape<D...> without dimension Axis.
template <int Axis, int... D> constexpr auto remove_dim(shape<D...>) {
  constexpr int n = sizeof...(D);
  constexpr auto at = [](int i) { return shape<D...>::dims[i < Axis ? i : i + 1]; };
  if constexpr (n == 1)
    return shape<>{};
  else if constexpr (n == 2)
    return shape<at(0)>{};
  else if constexpr (n == 3)
    return shape<at(0), at(1)>{};
  else if constexpr (n == 4)
    return shape<at(0), at(1), at(2)>{};
  else
    return shape<at(0), at(1), at(2), at(3)>{};
}

// NumPy's broadcasting: shapes are aligned at their last dimensions, and a 1 stretches.
template <class A, class B> constexpr int find_clash() {
  constexpr int rank = A::rank > B::rank ? A::rank : B::rank;
  for (int i = 0; i < rank; ++i) {
    int a = i - (rank - A::rank), b = i - (rank - B::rank);
    int x = a < 0 ? 1 : A::dims[a], y = b < 0 ? 1 : B::dims[b];
    if (x != y && x != 1 && y != 1)
      return i;
  }
  return -1;
}
template <class A, class B> constexpr int joint_dim(int i) {
  constexpr int rank = A::rank > B::rank ? A::rank : B::rank;
  int a = i - (rank - A::rank), b = i - (rank - B::rank);
  int x = a < 0 ? 1 : A::dims[a], y = b < 0 ? 1 : B::dims[b];
  return x > y ? x : y;
}
template <class A, class B> struct joint {
  static constexpr auto make() {
    constexpr int rank = A::rank > B::rank ? A::rank : B::rank;
    if constexpr (rank == 1)
      return shape<joint_dim<A, B>(0)>{};
    else if constexpr (rank == 2)
      return shape<joint_dim<A, B>(0), joint_dim<A, B>(1)>{};
    else if constexpr (rank == 3)
      return shape<joint_dim<A, B>(0), joint_dim<A, B>(1), joint_dim<A, B>(2)>{};
    else if constexpr (rank == 4)
      return shape<joint_dim<A, B>(0), joint_dim<A, B>(1), joint_dim<A, B>(2), joint_dim<A, B>(3)>{};
    else
      return shape<joint_dim<A, B>(0), joint_dim<A, B>(1), joint_dim<A, B>(2), joint_dim<A, B>(3),
                   joint_dim<A, B>(4)>{};
  }
  using type = decltype(make());
};
template <class A> struct joint<A, A> { using type = A; };

template <class A, class B> constexpr message clash() {
  using X = typename A::shape_type;
  using Y = typename B::shape_type;
  constexpr int rank = X::rank > Y::rank ? X::rank : Y::rank;
  constexpr int i = find_clash<X, Y>();
  message m = complain<A, B>("cannot broadcast ", " with ", ": dimension ");
  m << i << " is " << X::dims[i - (rank - X::rank)] << " and " << Y::dims[i - (rank - Y::rank)];
  return m;
}

// The shape of an expression over A and B, at least one of which is a tile. Checks are in functions, here and in what
// follows: Clang gives up on a class whose assertion fails, and would report what comes of that, too.
template <class A> struct shape_of { using type = shape<>; };
template <class T, class S> struct shape_of<tile<T, S>> { using type = S; };
template <class A, class B> constexpr auto find_joint_shape() {
  using X = typename shape_of<A>::type;
  using Y = typename shape_of<B>::type;
  if constexpr (!is_tile<A>) {
    return Y();
  } else if constexpr (!is_tile<B> || __is_same(X, Y)) {
    return X();
  } else if constexpr (find_clash<X, Y>() < 0) {
    return typename joint<X, Y>::type();
  } else {
    static_assert(find_clash<X, Y>() < 0, clash<A, B>());
    return X();
  }
}
template <class A, class B> using joint_shape = decltype(find_joint_shape<A, B>());

// Any value as a tile of elements T: scalars are converted and spread, tiles converted and broadcast.
template <class T, class S, class V> __TILECC_FN tile<T, S> spread(V x) {
  if constexpr (!is_tile<V>) {
    return builtin::splat<tile<T, S>>(static_cast<T>(x));
  } else if constexpr (!__is_same(element<V>, T)) {
    return spread<T, S>(builtin::cast<tile<T, typename V::shape_type>>(x));
  } else if constexpr (__is_same(typename V::shape_type, S)) {
    return x;
  } else if constexpr (V::rank < S::rank) {
    return spread<T, S>(builtin::expand_dims<0, tile<T, decltype(insert_dim<0>(typename V::shape_type()))>>(x));
  } else {
    return builtin::broadcast<tile<T, S>>(x);
  }
}

// x(tt::all, tt::newaxis): Position counts the dimensions of the result.
template <int Position, class X> __TILECC_FN auto index(X x) { return x; }
template <int Position, class X, class First, class... Rest> __TILECC_FN auto index(X x, First, Rest... rest) {
  if constexpr (__is_same(First, all_t)) {
    return index<Position + 1>(x, rest...);
  } else {
    using R = tile<typename X::element_type, decltype(insert_dim<Position>(typename X::shape_type()))>;
    return index<Position + 1>(builtin::expand_dims<Position, R>(x), rest...);
  }
}

} // namespace detail

/// The position of this program in the grid along axis 0, 1 or 2. Triton: tl.program_id.
__TILECC_FN inline int program_id(int axis)
    __attribute__((diagnose_if(axis < 0 || axis > 2, "a grid has the axes 0, 1 and 2", "error"))) {
  return builtin::program_id(axis);
}

/// The size of the grid along axis 0, 1 or 2. Triton: tl.num_programs.
__TILECC_FN inline int num_programs(int axis)
    __attribute__((diagnose_if(axis < 0 || axis > 2, "a grid has the axes 0, 1 and 2", "error"))) {
  return builtin::num_programs(axis);
}

/// The integers [0, N) as a tile<int, shape<N>>. Triton: tl.arange(0, N).
template <int N> __TILECC_FN tile<int, shape<N>> arange() {
  return builtin::make_range<0, N>();
}
/// The integers [Start, End); their number is a power of two. Triton: tl.arange.
template <int Start, int End> __TILECC_FN tile<int, shape<End - Start>> arange() {
  return builtin::make_range<Start, End>();
}

/// A tile with every element equal to value: full<float, 64, 32>(x), or full<float>(tt::shape<64, 32>{}, x).
/// Triton: tl.full.
template <class T, int... Dims> __TILECC_FN tile<T, shape<Dims...>> full(T value) {
  return builtin::splat<tile<T, shape<Dims...>>>(value);
}
template <class T, int... Dims> __TILECC_FN tile<T, shape<Dims...>> full(shape<Dims...>, T value) {
  return builtin::splat<tile<T, shape<Dims...>>>(value);
}

/// A tile of zeros: zeros<float, 64, 32>(), or zeros<float>(tt::shape<64, 32>{}). Triton: tl.zeros.
template <class T, int... Dims>
  requires(sizeof...(Dims) > 0)
__TILECC_FN tile<T, shape<Dims...>> zeros() {
  return builtin::splat<tile<T, shape<Dims...>>>(T(0));
}
template <class T, int... Dims> __TILECC_FN tile<T, shape<Dims...>> zeros(shape<Dims...>) {
  return builtin::splat<tile<T, shape<Dims...>>>(T(0));
}

/// x with a dimension of size 1 put in before dimension Axis; a negative axis counts from the end, as in Triton.
template <int Axis, class T, class S> __TILECC_FN auto expand_dims(tile<T, S> x) {
  constexpr int axis = Axis < 0 ? Axis + S::rank + 1 : Axis;
  static_assert(axis >= 0 && axis <= S::rank,
                detail::complain<tile<T, S>>("expand_dims: the axis is out of range for ", ""));
  return builtin::expand_dims<axis, tile<T, decltype(detail::insert_dim<axis>(S()))>>(x);
}

/// x, a tile or a scalar, stretched to a shape: broadcast_to<64, 32>(x). Triton: tl.broadcast_to.
template <int... Dims, class X>
  requires detail::operand<X>
__TILECC_FN auto broadcast_to(X x) {
  using R = tile<detail::element<X>, shape<Dims...>>;
  if constexpr (detail::is_tile<X>)
    static_assert(__is_same(detail::joint_shape<X, R>, shape<Dims...>),
                  detail::complain<X, R>("cannot broadcast ", " to ", ": it would lose elements"));
  return detail::spread<detail::element<X>, shape<Dims...>>(x);
}

template <class T, class S> template <class U> __TILECC_FN tile<U, S> tile<T, S>::to() const {
  if constexpr (__is_same(T, U))
    return *this;
  else
    return builtin::cast<tile<U, S>>(*this);
}

template <class T, class S> template <class... Index> __TILECC_FN auto tile<T, S>::operator()(Index... index) const {
  constexpr int alls = (0 + ... + int(__is_same(Index, all_t)));
  static_assert(((__is_same(Index, all_t) || __is_same(Index, newaxis_t)) && ...),
                "a tile is indexed with tt::all and tt::newaxis");
  static_assert(alls == S::rank,
                detail::complain<tile<T, S>>("", " is indexed with one tt::all for each of its dimensions"));
  return detail::index<0>(*this, index...);
}

/// A promise that condition holds; where it does not, the kernel's behaviour is undefined. Triton: tl.assume.
__TILECC_FN inline void assume(bool condition) { builtin::assume(condition); }

/// A promise that x is a multiple of N. For a tile, one N for each dimension: the first element of every run along that
/// dimension is a multiple of N. Returns x, which carries the promise. Triton: tl.multiple_of.
template <int... N, class X>
  requires detail::operand<X>
__TILECC_FN X multiple_of(X x) {
  static_assert(((N > 0 && (N & (N - 1)) == 0) && ...), "multiple_of: a divisor is a power of two");
  if constexpr (detail::is_tile<X>)
    static_assert(sizeof...(N) == X::rank, detail::complain<X>("multiple_of: ", " needs one divisor per dimension"));
  else
    static_assert(sizeof...(N) == 1, "multiple_of: a scalar has one divisor");
  return builtin::multiple_of<N...>(x);
}

} // namespace tt

#endif // TILECC_DETAIL_SHAPE_H
