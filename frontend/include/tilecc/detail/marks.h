//===-- tilecc/detail/marks.h - attributes of kernels, names of element types -------------------------------------===//
//
// The part of <tilecc/tt.h> for every compiler, except dim3: names for the 16-bit floating-point types, if the compiler
// has them, and the macros that mark kernels, which have no meaning for compilers other than tcc.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_MARKS_H
#define TILECC_DETAIL_MARKS_H
#pragma GCC system_header

#ifdef __TILECC__
#define __tile_global__ __attribute__((global, annotate("tt.kernel")))
#define __tile__ __attribute__((device, annotate("tt.tile")))
// Marks functions of these headers, whose operations get the source line of the kernel that calls them.
#define __TILECC_FN __attribute__((device, nodebug))
// Marks functions that have no effect except for their result.
#define __TILECC_VALUE [[nodiscard]] __TILECC_FN
// Marks functions that host code may call, too.
#define __TILECC_HOST_FN __attribute__((host, device, nodebug, always_inline))
#else
#define __tile_global__
#define __tile__
#define __TILECC_HOST_FN inline
#endif

namespace tt {

/// IEEE half precision and bfloat16, on the host and in kernels.
#if defined(__FLT16_MANT_DIG__) && (defined(__clang__) || __GNUC__ >= 13)
/// IEEE half precision, on the host and in kernels.
/// Triton: `tl.float16`.
using float16 = _Float16;
#endif
#if defined(__clang__) || __GNUC__ >= 13
/// The bfloat16 type, on the host and in kernels.
/// Triton: `tl.bfloat16`.
using bfloat16 = __bf16;
#endif

/// The element types under Triton's names: `int8` to `int64`, `uint8` to `uint64`, `float32` and `float64` are C++'s
/// types.
using int8 = signed char;
using int16 = short;
using int32 = int;
using int64 = long;
using uint8 = unsigned char;
using uint16 = unsigned short;
using uint32 = unsigned;
using uint64 = unsigned long;
using float32 = float;
using float64 = double;

/// Positive infinity of a floating-point type.
/// Types: `float16`, `bfloat16`, `float`, `double`.
/// Triton: `float("inf")`.
/// Example:
///   auto lowest = tt::full<float, 2>(-tt::inf<float>); // [-inf, -inf]
template <class T> inline constexpr T inf = static_cast<T>(__builtin_inff());

/// A quiet NaN of a floating-point type.
/// Types: `float16`, `bfloat16`, `float`, `double`.
/// Triton: `float("nan")`.
/// Example:
///   auto missing = tt::full<float, 2>(tt::nan<float>); // [nan, nan]
template <class T> inline constexpr T nan = static_cast<T>(__builtin_nanf(""));

/// The smallest power of two that is at least `n`: the size of a tile that holds `n` elements. Host code may call it,
/// too.
/// Types: positive integers.
/// Triton: `triton.next_power_of_2`.
/// Example:
///   auto size = tt::next_power_of_2(n); // 16
template <class T> __TILECC_HOST_FN constexpr T next_power_of_2(T n) {
  T power = 1;
  while (power < n)
    power *= 2;
  return power;
}

/// `a / b` rounded up: the number of blocks of `b` elements that cover `a`. Host code may call it, for grids.
/// Types: positive integers; in a kernel, `a` may be a tile of integers.
/// Triton: `tl.cdiv`.
/// Example:
///   auto blocks = tt::cdiv(n, 4); // 3
template <class A, class B> __TILECC_HOST_FN constexpr auto cdiv(A a, B b) { return (a + (b - 1)) / b; }

} // namespace tt

#include "../tt/float8.h"

#endif // TILECC_DETAIL_MARKS_H
