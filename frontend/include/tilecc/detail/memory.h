//===-- tilecc/detail/memory.h - loads and stores -----------------------------------------------------------------===//
#ifndef TILECC_DETAIL_MEMORY_H
#define TILECC_DETAIL_MEMORY_H
#pragma GCC system_header

#include "operators.h"

namespace tt {
namespace detail {

// What an access through P, a pointer or a tile of pointers, reads or writes.
template <class P> constexpr auto find_accessed() {
  static_assert(is_pointer<element<P>>, complain<P>("memory is accessed through pointers, not through ", ""));
  if constexpr (is_pointer<element<P>>) {
    using T = bare<typename pointee_of<element<P>>::type>;
    constexpr bool number = kind_of<T> != no_kind && !is_pointer<T>;
    static_assert(number, complain<P>("cannot access memory through ", ": it does not point to numbers"));
    return typename choose<number, T, int>::type();
  } else {
    return int();
  }
}
template <class P> using accessed = decltype(find_accessed<P>());

template <class P> constexpr bool writable() {
  if constexpr (is_pointer<element<P>>)
    return __is_same(bare<typename pointee_of<element<P>>::type>, typename pointee_of<element<P>>::type);
  else
    return true;
}

// mask, other and value take the pointers' shape; they may be scalars, or tiles that broadcast to it.
template <class T, class P, class V> __TILECC_FN auto fit(V x) {
  static_assert(!is_pointer<element<V>>, complain<V>("", " is no value that memory can hold"));
  if constexpr (is_tile<P>) {
    using S = typename P::shape_type;
    static_assert(__is_same(joint_shape<V, tile<T, S>>, S),
                  complain<V, P>("cannot broadcast ", " to the shape of ", ": it would lose elements"));
    return spread<T, S>(x);
  } else {
    static_assert(!is_tile<V>, complain<V, P>("cannot use ", " with ", ", which is a single pointer"));
    return static_cast<T>(x);
  }
}

template <class P, class M> __TILECC_FN auto fit_mask(M mask) { return fit<bool, P>(truth(mask)); }

} // namespace detail

/// Loads the elements that pointers point to: a tile from a tile of pointers, a scalar from a pointer. Where mask is
/// false nothing is read, and the element is other, or undefined without one. Triton: tl.load.
template <class P>
  requires detail::operand<P>
__TILECC_FN auto load(P pointers) {
  using T = detail::accessed<P>;
  if constexpr (detail::is_tile<P>)
    return builtin::load<tile<T, typename P::shape_type>>(pointers);
  else
    return builtin::load<T>(pointers);
}
template <class P, class M>
  requires(detail::operand<P> && detail::operand<M>)
__TILECC_FN auto load(P pointers, M mask) {
  using T = detail::accessed<P>;
  if constexpr (detail::is_tile<P>)
    return builtin::load<tile<T, typename P::shape_type>>(pointers, detail::fit_mask<P>(mask));
  else
    return builtin::load<T>(pointers, detail::fit_mask<P>(mask));
}
template <class P, class M, class O>
  requires(detail::operand<P> && detail::operand<M> && detail::operand<O>)
__TILECC_FN auto load(P pointers, M mask, O other) {
  using T = detail::accessed<P>;
  if constexpr (detail::is_tile<P>)
    return builtin::load<tile<T, typename P::shape_type>>(pointers, detail::fit_mask<P>(mask),
                                                          detail::fit<T, P>(other));
  else
    return builtin::load<T>(pointers, detail::fit_mask<P>(mask), detail::fit<T, P>(other));
}

/// Stores value, converted to the type pointed to, where mask is true. Where pointers are equal, which value remains is
/// undefined. Triton: tl.store.
template <class P, class V>
  requires(detail::operand<P> && detail::operand<V>)
__TILECC_FN void store(P pointers, V value) {
  using T = detail::accessed<P>;
  static_assert(detail::writable<P>(), detail::complain<P>("cannot store through ", ""));
  builtin::store(pointers, detail::fit<T, P>(value));
}
template <class P, class V, class M>
  requires(detail::operand<P> && detail::operand<V> && detail::operand<M>)
__TILECC_FN void store(P pointers, V value, M mask) {
  using T = detail::accessed<P>;
  static_assert(detail::writable<P>(), detail::complain<P>("cannot store through ", ""));
  builtin::store(pointers, detail::fit<T, P>(value), detail::fit_mask<P>(mask));
}

} // namespace tt

#endif // TILECC_DETAIL_MEMORY_H
