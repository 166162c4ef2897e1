//===-- tilecc/tiles/tensor.h - tensors in memory -----------------------------------------------------------------===//
//
// A tensor_span is a pointer and a mapping. The mapping has the extents of a tensor and the strides of its dimensions,
// in elements. Constants among them are part of the type.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_TENSOR_H
#define TILECC_TILES_TENSOR_H
#pragma GCC system_header

#include "elements.h"

namespace cuda::tiles::inline __1 {

//===-- mappings --------------------------------------------------------------------------------------------------===//

namespace detail {

// The product of the extents, or dynamic_extent if it is not known.
template <class X> constexpr size_t known_product(size_t first, size_t last) {
  size_t product = 1;
  for (size_t i = first; i < last; ++i) {
    if (X::static_extent(i) == size_t(dynamic_extent))
      return size_t(dynamic_extent);
    product *= X::static_extent(i);
  }
  return product;
}
template <class X, size_t... I>
__TILECC_HOST_FN constexpr typename X::index_type product(const X &x, size_t first, size_t last,
                                                          indices<I...>) noexcept {
  typename X::index_type product = 1;
  ((product *= I >= first && I < last ? x.extent(I) : 1), ...);
  return product;
}

} // namespace detail

template <extents_like X> struct layout_right_mapping;
template <extents_like X> struct layout_left_mapping;

/// Layouts in which the last dimension is contiguous, as in C, or the first, as in Fortran.
struct layout_right {
  template <extents_like X> using mapping = layout_right_mapping<X>;
};
struct layout_left {
  template <extents_like X> using mapping = layout_left_mapping<X>;
};

#define __TILECC_MAPPING(name, first, last)                                                                            \
  template <extents_like X> struct name##_mapping {                                                                    \
    using extents_type = X;                                                                                            \
    using rank_type = typename X::rank_type;                                                                           \
    using index_type = typename X::index_type;                                                                         \
    using layout_type = name;                                                                                          \
    __TILECC_HOST_FN constexpr explicit name##_mapping(const X &extents) noexcept : kept(extents) {}                   \
    __TILECC_HOST_FN static constexpr bool is_always_strided() noexcept { return true; }                               \
    __TILECC_HOST_FN static constexpr size_t static_stride(rank_type i) noexcept {                                     \
      return detail::known_product<X>(first, last);                                                                    \
    }                                                                                                                  \
    __TILECC_HOST_FN constexpr index_type stride(rank_type i) const noexcept {                                         \
      return detail::product(kept, first, last, detail::up_to<X::rank()>());                                           \
    }                                                                                                                  \
    __TILECC_HOST_FN constexpr const X &extents() const noexcept { return kept; }                                      \
                                                                                                                       \
  private:                                                                                                             \
    X kept;                                                                                                            \
  };
__TILECC_MAPPING(layout_right, i + 1, X::rank())
__TILECC_MAPPING(layout_left, 0, i)
#undef __TILECC_MAPPING

/// A layout with arbitrary strides, given as strides or as extents.
template <class S>
  requires(strides_like<S> || extents_like<S>)
struct layout_strided;
template <extents_like X, class S>
  requires((strides_like<S> || extents_like<S>) && X::rank() == S::rank())
struct layout_strided_mapping {
  using extents_type = X;
  using rank_type = typename X::rank_type;
  using index_type = typename X::index_type;
  using layout_type = layout_strided<S>;
  __TILECC_HOST_FN constexpr layout_strided_mapping(const X &extents, const S &strides) noexcept
      : kept(extents), distances(strides) {}
  __TILECC_HOST_FN static constexpr bool is_always_strided() noexcept { return true; }
  __TILECC_HOST_FN static constexpr size_t static_stride(rank_type i) noexcept {
    if constexpr (strides_like<S>)
      return S::static_stride(i);
    else
      return S::static_extent(i);
  }
  __TILECC_HOST_FN constexpr index_type stride(rank_type i) const noexcept {
    if constexpr (strides_like<S>)
      return distances.stride(i);
    else
      return distances.extent(i);
  }
  __TILECC_HOST_FN constexpr const X &extents() const noexcept { return kept; }

private:
  X kept;
  S distances;
};
template <class S>
  requires(strides_like<S> || extents_like<S>)
