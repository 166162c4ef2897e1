//===-- tilecc/detail/memory.h - loads and stores -----------------------------------------------------------------===//
#ifndef TILECC_DETAIL_MEMORY_H
#define TILECC_DETAIL_MEMORY_H
#pragma GCC system_header

#include "operators.h"

namespace tt {
namespace detail {

// What a load through P, a pointer or a tile of pointers, returns.
template <class P> constexpr auto find_loaded() {
  static_assert(is_pointer<P>, complain<P>("memory is accessed through pointers, not through ", ""));
  if constexpr (is_pointer<P>) {
    using T = typename unqualified<typename pointee_of<element<P>>::type>::type;
    constexpr bool number = kind_of<T> != no_kind && kind_of<T> != pointer_kind;
    static_assert(number, complain<P>("cannot access memory through ", ": it does not point to numbers"));
    using N = typename choose<number, T, int>::type;
    if constexpr (is_tile<P>)
      return tile<N, typename P::shape_type>();
    else
      return N();
  } else {
    return P();
  }
}
template <class P> using loaded = decltype(find_loaded<P>());

template <class P> constexpr bool writable() {
  if constexpr (is_pointer<P>) {
    using T = typename pointee_of<element<P>>::type;
    return __is_same(typename unqualified<T>::type, T);
  } else {
    return true;
  }
}

// mask, other and value take the pointers' shape; they may be scalars, or tiles that broadcast to it.
template <class R, class P, class V> __TILECC_FN R fit(V x) {
  static_assert(!is_pointer<V>, complain<V>("", " is no value that memory can hold"));
  if constexpr (is_tile<R>) {
    static_assert(__is_same(joint_shape<V, R>, typename R::shape_type),
                  complain<V, P>("cannot broadcast ", " to the shape of ", ": it would lose elements"));
    return spread<R>(x);
  } else {
    static_assert(!is_tile<V>, complain<V, P>("cannot use ", " with ", ", which is a single pointer"));
    return static_cast<R>(x);
  }
}
template <class P, class M> __TILECC_FN auto fit_mask(M mask) {
  if constexpr (is_tile<P>)
    return fit<tile<bool, typename P::shape_type>, P>(truth(mask));
  else
    return fit<bool, P>(truth(mask));
}

} // namespace detail

/// Loads the elements that pointers point to: a tile from a tile of pointers, a scalar from a pointer. Where mask is
/// false nothing is read, and the element is other, or undefined without one. Triton: tl.load.
template <detail::operand P> __TILECC_FN auto load(P pointers) {
  return builtin::load<detail::loaded<P>>(pointers);
}
template <detail::operand P, detail::operand M> __TILECC_FN auto load(P pointers, M mask) {
  return builtin::load<detail::loaded<P>>(pointers, detail::fit_mask<P>(mask));
}
template <detail::operand P, detail::operand M, detail::operand O>
__TILECC_FN auto load(P pointers, M mask, O other) {
  using R = detail::loaded<P>;
  return builtin::load<R>(pointers, detail::fit_mask<P>(mask), detail::fit<R, P>(other));
}

/// Stores value, converted to the type pointed to, where mask is true. Where pointers are equal, which value remains is
/// undefined. Triton: tl.store.
template <detail::operand P, detail::operand V> __TILECC_FN void store(P pointers, V value) {
  static_assert(detail::writable<P>(), detail::complain<P>("cannot store through ", ""));
  builtin::store(pointers, detail::fit<detail::loaded<P>, P>(value));
}
template <detail::operand P, detail::operand V, detail::operand M>
__TILECC_FN void store(P pointers, V value, M mask) {
  static_assert(detail::writable<P>(), detail::complain<P>("cannot store through ", ""));
  builtin::store(pointers, detail::fit<detail::loaded<P>, P>(value), detail::fit_mask<P>(mask));
}

/// Waits until all threads of the program are here: what any of them stored before, each of them loads after. On a GPU
/// the elements of a tile belong to threads that do not wait for each other, so that a program needs a barrier where it
/// loads what it has stored, and where it stores to what it has loaded. Scalars and tiles of fewer elements than
/// there are threads are loaded by several and stored by one. A larger tile that goes back to where it came from
/// (`store(p, load(p) + 1)`) needs none. Programs of a grid never wait for each other. On the CPU a program is one thread,
/// and there is nothing to wait for. Triton: tl.debug_barrier.
__TILECC_FN inline void debug_barrier() { builtin::debug_barrier(); }

} // namespace tt

#endif // TILECC_DETAIL_MEMORY_H
