//===-- tilecc/tiles/extents.h - sizes, distances and orders of dimensions ----------------------------------------===//
//
// extents, strides and offsets are lists of integers, each of which is either part of the type or stored in the object.
// The host may compute them, so their layout is that of an array of the stored integers.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_EXTENTS_H
#define TILECC_TILES_EXTENTS_H
#pragma GCC system_header

#include "constants.h"

namespace cuda::tiles::inline __1 {

enum __dynamic_extent_type : size_t { dynamic_extent = static_cast<size_t>(-1) };
enum __dynamic_stride_type : size_t { dynamic_stride = static_cast<size_t>(-1) };
enum __dynamic_offset_type : ptrdiff_t { dynamic_offset = -__PTRDIFF_MAX__ - 1 };

namespace detail {

template <class I, size_t N> struct kept_integers {
  I values[N];
};
template <class I> struct kept_integers<I, 0> {};

// A list of integers of type I. Those that are not Unknown are part of the type, as values of type V.
template <class I, class V, V Unknown, V... Known> struct integers {
  static constexpr size_t size = sizeof...(Known), unknown = (0 + ... + size_t(Known == Unknown));
  kept_integers<I, unknown> kept;

  constexpr integers() = default;
  template <class... T>
    requires(sizeof...(T) == unknown && sizeof...(T) != 0 && (__is_convertible_to(T, I) && ...))
  __TILECC_HOST_FN constexpr explicit integers(T... values) noexcept : kept{{static_cast<I>(values)...}} {}
  template <class... T>
    requires(sizeof...(T) == size && size != unknown && (__is_convertible_to(T, I) && ...))
  __TILECC_HOST_FN constexpr explicit integers(T... values) noexcept {
    keep<0, 0>(values...);
  }

  __TILECC_HOST_FN static constexpr V known(size_t at) noexcept {
    V found = 0;
    size_t i = 0;
    ((found = i++ == at ? Known : found), ...);
    return found;
  }
  // A fold expression makes the positions constants; a loop would index an array at run time.
  __TILECC_HOST_FN constexpr I value(size_t at) const noexcept { return pick(at, up_to<size>()); }

private:
  static constexpr size_t place(size_t at) {
    size_t n = 0;
    for (size_t i = 0; i < at; ++i)
      n += known(i) == Unknown;
    return n;
  }
  template <size_t N> __TILECC_HOST_FN constexpr I get() const noexcept {
    constexpr size_t slot = place(N);
    if constexpr (known(N) == Unknown)
      return kept.values[slot];
    else
      return static_cast<I>(known(N));
  }
  template <size_t... N> __TILECC_HOST_FN constexpr I pick(size_t at, indices<N...>) const noexcept {
    I found = 0;
    ((found = at == N ? get<N>() : found), ...);
    return found;
  }
  template <size_t N, size_t Slot> __TILECC_HOST_FN constexpr void keep() noexcept {}
  template <size_t N, size_t Slot, class First, class... Rest>
  __TILECC_HOST_FN constexpr void keep(First first, Rest... rest) noexcept {
    if constexpr (known(N) == Unknown)
      kept.values[Slot] = static_cast<I>(first);
    keep<N + 1, Slot + (known(N) == Unknown)>(rest...);
  }
};

template <class T, auto Unknown> inline constexpr auto known_or = Unknown;
template <auto V, auto Unknown>
inline constexpr auto known_or<integral_constant<V>, Unknown> = static_cast<decltype(Unknown)>(V);

} // namespace detail

/// The sizes of a tensor. Constants are part of the type: extents{m, 64_ic}.
template <integral I, size_t... E> struct extents : private detail::integers<I, size_t, size_t(dynamic_extent), E...> {
  using index_type = I;
  using rank_type = size_t;
  constexpr extents() = default;
  using detail::integers<I, size_t, size_t(dynamic_extent), E...>::integers;
  __TILECC_HOST_FN static constexpr rank_type rank() noexcept { return sizeof...(E); }
  __TILECC_HOST_FN static constexpr rank_type rank_dynamic() noexcept { return extents::integers::unknown; }
  __TILECC_HOST_FN static constexpr size_t static_extent(rank_type i) noexcept { return extents::integers::known(i); }
  __TILECC_HOST_FN constexpr index_type extent(rank_type i) const noexcept { return this->value(i); }
};
template <class... T> extents(T...) -> extents<uint32_t, detail::known_or<T, size_t(dynamic_extent)>...>;

/// The distances between neighbours along each dimension, in elements.
template <integral I, size_t... S> struct strides : private detail::integers<I, size_t, size_t(dynamic_stride), S...> {
  using stride_type = I;
  using rank_type = size_t;
  constexpr strides() = default;
  using detail::integers<I, size_t, size_t(dynamic_stride), S...>::integers;
  __TILECC_HOST_FN static constexpr rank_type rank() noexcept { return sizeof...(S); }
  __TILECC_HOST_FN static constexpr rank_type rank_dynamic() noexcept { return strides::integers::unknown; }
  __TILECC_HOST_FN static constexpr size_t static_stride(rank_type i) noexcept { return strides::integers::known(i); }
  __TILECC_HOST_FN constexpr stride_type stride(rank_type i) const noexcept { return this->value(i); }
};
template <class... T> strides(T...) -> strides<uint32_t, detail::known_or<T, size_t(dynamic_stride)>...>;

/// The origin of a strided_view. Only zeros are supported.
template <integral I, ptrdiff_t... O>
struct offsets : private detail::integers<I, ptrdiff_t, ptrdiff_t(dynamic_offset), O...> {
  using offset_type = I;
  using rank_type = size_t;
  constexpr offsets() = default;
  using detail::integers<I, ptrdiff_t, ptrdiff_t(dynamic_offset), O...>::integers;
  __TILECC_HOST_FN static constexpr rank_type rank() noexcept { return sizeof...(O); }
  __TILECC_HOST_FN static constexpr rank_type rank_dynamic() noexcept { return offsets::integers::unknown; }
  __TILECC_HOST_FN static constexpr ptrdiff_t static_offset(rank_type i) noexcept {
    return offsets::integers::known(i);
  }
  __TILECC_HOST_FN constexpr offset_type offset(rank_type i) const noexcept { return this->value(i); }
};
template <class... T> offsets(T...) -> offsets<int32_t, detail::known_or<T, ptrdiff_t(dynamic_offset)>...>;

/// The sizes of a tile: powers of two.
template <size_t... D> using shape = extents<uint32_t, D...>;

namespace detail {

template <class T, class S> constexpr bool all_known = false;
template <class T, size_t... I>
constexpr bool all_known<T, indices<I...>> = ((T::static_extent(I) != size_t(dynamic_extent)) && ...);

template <class T> constexpr size_t count_elements() {
  size_t n = 1;
  for (size_t i = 0; i < T::rank(); ++i)
    n *= T::static_extent(i);
  return n;
}

} // namespace detail

template <class T>
concept extents_like = requires(const T &t, typename T::rank_type i) {
  requires __is_integral(typename T::index_type) && !__is_same(typename T::index_type, bool);
  { T::rank() } -> same_as<typename T::rank_type>;
  { T::rank_dynamic() } -> same_as<typename T::rank_type>;
  { T::static_extent(i) } -> same_as<size_t>;
  { t.extent(i) } -> same_as<typename T::index_type>;
};
template <class T>
concept strides_like = requires(const T &t, typename T::rank_type i) {
  requires __is_integral(typename T::stride_type) && !__is_same(typename T::stride_type, bool);
  { T::rank() } -> same_as<typename T::rank_type>;
  { T::rank_dynamic() } -> same_as<typename T::rank_type>;
  { T::static_stride(i) } -> same_as<size_t>;
  { t.stride(i) } -> same_as<typename T::stride_type>;
};
template <class T>
concept offsets_like = requires(const T &t, typename T::rank_type i) {
  requires __is_integral(typename T::offset_type) && !__is_same(typename T::offset_type, bool);
  { T::rank() } -> same_as<typename T::rank_type>;
  { T::rank_dynamic() } -> same_as<typename T::rank_type>;
  { T::static_offset(i) } -> same_as<ptrdiff_t>;
  { t.offset(i) } -> same_as<typename T::offset_type>;
};
template <class T> concept shape_like = extents_like<T> && detail::all_known<T, detail::up_to<T::rank()>>;

/// The number of elements in a tile of this shape.
template <shape_like S> inline constexpr size_t shape_size_v = detail::count_elements<S>();

namespace detail {
template <class A, class B, size_t... I>
__TILECC_HOST_FN constexpr bool equal_extents(const A &a, const B &b, indices<I...>) noexcept {
  return ((a.extent(I) == b.extent(I)) && ...);
}
template <class A, class B, size_t... I>
__TILECC_HOST_FN constexpr bool equal_strides(const A &a, const B &b, indices<I...>) noexcept {
  return ((a.stride(I) == b.stride(I)) && ...);
}
template <class A, class B, size_t... I>
__TILECC_HOST_FN constexpr bool equal_offsets(const A &a, const B &b, indices<I...>) noexcept {
  return ((a.offset(I) == b.offset(I)) && ...);
}
} // namespace detail

template <extents_like A, extents_like B>
__TILECC_HOST_FN constexpr bool extents_equal(const A &a, const B &b) noexcept {
  if constexpr (A::rank() == B::rank())
    return detail::equal_extents(a, b, detail::up_to<A::rank()>());
  else
    return false;
}
template <strides_like A, strides_like B>
__TILECC_HOST_FN constexpr bool strides_equal(const A &a, const B &b) noexcept {
  if constexpr (A::rank() == B::rank())
    return detail::equal_strides(a, b, detail::up_to<A::rank()>());
  else
    return false;
}
template <offsets_like A, offsets_like B>
__TILECC_HOST_FN constexpr bool offsets_equal(const A &a, const B &b) noexcept {
  if constexpr (A::rank() == B::rank())
    return detail::equal_offsets(a, b, detail::up_to<A::rank()>());
  else
    return false;
}
template <extents_like A, extents_like B> __TILECC_HOST_FN constexpr bool operator==(const A &a, const B &b) noexcept {
  return extents_equal(a, b);
}
template <strides_like A, strides_like B> __TILECC_HOST_FN constexpr bool operator==(const A &a, const B &b) noexcept {
  return strides_equal(a, b);
}
template <offsets_like A, offsets_like B> __TILECC_HOST_FN constexpr bool operator==(const A &a, const B &b) noexcept {
  return offsets_equal(a, b);
}

namespace detail {
template <size_t... I> constexpr bool is_permutation() {
  constexpr size_t n = sizeof...(I);
  unsigned long long seen = 0;
  ((seen |= I < n ? 1ull << I : 0), ...);
  return n == 0 || seen == (1ull << n) - 1;
}
} // namespace detail

/// An order of dimensions, for permute: dimension i of the result is dimension mapping(i) of the tile.
template <size_t... I> struct dimension_map {
  constexpr dimension_map() noexcept = default;
  template <class... T>
    requires(sizeof...(T) > 0)
  __TILECC_HOST_FN constexpr explicit dimension_map(T...) noexcept {}
  __TILECC_HOST_FN static constexpr size_t rank() noexcept { return sizeof...(I); }
  __TILECC_HOST_FN static constexpr size_t mapping(size_t n) noexcept {
    size_t i = 0, found = 0;
    ((found = i++ == n ? I : found), ...);
    return found;
  }
  static_assert(detail::is_permutation<I...>(), "a dimension_map names each dimension once");
};
template <auto... V> dimension_map(integral_constant<V>...) -> dimension_map<size_t(V)...>;

} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_EXTENTS_H
