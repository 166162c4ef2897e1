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
//   abs, ceil, floor, trunc     exact               exact
//   round, rint                 exact               exact
//   fma, sqrt_rn, div_rn        rounded correctly   rounded correctly
//   sqrt, rsqrt                 2                   rounded correctly, 1
//   fdiv, /                     2                   rounded correctly
//   exp2                        2; below 2^-126: 0  1      (as Triton's; exp keeps subnormal results)
//   exp                         2 + 1.2 |x|         1      (2^(x log2 e), as Triton's)
//   log, log2                   1.5                 1
//   sin, cos, tanh, erf, pow    2                   2
//   log1p, atan2                5                   4
//   tan                         6                   5
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

// Comparisons of two tiles of one type, or of two scalars.
template <class V> struct bool_of { using type = bool; };
template <class T, class S> struct bool_of<tensor<T, S>> { using type = tensor<bool, S>; };
template <class V> __TILECC_FN auto same(V a, V b) { return builtin::equal<typename bool_of<V>::type>(a, b); }
template <class V> __TILECC_FN auto differs(V a, V b) { return builtin::not_equal<typename bool_of<V>::type>(a, b); }
template <class V> __TILECC_FN auto below(V a, V b) { return builtin::less<typename bool_of<V>::type>(a, b); }

// A polynomial of z by Horner's scheme: the sum so far, and the coefficients that follow.
template <class V> __TILECC_FN V polynomial(V, V sum) { return sum; }
template <class V, class... C> __TILECC_FN V polynomial(V z, V sum, double next, C... rest) {
  return polynomial(z, builtin::fma(sum, z, as<V>(static_cast<element<V>>(next))), rest...);
}

// atan(t) of |t| <= 0.42 (float), 0.66 (double), by the formulas of Moshier's Cephes.
template <class V> __TILECC_FN V small_angle(V t) {
  using T = element<V>;
  V z = builtin::mul(t, t);
  if constexpr (sizeof(T) == 4) {
    V p = polynomial(z, as<V>(T(8.05374449538e-2)), -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1);
    return builtin::fma(builtin::mul(p, z), t, t);
  } else {
    V p = polynomial(z, as<V>(T(-8.750608600031904122785e-1)), -1.615753718733365076637e1, -7.500855792314704667340e1,
                     -1.228866684490136173410e2, -6.485021904942025371773e1);
    V q = polynomial(z, as<V>(T(1)), 2.485846490142306297962e1, 1.650270098316988542046e2, 4.328810604912902668951e2,
                     4.853903996359136964868e2, 1.945506571482613964425e2);
    return builtin::fma(builtin::mul(z, builtin::div(p, q)), t, t);
  }
}

// Whether the sign bit is set, also of zeros and NaNs.
template <class V> __TILECC_FN auto is_negative(V x) {
  using I = typename choose<sizeof(element<V>) == 4, int, long>::type;
  auto bits = bitcast<I>(x);
  return below(bits, as<decltype(bits)>(0));
}

