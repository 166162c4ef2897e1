//===-- tilecc/tt/libdevice.h - the functions of <tilecc/libdevice.h> --------------------------------------------===//
#ifndef TILECC_TT_LIBDEVICE_H
#define TILECC_TT_LIBDEVICE_H
#pragma GCC system_header

#include "operators.h"

#define __TILECC_EXTERN(symbol)                                                                                        \
  namespace builtin {                                                                                                  \
  template <class R, class... V> __TILECC_CONST R symbol(V... x);                                                      \
  }

namespace tt {
namespace detail {

template <class X, class T> struct with_elements {
  using type = T;
};
template <class T, class S, class U> struct with_elements<tensor<T, S>, U> {
  using type = tensor<U, S>;
};
template <class T, class X> inline constexpr bool holds = __is_same(element<X>, T);

// The shape to which the operands broadcast, whatever their element types, with elements of type T.
template <class T, class A, class... B> constexpr auto find_joint() {
  if constexpr (sizeof...(B) == 0)
    return typename with_elements<A, T>::type();
  else {
    using R = decltype(find_joint<T, B...>());
    if constexpr (is_tile<A> || is_tile<R>)
      return tensor<T, joint_shape<A, R>>();
    else
      return T();
  }
}
template <class T, class... X> using joint = decltype(find_joint<T, X...>());

} // namespace detail

// Functions whose operands have one type, float or double.
#define __TILECC_FLOATS(name, float_symbol, double_symbol, result32, result64)                                         \
  __TILECC_EXTERN(float_symbol)                                                                                        \
  __TILECC_EXTERN(double_symbol)                                                                                       \
  namespace libdevice {                                                                                                \
  template <detail::operand X, detail::operand... Y> __TILECC_FN auto name(X x, Y... y) {                              \
    static_assert((detail::holds<float, X> && ... && detail::holds<float, Y>) ||                                       \
                      (detail::holds<double, X> && ... && detail::holds<double, Y>),                                   \
                  detail::complain<X>("tt::libdevice::" #name " takes float or double, not ", ""));                    \
    if constexpr (detail::holds<double, X>)                                                                            \
      return builtin::double_symbol<detail::joint<result64, X, Y...>>(                                                 \
          detail::as<detail::joint<double, X, Y...>>(x), detail::as<detail::joint<double, X, Y...>>(y)...);            \
    else                                                                                                               \
      return builtin::float_symbol<detail::joint<result32, X, Y...>>(detail::as<detail::joint<float, X, Y...>>(x),     \
                                                                     detail::as<detail::joint<float, X, Y...>>(y)...); \
  }                                                                                                                    \
  }
// Functions for a single type.
#define __TILECC_TYPED(name, symbol, argument, result)                                                                 \
  __TILECC_EXTERN(symbol)                                                                                              \
  namespace libdevice {                                                                                                \
  template <detail::operand X, detail::operand... Y> __TILECC_FN auto name(X x, Y... y) {                              \
    static_assert((detail::holds<argument, X> && ... && detail::holds<argument, Y>),                                   \
                  detail::complain<X>("tt::libdevice::" #name " takes " #argument ", not ", ""));                      \
    return builtin::symbol<detail::joint<result, X, Y...>>(detail::as<detail::joint<argument, X, Y...>>(x),            \
                                                           detail::as<detail::joint<argument, X, Y...>>(y)...);        \
  }                                                                                                                    \
  }

// Functions of one operand.
__TILECC_FLOATS(floor, __nv_floorf, __nv_floor, float, double)
__TILECC_FLOATS(rsqrt, __nv_rsqrtf, __nv_rsqrt, float, double)
__TILECC_FLOATS(exp2, __nv_exp2f, __nv_exp2, float, double)
__TILECC_FLOATS(sqrt, __nv_sqrtf, __nv_sqrt, float, double)
__TILECC_FLOATS(rint, __nv_rintf, __nv_rint, float, double)
__TILECC_FLOATS(nearbyint, __nv_nearbyintf, __nv_nearbyint, float, double)
__TILECC_FLOATS(sin, __nv_sinf, __nv_sin, float, double)
__TILECC_FLOATS(cos, __nv_cosf, __nv_cos, float, double)
__TILECC_FLOATS(sinpi, __nv_sinpif, __nv_sinpi, float, double)
__TILECC_FLOATS(cospi, __nv_cospif, __nv_cospi, float, double)
__TILECC_FLOATS(tan, __nv_tanf, __nv_tan, float, double)
__TILECC_FLOATS(log2, __nv_log2f, __nv_log2, float, double)
__TILECC_FLOATS(exp, __nv_expf, __nv_exp, float, double)
__TILECC_FLOATS(exp10, __nv_exp10f, __nv_exp10, float, double)
__TILECC_FLOATS(cosh, __nv_coshf, __nv_cosh, float, double)
__TILECC_FLOATS(sinh, __nv_sinhf, __nv_sinh, float, double)
__TILECC_FLOATS(tanh, __nv_tanhf, __nv_tanh, float, double)
__TILECC_FLOATS(atan, __nv_atanf, __nv_atan, float, double)
__TILECC_FLOATS(asin, __nv_asinf, __nv_asin, float, double)
__TILECC_FLOATS(acos, __nv_acosf, __nv_acos, float, double)
__TILECC_FLOATS(log, __nv_logf, __nv_log, float, double)
__TILECC_FLOATS(log10, __nv_log10f, __nv_log10, float, double)
__TILECC_FLOATS(log1p, __nv_log1pf, __nv_log1p, float, double)
__TILECC_FLOATS(acosh, __nv_acoshf, __nv_acosh, float, double)
__TILECC_FLOATS(asinh, __nv_asinhf, __nv_asinh, float, double)
__TILECC_FLOATS(atanh, __nv_atanhf, __nv_atanh, float, double)
__TILECC_FLOATS(expm1, __nv_expm1f, __nv_expm1, float, double)
__TILECC_FLOATS(cbrt, __nv_cbrtf, __nv_cbrt, float, double)
__TILECC_FLOATS(rcbrt, __nv_rcbrtf, __nv_rcbrt, float, double)
__TILECC_FLOATS(j0, __nv_j0f, __nv_j0, float, double)
__TILECC_FLOATS(j1, __nv_j1f, __nv_j1, float, double)
__TILECC_FLOATS(y0, __nv_y0f, __nv_y0, float, double)
__TILECC_FLOATS(y1, __nv_y1f, __nv_y1, float, double)
__TILECC_FLOATS(cyl_bessel_i0, __nv_cyl_bessel_i0f, __nv_cyl_bessel_i0, float, double)
__TILECC_FLOATS(cyl_bessel_i1, __nv_cyl_bessel_i1f, __nv_cyl_bessel_i1, float, double)
__TILECC_FLOATS(erf, __nv_erff, __nv_erf, float, double)
__TILECC_FLOATS(erfinv, __nv_erfinvf, __nv_erfinv, float, double)
__TILECC_FLOATS(erfc, __nv_erfcf, __nv_erfc, float, double)
__TILECC_FLOATS(erfcx, __nv_erfcxf, __nv_erfcx, float, double)
__TILECC_FLOATS(erfcinv, __nv_erfcinvf, __nv_erfcinv, float, double)
__TILECC_FLOATS(normcdfinv, __nv_normcdfinvf, __nv_normcdfinv, float, double)
__TILECC_FLOATS(normcdf, __nv_normcdff, __nv_normcdf, float, double)
__TILECC_FLOATS(lgamma, __nv_lgammaf, __nv_lgamma, float, double)
__TILECC_FLOATS(tgamma, __nv_tgammaf, __nv_tgamma, float, double)
__TILECC_FLOATS(round, __nv_roundf, __nv_round, float, double)
__TILECC_FLOATS(logb, __nv_logbf, __nv_logb, float, double)
__TILECC_FLOATS(ceil, __nv_ceilf, __nv_ceil, float, double)
__TILECC_FLOATS(trunc, __nv_truncf, __nv_trunc, float, double)

// Functions of several operands.
__TILECC_FLOATS(copysign, __nv_copysignf, __nv_copysign, float, double)
__TILECC_FLOATS(nextafter, __nv_nextafterf, __nv_nextafter, float, double)
__TILECC_FLOATS(atan2, __nv_atan2f, __nv_atan2, float, double)
__TILECC_FLOATS(hypot, __nv_hypotf, __nv_hypot, float, double)
__TILECC_FLOATS(rhypot, __nv_rhypotf, __nv_rhypot, float, double)
__TILECC_FLOATS(fmod, __nv_fmodf, __nv_fmod, float, double)
__TILECC_FLOATS(remainder, __nv_remainderf, __nv_remainder, float, double)
__TILECC_FLOATS(fdim, __nv_fdimf, __nv_fdim, float, double)
__TILECC_FLOATS(fma, __nv_fmaf, __nv_fma, float, double)
__TILECC_FLOATS(norm3d, __nv_norm3df, __nv_norm3d, float, double)
__TILECC_FLOATS(rnorm3d, __nv_rnorm3df, __nv_rnorm3d, float, double)
__TILECC_FLOATS(norm4d, __nv_norm4df, __nv_norm4d, float, double)
__TILECC_FLOATS(rnorm4d, __nv_rnorm4df, __nv_rnorm4d, float, double)

// Classification of numbers.
__TILECC_FLOATS(isnan, __nv_isnanf, __nv_isnand, int, int)
__TILECC_FLOATS(signbit, __nv_signbitf, __nv_signbitd, int, int)
__TILECC_FLOATS(isinf, __nv_isinff, __nv_isinfd, int, int)
__TILECC_FLOATS(ilogb, __nv_ilogbf, __nv_ilogb, int, int)
__TILECC_FLOATS(llrint, __nv_llrintf, __nv_llrint, long, long)
__TILECC_FLOATS(llround, __nv_llroundf, __nv_llround, long, long)
__TILECC_TYPED(finitef, __nv_finitef, float, int)
__TILECC_TYPED(isfinited, __nv_isfinited, double, int)

// Fast approximations.
__TILECC_TYPED(fast_sinf, __nv_fast_sinf, float, float)
__TILECC_TYPED(fast_cosf, __nv_fast_cosf, float, float)
__TILECC_TYPED(fast_log2f, __nv_fast_log2f, float, float)
__TILECC_TYPED(fast_logf, __nv_fast_logf, float, float)
__TILECC_TYPED(fast_expf, __nv_fast_expf, float, float)
__TILECC_TYPED(fast_tanf, __nv_fast_tanf, float, float)
__TILECC_TYPED(fast_exp10f, __nv_fast_exp10f, float, float)
__TILECC_TYPED(fast_log10f, __nv_fast_log10f, float, float)
__TILECC_TYPED(fast_powf, __nv_fast_powf, float, float)
__TILECC_TYPED(saturatef, __nv_saturatef, float, float)
__TILECC_TYPED(fast_dividef, __nv_fast_fdividef, float, float)

// Arithmetic rounded to nearest (rn), to zero (rz), down (rd) or up (ru).
__TILECC_FLOATS(add_rn, __nv_fadd_rn, __nv_dadd_rn, float, double)
__TILECC_FLOATS(sub_rn, __nv_fsub_rn, __nv_dsub_rn, float, double)
__TILECC_FLOATS(mul_rn, __nv_fmul_rn, __nv_dmul_rn, float, double)
__TILECC_FLOATS(div_rn, __nv_fdiv_rn, __nv_ddiv_rn, float, double)
__TILECC_FLOATS(fma_rn, __nv_fmaf_rn, __nv_fma_rn, float, double)
__TILECC_FLOATS(sqrt_rn, __nv_fsqrt_rn, __nv_dsqrt_rn, float, double)
__TILECC_FLOATS(rcp_rn, __nv_frcp_rn, __nv_drcp_rn, float, double)
__TILECC_FLOATS(add_rz, __nv_fadd_rz, __nv_dadd_rz, float, double)
__TILECC_FLOATS(sub_rz, __nv_fsub_rz, __nv_dsub_rz, float, double)
__TILECC_FLOATS(mul_rz, __nv_fmul_rz, __nv_dmul_rz, float, double)
__TILECC_FLOATS(div_rz, __nv_fdiv_rz, __nv_ddiv_rz, float, double)
__TILECC_FLOATS(fma_rz, __nv_fmaf_rz, __nv_fma_rz, float, double)
__TILECC_FLOATS(sqrt_rz, __nv_fsqrt_rz, __nv_dsqrt_rz, float, double)
__TILECC_FLOATS(rcp_rz, __nv_frcp_rz, __nv_drcp_rz, float, double)
__TILECC_FLOATS(add_rd, __nv_fadd_rd, __nv_dadd_rd, float, double)
__TILECC_FLOATS(sub_rd, __nv_fsub_rd, __nv_dsub_rd, float, double)
__TILECC_FLOATS(mul_rd, __nv_fmul_rd, __nv_dmul_rd, float, double)
__TILECC_FLOATS(div_rd, __nv_fdiv_rd, __nv_ddiv_rd, float, double)
__TILECC_FLOATS(fma_rd, __nv_fmaf_rd, __nv_fma_rd, float, double)
__TILECC_FLOATS(sqrt_rd, __nv_fsqrt_rd, __nv_dsqrt_rd, float, double)
__TILECC_FLOATS(rcp_rd, __nv_frcp_rd, __nv_drcp_rd, float, double)
__TILECC_FLOATS(add_ru, __nv_fadd_ru, __nv_dadd_ru, float, double)
__TILECC_FLOATS(sub_ru, __nv_fsub_ru, __nv_dsub_ru, float, double)
__TILECC_FLOATS(mul_ru, __nv_fmul_ru, __nv_dmul_ru, float, double)
__TILECC_FLOATS(div_ru, __nv_fdiv_ru, __nv_ddiv_ru, float, double)
__TILECC_FLOATS(fma_ru, __nv_fmaf_ru, __nv_fma_ru, float, double)
__TILECC_FLOATS(sqrt_ru, __nv_fsqrt_ru, __nv_dsqrt_ru, float, double)
__TILECC_FLOATS(rcp_ru, __nv_frcp_ru, __nv_drcp_ru, float, double)
__TILECC_TYPED(rsqrt_rn, __nv_frsqrt_rn, float, float)

// Conversions.
__TILECC_TYPED(double2float_rn, __nv_double2float_rn, double, float)
__TILECC_TYPED(double2float_rz, __nv_double2float_rz, double, float)
__TILECC_TYPED(double2float_rd, __nv_double2float_rd, double, float)
__TILECC_TYPED(double2float_ru, __nv_double2float_ru, double, float)
__TILECC_TYPED(double2int_rn, __nv_double2int_rn, double, int)
__TILECC_TYPED(double2int_rz, __nv_double2int_rz, double, int)
__TILECC_TYPED(double2int_rd, __nv_double2int_rd, double, int)
__TILECC_TYPED(double2int_ru, __nv_double2int_ru, double, int)
__TILECC_TYPED(double2uint_rn, __nv_double2uint_rn, double, int)
__TILECC_TYPED(double2uint_rz, __nv_double2uint_rz, double, int)
__TILECC_TYPED(double2uint_rd, __nv_double2uint_rd, double, int)
__TILECC_TYPED(double2uint_ru, __nv_double2uint_ru, double, int)
__TILECC_TYPED(double2ll_rn, __nv_double2ll_rn, double, long)
__TILECC_TYPED(double2ll_rz, __nv_double2ll_rz, double, long)
__TILECC_TYPED(double2ll_rd, __nv_double2ll_rd, double, long)
__TILECC_TYPED(double2ll_ru, __nv_double2ll_ru, double, long)
__TILECC_TYPED(double2ull_rn, __nv_double2ull_rn, double, long)
__TILECC_TYPED(double2ull_rz, __nv_double2ull_rz, double, long)
__TILECC_TYPED(double2ull_rd, __nv_double2ull_rd, double, long)
__TILECC_TYPED(double2ull_ru, __nv_double2ull_ru, double, long)
__TILECC_TYPED(float2int_rn, __nv_float2int_rn, float, int)
__TILECC_TYPED(float2int_rz, __nv_float2int_rz, float, int)
__TILECC_TYPED(float2int_rd, __nv_float2int_rd, float, int)
__TILECC_TYPED(float2int_ru, __nv_float2int_ru, float, int)
__TILECC_TYPED(float2uint_rn, __nv_float2uint_rn, float, int)
__TILECC_TYPED(float2uint_rz, __nv_float2uint_rz, float, int)
__TILECC_TYPED(float2uint_rd, __nv_float2uint_rd, float, int)
__TILECC_TYPED(float2uint_ru, __nv_float2uint_ru, float, int)
__TILECC_TYPED(float2ll_rn, __nv_float2ll_rn, float, long)
__TILECC_TYPED(float2ll_rz, __nv_float2ll_rz, float, long)
__TILECC_TYPED(float2ll_rd, __nv_float2ll_rd, float, long)
__TILECC_TYPED(float2ll_ru, __nv_float2ll_ru, float, long)
__TILECC_TYPED(float2ull_rn, __nv_float2ull_rn, float, long)
__TILECC_TYPED(float2ull_rz, __nv_float2ull_rz, float, long)
__TILECC_TYPED(float2ull_rd, __nv_float2ull_rd, float, long)
__TILECC_TYPED(float2ull_ru, __nv_float2ull_ru, float, long)
__TILECC_TYPED(int2double_rn, __nv_int2double_rn, int, double)
__TILECC_TYPED(uint2double_rn, __nv_uint2double_rn, unsigned, double)
__TILECC_TYPED(int2float_rn, __nv_int2float_rn, int, float)
__TILECC_TYPED(int2float_rz, __nv_int2float_rz, int, float)
__TILECC_TYPED(int2float_rd, __nv_int2float_rd, int, float)
__TILECC_TYPED(int2float_ru, __nv_int2float_ru, int, float)
__TILECC_TYPED(uint2float_rn, __nv_uint2float_rn, unsigned, float)
__TILECC_TYPED(uint2float_rz, __nv_uint2float_rz, unsigned, float)
__TILECC_TYPED(uint2float_rd, __nv_uint2float_rd, unsigned, float)
__TILECC_TYPED(uint2float_ru, __nv_uint2float_ru, unsigned, float)
__TILECC_TYPED(ll2float_rn, __nv_ll2float_rn, long, float)
__TILECC_TYPED(ll2float_rz, __nv_ll2float_rz, long, float)
__TILECC_TYPED(ll2float_rd, __nv_ll2float_rd, long, float)
__TILECC_TYPED(ll2float_ru, __nv_ll2float_ru, long, float)
__TILECC_TYPED(ull2float_rn, __nv_ull2float_rn, unsigned long, float)
__TILECC_TYPED(ull2float_rz, __nv_ull2float_rz, unsigned long, float)
__TILECC_TYPED(ull2float_rd, __nv_ull2float_rd, unsigned long, float)
__TILECC_TYPED(ull2float_ru, __nv_ull2float_ru, unsigned long, float)
__TILECC_TYPED(ll2double_rn, __nv_ll2double_rn, long, double)
__TILECC_TYPED(ll2double_rz, __nv_ll2double_rz, long, double)
__TILECC_TYPED(ll2double_rd, __nv_ll2double_rd, long, double)
__TILECC_TYPED(ll2double_ru, __nv_ll2double_ru, long, double)
__TILECC_TYPED(ull2double_rn, __nv_ull2double_rn, unsigned long, double)
__TILECC_TYPED(ull2double_rz, __nv_ull2double_rz, unsigned long, double)
__TILECC_TYPED(ull2double_rd, __nv_ull2double_rd, unsigned long, double)
__TILECC_TYPED(ull2double_ru, __nv_ull2double_ru, unsigned long, double)
__TILECC_TYPED(float_as_int, __nv_float_as_int, float, int)
__TILECC_TYPED(float_as_uint, __nv_float_as_uint, float, int)
__TILECC_TYPED(int_as_float, __nv_int_as_float, int, float)
__TILECC_TYPED(uint_as_float, __nv_uint_as_float, unsigned, float)
__TILECC_TYPED(double_as_longlong, __nv_double_as_longlong, double, long)
__TILECC_TYPED(longlong_as_double, __nv_longlong_as_double, long, double)
__TILECC_TYPED(double2loint, __nv_double2loint, double, int)
__TILECC_TYPED(double2hiint, __nv_double2hiint, double, int)
__TILECC_TYPED(hiloint2double, __nv_hiloint2double, int, double)
__TILECC_TYPED(byte_perm, __nv_byte_perm, int, int)

// Functions of integers, selected by the type of one operand or of both.
#define __TILECC_INTEGERS(name, ...)                                                                                   \
  namespace libdevice {                                                                                                \
  template <detail::operand X, detail::operand... Y> __TILECC_FN auto name(X x, Y... y) {                              \
    using T = detail::element<X>;                                                                                      \
    using R = detail::joint<T, X, Y...>;                                                                               \
    static_assert((__is_same(T, detail::element<Y>) && ... && (detail::kind_of<T> == detail::int_kind)),               \
                  detail::complain<X>("tt::libdevice::" #name " takes integers of one type, not ", ""));               \
    __VA_ARGS__                                                                                                        \
    else static_assert(__is_same(T, void), detail::complain<X>("tt::libdevice::" #name " has no form for ", ""));      \
  }                                                                                                                    \
  }
#define __TILECC_FOR(type, symbol, result)                                                                             \
  if constexpr (__is_same(T, type))                                                                                    \
    return builtin::symbol<detail::joint<result, X, Y...>>(detail::as<R>(x), detail::as<R>(y)...);

__TILECC_EXTERN(__nv_clz)
__TILECC_EXTERN(__nv_clzll)
__TILECC_INTEGERS(clz, __TILECC_FOR(int, __nv_clz, int) else __TILECC_FOR(long, __nv_clzll, int))
__TILECC_EXTERN(__nv_popc)
__TILECC_EXTERN(__nv_popcll)
__TILECC_INTEGERS(popc, __TILECC_FOR(int, __nv_popc, int) else __TILECC_FOR(long, __nv_popcll, int))
__TILECC_EXTERN(__nv_ffs)
__TILECC_EXTERN(__nv_ffsll)
__TILECC_INTEGERS(ffs, __TILECC_FOR(int, __nv_ffs, int) else __TILECC_FOR(long, __nv_ffsll, int))
__TILECC_EXTERN(__nv_brev)
__TILECC_EXTERN(__nv_brevll)
__TILECC_INTEGERS(brev, __TILECC_FOR(int, __nv_brev, int) else __TILECC_FOR(long, __nv_brevll, long))
__TILECC_EXTERN(__nv_mulhi)
__TILECC_EXTERN(__nv_umulhi)
__TILECC_EXTERN(__nv_mul64hi)
__TILECC_EXTERN(__nv_umul64hi)
__TILECC_INTEGERS(
    mulhi, __TILECC_FOR(int, __nv_mulhi, int) else __TILECC_FOR(unsigned, __nv_umulhi, unsigned) else __TILECC_FOR(
               long, __nv_mul64hi, long) else __TILECC_FOR(unsigned long, __nv_umul64hi, unsigned long))
__TILECC_EXTERN(__nv_mul24)
__TILECC_EXTERN(__nv_umul24)
__TILECC_INTEGERS(mul24, __TILECC_FOR(int, __nv_mul24, int) else __TILECC_FOR(unsigned, __nv_umul24, unsigned))
__TILECC_EXTERN(__nv_hadd)
__TILECC_EXTERN(__nv_uhadd)
__TILECC_INTEGERS(hadd, __TILECC_FOR(int, __nv_hadd, int) else __TILECC_FOR(unsigned, __nv_uhadd, unsigned))
__TILECC_EXTERN(__nv_rhadd)
__TILECC_EXTERN(__nv_urhadd)
__TILECC_INTEGERS(rhadd, __TILECC_FOR(int, __nv_rhadd, int) else __TILECC_FOR(unsigned, __nv_urhadd, unsigned))

// abs of integers and floating-point numbers, and functions of an integer and a floating-point number.
__TILECC_EXTERN(__nv_abs)
__TILECC_EXTERN(__nv_llabs)
__TILECC_EXTERN(__nv_fabsf)
__TILECC_EXTERN(__nv_fabs)
__TILECC_EXTERN(__nv_sad)
__TILECC_EXTERN(__nv_usad)
__TILECC_EXTERN(__nv_powi)
__TILECC_EXTERN(__nv_powif)
__TILECC_EXTERN(__nv_pow)
__TILECC_EXTERN(__nv_powf)
namespace libdevice {
template <detail::operand X> __TILECC_FN X abs(X x) {
  static_assert(detail::holds<int, X> || detail::holds<long, X> ||
                    detail::is_float<X> && sizeof(detail::element<X>) >= 4,
                detail::complain<X>("tt::libdevice::abs has no form for ", ""));
  if constexpr (detail::holds<int, X>)
    return builtin::__nv_abs<X>(x);
  else if constexpr (detail::holds<long, X>)
    return builtin::__nv_llabs<X>(x);
  else if constexpr (detail::holds<float, X>)
    return builtin::__nv_fabsf<X>(x);
  else
    return builtin::__nv_fabs<X>(x);
}
/// |x - y| + z
template <detail::operand X, detail::operand Y, detail::operand Z> __TILECC_FN auto sad(X x, Y y, Z z) {
  using T = detail::element<X>;
  static_assert((detail::holds<int, X> || detail::holds<unsigned, X>) && detail::holds<T, Y> &&
                    detail::holds<unsigned, Z>,
                detail::complain<X, Z>("tt::libdevice::sad has no form for ", " and ", ""));
  using R = detail::joint<T, X, Y, Z>;
  using U = detail::joint<unsigned, X, Y, Z>;
  if constexpr (detail::holds<int, X>)
    return builtin::__nv_sad<R>(detail::as<R>(x), detail::as<R>(y), detail::as<U>(z));
  else
    return builtin::__nv_usad<R>(detail::as<R>(x), detail::as<R>(y), detail::as<U>(z));
}
template <detail::operand X, detail::operand Y> __TILECC_FN auto pow(X x, Y y) {
  using T = detail::element<X>;
  static_assert((detail::holds<float, X> || detail::holds<double, X>) && (detail::holds<T, Y> || detail::holds<int, Y>),
                detail::complain<X, Y>("tt::libdevice::pow has no form for ", " and ", ""));
  using R = detail::joint<T, X, Y>;
  using E = detail::joint<detail::element<Y>, X, Y>;
  if constexpr (detail::holds<int, Y> && detail::holds<float, X>)
    return builtin::__nv_powif<R>(detail::as<R>(x), detail::as<E>(y));
  else if constexpr (detail::holds<int, Y>)
    return builtin::__nv_powi<R>(detail::as<R>(x), detail::as<E>(y));
  else if constexpr (detail::holds<float, X>)
    return builtin::__nv_powf<R>(detail::as<R>(x), detail::as<E>(y));
  else
    return builtin::__nv_pow<R>(detail::as<R>(x), detail::as<E>(y));
}
} // namespace libdevice
// `number` and `integer` are X and Y, or Y and X: the types of the operands, in either order.
#define __TILECC_MIXED(name, float_symbol, double_symbol, number, integer)                                             \
  __TILECC_EXTERN(float_symbol)                                                                                        \
  __TILECC_EXTERN(double_symbol)                                                                                       \
  namespace libdevice {                                                                                                \
  template <detail::operand X, detail::operand Y> __TILECC_FN auto name(X x, Y y) {                                    \
    static_assert((detail::holds<float, number> || detail::holds<double, number>) && detail::holds<int, integer>,      \
                  detail::complain<X, Y>("tt::libdevice::" #name " has no form for ", " and ", ""));                   \
    using A = detail::joint<detail::element<X>, X, Y>;                                                                 \
    using B = detail::joint<detail::element<Y>, X, Y>;                                                                 \
    using R = detail::joint<detail::element<number>, X, Y>;                                                            \
    if constexpr (detail::holds<float, number>)                                                                        \
      return builtin::float_symbol<R>(detail::as<A>(x), detail::as<B>(y));                                             \
    else                                                                                                               \
      return builtin::double_symbol<R>(detail::as<A>(x), detail::as<B>(y));                                            \
  }                                                                                                                    \
  }
__TILECC_MIXED(ldexp, __nv_ldexpf, __nv_ldexp, X, Y)
__TILECC_MIXED(scalbn, __nv_scalbnf, __nv_scalbn, X, Y)
__TILECC_MIXED(jn, __nv_jnf, __nv_jn, Y, X)
__TILECC_MIXED(yn, __nv_ynf, __nv_yn, Y, X)

} // namespace tt

#undef __TILECC_EXTERN
#undef __TILECC_FLOATS
#undef __TILECC_TYPED
#undef __TILECC_INTEGERS
#undef __TILECC_FOR
#undef __TILECC_MIXED

#endif // TILECC_TT_LIBDEVICE_H
