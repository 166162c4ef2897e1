//===-- tilecc/tt/math.h - functions of one element --------------------------------------------------------------===//
//
// Each takes tiles or scalars, and returns tiles where one of them is a tile. Floating-point functions take float16,
// bfloat16, float and double; the 16-bit types are computed in float and rounded once. Operands of functions of several
// broadcast and convert like those of operators.
//
// Accuracy, in units in the last place of the result (ulp), on a GPU; on the CPU device every function is at least as
// accurate as the most accurate column says. Zeros keep their sign where the function is odd, and the arguments at the
// edges (NaN, infinities, negative numbers) give what C's functions give. Nothing here needs a library of the CUDA
// toolkit; <tilecc/libdevice.h> has NVIDIA's own.
//
//   function                    float               double
//   abs, ceil, floor            exact               exact
//   fma, sqrt_rn, div_rn        rounded correctly   rounded correctly
//   sqrt, rsqrt                 2                   rounded correctly, 1
//   fdiv, /                     2                   rounded correctly
//   exp2                        2; below 2^-126: 0  1      (as Triton's; exp keeps subnormal results)
//   exp                         2 + 1.2 |x|         1      (2^(x log2 e), as Triton's)
//   log, log2                   1.5                 1
//   sin, cos, tanh, erf, pow    2                   2
//
// -ftz=true, -prec-div=true, -prec-sqrt=true and -use_fast_math change them for GPUs as they do in CUDA.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_MATH_H
#define TILECC_TT_MATH_H
#pragma GCC system_header

#include "operators.h"
#include "reduce.h"

