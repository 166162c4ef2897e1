//===-- tilecc/tt/atomic.h - atomic accesses to memory -----------------------------------------------------------===//
//
// Each function reads an element, changes it and writes it back atomically, and returns the old value:
// atomic_add(pointers, value). The third argument may be a mask, and the options tt::sem::... and tt::scope::...
// follow. Through a tile of pointers, each element is changed by the thread that holds it, in any order. Through a
// single pointer, one thread acts for the program. With sem::release (or acq_rel), it does so after all earlier writes
// of the program.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_ATOMIC_H
#define TILECC_TT_ATOMIC_H
#pragma GCC system_header

#include "memory.h"

namespace tt {
namespace detail {
template <int V> struct sem_option : option {
  static constexpr int value = V;
};
template <int V> struct scope_option : option {
  static constexpr int value = V;
};
} // namespace detail

/// The memory order of an atomic access. The option follows the other arguments: `tt::atomic_add(p, 1,
/// tt::sem::relaxed)`.
/// Triton: `sem="relaxed"`.
namespace sem {
/// Orders no other access.
inline constexpr detail::sem_option<detail::sem_relaxed> relaxed{};
/// Later accesses of the program stay after it.
inline constexpr detail::sem_option<detail::sem_acquire> acquire{};
/// Earlier accesses of the program stay before it.
inline constexpr detail::sem_option<detail::sem_release> release{};
/// Both acquire and release. This is the default.
inline constexpr detail::sem_option<detail::sem_acq_rel> acq_rel{};
} // namespace sem

/// The set of threads for which an access is atomic: accesses of threads outside it may interfere.
/// Triton: `scope="gpu"`.
namespace scope {
/// All accesses of the GPU. This is the default.
inline constexpr detail::scope_option<detail::scope_gpu> gpu{};
/// The accesses of this program.
inline constexpr detail::scope_option<detail::scope_cta> cta{};
/// All accesses of the machine: host, GPUs, network.
inline constexpr detail::scope_option<detail::scope_sys> sys{};
} // namespace scope

namespace detail {

template <class O> inline constexpr int sem_of = 0;
template <int V> inline constexpr int sem_of<sem_option<V>> = V;
template <class O> inline constexpr int scope_of = 0;
template <int V> inline constexpr int scope_of<scope_option<V>> = V;
template <class... O> constexpr int find_sem() {
  static_assert(((sem_of<O> || scope_of<O>) && ...),
                "the options of an atomic access are tt::sem::... and tt::scope::...");
  static_assert((0 + ... + (sem_of<O> != 0)) <= 1 && (0 + ... + (scope_of<O> != 0)) <= 1,
                "an atomic access has one tt::sem and one tt::scope");
  return (0 + ... + sem_of<O>) ? (0 + ... + sem_of<O>) : sem_acq_rel;
}
// The permitted orders of an access that only loads or only stores, and the default order.
template <int Only, class... O> constexpr int find_one_sided_sem() {
  constexpr int sem = (0 + ... + sem_of<O>) ? find_sem<O...>() : Only;
  static_assert(sem == Only || sem == sem_relaxed || Only != sem_acquire,
                "an atomic load is tt::sem::acquire or relaxed");
  static_assert(sem == Only || sem == sem_relaxed || Only != sem_release,
                "an atomic store is tt::sem::release or relaxed");
  return sem;
}
template <class... O> inline constexpr int find_scope = (0 + ... + scope_of<O>) ? (0 + ... + scope_of<O>) : scope_gpu;

// The element types that an atomic access can change: as in Triton, types of 32 and 64 bits, and 16-bit floats for
// additions.
template <class P, int Op> constexpr bool check_rmw() {
  using T = element<loaded<P>>;
  constexpr bool of_bits = Op == rmw_and || Op == rmw_or || Op == rmw_xor, wide = sizeof(T) >= 4;
  constexpr bool fits = is_float<T> ? !of_bits && (wide || Op == rmw_add) : wide;
  __TILECC_CHECK((fits), complain<P>("there is no such atomic operation on what ", " points to"));
  __TILECC_CHECK((writable<P>()), complain<P>("cannot write through ", ""));
  return fits;
}
template <class P> constexpr bool check_cas() {
  using T = element<loaded<P>>;
  __TILECC_CHECK((sizeof(T) > 1),
                 complain<P>("atomic_cas is for elements of 16, 32 and 64 bits, not for what ", " points to"));
  __TILECC_CHECK((writable<P>()), complain<P>("cannot write through ", ""));
  return sizeof(T) > 1;
}

template <int Op, class T> constexpr int rmw_for() {
  if (kind_of<T> == float_kind)
    return Op == rmw_add ? rmw_fadd : Op;
  bool no_sign = is_unsigned<T>;
  return no_sign && Op == rmw_max ? rmw_umax : no_sign && Op == rmw_min ? rmw_umin : Op;
}

template <class X, class U> struct with_element {
  using type = U;
};
template <class T, class S, class U> struct with_element<tensor<T, S>, U> {
  using type = tensor<U, S>;
};
template <class U, class X> __TILECC_FN auto bits_as(X x) {
  return builtin::bitcast<typename with_element<X, U>::type>(x);
}

template <int Op, class... O, class P, class V, class M> __TILECC_FN auto change(P pointers, V value, M mask) {
  using R = loaded<P>;
  using T = element<R>;
  constexpr int sem = find_sem<O...>(), scope = find_scope<O...>;
  R v = fit<R, P>(value);
  auto m = fit_mask<P>(mask);
  if constexpr (!check_rmw<P, Op>()) {
    return v;
  } else if constexpr (is_float<T> && (Op == rmw_max || Op == rmw_min)) {
    // The bits of floats with sign 0 are ordered as signed integers. With sign 1, they are in reverse order as unsigned
    // integers.
    using I = typename choose<sizeof(T) == 4, int, long>::type;
    using U = typename choose<sizeof(T) == 4, unsigned, unsigned long>::type;
    constexpr int above = Op == rmw_max ? rmw_max : rmw_min, below = Op == rmw_max ? rmw_umin : rmw_umax;
    auto u = bits_as<U>(v);
    auto negative = truth(u >> int(8 * sizeof(T) - 1));
    auto positive = builtin::bit_xor(negative, as<decltype(negative)>(true));
    auto a = builtin::atomic_rmw<above, sem, scope, typename with_element<R, I>::type>(
        bits_as<I *>(pointers), bits_as<I>(v), builtin::bit_and(m, positive));
    auto b = builtin::atomic_rmw<below, sem, scope, typename with_element<R, U>::type>(bits_as<U *>(pointers), u,
                                                                                       builtin::bit_and(m, negative));
    return builtin::select(positive, bits_as<T>(a), bits_as<T>(b));
  } else {
    return builtin::atomic_rmw<rmw_for<Op, T>(), sem, scope, R>(pointers, v, m);
  }
}

} // namespace detail

#define __TILECC_ATOMIC(name, op)                                                                                      \
  template <detail::operand P, detail::operand V, detail::option_type... O>                                            \
  __TILECC_FN auto name(P pointers, V value, O...) {                                                                   \
    return detail::change<detail::op, O...>(pointers, value, true);                                                    \
  }                                                                                                                    \
  template <detail::operand P, detail::operand V, detail::operand M, detail::option_type... O>                         \
  __TILECC_FN auto name(P pointers, V value, M mask, O...) {                                                           \
    return detail::change<detail::op, O...>(pointers, value, mask);                                                    \
  }
/// Adds `value` to each element that `pointers` point to, where `mask` is true, and returns what was there before.
/// Where `mask` is false, the result is unspecified.
/// Shapes: `value` and `mask` broadcast to the shape of the pointers; a single pointer gives a scalar.
/// Types: numbers of 32 and 64 bits, `float16`, `bfloat16`; `mask` is `bool`.
/// Errors: other types; pointers to `const`.
/// Options: `tt::sem` and `tt::scope`.
/// Triton: `tl.atomic_add`.
/// Example:
///   auto before = tt::atomic_add(q, 5); // 0
__TILECC_ATOMIC(atomic_add, rmw_add)
/// Replaces each element by the larger of it and `value`, and returns what was there before. Floating-point numbers are
/// compared by sign and then by the other bits: a NaN with sign bit 0 is larger than all numbers, a NaN with sign bit 1
/// is smaller, and -0 is smaller than +0. Shapes and options are those of `atomic_add`.
/// Types: numbers of 32 and 64 bits.
/// Triton: `tl.atomic_max`.
/// Example:
///   auto before = tt::atomic_max(q, 3); // 0
__TILECC_ATOMIC(atomic_max, rmw_max)
/// Replaces each element by the smaller of it and `value`, and returns what was there before, as `atomic_max`.
/// Types: numbers of 32 and 64 bits.
/// Triton: `tl.atomic_min`.
/// Example:
///   auto before = tt::atomic_min(q, -1); // 0
__TILECC_ATOMIC(atomic_min, rmw_min)
/// Combines each element with `value` by bitwise and, and returns what was there before. Shapes and options are those
/// of `atomic_add`.
/// Types: integers of 32 and 64 bits.
/// Triton: `tl.atomic_and`.
/// Example:
///   auto before = tt::atomic_and(q, 6); // 0
__TILECC_ATOMIC(atomic_and, rmw_and)
/// Combines each element with `value` by bitwise or, and returns what was there before. Shapes and options are those
/// of `atomic_add`.
/// Types: integers of 32 and 64 bits.
/// Triton: `tl.atomic_or`.
/// Example:
///   auto before = tt::atomic_or(q, 3); // 0
__TILECC_ATOMIC(atomic_or, rmw_or)
/// Combines each element with `value` by bitwise exclusive or, and returns what was there before. Shapes and options
/// are those of `atomic_add`.
/// Types: integers of 32 and 64 bits.
/// Triton: `tl.atomic_xor`.
/// Example:
///   auto before = tt::atomic_xor(q, 1); // 0
__TILECC_ATOMIC(atomic_xor, rmw_xor)
/// Replaces each element by `value`, and returns what was there before. Shapes and options are those of `atomic_add`.
/// Types: numbers of 32 and 64 bits.
/// Triton: `tl.atomic_xchg`.
/// Example:
///   auto before = tt::atomic_xchg(q, 12); // 0
__TILECC_ATOMIC(atomic_xchg, rmw_xchg)
#undef __TILECC_ATOMIC

namespace detail {
template <class P> constexpr bool check_atomic_access() {
  using T = element<loaded<P>>;
  __TILECC_CHECK((sizeof(T) >= 4),
                 complain<P>("atomic loads and stores are of 32 and 64 bits, not of what ", " points to"));
  __TILECC_CHECK((writable<P>()), complain<P>("cannot write through ", ""));
  return sizeof(T) >= 4;
}
// A load is an atomic operation that does not change the element.
template <class... O, class P, class M> __TILECC_FN auto load_atomically(P pointers, M mask) {
  using R = loaded<P>;
  using U = typename choose<sizeof(element<R>) == 8, unsigned long, unsigned>::type;
  using Bits = typename with_element<R, U>::type;
  constexpr int sem = find_one_sided_sem<sem_acquire, O...>();
  if constexpr (check_atomic_access<P>())
    return bits_as<element<R>>(builtin::atomic_rmw<rmw_or, sem, find_scope<O...>, Bits>(
        bits_as<U *>(pointers), as<Bits>(U(0)), fit_mask<P>(mask)));
  else
    return R{};
}
template <class... O, class P, class V, class M> __TILECC_FN void store_atomically(P pointers, V value, M mask) {
  using R = loaded<P>;
  constexpr int sem = find_one_sided_sem<sem_release, O...>();
  if constexpr (check_atomic_access<P>())
    builtin::atomic_rmw<rmw_xchg, sem, find_scope<O...>, R>(pointers, fit<R, P>(value), fit_mask<P>(mask));
}
} // namespace detail

/// Loads elements atomically where `mask` is true.
/// Types: numbers of 32 and 64 bits.
/// Errors: other types; pointers to `const`, since a load is an atomic or with 0.
/// Options: `tt::sem::acquire` (the default) or `tt::sem::relaxed`; `tt::scope`.
/// Triton: `tl.atomic_load`.
/// Example:
///   tt::atomic_store(q, 8);
///   auto eight = tt::atomic_load(q); // 8
template <detail::operand P, detail::option_type... O> __TILECC_FN auto atomic_load(P pointers, O...) {
  return detail::load_atomically<O...>(pointers, true);
}
template <detail::operand P, detail::operand M, detail::option_type... O>
__TILECC_FN auto atomic_load(P pointers, M mask, O...) {
  return detail::load_atomically<O...>(pointers, mask);
}
/// Stores elements atomically where `mask` is true.
/// Types: numbers of 32 and 64 bits.
/// Options: `tt::sem::release` (the default) or `tt::sem::relaxed`; `tt::scope`.
/// Triton: `tl.atomic_store`.
/// Example:
///   tt::atomic_store(q, 8);
///   auto eight = tt::atomic_load(q); // 8
template <detail::operand P, detail::operand V, detail::option_type... O>
__TILECC_FN void atomic_store(P pointers, V value, O...) {
  detail::store_atomically<O...>(pointers, value, true);
}
template <detail::operand P, detail::operand V, detail::operand M, detail::option_type... O>
__TILECC_FN void atomic_store(P pointers, V value, M mask, O...) {
  detail::store_atomically<O...>(pointers, value, mask);
}

/// Waits until the integer at `pointer` equals `expected`. What another program stored before its releasing write is
/// visible afterwards, unless `tt::sem::relaxed` is given.
/// Types: integers of 32 and 64 bits.
/// Triton: `tl.atomic_poll`, which may also give up after a time.
/// Example:
///   tt::atomic_store(q, 8);
///   tt::atomic_poll(q, 8);
template <class T, class V, detail::option_type... O>
__TILECC_FN void atomic_poll(T *pointer, V expected, O... options) {
  __TILECC_CHECK((detail::kind_of<T> == detail::int_kind),
                 detail::complain<T>("atomic_poll waits for an integer, not for ", ""));
  while (atomic_load(pointer, options...) != static_cast<T>(expected)) {}
}

// This is a template, so that the functions that it calls are instantiated in the source and not in the precompiled
// header.
/// Waits until all programs of a cooperative launch (`tt::launch_config(grid).cooperative()`) have arrived. What any
/// of them stored before, all of them see afterwards. The counter must be 0 before the launch, and nothing else may
/// use it. The same counter serves any number of barriers and later launches with as many programs. Without a
/// cooperative launch, programs may wait for others that cannot begin.
/// Types: `counter` points to `unsigned`.
/// CUDA: `cooperative_groups::this_grid().sync()`.
/// Example: `tt::grid_barrier(counter);`
template <class T> __TILECC_FN void grid_barrier(T *counter) {
  __TILECC_CHECK((__is_same(T, unsigned)), detail::complain<T>("the counter of grid_barrier is unsigned, not ", ""));
  unsigned programs = num_programs(0) * num_programs(1) * num_programs(2);
  unsigned before = atomic_add(counter, 1u);
  unsigned all = before - before % programs + programs;
  while (static_cast<int>(atomic_load(counter) - all) < 0) {}
}

/// Replaces each element that equals `compare`, bit for bit, by `value`, and returns what was there before.
/// Shapes: `compare` and `value` broadcast to the shape of the pointers.
/// Types: elements of 16, 32 and 64 bits.
/// Options: `tt::sem` and `tt::scope`.
/// Triton: `tl.atomic_cas`.
/// Example:
///   auto before = tt::atomic_cas(q, 0, 6); // 0
template <detail::operand P, detail::operand C, detail::operand V, detail::option_type... O>
__TILECC_FN auto atomic_cas(P pointers, C compare, V value, O...) {
  using R = detail::loaded<P>;
  R c = detail::fit<R, P>(compare), v = detail::fit<R, P>(value);
  if constexpr (detail::check_cas<P>())
    return builtin::atomic_cas<detail::find_sem<O...>(), detail::find_scope<O...>, R>(pointers, c, v);
  else
    return v;
}

} // namespace tt

#endif // TILECC_TT_ATOMIC_H
