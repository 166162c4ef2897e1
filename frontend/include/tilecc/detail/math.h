//===-- tilecc/detail/math.h - functions of one element -----------------------------------------------------------===//
//
// Each takes a tile or a scalar and returns the same type. As in Triton, exp and its kin take float and double (and the
// 16-bit types, computed in float), with the target's fast approximations for float.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_MATH_H
#define TILECC_DETAIL_MATH_H
#pragma GCC system_header

#include "shape.h"

namespace tt {

#define __TILECC_FUNCTION(name)                                                                                        \
  template <detail::operand X> __TILECC_FN X name(X x) {                                                               \
    static_assert(detail::is_float<X>, detail::complain<X>("tt::" #name " takes floating-point numbers, not ", ""));   \
    return builtin::name(x);                                                                                           \
  }
/// e^x. Triton: tl.exp.
__TILECC_FUNCTION(exp)
/// 2^x. Triton: tl.exp2.
__TILECC_FUNCTION(exp2)
/// The natural logarithm. Triton: tl.log.
__TILECC_FUNCTION(log)
/// The logarithm to base 2. Triton: tl.log2.
__TILECC_FUNCTION(log2)
/// The square root, approximate for float as in Triton. Triton: tl.sqrt.
__TILECC_FUNCTION(sqrt)
#undef __TILECC_FUNCTION

/// The absolute value; of the smallest signed integer, that integer. Triton: tl.abs.
template <detail::operand X> __TILECC_FN X abs(X x) {
  using T = detail::element<X>;
  static_assert(!detail::is_pointer<X>, detail::complain<X>("no absolute value of ", ""));
  if constexpr (detail::is_float<X> || T(-1) < T(0))
    return builtin::abs(x);
  else
    return x;
}

} // namespace tt

#endif // TILECC_DETAIL_MATH_H
