//===-- tilecc/detail/shape.h - making tiles, and the shapes of tiles ---------------------------------------------===//
#ifndef TILECC_DETAIL_SHAPE_H
#define TILECC_DETAIL_SHAPE_H
#pragma GCC system_header

#include "builtins.h"

namespace tt {
namespace detail {


template <class T, T... I> struct sequence {};
template <int N> using up_to = __make_integer_seq<sequence, int, N>;

// S with a 1 put in before dimension Axis, and S without that dimension.
template <class S, int Axis, int... I>
constexpr auto insert(sequence<int, I...>)
    -> shape<(I < Axis ? S::dims[I] : I == Axis ? 1 : S::dims[I - 1])...>;
template <class S, int Axis> using insert_dim = decltype(insert<S, Axis>(up_to<S::rank + 1>()));
template <class S, int Axis, int... I>
constexpr auto remove(sequence<int, I...>) -> shape<S::dims[I < Axis ? I : I + 1]...>;
template <class S, int Axis> using remove_dim = decltype(remove<S, Axis>(up_to<S::rank - 1>()));

// NumPy's broadcasting: shapes are aligned at their last dimensions, and a 1 stretches.
template <class A, class B> inline constexpr int joint_rank = A::rank > B::rank ? A::rank : B::rank;
template <class S> constexpr int dim_from_end(int i) { return i < S::rank ? S::dims[S::rank - 1 - i] : 1; }
template <class A, class B> constexpr int joint_dim(int i) {
  int a = dim_from_end<A>(joint_rank<A, B> - 1 - i), b = dim_from_end<B>(joint_rank<A, B> - 1 - i);
  return a > b ? a : b;
}
template <class A, class B, int... I>
constexpr auto join(sequence<int, I...>) -> shape<joint_dim<A, B>(I)...>;
// The first dimension, from the end, in which they do not fit; -1 where they do.
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
    return decltype(join<X, Y>(up_to<joint_rank<X, Y>>()))();
  } else {
    __TILECC_CHECK((find_clash<X, Y>() < 0), clash<A, B>());
    return X();
  }
}
template <class A, class B> using joint_shape = decltype(find_joint_shape<A, B>());

// Any value as the tile R: scalars are converted and spread, tiles converted and broadcast.
template <class R, class V> __TILECC_FN R spread(V x) {
  using T = typename R::element_type;
  if constexpr (!is_tile<V>)
    return builtin::splat<R>(static_cast<T>(x));
  else if constexpr (__is_same(V, R))
    return x;
  else if constexpr (!__is_same(element<V>, T))
    return spread<R>(builtin::cast<tile<T, typename V::shape_type>>(x));
  else if constexpr (V::rank < R::rank)
    return spread<R>(builtin::expand_dims<0, tile<T, insert_dim<typename V::shape_type, 0>>>(x));
  else
    return builtin::broadcast<R>(x);
}

