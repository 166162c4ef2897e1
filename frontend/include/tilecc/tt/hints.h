//===-- tilecc/tt/hints.h - what the compiler may assume ---------------------------------------------------------===//
//
// None of these functions checks anything at run time. If an assumption does not hold, the behaviour of the kernel is
// undefined.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_HINTS_H
#define TILECC_TT_HINTS_H
#pragma GCC system_header

#include "../detail/broadcast.h"

namespace tt {

/// Tells the compiler that `condition` is true. If it is false, the behaviour of the kernel is undefined.
/// Triton: `tl.assume`.
/// Example:
///   tt::assume(n > 0);
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

/// Returns `x` and tells the compiler that it is a multiple of `N`. For a tile there is one `N` for each dimension,
/// and the first element of every run along that dimension is a multiple of it.
/// Errors: a number is not a power of two, or the count differs from the rank.
/// Triton: `tl.multiple_of`.
/// Example:
///   auto even = tt::multiple_of<2>(n); // 10
template <int... N, class X>
  requires detail::operand<X>
__TILECC_VALUE X multiple_of(X x) {
  detail::check_hint<X, N...>();
  return builtin::multiple_of<N...>(x);
}
/// Returns `x` and tells the compiler that in every aligned run of `N` elements along a dimension, the elements count
/// up by one.
/// Errors: a number is not a power of two, or the count differs from the rank.
/// Triton: `tl.max_contiguous`.
/// Example:
///   auto i = tt::max_contiguous<4>(tt::multiple_of<4>(tt::arange<4>())); // [0, 1, 2, 3]
template <int... N, class T, class S> __TILECC_VALUE tensor<T, S> max_contiguous(tensor<T, S> x) {
  detail::check_hint<tensor<T, S>, N...>();
  return builtin::max_contiguous<N...>(x);
}
/// Returns `x` and tells the compiler that in every aligned run of `N` elements along a dimension, the elements are
/// equal.
/// Errors: a number is not a power of two, or the count differs from the rank.
/// Triton: `tl.max_constancy`.
/// Example:
///   auto none = tt::max_constancy<4>(tt::zeros<int, 4>()); // [0, 0, 0, 0]
template <int... N, class T, class S> __TILECC_VALUE tensor<T, S> max_constancy(tensor<T, S> x) {
  detail::check_hint<tensor<T, S>, N...>();
  return builtin::max_constancy<N...>(x);
}

} // namespace tt

#endif // TILECC_TT_HINTS_H
