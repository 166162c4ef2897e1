//===-- tilecc/tiles/views.h - access to tensors in tiles ---------------------------------------------------------===//
//
// A view reads and writes a tensor in tiles, which are selected by an integer for each dimension:
//
//   partition_view(span, shape)                 tile i begins at i * size
//   strided_view(span, shape, strides)          tile i begins at i * stride, so that tiles may overlap
//   gather_scatter_view(span, shape, D)         a tile of integers gives the positions along dimension D
//
// load and store require that the whole tile is inside the tensor. Outside the tensor, load_masked returns padding
// (zero unless an option specifies it), and store_masked writes nothing.
//
// The address of a tile is computed in 64 bits. Positions are computed in 32 bits, unless the index type of the extents
// is wider. Bounds checks are unsigned comparisons, so that a position before the tensor counts as past its end.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_VIEWS_H
#define TILECC_TILES_VIEWS_H
#pragma GCC system_header

#include "memory.h"
#include "shape.h"
#include "tensor.h"

namespace cuda::tiles::inline __1 {
namespace detail {

// The start of a tile along a dimension, in elements; or, for a gather_scatter_view, the positions of its elements. The
// 32-bit start is computed by its own multiplication, because passes can then tell that it is not negative if the index
// is not.
struct start {
  long at;
  int narrow;

