//===-- tilecc/tiles/memory.h - accesses through pointers ---------------------------------------------------------===//
//
// Accesses through a pointer or a tile of pointers. Masks and padding broadcast to the shape of the pointers. Stored
// values must have that shape, and are converted if no information is lost. Atomic accesses state their order, and are
// atomic among all threads of the system unless they name a smaller scope.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_MEMORY_H
#define TILECC_TILES_MEMORY_H
#pragma GCC system_header

#include "../tt/atomic.h"
#include "operators.h"

namespace cuda::tiles::inline __1 {
namespace detail {

template <class P> constexpr auto find_loaded() {
  if constexpr (is_pointer<element_of<P>>)
    return named<unqualified<typename tt::detail::pointee_of<element_of<P>>::type>>();
  else
    return named<element_of<P>>();
}
template <class P> using loaded_element = typename decltype(find_loaded<P>())::type;
template <class P> constexpr auto find_loaded_value() {
  if constexpr (is_element<loaded_element<P>>)
    return named<with_element<P, loaded_element<P>>>();
  else
    return named<P>();
}
template <class P> using loaded = typename decltype(find_loaded_value<P>())::type;

template <class P> constexpr bool check_pointers() {
  using T = loaded_element<P>;
  constexpr bool pointers = is_pointer<element_of<P>>;
  constexpr bool number = is_element<T>;
  __TILECC_CHECK((pointers), (complain<P>("memory is accessed through pointers, not through ", "")));
  __TILECC_CHECK((!pointers || number),
                 (complain<P>("cannot access memory through ", ": it does not point to numbers")));
  __TILECC_CHECK((!__is_same(T, __nv_fp4_e2m1)),
                 (complain<P>("cannot access memory through ", ": load bytes and repack them as __nv_fp4_e2m1")));
  return pointers && number && !__is_same(T, __nv_fp4_e2m1);
}
template <class P> constexpr bool check_writable() {
  if constexpr (check_pointers<P>()) {
    using T = typename tt::detail::pointee_of<element_of<P>>::type;
    __TILECC_CHECK((__is_same(unqualified<T>, T)), (complain<P>("cannot store through ", "")));
    return __is_same(unqualified<T>, T);
  }
  return false;
}
template <class P, class M> constexpr bool check_mask() {
  constexpr bool fits = broadcasts_to<shape_of<M>, shape_of<P>>();
  __TILECC_CHECK((fits), (complain<M, P>("cannot broadcast the mask ", " to the shape of ", "")));
  return fits;
}
template <class P, class V> constexpr bool check_stored() {
  if constexpr (!check_writable<P>()) {
    return false;
  } else {
    constexpr bool shapes = same_shape<shape_of<V>, shape_of<P>>();
    constexpr bool widens = !narrows<element_of<V>, loaded_element<P>>();
    __TILECC_CHECK((shapes), (complain<V, P>("cannot store ", " through ", ": the shapes differ")));
    __TILECC_CHECK((!shapes || widens),
                   (complain<V, P>("", " would be narrowed by a store through ", ": convert it with element_cast")));
    return shapes && widens;
  }
}
template <class P, class V> constexpr bool check_padding() {
  constexpr bool shapes = broadcasts_to<shape_of<V>, shape_of<P>>();
  constexpr bool widens = !narrows<element_of<V>, loaded_element<P>>();
  __TILECC_CHECK((shapes), (complain<V, P>("cannot broadcast the padding ", " to the shape of ", "")));
  __TILECC_CHECK((!shapes || widens), (complain<V, P>("the padding ", " would be narrowed by a load through ",
                                                      ": convert it with element_cast")));
  return shapes && widens;
}

// Converts a value to the type with which memory stores it.
template <class P, class X> __TILECC_FN auto stored_value(X x) {
  using E = loaded_element<P>;
  auto v = lower_to<E, shape_of<P>>(x);
  if constexpr (__is_same(E, __nv_tf32))
    return round_to_tf32<rounding_mode::round_ties_to_even>(v);
  else
    return v;
}
template <class P, class M> __TILECC_FN auto mask_of(M mask) { return lower_to<bool, shape_of<P>>(mask); }

// Accesses whose arguments have been checked.
template <class P, class... A> __TILECC_FN auto load_checked(P pointers, A... rest) {
  using V = held<loaded_element<P>, shape_of<P>>;
  return raise_to<loaded<P>>(
      tt::builtin::load<tt::detail::cache_none, tt::detail::evict_normal, V>(lower(pointers), rest...));
}
template <class P, class... A> __TILECC_FN void store_checked(P pointers, A... rest) {
  tt::builtin::store<tt::detail::cache_none, tt::detail::evict_normal>(lower(pointers), rest...);
}

} // namespace detail

//===-- loads and stores ------------------------------------------------------------------------------------------===//

template <tile_like P> __TILECC_FN auto load(P pointers) {
  if constexpr (detail::check_pointers<P>())
    return detail::load_checked(pointers);
  else
    return detail::loaded<P>();
}
/// Where mask is false, nothing is read and the element is padding. Without padding the element is zero, but the
/// language leaves it undefined.
template <tile_like P, tile_like M> __TILECC_FN auto load_masked(P pointers, M mask) {
  if constexpr (!detail::check_pointers<P>())
    return detail::loaded<P>();
  else if constexpr (detail::check_mask<P, M>())
    return detail::load_checked(pointers, detail::mask_of<P>(mask));
  else
    return detail::loaded<P>();
}
template <tile_like P, tile_like M, tile_like V> __TILECC_FN auto load_masked(P pointers, M mask, V padding) {
  if constexpr (!detail::check_pointers<P>())
    return detail::loaded<P>();
  else if constexpr (detail::check_mask<P, M>() && detail::check_padding<P, V>())
    return detail::load_checked(pointers, detail::mask_of<P>(mask), detail::stored_value<P>(padding));
  else
    return detail::loaded<P>();
}

template <tile_like P, tile_like V> __TILECC_FN void store(P pointers, V x) {
  if constexpr (detail::check_stored<P, V>())
    detail::store_checked(pointers, detail::stored_value<P>(x));
}
template <tile_like P, tile_like V, tile_like M> __TILECC_FN void store_masked(P pointers, V x, M mask) {
  if constexpr (detail::check_stored<P, V>() && detail::check_mask<P, M>())
    detail::store_checked(pointers, detail::stored_value<P>(x), detail::mask_of<P>(mask));
}

//===-- atomic accesses -------------------------------------------------------------------------------------------===//

namespace detail {

template <memory_order O> inline constexpr auto sem_option = tt::detail::sem_option<int(O) + 1>();
static_assert(int(memory_order::relaxed) + 1 == tt::detail::sem_relaxed &&
              int(memory_order::acquire) + 1 == tt::detail::sem_acquire &&
              int(memory_order::release) + 1 == tt::detail::sem_release &&
              int(memory_order::acq_rel) + 1 == tt::detail::sem_acq_rel);
template <thread_scope S>
inline constexpr auto scope_option = tt::detail::scope_option<(S == thread_scope::system   ? tt::detail::scope_sys
                                                               : S == thread_scope::device ? tt::detail::scope_gpu
                                                                                           : tt::detail::scope_cta)>();

template <class T> inline constexpr bool is_wide_integer = is_integer<T> && sizeof(T) >= 4;
template <class T> inline constexpr bool is_wide = is_wide_integer<T> || __is_same(T, float) || __is_same(T, double);
template <class T> inline constexpr bool can_add = is_wide<T> || __is_same(T, __half) || __is_same(T, __nv_bfloat16);

template <bool Fits, class P> constexpr bool check_atomic() {
  __TILECC_CHECK((Fits), (complain<P>("there is no such atomic access through ", "")));
  return Fits;
}

// Converts elements of 32 and 64 bits, and pointers to them, to integers.
template <class T> using bits_type = typename tt::detail::choose<sizeof(stored<T>) == 8, unsigned long, unsigned>::type;
template <class T, class V> __TILECC_FN auto as_bits(V x) { return tt::bitcast<bits_type<T>>(x); }
template <class T, class V> __TILECC_FN auto from_bits(V x) { return tt::bitcast<stored<T>>(x); }
template <class P> __TILECC_FN auto pointers_to_bits(P pointers) {
  using B = bits_type<loaded_element<P>> *;
  if constexpr (is_tile<P>)
    return tt::bitcast<B>(lower(pointers));
  else
    return (B)lower(pointers);
}

} // namespace detail

/// Each function changes the elements that pointers point to where mask is true, and returns the old values:
/// atomic_add(p, x, memory_order_relaxed_t{}, thread_scope_device_t{}), or atomic_add<memory_order::relaxed>(p, x).
#define __TILECC_ATOMIC(name, fits, operation)                                                                         \
  template <memory_order O, thread_scope S = default_thread_scope(), tile_like P, tile_like V, tile_like M>            \
  __TILECC_FN auto name##_masked(P pointers, V x, M mask, memory_order_constant<O> = {},                               \
                                 thread_scope_constant<S> = {}) {                                                      \
    using T = detail::loaded_element<P>;                                                                               \
    if constexpr (!detail::check_writable<P>()) {                                                                      \
      return detail::loaded<P>();                                                                                      \
    } else if constexpr (!detail::check_atomic<detail::fits<T>, P>()) {                                                \
      return detail::loaded<P>();                                                                                      \
    } else if constexpr (detail::check_stored<P, V>() && detail::check_mask<P, M>()) {                                 \
      auto p = detail::lower(pointers);                                                                                \
      auto v = detail::stored_value<P>(x);                                                                             \
      auto m = detail::mask_of<P>(mask);                                                                               \
      constexpr auto order = detail::sem_option<O>;                                                                    \
      constexpr auto scope = detail::scope_option<S>;                                                                  \
      return detail::raise_to<detail::loaded<P>>(operation);                                                           \
    } else {                                                                                                           \
      return detail::loaded<P>();                                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  template <memory_order O, thread_scope S = default_thread_scope(), tile_like P, tile_like V>                         \
  __TILECC_FN auto name(P pointers, V x, memory_order_constant<O> order = {}, thread_scope_constant<S> scope = {}) {   \
    return name##_masked(pointers, x, true, order, scope);                                                             \
  }
__TILECC_ATOMIC(atomic_add, can_add, tt::atomic_add(p, v, m, order, scope))
__TILECC_ATOMIC(atomic_sub, can_add, tt::atomic_add(p, tt::builtin::neg(v), m, order, scope))
__TILECC_ATOMIC(atomic_max, is_wide_integer, tt::atomic_max(p, v, m, order, scope))
__TILECC_ATOMIC(atomic_min, is_wide_integer, tt::atomic_min(p, v, m, order, scope))
__TILECC_ATOMIC(atomic_and, is_wide_integer, tt::atomic_and(p, v, m, order, scope))
__TILECC_ATOMIC(atomic_or, is_wide_integer, tt::atomic_or(p, v, m, order, scope))
__TILECC_ATOMIC(atomic_xor, is_wide_integer, tt::atomic_xor(p, v, m, order, scope))
__TILECC_ATOMIC(atomic_xchg, is_wide, tt::atomic_xchg(p, v, m, order, scope))
#undef __TILECC_ATOMIC

/// Replaces elements that equal compare, bit for bit, by x, and returns the old values.
template <memory_order O, thread_scope S = default_thread_scope(), tile_like P, tile_like C, tile_like V>
__TILECC_FN auto atomic_compare_exchange(P pointers, C compare, V x, memory_order_constant<O> = {},
                                         thread_scope_constant<S> = {}) {
  using T = detail::loaded_element<P>;
  if constexpr (!detail::check_writable<P>()) {
    return detail::loaded<P>();
  } else if constexpr (!detail::check_atomic<detail::is_wide<T>, P>()) {
    return detail::loaded<P>();
  } else if constexpr (detail::check_stored<P, C>() && detail::check_stored<P, V>()) {
    auto old =
        tt::atomic_cas(detail::pointers_to_bits(pointers), detail::as_bits<T>(detail::stored_value<P>(compare)),
                       detail::as_bits<T>(detail::stored_value<P>(x)), detail::sem_option<O>, detail::scope_option<S>);
    return detail::raise_to<detail::loaded<P>>(detail::from_bits<T>(old));
  } else {
    return detail::loaded<P>();
  }
}
/// Takes a single pointer, because no operation compares and exchanges only some elements of a tile.
template <memory_order O, thread_scope S = default_thread_scope(), tile_like P, tile_like C, tile_like V, tile_like M>
__TILECC_FN auto atomic_compare_exchange_masked(P pointers, C compare, V x, M mask, memory_order_constant<O> order = {},
                                                thread_scope_constant<S> scope = {}) {
  constexpr bool single = tile_rank_v<P> == 0;
  __TILECC_CHECK((single),
                 (detail::complain<P>("atomic_compare_exchange_masked is available through a single pointer, not "
                                      "through ",
                                      "")));
  detail::loaded<P> old{};
  if constexpr (single)
    if (static_cast<bool>(detail::lower_as<bool>(mask)))
      old = atomic_compare_exchange(pointers, compare, x, order, scope);
  return old;
}

/// Atomic loads and stores. Loads are relaxed or acquire, stores are relaxed or release.
template <memory_order O, thread_scope S = default_thread_scope(), tile_like P, tile_like M, tile_like V>
__TILECC_FN auto atomic_load_masked(P pointers, M mask, V padding, memory_order_constant<O> = {},
                                    thread_scope_constant<S> = {}) {
  using T = detail::loaded_element<P>;
  static_assert(O == memory_order::relaxed || O == memory_order::acquire, "a load is relaxed or acquire");
  if constexpr (!detail::check_pointers<P>()) {
    return detail::loaded<P>();
  } else if constexpr (!detail::check_mask<P, M>() || !detail::check_padding<P, V>()) {
    return detail::loaded<P>();
  } else if constexpr (O == memory_order::relaxed) { // on a GPU, a volatile load is relaxed at system scope
    return detail::raise_to<detail::loaded<P>>(tt::load(detail::lower(pointers), detail::mask_of<P>(mask),
                                                        detail::stored_value<P>(padding), tt::volatile_access));
  } else if constexpr (detail::check_atomic<detail::is_wide<T>, P>()) {
    auto m = detail::mask_of<P>(mask);
    auto bits = tt::atomic_or(detail::pointers_to_bits(pointers), detail::bits_type<T>(0), m, detail::sem_option<O>,
                              detail::scope_option<S>);
    return detail::raise_to<detail::loaded<P>>(
        tt::where(m, detail::from_bits<T>(bits), detail::stored_value<P>(padding)));
  } else {
    return detail::loaded<P>();
  }
}
template <memory_order O, thread_scope S = default_thread_scope(), tile_like P, tile_like M>
__TILECC_FN auto atomic_load_masked(P pointers, M mask, memory_order_constant<O> order = {},
                                    thread_scope_constant<S> scope = {}) {
  return atomic_load_masked(pointers, mask, full<detail::loaded_element<P>>({}), order, scope);
}
template <memory_order O, thread_scope S = default_thread_scope(), tile_like P>
__TILECC_FN auto atomic_load(P pointers, memory_order_constant<O> order = {}, thread_scope_constant<S> scope = {}) {
  return atomic_load_masked(pointers, true, order, scope);
}

template <memory_order O, thread_scope S = default_thread_scope(), tile_like P, tile_like V, tile_like M>
__TILECC_FN void atomic_store_masked(P pointers, V x, M mask, memory_order_constant<O> = {},
                                     thread_scope_constant<S> = {}) {
  using T = detail::loaded_element<P>;
  static_assert(O == memory_order::relaxed || O == memory_order::release, "a store is relaxed or release");
  if constexpr (detail::check_stored<P, V>() && detail::check_mask<P, M>())
    if constexpr (detail::check_atomic<sizeof(detail::stored<T>) >= 4, P>())
      tt::atomic_xchg(detail::pointers_to_bits(pointers), detail::as_bits<T>(detail::stored_value<P>(x)),
                      detail::mask_of<P>(mask), detail::sem_option<O>, detail::scope_option<S>);
}
template <memory_order O, thread_scope S = default_thread_scope(), tile_like P, tile_like V>
__TILECC_FN void atomic_store(P pointers, V x, memory_order_constant<O> order = {},
                              thread_scope_constant<S> scope = {}) {
  atomic_store_masked(pointers, x, true, order, scope);
}

} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_MEMORY_H
