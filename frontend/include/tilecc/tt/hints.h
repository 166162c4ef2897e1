//===-- tilecc/tt/hints.h - what the compiler may assume ---------------------------------------------------------===//
//
// None of these checks anything when the kernel runs: where an assumption does not hold, the kernel's behaviour is
// undefined.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_HINTS_H
#define TILECC_TT_HINTS_H
#pragma GCC system_header

#include "../detail/broadcast.h"

namespace tt {

/// The compiler may assume that condition holds; where it does not, the kernel's behaviour is undefined. Triton: tl.assume.
__TILECC_FN inline void assume(bool condition) { builtin::assume(condition); }

namespace detail {
template <class X, int... N> constexpr bool check_hint() {
  static_assert(((N > 0 && (N & (N - 1)) == 0) && ...), "the numbers of a hint are powers of two");
  if constexpr (is_tile<X>)
    __TILECC_CHECK((sizeof...(N) == X::rank), complain<X>("a hint for ", " needs one number per dimension"));
  else
    static_assert(sizeof...(N) == 1, "a hint for a scalar is one number");
  return true;
}
} // namespace detail

/// x, of which the compiler may assume that it is a multiple of N. For a tile, one N for each dimension: the first element of every run along that
/// dimension is a multiple of N. Triton: tl.multiple_of.
template <int... N, class X>
  requires detail::operand<X>
__TILECC_VALUE X multiple_of(X x) {
  detail::check_hint<X, N...>();
  return builtin::multiple_of<N...>(x);
}
/// The tile x, with one N for each dimension: the compiler may assume that, cut into runs of N along it, aligned to N, each
/// run counts up by one. Triton: tl.max_contiguous.
template <int... N, class T, class S> __TILECC_VALUE tensor<T, S> max_contiguous(tensor<T, S> x) {
  detail::check_hint<tensor<T, S>, N...>();
  return builtin::max_contiguous<N...>(x);
}
/// The same for runs that have one value. Triton: tl.max_constancy.
template <int... N, class T, class S> __TILECC_VALUE tensor<T, S> max_constancy(tensor<T, S> x) {
  detail::check_hint<tensor<T, S>, N...>();
  return builtin::max_constancy<N...>(x);
}

} // namespace tt

#endif // TILECC_TT_HINTS_H
