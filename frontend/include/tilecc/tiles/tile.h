//===-- tilecc/tiles/tile.h - cuda::tiles::tile, and values as tt sees them ---------------------------------------===//
//
// A cuda::tiles::tile wraps a tt::tile and has NVIDIA's element types and rules; inlining removes the class. A scalar
// is a tile without dimensions: tile<float, shape<>> holds a float, and functions take tiles and scalars.
//
//   lower(x)                 converts x to an operand of tt: a tt::tile, or a scalar if there are no dimensions
//   lower_as<E>(x)           the same, converted to elements E
//   lower_to<E, S>(x)        the same, also broadcast to shape S
//   raise_to<R>(v)           converts the result v of tt to R, a cuda::tiles::tile or a scalar
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_TILE_H
#define TILECC_TILES_TILE_H
#pragma GCC system_header

#include "../tt/shape.h"
#include "convert.h"

namespace cuda::tiles::inline __1 {

template <class E, class S> class tile;

namespace detail {

using tt::detail::complain;

// Properties of shapes are needed often, so those that depend only on the sizes are defined by them.
template <class S> struct sizes_of;
template <class I, size_t... D> struct sizes_of<extents<I, D...>> {
  using lowered = tt::shape<static_cast<int>(D)...>;
  static constexpr bool are_known = ((D != size_t(dynamic_extent)) && ...);
};
template <class S> using to_tt = typename sizes_of<S>::lowered;
template <class E, class S> struct raised;
template <class E, int... D> struct raised<E, tt::shape<D...>> {
  using type = tile<E, shape<size_t(D)...>>;
};
template <class E, class S> using tile_of = typename raised<E, S>::type;

// The type of the value that a tile wraps.
template <class E, class S> struct held_by {
  using type = tt::tensor<stored<E>, to_tt<S>>;
};
template <class E> struct held_by<E, shape<>> {
  using type = stored<E>;
};
template <class E, class S> using held = typename held_by<E, S>::type;

template <class T> inline constexpr bool is_tile = false;
template <class E, class S> inline constexpr bool is_tile<tile<E, S>> = true;
template <class T> struct parts {
  using element = unqualified<T>;
  using shape = cuda::tiles::shape<>;
};
template <class E, class S> struct parts<tile<E, S>> {
  using element = E;
  using shape = S;
};
template <class T> using element_of = typename parts<T>::element;
template <class T> using shape_of = typename parts<T>::shape;

template <class T> concept value = is_tile<unqualified<T>> || is_element<unqualified<T>>;
template <class A, class B> concept tile_and_value = (is_tile<A> && value<B>) || (is_tile<B> && value<A>);

// A result is a scalar if all operands are scalars.
template <bool Scalar, class E, class S> struct result_type {
  using type = tile<E, S>;
};
template <class E, class S> struct result_type<true, E, S> {
  using type = E;
};
template <class E, class S, class... X> using result = typename result_type<(!is_tile<X> && ...), E, S>::type;
template <class X, class E> using with_element = result<E, shape_of<X>, X>;

// Shapes broadcast with their last dimensions aligned.
template <class A, class B> constexpr size_t joint_extent(size_t i) {
  constexpr size_t rank = A::rank() > B::rank() ? A::rank() : B::rank();
  size_t a = i + A::rank() < rank ? 1 : A::static_extent(i + A::rank() - rank);
  size_t b = i + B::rank() < rank ? 1 : B::static_extent(i + B::rank() - rank);
  return a == 1 ? b : a;
}
template <class A, class B, class I> struct joined;
template <class A, class B, size_t... I> struct joined<A, B, indices<I...>> {
  using type = shape<joint_extent<A, B>(I)...>;
};
template <class A, class B>
struct find_joint_shape : joined<A, B, up_to<(A::rank() > B::rank() ? A::rank() : B::rank())>> {};
template <class A> struct find_joint_shape<A, A> {
  using type = A;
};
template <class A>
  requires(!__is_same(A, shape<>))
struct find_joint_shape<A, shape<>> {
  using type = A;
};
template <class A>
  requires(!__is_same(A, shape<>))
struct find_joint_shape<shape<>, A> {
  using type = A;
};
template <class A, class B> using joint_shape = typename find_joint_shape<A, B>::type;
template <class A, class B> constexpr bool same_shape() {
  if constexpr (__is_same(A, B))
    return true;
  if (A::rank() != B::rank())
    return false;
  for (size_t i = 0; i < A::rank(); ++i)
    if (A::static_extent(i) != B::static_extent(i))
      return false;
  return true;
}
template <class From, class To> constexpr bool broadcasts_to() {
  if constexpr (__is_same(From, To) || __is_same(From, shape<>))
    return true;
  if (From::rank() > To::rank())
    return false;
  for (size_t i = 0; i < From::rank(); ++i) {
    size_t a = From::static_extent(i), b = To::static_extent(i + To::rank() - From::rank());
    if (a != b && a != 1)
      return false;
  }
  return true;
}
template <class A, class B> constexpr bool broadcasts_with() {
  return broadcasts_to<A, joint_shape<A, B>>() && broadcasts_to<B, joint_shape<A, B>>();
}

struct access {
  template <class E, class S> __TILECC_FN static held<E, S> get(tile<E, S> x) { return x.held; }
  template <class R> __TILECC_FN static R make(held<element_of<R>, shape_of<R>> v) {
    R x;
    x.held = v;
    return x;
  }
};

template <class X> __TILECC_FN auto lower(X x) {
  if constexpr (is_tile<X>)
    return access::get(x);
  else if constexpr (__is_same(X, stored<X>))
    return x;
  else if constexpr (is_pointer<X>)
    return reinterpret_cast<stored<X>>(x);
  else
    return __builtin_bit_cast(stored<X>, x);
}
template <class R, class V> __TILECC_FN R raise_to(V v) {
  if constexpr (is_tile<R>)
    return access::make<R>(v);
  else if constexpr (__is_same(R, stored<R>))
    return v;
  else if constexpr (is_pointer<R>)
    return reinterpret_cast<R>(v);
  else
    return __builtin_bit_cast(R, static_cast<stored<R>>(v));
}
template <class S, class V> __TILECC_FN auto reshaped(V x) {
  if constexpr (__is_same(S, typename V::shape_type))
    return x;
  else
    return tt::reshape(x, S());
}
template <class E, class X> __TILECC_FN auto lower_as(X x) { return convert<E, element_of<X>>(lower(x)); }
template <class E, class S, class X> __TILECC_FN held<E, S> lower_to(X x) {
  if constexpr (__is_same(X, tile<E, S>)) // this is the usual case, and it compiles faster
    return access::get(x);
  else
    return tt::detail::as<held<E, S>>(lower_as<E>(x));
}

} // namespace detail

//===-- the tile --------------------------------------------------------------------------------------------------===//

template <class T> concept tile_like = detail::value<T>;
template <class T> concept scalar = tile_like<T> && !detail::is_tile<detail::unqualified<T>>;
template <tile_like T> using tile_element_t = detail::element_of<detail::unqualified<T>>;
template <tile_like T> using tile_shape_t = detail::shape_of<detail::unqualified<T>>;
template <tile_like T> inline constexpr size_t tile_rank_v = tile_shape_t<T>::rank();
template <tile_like T> inline constexpr size_t tile_size_v = shape_size_v<tile_shape_t<T>>;
template <tile_like T, scalar E> using tile_with_element_t = detail::with_element<detail::unqualified<T>, E>;

template <class T> concept pointer_tile = tile_like<T> && detail::is_pointer<tile_element_t<T>>;
template <class T> concept numeric_tile = tile_like<T> && detail::is_number<tile_element_t<T>>;
template <class T> concept arithmetic_tile = numeric_tile<T> && detail::is_arithmetic<tile_element_t<T>>;
template <class T> concept integral_tile = arithmetic_tile<T> && detail::is_integer<tile_element_t<T>>;
template <class T> concept floating_point_tile = numeric_tile<T> && detail::is_float<tile_element_t<T>>;
template <class T> concept basic_floating_point_tile = floating_point_tile<T> && arithmetic_tile<T>;
template <class T> concept restricted_floating_point_tile = floating_point_tile<T> && !arithmetic_tile<T>;
template <class T> concept pointer_scalar = pointer_tile<T> && scalar<T>;
template <class T> concept numeric_scalar = numeric_tile<T> && scalar<T>;
template <class T> concept arithmetic_scalar = arithmetic_tile<T> && scalar<T>;
template <class T> concept integral_scalar = integral_tile<T> && scalar<T>;
template <class T> concept floating_point_scalar = floating_point_tile<T> && scalar<T>;
template <class T> concept basic_floating_point_scalar = basic_floating_point_tile<T> && scalar<T>;
template <class T> concept restricted_floating_point_scalar = restricted_floating_point_tile<T> && scalar<T>;

namespace detail {
template <class T> inline constexpr bool is_tile_shape = false;
template <size_t... D>
inline constexpr bool is_tile_shape<extents<uint32_t, D...>> =
    ((D != size_t(dynamic_extent) && D != 0 && (D & (D - 1)) == 0) && ...) && (size_t(1) * ... * D) <= 1u << 24;
} // namespace detail
template <class S> concept tile_shape = detail::is_tile_shape<detail::unqualified<S>>;
template <class T, class S>
concept broadcastable_to = tile_like<T> && tile_shape<S> && detail::broadcasts_to<tile_shape_t<T>, S>();
template <class A, class B>
concept broadcast_compatible =
    tile_like<A> && tile_like<B> && detail::broadcasts_with<tile_shape_t<A>, tile_shape_t<B>>();
template <class T, class U>
concept tile_convertible_to = tile_like<T> && tile_like<U> && detail::same_shape<tile_shape_t<T>, tile_shape_t<U>>() &&
                              detail::converts<tile_element_t<T>, tile_element_t<U>>();
template <class T, class U>
concept non_narrowing_tile_convertible_to =
    tile_convertible_to<T, U> && !detail::narrows<tile_element_t<T>, tile_element_t<U>>();
template <class T> concept bool_tile_convertible = tile_like<T> && detail::converts<tile_element_t<T>, bool>();

namespace detail {
// The elements of nested arrays whose sizes are a shape.
template <class T> inline constexpr size_t flat_size = 1;
template <class T, size_t N> inline constexpr size_t flat_size<T[N]> = N * flat_size<T>;
template <class S, class T, size_t D = 0> inline constexpr bool are_sizes = D == S::rank();
template <class S, class T, size_t N, size_t D>
inline constexpr bool are_sizes<S, T[N], D> = D < S::rank() && S::static_extent(D) == N && are_sizes<S, T, D + 1>;
template <class T> struct innermost {
  using type = T;
};
template <class T, size_t N> struct innermost<T[N]> : innermost<T> {};
} // namespace detail

/// An array of elements of type E whose sizes are S, a shape. `T x{}` has zeros, `T x;` is uninitialized. A tile
/// converts implicitly if no element can lose information.
template <class E, class S> class tile {
  // Reported before anything that follows from it.
  static_assert(detail::is_element<E>, "the elements of a tile are numbers or pointers to numbers");
  static_assert(detail::sizes_of<S>::are_known, "the sizes of a tile are constants");

public:
  using element_type = E;
  using shape_type = S;
  using rank_type = size_t;
  using index_type = uint32_t;

  tile() = default;

  /// Converts elements. The conversion is explicit if it narrows.
  template <class X>
    requires(!__is_same(X, tile)) && tile_convertible_to<X, tile> // the first condition excludes copies
  __TILECC_FN explicit(detail::narrows<tile_element_t<X>, E>()) tile(X x);

  /// The elements of nested arrays of constants: tile<float, shape<2, 2>>({{1.f, 2.f}, {3.f, 4.f}}).
#define __TILECC_FROM_ARRAY(sizes, ...)                                                                                \
  template <class T, __VA_ARGS__>                                                                                      \
    requires(detail::are_sizes<S, T sizes> && detail::is_number<T>)                                                    \
  __TILECC_FN explicit(detail::narrows<T, E>()) tile(const T(&values) sizes) : held(from_array(values)) {}
  __TILECC_FROM_ARRAY([A], size_t A)
  __TILECC_FROM_ARRAY([A][B], size_t A, size_t B)
  __TILECC_FROM_ARRAY([A][B][C], size_t A, size_t B, size_t C)
  __TILECC_FROM_ARRAY([A][B][C][D], size_t A, size_t B, size_t C, size_t D)
  __TILECC_FROM_ARRAY([A][B][C][D][F], size_t A, size_t B, size_t C, size_t D, size_t F)
#undef __TILECC_FROM_ARRAY

  /// The element of a tile that has only one.
  template <scalar X>
    requires(shape_size_v<S> == 1 && detail::converts<E, X>())
  __TILECC_FN explicit operator X() const;

private:
  friend detail::access;
  template <class A> __TILECC_FN static detail::held<E, S> from_array(const A &values);
  detail::held<E, S> held;
};

template <scalar E> tile(E) -> tile<E, shape<>>;
template <class T, size_t A> tile(const T (&)[A]) -> tile<T, shape<A>>;
template <class T, size_t A, size_t B> tile(const T (&)[A][B]) -> tile<T, shape<A, B>>;
template <class T, size_t A, size_t B, size_t C> tile(const T (&)[A][B][C]) -> tile<T, shape<A, B, C>>;
template <class T, size_t A, size_t B, size_t C, size_t D> tile(const T (&)[A][B][C][D]) -> tile<T, shape<A, B, C, D>>;
template <class T, size_t A, size_t B, size_t C, size_t D, size_t F>
tile(const T (&)[A][B][C][D][F]) -> tile<T, shape<A, B, C, D, F>>;

} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_TILE_H
