//===-- cuda_fp8.h - NVIDIA's 8-bit floats, in kernels, too -------------------------------------------------------===//
//
// Includes the toolkit's header, whose functions kernels may call like host code, or a replacement if there is none.
//
//===--------------------------------------------------------------------------------------------------------------===//
#pragma GCC system_header

#include <tilecc/detail/push_macros.h>

#if defined(__CUDACC__) // SIMT code uses the toolkit's header unchanged
#include_next <cuda_fp8.h>
#elif __has_include_next(<cuda_fp8.h>)
#pragma clang force_cuda_host_device begin
#include_next <cuda_fp8.h>
#pragma clang force_cuda_host_device end
#elif !defined(TILECC_CUDA_FP8_H)
#define TILECC_CUDA_FP8_H
#include "stand_in.h"

__TILECC_NUMBER(__nv_fp8_e4m3, tt::float8_e4m3fn);
__TILECC_NUMBER(__nv_fp8_e5m2, tt::float8_e5m2);
// A power of two: 2^(bits - 127).
struct __nv_fp8_e8m0 {
  unsigned char __x;
};
#endif

#include <tilecc/detail/pop_macros.h>