// x(tt::all, tt::newaxis): Position counts the dimensions of the result.
template <int Position, class X> __TILECC_FN auto index(X x) { return x; }
template <int Position, class X, class First, class... Rest> __TILECC_FN auto index(X x, First, Rest... rest) {
  if constexpr (__is_same(First, all_t)) {
    return index<Position + 1>(x, rest...);
  } else {
    using R = tile<typename X::element_type, insert_dim<typename X::shape_type, Position>>;
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

/// A tile of zeros of x's type and shape. Triton: tl.zeros_like.
template <class T, class S> __TILECC_FN tile<T, S> zeros_like(tile<T, S>) {
  return builtin::splat<tile<T, S>>(T(0));
}

/// x with a dimension of size 1 put in before dimension Axis; a negative axis counts from the end, as in Triton.
template <int Axis, class T, class S> __TILECC_FN auto expand_dims(tile<T, S> x) {
  constexpr int axis = Axis < 0 ? Axis + S::rank + 1 : Axis;
  __TILECC_CHECK((axis >= 0 && axis <= S::rank),
                 detail::complain<tile<T, S>>("expand_dims: the axis is out of range for ", ""));
  return builtin::expand_dims<axis, tile<T, detail::insert_dim<S, axis>>>(x);
}

/// x, a tile or a scalar, stretched to a shape: broadcast_to<64, 32>(x). Triton: tl.broadcast_to.
template <int... Dims, class X>
  requires detail::operand<X>
__TILECC_FN auto broadcast_to(X x) {
  using R = tile<detail::element<X>, shape<Dims...>>;
  if constexpr (detail::is_tile<X>)
    __TILECC_CHECK((__is_same(detail::joint_shape<X, R>, shape<Dims...>)),
                   detail::complain<X, R>("cannot broadcast ", " to ", ": it would lose elements"));
  return detail::spread<R>(x);
}

template <class T, class S> template <class U> __TILECC_FN tile<U, S> tile<T, S>::to() const {
  if constexpr (__is_same(T, U))
    return *this;
  else
    return builtin::cast<tile<U, S>>(*this);
}

/// The bits of x as another type of the same width: bitcast<int>(x). Triton: x.to(dtype, bitcast=True).
template <class U, detail::operand X> __TILECC_FN auto bitcast(X x) {
  using T = detail::element<X>;
  using R = typename detail::choose<detail::is_tile<X>, tile<U, typename detail::shape_of<X>::type>, U>::type;
  constexpr bool fits = sizeof(T) == sizeof(U) && detail::is_pointer<T> == detail::is_pointer<U> &&
                        __is_same(T, bool) == __is_same(U, bool);
  __TILECC_CHECK((fits), detail::complain<X, U>("cannot take the bits of ", " as ", ": they are no numbers of one width"));
  if constexpr (fits)
    return builtin::bitcast<R>(x);
  else
    return R{};
}

template <class T, class S> template <class... Index> __TILECC_FN auto tile<T, S>::operator()(Index... index) const {
  constexpr int alls = (0 + ... + int(__is_same(Index, all_t)));
  static_assert(((__is_same(Index, all_t) || __is_same(Index, newaxis_t)) && ...),
                "a tile is indexed with tt::all and tt::newaxis");
  __TILECC_CHECK((alls == S::rank),
                 detail::complain<tile<T, S>>("", " is indexed with one tt::all for each of its dimensions"));
  return detail::index<0>(*this, index...);
}

/// A promise that condition holds; where it does not, the kernel's behaviour is undefined. Triton: tl.assume.
__TILECC_FN inline void assume(bool condition) { builtin::assume(condition); }

namespace detail {
template <class X, int... N> constexpr bool check_hint() {
  static_assert(((N > 0 && (N & (N - 1)) == 0) && ...), "the numbers of a hint are powers of two");
  if constexpr (is_tile<X>)
    __TILECC_CHECK((sizeof...(N) == X::rank), complain<X>("a hint for ", " needs one number per dimension"));
  else
    static_assert(sizeof...(N) == 1, "a hint for a scalar is one number");
  return true;
}
} // namespace detail

/// A promise that x is a multiple of N. For a tile, one N for each dimension: the first element of every run along that
/// dimension is a multiple of N. Returns x, which carries the promise. Triton: tl.multiple_of.
template <int... N, class X>
  requires detail::operand<X>
__TILECC_FN X multiple_of(X x) {
  detail::check_hint<X, N...>();
  return builtin::multiple_of<N...>(x);
}
/// A promise about the tile x, with one N for each dimension: cut into runs of N along it, aligned to N, each run counts
/// up by one. Returns x, which carries the promise. Triton: tl.max_contiguous.
template <int... N, class T, class S> __TILECC_FN tile<T, S> max_contiguous(tile<T, S> x) {
  detail::check_hint<tile<T, S>, N...>();
  return builtin::max_contiguous<N...>(x);
}
/// The same for runs that have one value. Triton: tl.max_constancy.
template <int... N, class T, class S> __TILECC_FN tile<T, S> max_constancy(tile<T, S> x) {
  detail::check_hint<tile<T, S>, N...>();
  return builtin::max_constancy<N...>(x);
}

} // namespace tt

#endif // TILECC_DETAIL_SHAPE_H
