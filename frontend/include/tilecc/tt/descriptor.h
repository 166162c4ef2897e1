//===-- tilecc/tt/descriptor.h - blocks of tensors in memory ------------------------------------------------------===//
//
// Two ways to access a block of a tensor without pointer arithmetic. A tensor descriptor describes a whole tensor and
// always checks bounds; Hopper's tensor memory accelerator uses it directly. A block pointer may have any strides,
// checks the dimensions that it is told to check, and is pointer arithmetic on every target.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_DESCRIPTOR_H
#define TILECC_TT_DESCRIPTOR_H
#pragma GCC system_header

#include "../detail/descriptor.h"
#include "atomic.h"
#include "memory.h"

namespace tt {
namespace detail {
template <int P> struct padding_option : option {};
template <class O> inline constexpr int padding_of = 0;
template <int P> inline constexpr int padding_of<padding_option<P>> = P;
} // namespace detail

/// The values that an access reads outside the tensor. An option of `make_tensor_descriptor` and of loads through block
/// pointers.
/// Triton: `padding_option="nan"`.
namespace padding {
/// Zeros. This is the default.
inline constexpr detail::padding_option<detail::padding_zero> zero{};
/// NaNs, for floating-point tensors.
inline constexpr detail::padding_option<detail::padding_nan> nan{};
} // namespace padding

//===-- tensor descriptors ----------------------------------------------------------------------------------------===//

namespace detail {
template <int Padding, class T, int... Block> constexpr bool check_described() {
  using E = typename described<T>::type;
  constexpr bool floating = kind_of<E> == float_kind || kind_of<E> == float8_kind;
  constexpr bool number = kind_of<E> == int_kind || floating;
  __TILECC_CHECK((number), complain<T>("a tensor descriptor is of numbers, not of ", ""));
  __TILECC_CHECK((!number || floating || Padding != padding_nan), "padding::nan is for floating-point numbers");
  static_assert(sizeof...(Block) >= 1 && sizeof...(Block) <= 5, "a tensor descriptor has one to five dimensions");
  return number;
}
} // namespace detail

namespace detail {
template <int Padding, class T, int... Block>
__TILECC_FN auto make_handle(const padded_tensor_descriptor<Padding, T, Block...> &d) {
  static_assert(check_described<Padding, T, Block...>());
  constexpr int rank = sizeof...(Block);
  using H = descriptor_handle<typename described<T>::type, shape<Block...>>;
  return [&]<int... I>(sequence<int, I...>) __TILECC_FN {
    return builtin::make_tensor_descriptor<Padding, H>(d.base, d.sizes.values[I]...,
                                                       (I == rank - 1 ? 1l : d.strides.values[I])...);
  }(up_to<rank>());
}
} // namespace detail

template <int Padding, class T, int... Block>
__TILECC_FN auto padded_tensor_descriptor<Padding, T, Block...>::load(const at &first) const {
  return [&]<int... I>(detail::sequence<int, I...>) __TILECC_FN {
    return builtin::descriptor_load<tile<element_type, Block...>>(detail::make_handle(*this), first.values[I]...);
  }(detail::up_to<rank>());
}

namespace detail {
template <class T, class R, class V> __TILECC_FN auto fit_block(V value) {
  __TILECC_CHECK((__is_same(typename described<T>::type, T)), complain<T>("cannot store to a tensor of ", ""));
  return fit<R, R>(value);
}
} // namespace detail

template <int Padding, class T, int... Block>
template <class V>
__TILECC_FN void padded_tensor_descriptor<Padding, T, Block...>::store(const at &first, V value) const {
  auto v = detail::fit_block<T, tile<element_type, Block...>>(value);
  [&]<int... I>(detail::sequence<int, I...>) __TILECC_FN {
    builtin::descriptor_store(detail::make_handle(*this), v, first.values[I]...);
  }(detail::up_to<rank>());
}

namespace detail {
template <class R, int... Block> constexpr int count_rows() {
  constexpr int dims[] = {Block...};
  static_assert(sizeof...(Block) == 2 && dims[0] == 1,
                "gather and scatter are of descriptors with blocks of 1 x N elements");
  constexpr bool rows = is_tile<R> && kind_of<element<R>> == int_kind;
  __TILECC_CHECK((rows), complain<R>("rows are named by a tile of integers, not by ", ""));
  if constexpr (is_tile<R>) {
    __TILECC_CHECK((R::rank == 1), complain<R>("rows are named by a tile of one dimension, not by ", ""));
    return R::shape_type::dims[0];
  } else {
    return 1;
  }
}
template <int... Block> constexpr int last_of() { return (Block, ...); }
} // namespace detail

template <int Padding, class T, int... Block>
template <class R>
__TILECC_FN auto padded_tensor_descriptor<Padding, T, Block...>::gather(R rows, int column) const {
  using V = tile<element_type, detail::count_rows<R, Block...>(), detail::last_of<Block...>()>;
  return builtin::descriptor_gather<V>(detail::make_handle(*this), rows.template to<int>(), column);
}
template <int Padding, class T, int... Block>
template <class V, class R>
__TILECC_FN void padded_tensor_descriptor<Padding, T, Block...>::scatter(V value, R rows, int column) const {
  using W = tile<element_type, detail::count_rows<R, Block...>(), detail::last_of<Block...>()>;
  builtin::descriptor_scatter(detail::make_handle(*this), rows.template to<int>(), column,
                              detail::fit_block<T, W>(value));
}

namespace detail {
// The numbers of TTIR.
inline constexpr int reduce_add = 1, reduce_min = 2, reduce_max = 3, reduce_and = 6, reduce_or_ = 7, reduce_xor = 8;
// (There is one check for each block: after a check has failed for one block, it would report nothing for the next.)
template <class T, int Kind, int... Block> constexpr bool check_change() {
  constexpr bool sums = Kind == reduce_add, wide = sizeof(T) >= 4;
  constexpr bool fits = kind_of<T> == float_kind ? sums
                        : kind_of<T> == int_kind ? wide && (sums || Kind >= reduce_and || !is_unsigned<T>)
                                                 : false;
  __TILECC_CHECK((fits), complain<T>("there is no such atomic operation on blocks of ", ""));
  return fits;
}
} // namespace detail

namespace detail {
template <int Kind, int Padding, class T, int... Block, class V>
__TILECC_FN void change_block(const padded_tensor_descriptor<Padding, T, Block...> &d,
                              const numbers<sizeof...(Block), int> &first, V value) {
  using E = typename described<T>::type;
  static_assert(check_change<E, Kind, Block...>());
  auto v = fit_block<T, tile<E, Block...>>(value);
  [&]<int... I>(sequence<int, I...>) __TILECC_FN {
    builtin::descriptor_reduce<Kind>(make_handle(d), v, first.values[I]...);
  }(up_to<sizeof...(Block)>());
}
} // namespace detail

#define __TILECC_CHANGE(name, number)                                                                                  \
  template <int Padding, class T, int... Block>                                                                        \
  template <class V>                                                                                                   \
  __TILECC_FN void padded_tensor_descriptor<Padding, T, Block...>::name(const at &first, V value) const {              \
    detail::change_block<detail::number>(*this, first, value);                                                         \
  }
__TILECC_CHANGE(atomic_add, reduce_add)
__TILECC_CHANGE(atomic_min, reduce_min)
__TILECC_CHANGE(atomic_max, reduce_max)
__TILECC_CHANGE(atomic_and, reduce_and)
__TILECC_CHANGE(atomic_or, reduce_or_)
__TILECC_CHANGE(atomic_xor, reduce_xor)
#undef __TILECC_CHANGE

namespace detail {
template <class N, int... I> __TILECC_FN void assign_numbers(N &to, const N &from, sequence<int, I...>) {
  ((to.values[I] = from.values[I]), ...);
}
} // namespace detail

/// The descriptor of the tensor at `base`, which is accessed in blocks of `Block...` elements. Sizes and strides count
/// elements.
/// Types: numbers; one to five dimensions.
/// Errors: `tt::padding::nan` for integers; a last stride that is a constant other than 1.
/// Options: `tt::padding::zero` (the default) or `tt::padding::nan`.
/// Triton: `tl.make_tensor_descriptor`.
/// Example:
///   auto matrix = tt::make_tensor_descriptor<2, 4>(p, {3, 6}, {8, 1}); // 3 x 6 elements, rows 8 apart
///   auto block = matrix.load({1, 4});
///   auto loaded = block; // [[12, 13, 0, 0], [20, 21, 0, 0]]
template <int... Block, class T, class O = detail::padding_option<detail::padding_zero>>
  requires(sizeof...(Block) > 0 && detail::padding_of<O> != 0)
__TILECC_VALUE auto make_tensor_descriptor(T *base, const detail::numbers<sizeof...(Block), int> &sizes,
                                           const detail::numbers<sizeof...(Block), long> &strides, O = {}) {
  builtin::unit_stride(strides.values[sizeof...(Block) - 1]);
  padded_tensor_descriptor<detail::padding_of<O>, T, Block...> result;
  result.base = base;
  detail::assign_numbers(result.sizes, sizes, detail::up_to<sizeof...(Block)>());
  detail::assign_numbers(result.strides, strides, detail::up_to<sizeof...(Block)>());
  return result;
}

//===-- block pointers --------------------------------------------------------------------------------------------===//

/// A block of `Block...` elements in a tensor at `base`: the sizes and strides of the tensor, and the offsets of the
/// block.
/// Triton: what `tl.make_block_ptr` returns.
template <class T, int... Block> struct block_ptr {
  static constexpr int rank = sizeof...(Block);
  T *base;
  detail::numbers<rank, long> sizes, strides;
  detail::numbers<rank, int> offsets;
};

/// A pointer to a block of a tensor: `make_block_ptr<64, 32>(p, sizes, strides, offsets)`. Strides may have any
/// values. It is pointer arithmetic on every target.
/// Triton: `tl.make_block_ptr`, without its `order`, which follows from the strides.
/// Example:
///   auto block = tt::make_block_ptr<2, 2>(p, {3, 3}, {8, 1}, {0, 1});
///   auto x = tt::load(block); // [[1, 2], [9, 10]]
template <int... Block, class T>
  requires(sizeof...(Block) > 0)
__TILECC_VALUE block_ptr<T, Block...> make_block_ptr(T *base, const detail::numbers<sizeof...(Block), long> &sizes,
                                                     const detail::numbers<sizeof...(Block), long> &strides,
                                                     const detail::numbers<sizeof...(Block), int> &offsets) {
  block_ptr<T, Block...> result;
  result.base = base;
  detail::assign_numbers(result.sizes, sizes, detail::up_to<sizeof...(Block)>());
  detail::assign_numbers(result.strides, strides, detail::up_to<sizeof...(Block)>());
  detail::assign_numbers(result.offsets, offsets, detail::up_to<sizeof...(Block)>());
  return result;
}

/// The block that begins `by` elements further in each dimension.
/// Triton: `tl.advance`.
/// Example:
///   auto block = tt::make_block_ptr<2, 2>(p, {3, 3}, {8, 1}, {0, 0});
///   auto x = tt::load(tt::advance(block, {1, 0})); // [[8, 9], [16, 17]]
template <class T, int... Block>
__TILECC_VALUE block_ptr<T, Block...> advance(block_ptr<T, Block...> p,
                                              const detail::numbers<sizeof...(Block), int> &by) {
  [&]<int... I>(detail::sequence<int, I...>)
      __TILECC_FN { ((p.offsets.values[I] += by.values[I]), ...); }(detail::up_to<sizeof...(Block)>());
  return p;
}

namespace detail {
template <int... D> struct boundary_option : option {
  static constexpr bool checks(int d) { return ((D == d) || ...); }
};
template <class O> inline constexpr bool is_boundary = false;
template <int... D> inline constexpr bool is_boundary<boundary_option<D...>> = true;
template <int D, class... O> constexpr bool checks_dim() {
  bool result = false;
  (
      [&] {
        if constexpr (is_boundary<O>)
          result = result || O::checks(D);
      }(),
      ...);
  return result;
}
} // namespace detail

/// Option of loads and stores through block pointers: in these dimensions the block may reach beyond the tensor. A
/// load reads zeros there, or NaNs with `tt::padding::nan`; a store writes nothing.
/// Triton: `boundary_check=(0, 1)`.
template <int... D> inline constexpr detail::boundary_option<D...> boundary_check{};

namespace detail {

// Extends x, which belongs to dimension D, to a tile of `Rank` dimensions.
template <int D, int Rank, class T, int N> __TILECC_FN auto along(tile<T, N> x) {
  return [&]<int... I>(sequence<int, I...>)
             __TILECC_FN { return x(typename choose<I == D, all_t, newaxis_t>::type()...); }(up_to<Rank>());
}

template <class T, int... Block, int... I>
__TILECC_FN auto block_pointers(block_ptr<T, Block...> p, sequence<int, I...>) {
  T *first = p.base;
  ((first += p.offsets.values[I] * p.strides.values[I]), ...);
  constexpr int rank = sizeof...(Block);
  return (first + ... + (along<I, rank>(arange<Block>().template to<long>()) * p.strides.values[I]));
}

template <int D, int Rank, int N, class P, class M> __TILECC_FN auto limit(P p, M mask) {
  // The comparison is unsigned: a position before the tensor counts as past its end.
  auto index = (arange<N>() + p.offsets.values[D]).template to<unsigned>();
  return mask && along<D, Rank>(index < static_cast<unsigned>(p.sizes.values[D]));
}
template <int D, class... O, class T, int... Block, class M>
__TILECC_FN auto block_mask(block_ptr<T, Block...> p, M mask) {
  constexpr int rank = sizeof...(Block), dims[] = {Block...};
  if constexpr (D == rank)
    return mask;
  else if constexpr (!checks_dim<D, O...>())
    return block_mask<D + 1, O...>(p, mask);
  else if constexpr (__is_same(M, bool)) // the first
    return block_mask<D + 1, O...>(p, limit<D, rank, dims[D]>(p, full<bool, (Block, 1)...>(true)));
  else
    return block_mask<D + 1, O...>(p, limit<D, rank, dims[D]>(p, mask));
}

template <bool Load, class... O> constexpr void check_block_options() {
  constexpr bool known = ((cache_of<O> || evict_of<O> || is_boundary<O> || (Load && padding_of<O>)) && ...);
  static_assert(known || !Load,
                "the options of a load through a block pointer are tt::boundary_check<...>, tt::padding::..., "
                "tt::cache::... and tt::evict::...");
  static_assert(known || Load,
                "the options of a store through a block pointer are tt::boundary_check<...>, tt::cache::... "
                "and tt::evict::...");
}

} // namespace detail

/// Loads the block.
/// Options: `tt::boundary_check<...>`, `tt::padding`, `tt::cache`, `tt::evict`.
/// Triton: `tl.load(p, boundary_check=(0, 1))`.
/// Example:
///   auto block = tt::make_block_ptr<2, 2>(p, {3, 3}, {8, 1}, {0, 2});
///   auto x = tt::load(block, tt::boundary_check<0, 1>); // [[2, 0], [10, 0]]
template <class T, int... Block, detail::option_type... O> __TILECC_VALUE auto load(block_ptr<T, Block...> p, O...) {
  detail::check_block_options<true, O...>();
  using E = typename detail::unqualified<T>::type;
  using R = tile<E, Block...>;
  constexpr int cache = detail::find_cache<O...>, evict = detail::find_evict<O...>;
  auto pointers = detail::block_pointers(p, detail::up_to<sizeof...(Block)>());
  auto mask = detail::block_mask<0, O...>(p, true);
  constexpr bool nan = ((detail::padding_of<O> == detail::padding_nan) || ...);
  static_assert(!nan || detail::is_float<E>, "padding::nan is for floating-point numbers");
  if constexpr (__is_same(decltype(mask), bool))
    return builtin::load<cache, evict, R>(pointers);
  else
    return builtin::load<cache, evict, R>(pointers, detail::fit_mask<decltype(pointers)>(mask),
                                          detail::fit<R, R>(static_cast<E>(nan ? __builtin_nanf("") : 0.0f)));
}
/// Stores `value` to the block.
/// Shapes: `value` broadcasts to the block.
/// Options: `tt::boundary_check<...>`, `tt::cache`, `tt::evict`.
/// Triton: `tl.store(p, value, boundary_check=(0, 1))`.
/// Example:
///   auto block = tt::make_block_ptr<2, 2>(q, {3, 3}, {4, 1}, {0, 0});
///   tt::store(block, 7);
///   tt::debug_barrier();
///   auto x = tt::load(q + tt::arange<4>()); // [7, 7, 0, 0]
template <class T, int... Block, detail::operand V, detail::option_type... O>
__TILECC_FN void store(block_ptr<T, Block...> p, V value, O...) {
  detail::check_block_options<false, O...>();
  constexpr int cache = detail::find_cache<O...>, evict = detail::find_evict<O...>;
  auto pointers = detail::block_pointers(p, detail::up_to<sizeof...(Block)>());
  auto mask = detail::block_mask<0, O...>(p, true);
  auto v = detail::fit_block<T, tile<T, Block...>>(value);
  if constexpr (__is_same(decltype(mask), bool))
    builtin::store<cache, evict>(pointers, v);
  else
    builtin::store<cache, evict>(pointers, v, detail::fit_mask<decltype(pointers)>(mask));
}

} // namespace tt

#endif // TILECC_TT_DESCRIPTOR_H
