//===-- tilecc/tiles/shape.h - functions that rearrange the elements of tiles -------------------------------------===//
#ifndef TILECC_TILES_SHAPE_H
#define TILECC_TILES_SHAPE_H
#pragma GCC system_header

#include "operators.h"

namespace cuda::tiles::inline __1 {
namespace detail {

template <int... I, class V> __TILECC_FN auto permuted(V x) {
  if constexpr (sizeof...(I) < 2)
    return x;
  else
    return tt::permute<I...>(x);
}

template <class X, class M, class I> struct permutation;
template <class X, class M, size_t... I> struct permutation<X, M, indices<I...>> {
  using type = tile<element_of<X>, shape<shape_of<X>::static_extent(M::mapping(I))...>>;
  __TILECC_FN static type apply(X x) { return raise_to<type>(permuted<int(M::mapping(I))...>(lower(x))); }
};
template <size_t N, class I> struct first_two_exchanged;
template <size_t N, size_t... I> struct first_two_exchanged<N, indices<I...>> {
  using type = dimension_map<(I < 2 ? 1 - I : I)...>;
};

} // namespace detail

//===-- shape -----------------------------------------------------------------------------------------------------===//

/// x with another shape of the same number of elements, which keep their row-major order.
template <class S, tile_like X> __TILECC_FN auto reshape(X x, S = {}) {
  using E = tile_element_t<X>;
  using R = tile<E, S>;
  constexpr bool fits = shape_size_v<S> == tile_size_v<X>;
  __TILECC_CHECK((fits), (detail::complain<X, R>("cannot reshape ", " to ", ": they have not as many elements")));
  if constexpr (!fits)
    return R();
  else if constexpr (tile_rank_v<X> == 0)
    return detail::raise_to<R>(detail::lower_to<E, S>(x));
  else if constexpr (S::rank() == 0)
    return detail::raise_to<R>(tt::builtin::unsplat<detail::stored<E>>(tt::reshape<1>(detail::lower(x))));
  else
    return detail::raise_to<R>(detail::reshaped<detail::to_tt<S>>(detail::lower(x)));
}

/// Returns x broadcast to shape S.
template <class S, tile_like X> __TILECC_FN auto broadcast(X x, S = {}) {
  using R = tile<tile_element_t<X>, S>;
  constexpr bool fits = broadcastable_to<X, S>;
  __TILECC_CHECK((fits), (detail::complain<X, R>("cannot broadcast ", " to ", "")));
  if constexpr (fits)
    return detail::raise_to<R>(detail::lower_to<tile_element_t<X>, S>(x));
  else
    return R();
}

/// x with its dimensions in the order of a dimension_map: dimension i of the result is dimension map.mapping(i) of x.
template <class M, tile_like X> __TILECC_FN auto permute(X x, M = {}) {
  constexpr bool fits = M::rank() == tile_rank_v<X>;
  __TILECC_CHECK((fits), (detail::complain<X>("a dimension_map for ", " names each of its dimensions once")));
  if constexpr (fits && M::rank() > 1)
    return detail::permutation<X, M, detail::up_to<M::rank()>>::apply(x);
  else
    return x;
}

/// Returns x with its first two dimensions exchanged.
template <tile_like X> __TILECC_FN auto transpose(X x) {
  if constexpr (tile_rank_v<X> < 2)
    return x;
  else
    return permute<typename detail::first_two_exchanged<tile_rank_v<X>, detail::up_to<tile_rank_v<X>>>::type>(x);
}

/// Concatenates a and b, two tiles of one type, along a dimension.
template <integral auto D, tile_like A, tile_like B> __TILECC_FN auto cat(A a, B b, integral_constant<D> = {}) {
  constexpr bool same = __is_same(A, B), fits = D >= 0 && size_t(D) < tile_rank_v<A>;
  __TILECC_CHECK((same), (detail::complain<A, B>("cat takes two tiles of one type, not ", " and ", "")));
  __TILECC_CHECK((!same || fits), (detail::complain<A>("the dimension is out of range for ", "")));
  if constexpr (same && fits) {
    using E = tile_element_t<A>;
    using V = decltype(detail::lower(a));
    using S = tt::detail::replace_dim<typename V::shape_type, int(D), 2 * V::shape_type::dims[int(D)]>;
    return detail::raise_to<detail::tile_of<E, S>>(tt::cat<int(D)>(detail::lower(a), detail::lower(b)));
  } else {
    return a;
  }
}

//===-- parts of tiles --------------------------------------------------------------------------------------------===//

namespace detail {

template <class S, class T, class I> inline constexpr bool divides = false;
template <class S, class T, size_t... I>
inline constexpr bool divides<S, T, indices<I...>> = ((T::static_extent(I) % S::static_extent(I) == 0) && ...);
template <class S, class T> constexpr bool is_part() {
  if constexpr (S::rank() == T::rank())
    return divides<S, T, up_to<S::rank()>>;
  else
    return false;
}
template <class Part, class Whole, class... I> constexpr bool check_part() {
  constexpr bool fits = is_part<shape_of<Part>, shape_of<Whole>>();
  __TILECC_CHECK((fits), (complain<Whole, Part>("cannot divide ", " into parts of ", "")));
  __TILECC_CHECK((sizeof...(I) == shape_of<Whole>::rank()),
                 (complain<Whole>("a part of ", " has one index for each of its dimensions")));
  return fits && sizeof...(I) == shape_of<Whole>::rank();
}

// Extracts, along each dimension from D on, the elements of x from at * size on, where size is the size of S.
template <class S, int D = 0, class V> __TILECC_FN auto cut_out(V x) { return x; }
template <class S, int D = 0, class V, class First, class... Rest>
__TILECC_FN auto cut_out(V x, First at, Rest... rest) {
  constexpr int size = S::dims[D];
  if constexpr (V::shape_type::dims[D] == size) {
    return cut_out<S, D + 1>(x, rest...);
  } else {
    using R = tt::detail::replace_dim<typename V::shape_type, D, size>;
    auto places = tt::arange<size>() + static_cast<int>(at) * size;
    return cut_out<S, D + 1>(tt::gather<D>(x, tt::detail::along<D, tt::tensor<int, R>>(places)), rest...);
  }
}

// A mask of shape S that is true for the part of shape P at an index.
template <class P, class S, int D = 0> __TILECC_FN auto covered() {
  return tt::builtin::splat<tt::tensor<bool, S>>(true);
}
template <class P, class S, int D = 0, class First, class... Rest> __TILECC_FN auto covered(First at, Rest... rest) {
  constexpr int size = P::dims[D];
  if constexpr (S::dims[D] == size) {
    return covered<P, S, D + 1>(rest...);
  } else {
    auto position = tt::detail::along<D, tt::tensor<int, S>>(tt::arange<S::dims[D]>() / size);
    return (position == static_cast<int>(at)) & covered<P, S, D + 1>(rest...);
  }
}
// Repeats x until it fills shape S.
template <class S, int D = 0, class V> __TILECC_FN auto repeated(V x) {
  if constexpr (D == S::rank) {
    return x;
  } else if constexpr (V::shape_type::dims[D] == S::dims[D]) {
    return repeated<S, D + 1>(x);
  } else {
    constexpr int size = V::shape_type::dims[D], times = S::dims[D] / size;
    using T = tt_element<V>;
    using Wide = tt::detail::replace_dim<typename V::shape_type, D, times, size>;
    auto wide = tt::builtin::broadcast<tt::tensor<T, Wide>>(tt::expand_dims<D>(x));
    return repeated<S, D + 1>(tt::reshape(wide, tt::detail::replace_dim<typename V::shape_type, D, times * size>()));
  }
}

} // namespace detail

/// The part of x that has shape S and lies at an index, which counts parts: extract(x, shape<16, 64>(), 1, 0) is its
/// rows 16 to 31.
template <class S, tile_like X, class... I> __TILECC_FN auto extract(X x, S, I... at) {
  using R = tile<tile_element_t<X>, S>;
  if constexpr (!detail::check_part<R, X, I...>())
    return R();
  else if constexpr (S::rank() == 0)
    return R(x);
  else
    return detail::raise_to<R>(detail::cut_out<detail::to_tt<S>>(detail::lower(x), at...));
}

/// Returns x with one of its parts replaced.
template <tile_like P, tile_like X, class... I> [[nodiscard]] __TILECC_FN X insert(X x, P part, I... at) {
  constexpr bool narrows = detail::narrows<tile_element_t<P>, tile_element_t<X>>();
  __TILECC_CHECK((!narrows), (detail::complain<P, X>("", " would be narrowed in ", ": convert it with element_cast")));
  if constexpr (!detail::check_part<P, X, I...>() || narrows) {
    return x;
  } else if constexpr (tile_rank_v<X> == 0) {
    return X(part);
  } else {
    using S = detail::to_tt<tile_shape_t<X>>;
    auto there = detail::covered<detail::to_tt<tile_shape_t<P>>, S>(at...);
    auto parts = detail::repeated<S>(detail::lower_as<tile_element_t<X>>(part));
    return detail::raise_to<X>(tt::builtin::select(there, parts, detail::lower(x)));
  }
}

//===-- wide elements as narrow ones, and back --------------------------------------------------------------------===//

namespace detail {

template <class T> inline constexpr int bits_of = 8 * int(sizeof(stored<T>));
template <> inline constexpr int bits_of<__nv_fp4_e2m1> = 4;

template <int Bits>
using integer_of = typename tt::detail::choose<
    Bits <= 8, unsigned char,
    typename tt::detail::choose<Bits == 16, unsigned short,
                                typename tt::detail::choose<Bits == 32, unsigned, unsigned long>::type>::type>::type;

// Splits each element of the last dimension into two elements of half the bits, the lower half first, or combines two
// elements into one, until elements of From bits have To bits.
template <int From, int To, class V> __TILECC_FN auto repacked(V x) {
  if constexpr (From == To) {
    return x;
  } else if constexpr (From > To) {
    constexpr int half = From / 2;
    using H = integer_of<half>;
    auto low = tt::cast<H>(x), high = tt::cast<H>(x >> half);
    if constexpr (half == 4)
      return repacked<half, To>(tt::interleave(low & 15, high));
    else
      return repacked<half, To>(tt::interleave(low, high));
  } else {
    constexpr int last = V::shape_type::rank - 1, size = V::shape_type::dims[last];
    using W = integer_of<2 * From>;
    auto [low, high] = tt::split(tt::reshape(x, tt::detail::replace_dim<typename V::shape_type, last, size / 2, 2>()));
    if constexpr (tt::detail::is_tile<decltype(low)>)
      return repacked<2 * From, To>(tt::cast<W>(low) | (tt::cast<W>(high) << From));
    else
      return repacked<2 * From, To>(
          tt::full<W, 1>(static_cast<W>(static_cast<W>(low) | (static_cast<W>(high) << From))));
  }
}
template <int D, class V, int... I> __TILECC_FN auto exchange_with_last(V x, tt::detail::sequence<int, I...>) {
  constexpr int last = V::shape_type::rank - 1;
  if constexpr (D == last)
    return x;
  else
    return tt::permute<(I == D ? last : I == last ? D : I)...>(x);
}
template <class T, class V> __TILECC_FN auto take_bits(V x) {
  if constexpr (__is_same(tt_element<V>, T))
    return x;
  else
    return tt::bitcast<T>(x);
}

} // namespace detail

/// Reinterprets the bits of x's elements along a dimension as elements of type E, in the order of memory: two bytes
/// become one short, and a byte becomes two __nv_fp4_e2m1.
template <scalar E, integral auto D, tile_like X> __TILECC_FN auto repack(X x, integral_constant<D> = {}) {
  using From = tile_element_t<X>;
  constexpr int from = detail::bits_of<From>, to = detail::bits_of<E>;
  constexpr bool numbers = detail::is_number<From> && detail::is_number<E> && !__is_same(From, bool) &&
                           !__is_same(E, bool) && !__is_same(From, __nv_tf32) && !__is_same(E, __nv_tf32);
  constexpr bool inside = D >= 0 && size_t(D) < tile_rank_v<X>;
  __TILECC_CHECK((numbers), (detail::complain<X, E>("cannot repack ", " as ", "")));
  __TILECC_CHECK((inside), (detail::complain<X>("the dimension is out of range for ", "")));
  if constexpr (numbers && inside) {
    constexpr bool fits = tile_shape_t<X>::static_extent(D) * from >= to;
    __TILECC_CHECK((fits), (detail::complain<X, E>("the bits of ", " make no ", "")));
    if constexpr (fits) {
      auto v = detail::take_bits<detail::integer_of<from>>(detail::lower(x));
      constexpr auto all = tt::detail::up_to<decltype(v)::shape_type::rank>();
      auto bits = detail::exchange_with_last<D>(detail::repacked<from, to>(detail::exchange_with_last<D>(v, all)), all);
      using R = detail::tile_of<E, typename decltype(bits)::shape_type>;
      return detail::raise_to<R>(detail::take_bits<detail::stored<E>>(bits));
    } else {
      return x;
    }
  } else {
    return x;
  }
}

} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_SHAPE_H
