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
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_MATH_H
#define TILECC_TT_MATH_H
#pragma GCC system_header

#include "operators.h"
#include "reduce.h"

namespace tt {
namespace detail {

// The result type: a tile if one of the operands is a tile, otherwise a scalar, of their common element type.
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
template <class V> struct bool_of {
  using type = bool;
};
template <class T, class S> struct bool_of<tensor<T, S>> {
  using type = tensor<bool, S>;
};
template <class V> __TILECC_FN auto same(V a, V b) { return builtin::equal<typename bool_of<V>::type>(a, b); }
template <class V> __TILECC_FN auto differs(V a, V b) { return builtin::not_equal<typename bool_of<V>::type>(a, b); }
template <class V> __TILECC_FN auto below(V a, V b) { return builtin::less<typename bool_of<V>::type>(a, b); }

// Evaluates a polynomial of z by Horner's scheme. The arguments are the value so far and the remaining coefficients.
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

// Returns whether the sign bit is set, also for zeros and NaNs.
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
  // Very large and very small operands are scaled, so that neither the sum nor the quotient overflows or underflows.
  V scale = builtin::select(below(as<V>(T(single ? 0x1p100 : 0x1p1000)), most), as<V>(T(single ? 0x1p-60 : 0x1p-100)),
                            builtin::select(below(most, as<V>(T(single ? 0x1p-60 : 0x1p-900))),
                                            as<V>(T(single ? 0x1p64 : 0x1p100)), as<V>(T(1))));
  V a = builtin::mul(least, scale), b = builtin::mul(most, scale);
  // The quotient of equal numbers, including two zeros or two infinities, is 1.
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

// Broadcasts the result of a reduction back to the shape S of the reduced tile.
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
    __TILECC_CHECK((detail::is_float<X>),                                                                              \
                   detail::complain<X>("tt::" #name " takes floating-point numbers, not ", ""));                       \
    return builtin::name(x);                                                                                           \
  }
/// The smallest integral value that is at least `x`.
/// Triton: `tl.ceil`.
/// Example:
///   auto up = tt::ceil(tt::arange<4>() * 0.5f); // [0, 1, 1, 2]
__TILECC_FUNCTION(ceil)
/// The largest integral value that is at most `x`.
/// Triton: `tl.floor`.
/// Example:
///   auto down = tt::floor(tt::arange<4>() * 0.5f); // [0, 0, 1, 1]
__TILECC_FUNCTION(floor)
/// `x` rounded toward zero.
/// Triton: `libdevice.trunc`.
/// Example:
///   auto to_zero = tt::trunc(tt::arange<4>() * 0.5f - 1); // [-1, -0, 0, 0]
__TILECC_FUNCTION(trunc)
/// `x` rounded to the nearest integral value, ties away from zero.
/// Triton: `libdevice.round`.
/// Example:
///   auto away = tt::round(tt::arange<4>() * 0.5f); // [0, 1, 1, 2]
__TILECC_FUNCTION(round)
/// `x` rounded to the nearest integral value, ties to even.
/// Triton: `libdevice.rint`.
/// Example:
///   auto to_even = tt::rint(tt::arange<4>() * 0.5f); // [0, 0, 1, 2]
__TILECC_FUNCTION(rint)
/// The exponential function, e to the power `x`. On a GPU it is computed as 2 to the power `x` log2(e), as in Triton.
/// Triton: `tl.exp`.
/// Example:
///   auto e = tt::exp(tt::arange<4>() * 0.5f); // [1.000, 1.649, 2.718, 4.482]
__TILECC_FUNCTION(exp)
/// 2 to the power `x`.
/// Triton: `tl.exp2`.
/// Example:
///   auto two = tt::exp2(tt::arange<4>() * 0.5f); // [1.000, 1.414, 2.000, 2.828]
__TILECC_FUNCTION(exp2)
/// The natural logarithm.
/// Triton: `tl.log`.
/// Example:
///   auto ln = tt::log(tt::arange<4>() * 0.5f + 1); // [0.000, 0.405, 0.693, 0.916]
__TILECC_FUNCTION(log)
/// The logarithm to base 2.
/// Triton: `tl.log2`.
/// Example:
///   auto l2 = tt::log2(tt::arange<4>() * 0.5f + 1); // [0.000, 0.585, 1.000, 1.322]
__TILECC_FUNCTION(log2)
/// The cosine of `x` in radians.
/// Triton: `tl.cos`.
/// Example:
///   auto cosine = tt::cos(tt::arange<4>() * 0.5f); // [1.000, 0.878, 0.540, 0.071]
__TILECC_FUNCTION(cos)
/// The sine of `x` in radians.
/// Triton: `tl.sin`.
/// Example:
///   auto sine = tt::sin(tt::arange<4>() * 0.5f); // [0.000, 0.479, 0.841, 0.997]
__TILECC_FUNCTION(sin)
/// The hyperbolic tangent.
/// Triton: `libdevice.tanh`.
/// Example:
///   auto hyperbolic = tt::tanh(tt::arange<4>() * 0.5f); // [0.000, 0.462, 0.762, 0.905]
__TILECC_FUNCTION(tanh)
/// The error function.
/// Triton: `tl.erf`.
/// Example:
///   auto error = tt::erf(tt::arange<4>() * 0.5f); // [0.000, 0.520, 0.843, 0.966]
__TILECC_FUNCTION(erf)
/// The square root. For `float` it is approximate on a GPU, unless -prec-sqrt=true is given.
/// Triton: `tl.sqrt`.
/// Example:
///   auto root = tt::sqrt(tt::arange<4>() * 0.5f); // [0.000, 0.707, 1.000, 1.225]
__TILECC_FUNCTION(sqrt)
/// The square root, correctly rounded.
/// Triton: `tl.sqrt_rn`, which takes `float` only.
/// Example:
///   auto exact_root = tt::sqrt_rn(tt::arange<4>() * 0.5f); // [0.0000000, 0.7071068, 1.0000000, 1.2247449]
__TILECC_FUNCTION(sqrt_rn)
/// The reciprocal of the square root, 1 / sqrt(x).
/// Triton: `tl.rsqrt`.
/// Example:
///   auto inverse_root = tt::rsqrt(tt::arange<4>() * 0.5f + 1); // [1.000, 0.816, 0.707, 0.632]
__TILECC_FUNCTION(rsqrt)
#undef __TILECC_FUNCTION

/// The logistic function, 1 / (1 + exp(-x)).
/// Triton: `tl.sigmoid`.
/// Example:
///   auto logistic = tt::sigmoid(tt::arange<4>() * 0.5f); // [0.500, 0.622, 0.731, 0.818]
template <detail::operand X> __TILECC_VALUE X sigmoid(X x) {
  __TILECC_CHECK((detail::is_float<X>), detail::complain<X>("tt::sigmoid takes floating-point numbers, not ", ""));
  auto wide = detail::widened(x);
  return detail::as<X>(1 / (1 + builtin::exp(-wide)));
}

/// The tangent of `x` in radians.
/// Triton: `libdevice.tan`.
/// Example:
///   auto tangent = tt::tan(tt::arange<4>() * 0.5f); // [0.000, 0.546, 1.557, 14.101]
template <detail::operand X> __TILECC_VALUE X tan(X x) {
  __TILECC_CHECK((detail::is_float<X>), detail::complain<X>("tt::tan takes floating-point numbers, not ", ""));
  auto wide = detail::widened(x);
  return detail::as<X>(builtin::div(builtin::sin(wide), builtin::cos(wide)));
}

/// log(1 + x), accurate also for small `x`.
/// Triton: `libdevice.log1p`.
/// Example:
///   auto ln1 = tt::log1p(tt::arange<4>() * 0.5f); // [0.000, 0.405, 0.693, 0.916]
template <detail::operand X> __TILECC_VALUE X log1p(X x) {
  __TILECC_CHECK((detail::is_float<X>), detail::complain<X>("tt::log1p takes floating-point numbers, not ", ""));
  auto wide = detail::widened(x);
  using V = decltype(wide);
  // The factor x / (u - 1) compensates the rounding error of u = 1 + x (Kahan).
  V one = detail::as<V>(1), u = builtin::add(one, wide), exact = builtin::sub(u, one), y = builtin::log(u);
  auto corrects =
      builtin::bit_and(detail::differs(exact, wide), detail::differs(u, detail::as<V>(inf<detail::element<V>>)));
  auto is_tiny = detail::same(exact, detail::as<V>(0));
  V corrected = builtin::mul(y, builtin::div(wide, builtin::select(is_tiny, one, exact)));
  return detail::as<X>(builtin::select(is_tiny, wide, builtin::select(corrects, corrected, y)));
}

/// True where `x` is NaN; the result is `bool`.
/// Triton: `libdevice.isnan`.
/// Example:
///   auto invalid = tt::isnan(tt::sqrt(tt::arange<4>() * 0.5f - 1)); // [true, true, false, false]
template <detail::operand X> __TILECC_VALUE auto isnan(X x) {
  __TILECC_CHECK((detail::is_float<X>), detail::complain<X>("tt::isnan takes floating-point numbers, not ", ""));
  return detail::differs(x, x);
}
/// True where `x` is infinite; the result is `bool`.
/// Triton: `libdevice.isinf`.
/// Example:
///   auto infinite = tt::isinf(1.0f / tt::arange<4>()); // [true, false, false, false]
template <detail::operand X> __TILECC_VALUE auto isinf(X x) {
  __TILECC_CHECK((detail::is_float<X>), detail::complain<X>("tt::isinf takes floating-point numbers, not ", ""));
  return detail::same(builtin::abs(x), detail::as<X>(inf<detail::element<X>>));
}

/// The number of bits that are set.
/// Types: integers.
/// Triton: `libdevice.popc`.
/// Example:
///   auto bits = tt::popcount(tt::arange<4>()); // [0, 1, 1, 2]
template <detail::operand X> __TILECC_VALUE X popcount(X x) {
  __TILECC_CHECK((detail::kind_of<detail::element<X>> == detail::int_kind),
                 detail::complain<X>("tt::popcount takes integers, not ", ""));
  return builtin::popcount(x);
}
/// The number of leading zero bits; for 0, the width of the type.
/// Types: integers.
/// Triton: `libdevice.clz`.
/// Example:
///   auto leading = tt::clz(tt::arange<4>()); // [32, 31, 30, 30]
template <detail::operand X> __TILECC_VALUE X clz(X x) {
  __TILECC_CHECK((detail::kind_of<detail::element<X>> == detail::int_kind),
                 detail::complain<X>("tt::clz takes integers, not ", ""));
  return builtin::clz(x);
}

/// The absolute value. The absolute value of the smallest signed integer is that integer.
/// Types: numbers, except 8-bit floats.
/// Triton: `tl.abs`.
/// Example:
///   auto magnitude = tt::abs(tt::arange<4>() * 0.5f - 1); // [1, 0.5, 0, 0.5]
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

/// x * y + z, rounded once.
/// Shapes: the operands broadcast to each other.
/// Types: floating-point numbers of a common type.
/// Triton: `tl.fma`.
/// Example:
///   auto fused = tt::fma(tt::arange<4>() * 0.5f, 2.0f, 1.0f); // [1, 2, 3, 4]
template <detail::operand X, detail::operand Y, detail::operand Z> __TILECC_VALUE auto fma(X x, Y y, Z z) {
  using R = detail::common_operand<X, Y, Z>;
  __TILECC_CHECK((detail::is_float<R>), detail::complain<R>("tt::fma takes floating-point numbers, not ", ""));
  return builtin::fma(detail::as<R>(x), detail::as<R>(y), detail::as<R>(z));
}

/// `x` to the power `y`, as C's `pow`.
/// Shapes: the operands broadcast to each other.
/// Types: floating-point numbers of a common type.
/// Triton: `libdevice.pow`.
/// Example:
///   auto power = tt::pow(tt::arange<4>() * 0.5f, 2.0f); // [0.000, 0.250, 1.000, 2.250]
template <detail::operand X, detail::operand Y> __TILECC_VALUE auto pow(X x, Y y) {
  using R = detail::common_operand<X, Y>;
  __TILECC_CHECK((detail::is_float<R>), detail::complain<R>("tt::pow takes floating-point numbers, not ", ""));
  return builtin::pow(detail::as<R>(x), detail::as<R>(y));
}

/// The angle of the point (x, y) in [-pi, pi], as C's `atan2`.
/// Shapes: the operands broadcast to each other.
/// Types: floating-point numbers of a common type.
/// Triton: `libdevice.atan2`.
/// Example:
///   auto angle = tt::atan2(tt::arange<4>() * 0.5f - 1, 1.0f); // [-0.785, -0.464, 0.000, 0.464]
template <detail::operand Y, detail::operand X> __TILECC_VALUE auto atan2(Y y, X x) {
  using R = detail::common_operand<Y, X>;
  __TILECC_CHECK((detail::is_float<R>), detail::complain<R>("tt::atan2 takes floating-point numbers, not ", ""));
  return detail::as<R>(detail::angle(detail::widened(detail::as<R>(y)), detail::widened(detail::as<R>(x))));
}

/// x / y, as the operator divides: approximate for `float` on a GPU.
/// Types: floating-point numbers of a common type.
/// Triton: `tl.fdiv`.
/// Example:
///   auto third = tt::fdiv(tt::arange<4>() * 0.5f, 3.0f); // [0.000, 0.167, 0.333, 0.500]
template <detail::operand X, detail::operand Y> __TILECC_VALUE auto fdiv(X x, Y y) {
  using R = detail::common_operand<X, Y>;
  __TILECC_CHECK((detail::is_float<R>), detail::complain<R>("tt::fdiv takes floating-point numbers, not ", ""));
  return builtin::div(detail::as<R>(x), detail::as<R>(y));
}

/// x / y, correctly rounded.
/// Types: floating-point numbers of a common type.
/// Triton: `tl.div_rn`, which takes `float` only.
/// Example:
///   auto third = tt::div_rn(tt::arange<4>() * 0.5f, 3.0f); // [0.0000000, 0.1666667, 0.3333333, 0.5000000]
template <detail::operand X, detail::operand Y> __TILECC_VALUE auto div_rn(X x, Y y) {
  using R = detail::common_operand<X, Y>;
  __TILECC_CHECK((detail::is_float<R>), detail::complain<R>("tt::div_rn takes floating-point numbers, not ", ""));
  return builtin::div_rn(detail::as<R>(x), detail::as<R>(y));
}

/// The upper half of the product of two integers, taken as unsigned.
/// Types: integers of 32 or 64 bits.
/// Triton: `tl.umulhi`.
/// Example:
///   auto high = tt::umulhi(tt::full<unsigned, 2>(1u << 31), 6u); // [3, 3]
template <detail::operand X, detail::operand Y> __TILECC_VALUE auto umulhi(X x, Y y) {
  using R = detail::common_operand<X, Y>;
  using T = detail::element<R>;
  __TILECC_CHECK((detail::kind_of<T> == detail::int_kind && sizeof(T) >= 4),
                 detail::complain<R>("tt::umulhi takes integers of 32 or 64 bits, not ", ""));
  return builtin::mulhiui(detail::as<R>(x), detail::as<R>(y));
}

/// `x` limited to the range from `low` to `high`.
/// Shapes: the operands broadcast to each other.
/// Types: numbers, except 8-bit floats, of a common type; `low` <= `high`.
/// NaN: by default a NaN `x` gives `low`; `clamp<tt::propagate_nan::all>(x, low, high)` returns NaN.
/// Triton: `tl.clamp`, which takes floating-point numbers only.
/// Example:
///   auto clamped = tt::clamp(tt::arange<4>() * 0.5f - 0.5f, 0.0f, 0.75f); // [0, 0, 0.5, 0.75]
template <propagate_nan N = propagate_nan::none, detail::operand X, detail::operand L, detail::operand H>
__TILECC_VALUE auto clamp(X x, L low, H high) {
  using R = detail::common_operand<X, L, H>;
  __TILECC_CHECK((!detail::is_pointer<R>), detail::complain<R>("cannot clamp ", ""));
  detail::can_compute<R>();
  return builtin::clamp<int(N)>(detail::as<R>(x), detail::as<R>(low), detail::as<R>(high));
}

//===-- functions of a row ----------------------------------------------------------------------------------------===//

/// exp(x) / sum(exp(x)) along `Axis`, by default the first, without overflow.
/// Types: floating-point numbers; 16-bit types are computed in `float`.
/// Errors: the axis is out of range.
/// Triton: `tl.softmax`.
/// Example:
///   auto soft = tt::softmax(tt::arange<4>() * 0.5f); // [0.102, 0.167, 0.276, 0.455]
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
