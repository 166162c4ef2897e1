//===-- tilecc/tt/memory.h - loads and stores --------------------------------------------------------------------===//
#ifndef TILECC_TT_MEMORY_H
#define TILECC_TT_MEMORY_H
#pragma GCC system_header

#include "../detail/numbers.h"
#include "operators.h"

namespace tt {
namespace detail {
template <int V> struct cache_option : option {};
template <int V> struct evict_option : option {};
} // namespace detail

/// Cache options of loads and stores, after the other arguments: `tt::load(p, mask, other, tt::cache::cg)`. They
/// change the speed on a GPU, never the result, and the CPU ignores them. The names are PTX's.
namespace cache {
/// Load: cache at all levels.
/// Triton: `cache_modifier=".ca"`.
inline constexpr detail::cache_option<detail::cache_ca> ca{};
/// Load or store: cache in L2 only.
/// Triton: `cache_modifier=".cg"`.
inline constexpr detail::cache_option<detail::cache_cg> cg{};
/// Store: write back at all levels.
inline constexpr detail::cache_option<detail::cache_wb> wb{};
/// Load or store: streaming, unlikely to be accessed again.
inline constexpr detail::cache_option<detail::cache_cs> cs{};
/// Store: write through to memory.
inline constexpr detail::cache_option<detail::cache_wt> wt{};
/// Load: do not cache, fetch again.
inline constexpr detail::cache_option<detail::cache_cv> cv{};
} // namespace cache

/// Eviction priority of the cache line, after the other arguments of loads and stores: `tt::load(p,
/// tt::evict::first)`.
/// Triton: `eviction_policy="evict_first"`.
namespace evict {
/// The default priority.
inline constexpr detail::evict_option<detail::evict_normal> normal{};
/// Evict this line first: the data will not be used again.
inline constexpr detail::evict_option<detail::evict_first> first{};
/// Evict this line last: the data will be used again.
inline constexpr detail::evict_option<detail::evict_last> last{};
} // namespace evict

/// Option of loads from memory that others write meanwhile: the load is neither moved, merged nor removed.
/// Triton: `volatile=True`.
/// Example:
///   auto x = tt::load(p + 7, tt::volatile_access); // 7
inline constexpr struct volatile_access_t : detail::option {
} volatile_access{};

namespace detail {

template <class O> inline constexpr int cache_of = 0;
template <int V> inline constexpr int cache_of<cache_option<V>> = V;
template <class O> inline constexpr int evict_of = 0;
template <int V> inline constexpr int evict_of<evict_option<V>> = V;
template <class... O> inline constexpr int find_cache = (0 + ... + cache_of<O>) ? (0 + ... + cache_of<O>) : cache_none;
template <class... O>
inline constexpr int find_evict = (0 + ... + evict_of<O>) ? (0 + ... + evict_of<O>) : evict_normal;

template <bool Load, class... O> constexpr void check_options() {
  constexpr bool known = ((cache_of<O> || evict_of<O> || (Load && __is_same(O, volatile_access_t))) && ...);
  static_assert(known || !Load, "the options of a load are tt::cache::..., tt::evict::... and tt::volatile_access");
  static_assert(known || Load, "the options of a store are tt::cache::... and tt::evict::...");
  static_assert((0 + ... + int(cache_of<O> != 0)) <= 1 && (0 + ... + int(evict_of<O> != 0)) <= 1,
                "a memory access has one tt::cache and one tt::evict");
  constexpr int c = find_cache<O...>;
  static_assert(!Load || (c != cache_wb && c != cache_wt), "tt::cache::wb and tt::cache::wt are for stores");
  static_assert(Load || (c != cache_ca && c != cache_cv), "tt::cache::ca and tt::cache::cv are for loads");
}

// The result type of a load through P, a pointer or a tile of pointers.
template <class P> constexpr auto find_loaded() {
  __TILECC_CHECK((is_pointer<P>), complain<P>("memory is accessed through pointers, not through ", ""));
  if constexpr (is_pointer<P>) {
    using T = typename unqualified<typename pointee_of<element<P>>::type>::type;
    constexpr bool number = kind_of<T> != no_kind;
    __TILECC_CHECK((number),
                   complain<P>("cannot access memory through ", ": it does not point to numbers or pointers"));
    using N = typename choose<number, T, int>::type;
    if constexpr (is_tile<P>)
      return tensor<N, typename P::shape_type>();
    else
      return N();
  } else {
    return P();
  }
}
template <class P> using loaded = decltype(find_loaded<P>());

// Returns true if the mask has fewer dimensions than the pointers, so that it would be broadcast along the missing
// ones.
template <class P, class M> constexpr bool find_missing_dims() {
  if constexpr (is_tile<P> && is_tile<M>)
    return M::rank < P::rank;
  else
    return false;
}
template <class P, class M> inline constexpr bool masks_last_dims = find_missing_dims<P, M>();

template <class P> constexpr bool writable() {
  if constexpr (is_pointer<P>) {
    using T = typename pointee_of<element<P>>::type;
    return __is_same(typename unqualified<T>::type, T);
  } else {
    return true;
  }
}

// mask, other and value are broadcast to the shape of the pointers; they may be scalars or tiles.
template <class R, class P, class V> __TILECC_FN auto fit(V x) {
  if constexpr (is_pointer<R> || is_pointer<V>)
    __TILECC_CHECK(
        (is_pointer<R> && is_pointer<V> && __is_convertible_to(element<V>, element<R>)),
        complain<V, P>("cannot use ", " with ", ": it is not a value of the pointee type, and tt::load(p) reads one"));
  if constexpr (is_tile<R>) {
    __TILECC_CHECK((__is_same(joint_shape<V, R>, typename R::shape_type)),
                   complain<V, P>("cannot broadcast ", " to the shape of ", ": it would lose elements"));
    return spread<R>(x);
  } else {
    __TILECC_CHECK((!is_tile<V>), complain<V, P>("cannot use ", " with ", ", which is a single pointer"));
    return static_cast<R>(x);
  }
}
template <class P, bool Load = false, class M> __TILECC_FN auto fit_mask(M mask) {
  __TILECC_CHECK((__is_same(element<M>, bool)),
                 complain<M>("a mask is bool, not ",
                             Load ? ": it comes before the other value, which needs one" : ": it follows the value"));
  if constexpr (is_tile<P>)
    return fit<tensor<bool, typename P::shape_type>, P>(truth(mask));
  else
    return fit<bool, P>(truth(mask));
}

} // namespace detail

namespace detail {
template <class... O, class P, class... A> __TILECC_FN auto load(P pointers, A... rest) {
  check_options<true, O...>();
  using R = loaded<P>;
  if constexpr (is_given<volatile_access_t, O...>)
    return builtin::load_volatile<find_cache<O...>, find_evict<O...>, R>(pointers, rest...);
  else
    return builtin::load<find_cache<O...>, find_evict<O...>, R>(pointers, rest...);
}
template <class... O, class P, class... A> __TILECC_FN void store(P pointers, A... rest) {
  check_options<false, O...>();
  __TILECC_CHECK((writable<P>()), complain<P>("cannot store through ", ""));
  builtin::store<find_cache<O...>, find_evict<O...>>(pointers, rest...);
}
} // namespace detail

/// Loads the elements that `pointers` point to: a tile from a tile of pointers, a scalar from a pointer. Where `mask`
/// is false, nothing is read and the element is `other`, or zero without one. `*p` and `p[i]` load scalars, too.
/// Shapes: `mask` and `other` broadcast to the shape of the pointers.
/// Types: pointers to numbers or to pointers; `mask` is `bool`; `other` converts to the type pointed to.
/// Errors: the mask is not `bool`, or does not broadcast to the pointers.
/// Options: `tt::cache::ca`, `cg`, `cs` or `cv`; `tt::evict`; `tt::volatile_access`.
/// Triton: `tl.load`.
/// Example:
///   auto i = tt::arange<4>();
///   auto x = tt::load(p + 8 + i, 8 + i < n, -1.0f); // [8, 9, -1, -1]
template <detail::operand P, detail::option_type... O> __TILECC_VALUE auto load(P pointers, O...) {
  return detail::load<O...>(pointers);
}
template <detail::operand P, detail::operand M, detail::option_type... O>
__TILECC_VALUE auto load(P pointers, M mask, O...) {
  return detail::load<O...>(pointers, detail::fit_mask<P, true>(mask));
}
template <detail::operand P, detail::operand M, detail::operand V, detail::option_type... O>
__TILECC_VALUE auto load(P pointers, M mask, V other, O...) {
  return detail::load<O...>(pointers, detail::fit_mask<P, true>(mask), detail::fit<detail::loaded<P>, P>(other));
}

/// Stores `value` where `mask` is true. If several pointers are equal, it is undefined which value remains.
/// Shapes: `value` and `mask` broadcast to the shape of the pointers.
/// Types: pointers to numbers or to pointers; `value` converts to the type pointed to; `mask` is `bool`.
/// Errors: the pointers are to `const`; the mask is not `bool`. A mask with fewer dimensions than the pointers is a
/// warning.
/// Options: `tt::cache::wb`, `cg`, `cs` or `wt`; `tt::evict`.
/// Triton: `tl.store`.
/// Example:
///   auto i = tt::arange<4>();
///   tt::store(q + i, i * i, i < 3);
///   tt::debug_barrier();
///   auto stored = tt::load(q + i); // [0, 1, 4, 0]
template <detail::operand P, detail::operand V, detail::option_type... O>
__TILECC_FN void store(P pointers, V value, O...) {
  detail::store<O...>(pointers, detail::fit<detail::loaded<P>, P>(value));
}
template <detail::operand P, detail::operand V, detail::operand M, detail::option_type... O>
__TILECC_FN void store(P pointers, V value, M mask, O...) __attribute__((
    diagnose_if(detail::masks_last_dims<P, M>,
                "the mask of this store has fewer dimensions than its pointers, and is taken for their last "
                "ones: say so with mask.row(), or mask.col() for the first",
                "warning"))) {
  detail::store<O...>(pointers, detail::fit<detail::loaded<P>, P>(value), detail::fit_mask<P>(mask));
}

/// Waits until all threads of the program have arrived. Each thread then sees what any of them stored before. A kernel
/// needs a barrier between storing and loading the same memory, and between loading it and storing to it, because the
/// threads of a GPU program run independently. There are two exceptions. For scalars, and for tiles with fewer
/// elements than the program has threads, the compiler inserts the barrier itself. A larger tile that is stored to the
/// addresses it was loaded from needs no barrier. Programs of a grid do not wait for each other. On the CPU a program
/// is one thread and the barrier does nothing.
/// Triton: `tl.debug_barrier`.
/// Example:
///   tt::store(q + tt::arange<4>(), tt::arange<4>());
///   tt::debug_barrier();
///   auto reversed = tt::load(q + (3 - tt::arange<4>())); // [3, 2, 1, 0]
__TILECC_FN inline void debug_barrier() { builtin::debug_barrier(); }

/// Waits for the end of the previous launch in the stream and for its writes. Use it in kernels launched with
/// `tt::launch_config::programmatic`, which may begin before the previous launch has ended: code before the call
/// overlaps with that launch and must not touch what it writes. It does nothing for other launches, on GPUs before
/// sm_90 and on the CPU.
/// Triton: `tl.extra.cuda.gdc_wait`.
/// Example:
///   tt::grid_dependency_wait();
///   auto x = tt::load(p + tt::arange<4>()); // [0, 1, 2, 3]
__TILECC_FN inline void grid_dependency_wait() { builtin::grid_dependency_wait(); }

/// Allows the next launch in the stream, if it is programmatic, to begin once all programs have called this or ended.
/// It does not publish writes: the next kernel calls `grid_dependency_wait` for that.
/// Triton: `tl.extra.cuda.gdc_launch_dependents`.
/// Example:
///   auto x = tt::load(p + tt::arange<4>()); // [0, 1, 2, 3]
///   tt::grid_dependency_launch();
__TILECC_FN inline void grid_dependency_launch() { builtin::grid_dependency_launch(); }

} // namespace tt

#endif // TILECC_TT_MEMORY_H