struct layout_strided {
  template <extents_like X> using mapping = layout_strided_mapping<X, S>;
};

namespace detail {

// X with its extent Dim rounded up to a multiple of the padding. P is the padding if it is a constant.
template <class X, size_t Dim, size_t P> struct padded_extents {
  using index_type = typename X::index_type;
  using rank_type = typename X::rank_type;
  X kept;
  kept_integers<index_type, P == size_t(dynamic_extent)> padding;

  __TILECC_HOST_FN constexpr padded_extents(const X &extents, index_type multiple) noexcept : kept(extents) {
    if constexpr (P == size_t(dynamic_extent))
      padding.values[0] = multiple;
  }
  __TILECC_HOST_FN static constexpr rank_type rank() noexcept { return X::rank(); }
  __TILECC_HOST_FN static constexpr rank_type rank_dynamic() noexcept {
    rank_type n = 0;
    for (rank_type i = 0; i < rank(); ++i)
      n += static_extent(i) == size_t(dynamic_extent);
    return n;
  }
  __TILECC_HOST_FN static constexpr size_t static_extent(rank_type i) noexcept {
    const size_t known = X::static_extent(i);
    if (i != Dim || known == size_t(dynamic_extent))
      return known;
    return P == size_t(dynamic_extent) ? P : (known + P - 1) / P * P;
  }
  __TILECC_HOST_FN constexpr index_type extent(rank_type i) const noexcept {
    const index_type n = kept.extent(i), p = multiple();
    return i == Dim ? (n + p - 1) / p * p : n;
  }
  __TILECC_HOST_FN constexpr index_type multiple() const noexcept {
    if constexpr (P == size_t(dynamic_extent))
      return padding.values[0];
    else
      return P;
  }
};

} // namespace detail

/// Like layout_right and layout_left, with the contiguous dimension padded to a multiple of P elements.
template <size_t P> struct layout_right_padded;
template <size_t P> struct layout_left_padded;
#define __TILECC_MAPPING(name, dimension)                                                                              \
  template <extents_like X, size_t P> struct name##_padded_mapping {                                                   \
    using extents_type = X;                                                                                            \
    using rank_type = typename X::rank_type;                                                                           \
    using index_type = typename X::index_type;                                                                         \
    using layout_type = name##_padded<P>;                                                                              \
    template <class T>                                                                                                 \
      requires(__is_convertible_to(T, index_type))                                                                     \
    __TILECC_HOST_FN constexpr explicit name##_padded_mapping(const X &extents, T padding) noexcept                    \
        : padded(extents, static_cast<index_type>(padding)) {}                                                         \
    __TILECC_HOST_FN static constexpr bool is_always_strided() noexcept { return true; }                               \
    __TILECC_HOST_FN static constexpr size_t static_stride(rank_type i) noexcept {                                     \
      return name##_mapping<Padded>::static_stride(i);                                                                 \
    }                                                                                                                  \
    __TILECC_HOST_FN constexpr index_type stride(rank_type i) const noexcept {                                         \
      return name##_mapping<Padded>(padded).stride(i);                                                                 \
    }                                                                                                                  \
    __TILECC_HOST_FN constexpr const X &extents() const noexcept { return padded.kept; }                               \
                                                                                                                       \
  private:                                                                                                             \
    using Padded = detail::padded_extents<X, dimension, P>;                                                            \
    Padded padded;                                                                                                     \
  };                                                                                                                   \
  template <extents_like X, class T>                                                                                   \
  name##_padded_mapping(const X &, T)->name##_padded_mapping<X, detail::known_or<T, size_t(dynamic_extent)>>;          \
  template <size_t P> struct name##_padded {                                                                           \
    template <extents_like X> using mapping = name##_padded_mapping<X, P>;                                             \
  };
__TILECC_MAPPING(layout_right, X::rank() - 1)
__TILECC_MAPPING(layout_left, 0)
#undef __TILECC_MAPPING

