//===-- tilecc/detail/config.h - dim3, CUDA's or our own ----------------------------------------------------------===//
#ifndef TILECC_DETAIL_CONFIG_H
#define TILECC_DETAIL_CONFIG_H
#pragma GCC system_header

#include "descriptor.h"
#include "marks.h"

// dim3 is CUDA's if its headers are found, so that both may be included, in either order.
#if __has_include(<vector_types.h>)
#include <vector_types.h>
#else
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
#endif

#if defined(__TILECC__) && !defined(__CUDACC__)
// The CUDA toolkit's headers make __global__ empty for a host compiler; kernels are still declared with it.
#undef __global__
#define __global__ __attribute__((global))
#endif

#endif // TILECC_DETAIL_CONFIG_H
