//===-- tilecc/detail/config.h - marks, element types and dim3 ----------------------------------------------------===//
//
// What <tilecc/tt.h> offers to every compiler: names for the 16-bit floating-point types where the compiler has them,
// dim3, and the marks of kernels, which mean nothing to a compiler other than tcc.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_CONFIG_H
#define TILECC_DETAIL_CONFIG_H
#pragma GCC system_header

// dim3 is CUDA's where its headers can be found, so that both may be included, in either order.
#if __has_include(<vector_types.h>)
#include <vector_types.h>
#else
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
#endif

#ifdef __TILECC__
#define __tile_global__ __attribute__((global, annotate("tt.kernel")))
#define __tile__ __attribute__((device, annotate("tt.tile")))
// The CUDA toolkit's headers make __global__ empty for a host compiler; kernels are still declared with it.
#undef __global__
#define __global__ __attribute__((global))
// For the functions of these headers: their operations belong to the line of the kernel that calls them.
#define __TILECC_FN __attribute__((device, nodebug))
// For the functions that host code calls, too.
#define __TILECC_HOST_FN __attribute__((host, device, nodebug, always_inline))
#else
#define __tile_global__
#define __tile__
#define __TILECC_HOST_FN inline
#endif

namespace tt {

/// IEEE half precision and bfloat16, on the host and in kernels.
#if defined(__FLT16_MANT_DIG__) && (defined(__clang__) || __GNUC__ >= 13)
using float16 = _Float16;
#endif
#if defined(__clang__) || __GNUC__ >= 13
using bfloat16 = __bf16;
#endif

/// ceil(a / b) for positive integers: the number of blocks of b that cover a. For host code (grids) and kernels, where a
/// may also be a tile. Triton: tl.cdiv.
template <class A, class B>
__TILECC_HOST_FN constexpr auto cdiv(A a, B b) {
  return (a + (b - 1)) / b;
}

} // namespace tt

#include "float8.h"

#endif // TILECC_DETAIL_CONFIG_H
