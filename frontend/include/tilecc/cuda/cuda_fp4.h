//===-- cuda_fp4.h - NVIDIA's 4-bit floats, in kernels, too -------------------------------------------------------===//
//
// Includes the toolkit's header, whose functions kernels may call like host code, or a replacement if there is none, as
// in older toolkits. SIMT code uses the replacement, too.
//
//===--------------------------------------------------------------------------------------------------------------===//
#pragma GCC system_header

#include <tilecc/detail/push_macros.h>

#if defined(__CUDACC__) && __has_include_next(<cuda_fp4.h>) // SIMT code uses the toolkit's header unchanged
#include_next <cuda_fp4.h>
#elif __has_include_next(<cuda_fp4.h>)
#pragma clang force_cuda_host_device begin
#include_next <cuda_fp4.h>
#pragma clang force_cuda_host_device end
#elif !defined(TILECC_CUDA_FP4_H)
#define TILECC_CUDA_FP4_H
#include "stand_in.h"

#include <cuda_fp8.h>
// A number in the low bits of a byte.
struct __nv_fp4_e2m1 {
  unsigned char __x;
};
#endif

#include <tilecc/detail/pop_macros.h>
