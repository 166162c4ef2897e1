//===-- tilecc/detail/numbers.h - the numbers by which options reach the compiler ---------------------------------===//
//
// Options of builtins are template arguments with these numbers, which are TTIR's and therefore Triton's. The compiler
// includes this file, too, and checks the numbers against TTIR's by static_assert (frontend/raise/Numbers.cpp).
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_NUMBERS_H
#define TILECC_DETAIL_NUMBERS_H

namespace tt {
namespace detail {

// These are not enumerations: for an operand of such a type, overload resolution considers hundreds of built-in
// operators, in each instantiation of a template.
inline constexpr int cache_none = 1, cache_ca = 2, cache_cg = 3, cache_wb = 4, cache_cs = 5, cache_wt = 6, cache_cv = 7;
inline constexpr int evict_normal = 1, evict_first = 2, evict_last = 3;
inline constexpr int sem_relaxed = 1, sem_acquire = 2, sem_release = 3, sem_acq_rel = 4;
inline constexpr int scope_gpu = 1, scope_cta = 2, scope_sys = 3;
inline constexpr int rmw_and = 1, rmw_or = 2, rmw_xor = 3, rmw_add = 4, rmw_fadd = 5, rmw_max = 6, rmw_min = 7,
                     rmw_umax = 8, rmw_umin = 9, rmw_xchg = 10;
inline constexpr int precision_tf32 = 0, precision_tf32x3 = 1, precision_ieee = 2, precision_bf16x3 = 3,
                     precision_bf16x6 = 4;
inline constexpr int format_e4m3 = 0, format_e5m2 = 1, format_e2m1 = 4, format_bf16 = 5, format_fp16 = 6;
inline constexpr int nan_none = 0, nan_all = 0xffff;

// The value of an option of tt::range that is not given. The compiler checks given values after inlining, so they need
// not be constant expressions in C++.
inline constexpr int range_not_given = -0x7fffffff - 1;

} // namespace detail
} // namespace tt

#endif // TILECC_DETAIL_NUMBERS_H