namespace tt {
namespace detail {

// A tile where one of the operands is one, else a scalar, of their common element type.
template <class A, class B> constexpr auto find_operand() {
  if constexpr (is_tile<A> || is_tile<B>)
    return tensor<joint_element<A, B>, joint_shape<A, B>>();
  else
    return common_value<element<A>, element<B>>();
}
template <class A, class B = A, class C = A>
using common_operand = decltype(find_operand<decltype(find_operand<A, B>()), C>());

template <class V> __TILECC_FN auto widened(V x) {
  if constexpr (sizeof(element<V>) >= 4)
    return x;
  else if constexpr (is_tile<V>)
    return x.template to<float>();
  else
    return static_cast<float>(x);
}

// What a reduction of a tile of shape S left, to be broadcast to it again.
template <int Axis, class S, class R> __TILECC_FN auto keep_dim(R reduced) {
  if constexpr (S::rank == 1)
    return reduced;
  else
    return expand_dims<Axis>(reduced);
}

} // namespace detail

//===-- functions of one number -----------------------------------------------------------------------------------===//

#define __TILECC_FUNCTION(name)                                                                                        \
  template <detail::operand X> __TILECC_VALUE X name(X x) {                                                            \
    __TILECC_CHECK((detail::is_float<X>), detail::complain<X>("tt::" #name " takes floating-point numbers, not ", "")); \
    return builtin::name(x);                                                                                           \
  }
/// The smallest whole number that is not below x. Triton: tl.ceil.
__TILECC_FUNCTION(ceil)
/// The largest whole number that is not above x. Triton: tl.floor.
__TILECC_FUNCTION(floor)
/// e^x. Triton: tl.exp.
__TILECC_FUNCTION(exp)
/// 2^x. Triton: tl.exp2.
__TILECC_FUNCTION(exp2)
/// The natural logarithm. Triton: tl.log.
__TILECC_FUNCTION(log)
/// The logarithm to base 2. Triton: tl.log2.
__TILECC_FUNCTION(log2)
/// The cosine of x in radians. Triton: tl.cos.
__TILECC_FUNCTION(cos)
/// The sine of x in radians. Triton: tl.sin.
__TILECC_FUNCTION(sin)
/// The hyperbolic tangent. Triton: libdevice.tanh.
__TILECC_FUNCTION(tanh)
/// The error function. Triton: tl.erf.
__TILECC_FUNCTION(erf)
/// The square root; of float, approximate. Triton: tl.sqrt.
__TILECC_FUNCTION(sqrt)
/// The square root, rounded correctly. Triton: tl.sqrt_rn, which is for float alone.
__TILECC_FUNCTION(sqrt_rn)
/// 1 / sqrt(x). Triton: tl.rsqrt.
__TILECC_FUNCTION(rsqrt)
#undef __TILECC_FUNCTION

/// 1 / (1 + e^-x). Triton: tl.sigmoid.
template <detail::operand X> __TILECC_VALUE X sigmoid(X x) {
  __TILECC_CHECK((detail::is_float<X>), detail::complain<X>("tt::sigmoid takes floating-point numbers, not ", ""));
  auto wide = detail::widened(x);
  return detail::as<X>(1 / (1 + builtin::exp(-wide)));
}

/// The absolute value; of the smallest signed integer, that integer. Triton: tl.abs.
template <detail::operand X> __TILECC_VALUE X abs(X x) {
  using T = detail::element<X>;
  __TILECC_CHECK((!detail::is_pointer<X>), detail::complain<X>("no absolute value of ", ""));
  detail::can_compute<X>();
  if constexpr (detail::is_float<X> || T(-1) < T(0))
    return builtin::abs(x);
  else
    return x;
}

//===-- functions of several numbers ------------------------------------------------------------------------------===//

/// x * y + z, rounded once. Triton: tl.fma.
template <detail::operand X, detail::operand Y, detail::operand Z> __TILECC_VALUE auto fma(X x, Y y, Z z) {
  using R = detail::common_operand<X, Y, Z>;
  __TILECC_CHECK((detail::is_float<R>), detail::complain<R>("tt::fma takes floating-point numbers, not ", ""));
  return builtin::fma(detail::as<R>(x), detail::as<R>(y), detail::as<R>(z));
}

/// x to the power y, as C's pow. Triton: libdevice.pow.
template <detail::operand X, detail::operand Y> __TILECC_VALUE auto pow(X x, Y y) {
  using R = detail::common_operand<X, Y>;
  __TILECC_CHECK((detail::is_float<R>), detail::complain<R>("tt::pow takes floating-point numbers, not ", ""));
  return builtin::pow(detail::as<R>(x), detail::as<R>(y));
}

/// x / y as the operator divides: of float, approximate. Triton: tl.fdiv.
template <detail::operand X, detail::operand Y> __TILECC_VALUE auto fdiv(X x, Y y) {
  using R = detail::common_operand<X, Y>;
  __TILECC_CHECK((detail::is_float<R>), detail::complain<R>("tt::fdiv takes floating-point numbers, not ", ""));
  return builtin::div(detail::as<R>(x), detail::as<R>(y));
}

/// x / y, rounded correctly. Triton: tl.div_rn, which is for float alone.
template <detail::operand X, detail::operand Y> __TILECC_VALUE auto div_rn(X x, Y y) {
  using R = detail::common_operand<X, Y>;
  __TILECC_CHECK((detail::is_float<R>), detail::complain<R>("tt::div_rn takes floating-point numbers, not ", ""));
  return builtin::div_rn(detail::as<R>(x), detail::as<R>(y));
}

/// The upper half of the product of two integers of 32 or 64 bits, taken as unsigned. Triton: tl.umulhi.
template <detail::operand X, detail::operand Y> __TILECC_VALUE auto umulhi(X x, Y y) {
  using R = detail::common_operand<X, Y>;
  using T = detail::element<R>;
  __TILECC_CHECK((detail::kind_of<T> == detail::int_kind && sizeof(T) >= 4),
                 detail::complain<R>("tt::umulhi takes integers of 32 or 64 bits, not ", ""));
  return builtin::mulhiui(detail::as<R>(x), detail::as<R>(y));
}

/// x, but no smaller than low and no larger than high, for low <= high. NaNs as in maximum and minimum: by default they
/// lose, so that of a NaN x the result is low. Triton: tl.clamp(x, min, max, propagate_nan), which is for floating point
/// alone.
template <propagate_nan N = propagate_nan::none, detail::operand X, detail::operand L, detail::operand H>
__TILECC_VALUE auto clamp(X x, L low, H high) {
  using R = detail::common_operand<X, L, H>;
  __TILECC_CHECK((!detail::is_pointer<R>), detail::complain<R>("cannot clamp ", ""));
  detail::can_compute<R>();
  return builtin::clamp<int(N)>(detail::as<R>(x), detail::as<R>(low), detail::as<R>(high));
}

//===-- functions of a row ----------------------------------------------------------------------------------------===//

/// e^x / sum(e^x) along Axis, without overflow. Triton: tl.softmax(x, dim).
template <int Axis = 0, class T, class S> __TILECC_VALUE tensor<T, S> softmax(tensor<T, S> x) {
  __TILECC_CHECK((detail::is_float<T>),
                 detail::complain<tensor<T, S>>("tt::softmax takes floating-point numbers, not ", ""));
  constexpr int axis = Axis < 0 ? Axis + S::rank : Axis;
  constexpr bool fits = axis >= 0 && axis < S::rank;
  __TILECC_CHECK((fits), detail::complain<tensor<T, S>>("the axis of tt::softmax is out of range for ", ""));
  if constexpr (fits) {
    auto wide = detail::widened(x);
    auto numerator = builtin::exp(wide - detail::keep_dim<axis, S>(max<axis>(wide)));
    return (numerator / detail::keep_dim<axis, S>(sum<axis>(numerator))).template to<T>();
  } else {
    return x;
  }
}

} // namespace tt

#endif // TILECC_TT_MATH_H