template <class V> __TILECC_FN V angle(V y, V x) {
  using T = element<V>;
  constexpr bool single = sizeof(T) == 4;
  constexpr double pi = 3.141592653589793;
  V ay = builtin::abs(y), ax = builtin::abs(x), least = builtin::minnum(ay, ax), most = builtin::maxnum(ay, ax);
  // What is very large or small is scaled, so that neither sum nor quotient leaves the range.
  V scale = builtin::select(below(as<V>(T(single ? 0x1p100 : 0x1p1000)), most), as<V>(T(single ? 0x1p-60 : 0x1p-100)),
                            builtin::select(below(most, as<V>(T(single ? 0x1p-60 : 0x1p-900))),
                                            as<V>(T(single ? 0x1p64 : 0x1p100)), as<V>(T(1))));
  V a = builtin::mul(least, scale), b = builtin::mul(most, scale);
  // Of equal numbers, two zeros and two infinities among them, the quotient is known.
  auto is_equal = same(least, most);
  auto is_zero = same(most, as<V>(T(0)));
  auto is_large = below(builtin::mul(b, as<V>(T(single ? 0.4142135623730950 : 0.66))), a);
  V up = builtin::sub(a, b), down = builtin::add(a, b);
  V numerator = builtin::select(is_large, up, a), denominator = builtin::select(is_large, down, b);
  V t = builtin::div(builtin::select(is_equal, as<V>(T(0)), numerator),
                     builtin::select(is_equal, as<V>(T(1)), denominator));
  V base = builtin::select(is_large, as<V>(T(pi / 4)), as<V>(T(0)));
  V result = builtin::add(base, small_angle(t));
  result = builtin::select(is_equal, builtin::select(is_zero, as<V>(T(0)), as<V>(T(pi / 4))), result);
  result = builtin::select(below(ax, ay), builtin::sub(as<V>(T(pi / 2)), result), result);
  result = builtin::select(is_negative(x), builtin::sub(as<V>(T(pi)), result), result);
  result = builtin::select(is_negative(y), builtin::neg(result), result);
  return builtin::select(builtin::bit_or(differs(x, x), differs(y, y)), builtin::add(x, y), result);
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
/// The whole number next to x in the direction of zero. Triton: libdevice.trunc.
__TILECC_FUNCTION(trunc)
/// The nearest whole number; of two, the one away from zero. Triton: libdevice.round.
__TILECC_FUNCTION(round)
/// The nearest whole number; of two, the even one. Triton: libdevice.rint.
__TILECC_FUNCTION(rint)
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

/// The tangent of x in radians. Triton: libdevice.tan.
template <detail::operand X> __TILECC_VALUE X tan(X x) {
  __TILECC_CHECK((detail::is_float<X>), detail::complain<X>("tt::tan takes floating-point numbers, not ", ""));
  auto wide = detail::widened(x);
  return detail::as<X>(builtin::div(builtin::sin(wide), builtin::cos(wide)));
}

/// log(1 + x), which is exact to the last places also for small x. Triton: libdevice.log1p.
template <detail::operand X> __TILECC_VALUE X log1p(X x) {
  __TILECC_CHECK((detail::is_float<X>), detail::complain<X>("tt::log1p takes floating-point numbers, not ", ""));
  auto wide = detail::widened(x);
  using V = decltype(wide);
  // The rounding error of u = 1 + x is made up for by the factor x / (u - 1) (Kahan).
  V one = detail::as<V>(1), u = builtin::add(one, wide), exact = builtin::sub(u, one), y = builtin::log(u);
  auto corrects = builtin::bit_and(detail::differs(exact, wide), detail::differs(u, detail::as<V>(inf<detail::element<V>>)));
  auto is_tiny = detail::same(exact, detail::as<V>(0));
  V corrected = builtin::mul(y, builtin::div(wide, builtin::select(is_tiny, one, exact)));
  return detail::as<X>(builtin::select(is_tiny, wide, builtin::select(corrects, corrected, y)));
}

/// Whether x is NaN, or infinite. Triton: libdevice.isnan, isinf.
template <detail::operand X> __TILECC_VALUE auto isnan(X x) {
  __TILECC_CHECK((detail::is_float<X>), detail::complain<X>("tt::isnan takes floating-point numbers, not ", ""));
  return detail::differs(x, x);
}
template <detail::operand X> __TILECC_VALUE auto isinf(X x) {
  __TILECC_CHECK((detail::is_float<X>), detail::complain<X>("tt::isinf takes floating-point numbers, not ", ""));
  return detail::same(builtin::abs(x), detail::as<X>(inf<detail::element<X>>));
}

/// How many bits of an integer are set, and how many zeros its bits begin with; of 0 all. Triton: libdevice.popc, clz.
template <detail::operand X> __TILECC_VALUE X popcount(X x) {
  __TILECC_CHECK((detail::kind_of<detail::element<X>> == detail::int_kind),
                 detail::complain<X>("tt::popcount takes integers, not ", ""));
  return builtin::popcount(x);
}
template <detail::operand X> __TILECC_VALUE X clz(X x) {
  __TILECC_CHECK((detail::kind_of<detail::element<X>> == detail::int_kind),
                 detail::complain<X>("tt::clz takes integers, not ", ""));
  return builtin::clz(x);
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

/// The angle of the point (x, y) in [-pi, pi], as C's atan2. Triton: libdevice.atan2.
template <detail::operand Y, detail::operand X> __TILECC_VALUE auto atan2(Y y, X x) {
  using R = detail::common_operand<Y, X>;
  __TILECC_CHECK((detail::is_float<R>), detail::complain<R>("tt::atan2 takes floating-point numbers, not ", ""));
  return detail::as<R>(detail::angle(detail::widened(detail::as<R>(y)), detail::widened(detail::as<R>(x))));
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