  template <class I> __TILECC_FN static start of(I index, long step) {
    return {static_cast<long>(index) * step, static_cast<int>(index) * static_cast<int>(step)};
  }
  template <class T> __TILECC_FN T as() const {
    if constexpr (sizeof(T) == sizeof(int))
      return narrow;
    else
      return at;
  }
};
template <class T> struct places {
  T at;
};

template <class A, class B> __TILECC_FN auto conjunction(A a, B b) {
  if constexpr (__is_same(A, bool) && __is_same(B, bool))
    return static_cast<bool>(a & b);
  else
    return a & b;
}

// An access to a tile of shape S of a tensor.
template <class Span, class S> struct view_access {
  using element = typename Span::element_type;
  using value = unqualified<element>;
  using index = typename Span::index_type;
  using tile = cuda::tiles::tile<value, S>;
  using mapping = typename Span::mapping_type;
  using extents = typename Span::extents_type;
  using whole = to_tt<S>;
  using within = typename tt::detail::choose<sizeof(index) == 8, long, int>::type;
  using unsigned_index = typename tt::detail::choose<sizeof(index) == 8, unsigned long, unsigned>::type;

  template <int D, int... I>
  static constexpr auto find_row_shape(tt::detail::sequence<int, I...>) -> tt::shape<(I == D ? whole::dims[D] : 1)...>;
  template <int D> using row_shape = decltype(find_row_shape<D>(tt::detail::up_to<whole::rank>()));

  // The positions within the tile along dimension D.
  template <int D, class T> __TILECC_FN static auto laid_along(T row) {
    return tt::detail::along<D, tt::tensor<tt_element<T>, whole>>(row);
  }
  template <int D> __TILECC_FN static auto count() {
    return reshaped<row_shape<D>>(tt::arange<whole::dims[D]>().template to<within>());
  }

  //===-- pointers: the base, moved to the tile's start, and from there by the places within it -------------------===//

  template <int D> __TILECC_FN static long first(const Span &) { return 0; }
  template <int D, class First, class... Rest> __TILECC_FN static long first(const Span &span, First at, Rest... rest) {
    if constexpr (__is_same(First, start))
      return at.at * long(span.mapping().stride(D)) + first<D + 1>(span, rest...);
    else
      return first<D + 1>(span, rest...);
  }
  template <int D, class V> __TILECC_FN static V move(V pointers, const Span &) { return pointers; }
  template <int D, class V, class First, class... Rest>
  __TILECC_FN static auto move(V pointers, const Span &span, First at, Rest... rest) {
    if constexpr (!__is_same(First, start))
      return move<D + 1>(pointers + laid_along<D>(at.at.template to<long>() * long(span.mapping().stride(D))), span,
                         rest...);
    else if constexpr (whole::dims[D] == 1)
      return move<D + 1>(pointers, span, rest...);
    else if constexpr (mapping::static_stride(D) == 1)
      return move<D + 1>(pointers + count<D>(), span, rest...);
    else
      return move<D + 1>(pointers + count<D>() * within(span.mapping().stride(D)), span, rest...);
  }
  template <class... At> __TILECC_FN static auto pointers(const Span &span, At... at) {
    auto p = lower(span.data_handle()) + first<0>(span, at...);
    auto moved = move<0>(p, span, at...);
    return tt::detail::spread<tt::tensor<decltype(p), whole>>(moved);
  }

  // Marks the start of a tile whose accesses are not masked.
  template <int D, class At> __TILECC_FN static At unmasked(const Span &span, At at) {
    if constexpr (__is_same(At, start) && whole::dims[D] > 1)
      return {tt::builtin::whole_tile<D>(at.at, static_cast<long>(span.extents().extent(D)), whole::dims[D]),
              at.narrow};
    else
      return at;
  }

  //===-- masks ---------------------------------------------------------------------------------------------------===//

  // Returns whether the positions along dimension D are inside the tensor: a single bool if tiles begin at multiples of
  // their size and that size divides the extent, otherwise a tile of bools.
  template <int D, bool Whole, class At> __TILECC_FN static auto is_inside(const Span &span, At at) {
    const auto extent = static_cast<unsigned_index>(span.extents().extent(D));
    if constexpr (!__is_same(At, start))
      return laid_along<D>(at.at.template to<unsigned_index>() < extent);
    else if constexpr (whole::dims[D] == 1 || (Whole && extents::static_extent(D) != size_t(dynamic_extent) &&
                                               extents::static_extent(D) % whole::dims[D] == 0))
      return static_cast<unsigned_index>(at.template as<within>()) < extent;
    else
      return (count<D>() + at.template as<within>()).template to<unsigned_index>() < extent;
  }
  template <int D, bool Whole, class First, class... Rest>
  __TILECC_FN static auto mask(const Span &span, First at, Rest... rest) {
    auto inside = is_inside<D, Whole>(span, at);
    if constexpr (sizeof...(Rest) == 0)
      return inside;
    else
      return conjunction(inside, mask<D + 1, Whole>(span, rest...));
  }
};

template <class S, class... I> constexpr bool check_indices() {
  constexpr bool count = sizeof...(I) == S::rank(), values = (value<I> && ...);
  static_assert(count, "a tile of a view is picked by one index for each dimension");
  static_assert(values, "the indices of a view are integers");
  return count && values;
}
template <class T, view_padding P> constexpr bool check_view_padding() {
  constexpr format f = element_info<T>::number;
  constexpr bool infinite = P == view_padding::positive_inf || P == view_padding::negative_inf;
  constexpr bool fits = P == view_padding::zero ? !__is_same(T, __nv_fp8_e8m0)
                        : infinite              ? f.arithmetic || __is_same(T, __nv_tf32) || __is_same(T, __nv_fp8_e5m2)
                        : P == view_padding::nan ? f.digits > 0
                                                 : f.has_sign && f.digits > 0;
  __TILECC_CHECK((fits), (complain<T>("the padding is not a number of type ", "")));
  return fits;
}
template <class T, view_padding P> __TILECC_FN stored<T> stored_padding() {
  if constexpr (P == view_padding::zero)
    return static_cast<stored<T>>(0);
  else if constexpr (__is_same(stored<T>, unsigned char))
    return 0xff; // NaN of __nv_fp8_e8m0 and __nv_fp8_ue5m3
  else if constexpr (P == view_padding::negative_zero)
    return static_cast<stored<T>>(-0.0f);
  else if constexpr (P == view_padding::nan)
    return static_cast<stored<T>>(__builtin_nanf(""));
  else if constexpr (__is_same(T, __nv_fp8_e5m2)) // its conversions saturate at the largest number
    return __builtin_bit_cast(stored<T>, static_cast<unsigned char>(P == view_padding::positive_inf ? 0x7c : 0xfc));
  else
    return static_cast<stored<T>>(P == view_padding::positive_inf ? __builtin_inff() : -__builtin_inff());
}

template <class T, view_padding P> __TILECC_FN T padding_of() { return raise_to<T>(stored_padding<T, P>()); }

// The common base of all views. View::located<D>(i) returns the position of the tile with index i along dimension D.
// The accesses use the functions of memory.h.
template <class View, class Span, class S> struct tile_view {
  static_assert(S::rank() == Span::extents_type::rank(), "a view's tiles have the dimensions of the tensor");
  using span_type = Span;
  using index_type = typename Span::index_type;
  using rank_type = typename Span::rank_type;
  using element_type = typename Span::element_type;
  using value_type = typename Span::value_type;
  using view_shape_type = S;
  using view_tile_type = tile<value_type, S>;

  __TILECC_HOST_FN constexpr explicit tile_view(const Span &span) noexcept : tensor(span) {}
  __TILECC_HOST_FN constexpr const Span &span() const noexcept { return tensor; }

  //===-- loads and stores ----------------------------------------------------------------------------------------===//

  template <class... I> __TILECC_FN view_tile_type load(I... at) const {
    if constexpr (check_indices<S, I...>())
      return tiles::load(unmasked_pointers(up_to<sizeof...(I)>(), at...));
    else
      return view_tile_type();
  }
  template <view_padding P = default_view_padding(), class... I> __TILECC_FN view_tile_type load_masked(I... at) const {
    if constexpr (check_indices<S, I...>() && check_view_padding<value_type, P>())
      return tiles::load_masked(pointers(at...), mask(at...), padding_of<value_type, P>());
    else
      return view_tile_type();
  }
  template <view_padding P, class... I>
  __TILECC_FN view_tile_type load_masked(view_padding_constant<P>, I... at) const {
    return load_masked<P>(at...);
  }
  template <tile_like V, class... I> __TILECC_FN void store(V x, I... at) const {
    if constexpr (check_indices<S, I...>() && check_stored<Pointers, V>())
      tiles::store(unmasked_pointers(up_to<sizeof...(I)>(), at...), x);
  }
  template <tile_like V, class... I> __TILECC_FN void store_masked(V x, I... at) const {
    if constexpr (check_indices<S, I...>() && check_stored<Pointers, V>())
      tiles::store_masked(pointers(at...), x, mask(at...));
  }

  //===-- atomic accesses -----------------------------------------------------------------------------------------===//

  template <memory_order O, thread_scope C = default_thread_scope(), class... I>
  __TILECC_FN view_tile_type atomic_load(I... at) const {
    if constexpr (check_indices<S, I...>())
      return tiles::atomic_load<O, C>(pointers(at...));
    else
      return view_tile_type();
  }
  template <memory_order O, class... I>
  __TILECC_FN view_tile_type atomic_load(memory_order_constant<O>, I... at) const {
    return atomic_load<O>(at...);
  }
  template <memory_order O, thread_scope C, class... I>
  __TILECC_FN view_tile_type atomic_load(memory_order_constant<O>, thread_scope_constant<C>, I... at) const {
    return atomic_load<O, C>(at...);
  }

  template <view_padding P, memory_order O, thread_scope C = default_thread_scope(), class... I>
  __TILECC_FN view_tile_type atomic_load_masked(I... at) const {
    if constexpr (check_indices<S, I...>() && check_view_padding<value_type, P>())
      return tiles::atomic_load_masked<O, C>(pointers(at...), mask(at...), padding_of<value_type, P>());
    else
      return view_tile_type();
  }
  template <view_padding P, memory_order O, class... I>
  __TILECC_FN view_tile_type atomic_load_masked(view_padding_constant<P>, memory_order_constant<O>, I... at) const {
    return atomic_load_masked<P, O>(at...);
  }
  template <view_padding P, memory_order O, thread_scope C, class... I>
  __TILECC_FN view_tile_type atomic_load_masked(view_padding_constant<P>, memory_order_constant<O>,
                                                thread_scope_constant<C>, I... at) const {
    return atomic_load_masked<P, O, C>(at...);
  }

#define __TILECC_ATOMIC(name, masked)                                                                                  \
  template <memory_order O, thread_scope C = default_thread_scope(), tile_like V, class... I>                          \
  __TILECC_FN void name(V x, I... at) const {                                                                          \
    if constexpr (check_indices<S, I...>() && check_stored<Pointers, V>())                                             \
      tiles::name<O, C>(pointers(at...), x masked);                                                                    \
  }                                                                                                                    \
  template <memory_order O, tile_like V, class... I>                                                                   \
  __TILECC_FN void name(V x, memory_order_constant<O>, I... at) const {                                                \
    name<O>(x, at...);                                                                                                 \
  }                                                                                                                    \
  template <memory_order O, thread_scope C, tile_like V, class... I>                                                   \
  __TILECC_FN void name(V x, memory_order_constant<O>, thread_scope_constant<C>, I... at) const {                      \
    name<O, C>(x, at...);                                                                                              \
  }
#define __TILECC_MASK , mask(at...)
  __TILECC_ATOMIC(atomic_store, )
  __TILECC_ATOMIC(atomic_store_masked, __TILECC_MASK)
#undef __TILECC_ATOMIC
  // Atomic changes through a view are relaxed, and their scope is the device or the block.
#define __TILECC_ATOMIC(name, masked)                                                                                  \
  template <memory_order O, thread_scope C, tile_like V, class... I>                                                   \
  __TILECC_FN void name(V x, memory_order_constant<O> order, thread_scope_constant<C> scope, I... at) const {          \
    static_assert(O == memory_order::relaxed && C != thread_scope::system,                                             \
                  "an atomic change through a view is relaxed, and for the device or the block");                      \
    if constexpr (check_indices<S, I...>() && check_stored<Pointers, V>())                                             \
      tiles::name(pointers(at...), x masked, order, scope);                                                            \
  }
  __TILECC_ATOMIC(atomic_add, )
  __TILECC_ATOMIC(atomic_add_masked, __TILECC_MASK)
  __TILECC_ATOMIC(atomic_sub, )
  __TILECC_ATOMIC(atomic_sub_masked, __TILECC_MASK)
  __TILECC_ATOMIC(atomic_max, )
  __TILECC_ATOMIC(atomic_max_masked, __TILECC_MASK)
  __TILECC_ATOMIC(atomic_min, )
  __TILECC_ATOMIC(atomic_min_masked, __TILECC_MASK)
  __TILECC_ATOMIC(atomic_and, )
  __TILECC_ATOMIC(atomic_and_masked, __TILECC_MASK)
  __TILECC_ATOMIC(atomic_or, )
  __TILECC_ATOMIC(atomic_or_masked, __TILECC_MASK)
  __TILECC_ATOMIC(atomic_xor, )
  __TILECC_ATOMIC(atomic_xor_masked, __TILECC_MASK)
#undef __TILECC_ATOMIC
#undef __TILECC_MASK

private:
  using Place = view_access<Span, S>;
  using Pointers = tile<element_type *, S>; // the pointers that an access through the view uses
  Span tensor;

  __TILECC_FN const View &self() const { return static_cast<const View &>(*this); }
  template <class... I> __TILECC_FN auto pointers(I... at) const { return pointers(up_to<sizeof...(I)>(), at...); }
  template <size_t... D, class... I> __TILECC_FN auto pointers(indices<D...>, I... at) const {
    return raise_to<Pointers>(Place::pointers(tensor, self().template located<D>(at)...));
  }
  template <size_t... D, class... I> __TILECC_FN auto unmasked_pointers(indices<D...>, I... at) const {
    return raise_to<Pointers>(
        Place::pointers(tensor, Place::template unmasked<D>(tensor, self().template located<D>(at))...));
  }
  template <class... I> __TILECC_FN auto mask(I... at) const { return mask(up_to<sizeof...(I)>(), at...); }
  template <size_t... D, class... I> __TILECC_FN auto mask(indices<D...>, I... at) const {
    auto inside = Place::template mask<0, View::starts_at_multiples>(tensor, self().template located<D>(at)...);
    return raise_to<tile<bool, S>>(tt::detail::spread<held<bool, S>>(inside));
  }
};

} // namespace detail

//===-- views -----------------------------------------------------------------------------------------------------===//

/// A view that divides the tensor into tiles.
template <tensor_span_like Span, tile_shape S>
struct partition_view : detail::tile_view<partition_view<Span, S>, Span, S> {
  __TILECC_HOST_FN constexpr partition_view(const Span &span, S) noexcept : partition_view::tile_view(span) {}

private:
  friend partition_view::tile_view;
  static constexpr bool starts_at_multiples = true;
  template <size_t D, class I> __TILECC_FN detail::start located(I at) const {
    return detail::start::of(at, long(S::static_extent(D)));
  }
};

/// A view whose tiles begin at multiples of constant strides.
template <tensor_span_like Span, tile_shape S, strides_like Strides, offsets_like Offsets = offsets<int32_t>>
struct strided_view : detail::tile_view<strided_view<Span, S, Strides, Offsets>, Span, S> {
  static_assert(Strides::rank_dynamic() == 0 && Strides::rank() == S::rank(),
                "a strided_view has a constant stride for each of its dimensions");
  __TILECC_HOST_FN constexpr strided_view(const Span &span, S, Strides, Offsets = {}) noexcept
      : strided_view::tile_view(span) {}

private:
  friend strided_view::tile_view;
  static constexpr bool starts_at_multiples = false;
  template <size_t D, class I> __TILECC_FN detail::start located(I at) const {
    return detail::start::of(at, long(Strides::static_stride(D)));
  }
};
template <class Span, class S, class T> strided_view(Span, S, T) -> strided_view<Span, S, T>;
template <class Span, class S, class T, class O> strided_view(Span, S, T, O) -> strided_view<Span, S, T, O>;

/// A view in which a tile of integers gives the positions of the elements along dimension D. Along the other
/// dimensions, an index is the number of the tile's first element.
template <tensor_span_like Span, tile_shape S, size_t D>
struct gather_scatter_view : detail::tile_view<gather_scatter_view<Span, S, D>, Span, S> {
  static_assert(D < S::rank(), "the dimension of a gather_scatter_view is out of range");
  template <class T>
    requires(__is_convertible_to(T, size_t))
  __TILECC_HOST_FN constexpr gather_scatter_view(const Span &span, S, T) noexcept
      : gather_scatter_view::tile_view(span) {}

private:
  friend gather_scatter_view::tile_view;
  static constexpr bool starts_at_multiples = false;
  template <size_t N, class I> __TILECC_FN auto located(I at) const {
    if constexpr (N == D) {
      using Index = tile<typename Span::index_type, shape<S::static_extent(D)>>;
      __TILECC_CHECK((tile_convertible_to<I, Index>),
                     (detail::complain<I, Index>("a gather_scatter_view is indexed by a ", " where it takes a ", "")));
      auto rows = detail::lower_as<typename Span::index_type>(at);
      return detail::places<decltype(rows)>{rows};
    } else {
      return detail::start::of(at, 1);
    }
  }
};
template <class Span, class S, integral auto D>
gather_scatter_view(Span, S, integral_constant<D>) -> gather_scatter_view<Span, S, size_t(D)>;

} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_VIEWS_H
