//===-- tilecc/detail/numbers.h - the numbers by which options reach the compiler ---------------------------------===//
//
// A builtin has its options as template arguments: these numbers, which are TTIR's and so Triton's. The compiler includes
// this file, too, and does not compile where TTIR counts otherwise (frontend/raise/Numbers.cpp).
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_NUMBERS_H
#define TILECC_DETAIL_NUMBERS_H

namespace tt {
namespace detail {

enum cache_number { cache_none = 1, cache_ca, cache_cg, cache_wb, cache_cs, cache_wt, cache_cv };
enum evict_number { evict_normal = 1, evict_first, evict_last };
enum sem_number { sem_relaxed = 1, sem_acquire, sem_release, sem_acq_rel };
enum scope_number { scope_gpu = 1, scope_cta, scope_sys };
enum rmw_number {
  rmw_and = 1, rmw_or, rmw_xor, rmw_add, rmw_fadd, rmw_max, rmw_min, rmw_umax, rmw_umin, rmw_xchg
};
enum precision_number { precision_tf32, precision_tf32x3, precision_ieee, precision_bf16x3, precision_bf16x6 };
enum nan_number { nan_none = 0, nan_all = 0xffff };

// Of an option of tt::range that is not given. Any number that is given is checked by the compiler, which sees the loop
// when all is inlined: constants need not be ones to C++.
enum range_number { range_not_given = -0x7fffffff - 1 };

} // namespace detail
} // namespace tt

#endif // TILECC_DETAIL_NUMBERS_H