template <class M>
concept layout_mapping = requires(const M &m, typename M::rank_type i) {
  requires extents_like<typename M::extents_type>;
  typename M::layout_type;
  { M::is_always_strided() } -> same_as<bool>;
  { M::static_stride(i) } -> same_as<size_t>;
  { m.stride(i) } -> same_as<typename M::index_type>;
  { m.extents() } -> same_as<const typename M::extents_type &>;
};
template <layout_mapping A, layout_mapping B>
__TILECC_HOST_FN constexpr bool layout_mapping_equal(const A &a, const B &b) noexcept {
  if constexpr (A::extents_type::rank() == B::extents_type::rank())
    return extents_equal(a.extents(), b.extents()) &&
           detail::equal_strides(a, b, detail::up_to<A::extents_type::rank()>());
  else
    return false;
}
template <layout_mapping A, layout_mapping B>
__TILECC_HOST_FN constexpr bool operator==(const A &a, const B &b) noexcept {
  return layout_mapping_equal(a, b);
}

//===-- tensors ---------------------------------------------------------------------------------------------------===//

/// The accessor of elements, which is always a pointer.
template <class E> struct default_accessor {
  using element_type = E;
  using data_handle_type = E *;
  using reference = E &;
};
template <class A> inline constexpr bool enable_contiguous_accessor_policy = false;
template <class E> inline constexpr bool enable_contiguous_accessor_policy<default_accessor<E>> = true;
template <class A>
concept accessor_policy = requires {
  requires __is_same(typename A::data_handle_type, typename A::element_type *);
  requires enable_contiguous_accessor_policy<A>;
};

template <class E, extents_like X, class L = layout_right, accessor_policy A = default_accessor<E>> struct tensor_span {
  static_assert(detail::is_element<detail::unqualified<E>>,
                "the elements of a tensor are numbers or pointers to numbers");
  using element_type = E;
  using value_type = detail::unqualified<E>;
  using layout_type = L;
  using mapping_type = typename L::template mapping<X>;
  using extents_type = X;
  using index_type = typename X::index_type;
  using rank_type = typename X::rank_type;
  using accessor_type = A;
  using data_handle_type = E *;
  using reference = E &;

  __TILECC_HOST_FN constexpr tensor_span(E *pointer, const mapping_type &mapping, const A & = {}) noexcept
      : pointer(pointer), map(mapping) {}
  __TILECC_HOST_FN constexpr tensor_span(E *pointer, const X &extents, const L & = {}, const A & = {}) noexcept
    requires requires { mapping_type(extents); }
      : pointer(pointer), map(extents) {}

  __TILECC_HOST_FN constexpr const X &extents() const noexcept { return map.extents(); }
  __TILECC_HOST_FN constexpr index_type extent(rank_type i) const noexcept { return map.extents().extent(i); }
  __TILECC_HOST_FN static constexpr size_t static_extent(rank_type i) noexcept { return X::static_extent(i); }
  __TILECC_HOST_FN static constexpr rank_type rank() noexcept { return X::rank(); }
  __TILECC_HOST_FN static constexpr rank_type rank_dynamic() noexcept { return X::rank_dynamic(); }
  __TILECC_HOST_FN constexpr const mapping_type &mapping() const noexcept { return map; }
  __TILECC_HOST_FN constexpr A accessor() const noexcept { return {}; }
  __TILECC_HOST_FN constexpr E *data_handle() const noexcept { return pointer; }

private:
  E *pointer;
  mapping_type map;
};
template <class E, layout_mapping M, class A = default_accessor<E>>
tensor_span(E *, const M &, const A & = {}) -> tensor_span<E, typename M::extents_type, typename M::layout_type, A>;
template <class E, extents_like X, class L = layout_right, class A = default_accessor<E>>
tensor_span(E *, const X &, const L & = {}, const A & = {}) -> tensor_span<E, X, L, A>;

template <class T>
concept tensor_span_like = requires(const T &t) {
  requires layout_mapping<typename T::mapping_type>;
  typename T::element_type;
  { t.data_handle() } -> same_as<typename T::data_handle_type>;
  { t.mapping() } -> same_as<const typename T::mapping_type &>;
};

} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_TENSOR_H
