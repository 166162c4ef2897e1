//===-- cuda_bf16.h - NVIDIA's bfloat16, in kernels, too ----------------------------------------------------------===//
//
// Includes the toolkit's header, whose functions kernels may call like host code, or a replacement if there is none.
//
//===--------------------------------------------------------------------------------------------------------------===//
#pragma GCC system_header

#include <tilecc/detail/push_macros.h>

#if defined(__CUDACC__) // SIMT code uses the toolkit's header unchanged
#include_next <cuda_bf16.h>
#elif __has_include_next(<cuda_bf16.h>)
#pragma clang force_cuda_host_device begin
#include_next <cuda_bf16.h>
#pragma clang force_cuda_host_device end
#elif !defined(TILECC_CUDA_BF16_H)
#define TILECC_CUDA_BF16_H
#include "stand_in.h"

__TILECC_NUMBER(__nv_bfloat16, __bf16);
__TILECC_NUMBER_OPERATORS(__nv_bfloat16)
using nv_bfloat16 = __nv_bfloat16;
__TILECC_HOST_FN constexpr float __bfloat162float(__nv_bfloat16 x) { return x; }
__TILECC_HOST_FN constexpr __nv_bfloat16 __float2bfloat16(float x) { return x; }
__TILECC_HOST_FN constexpr __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
__TILECC_HOST_FN constexpr __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
#endif

#include <tilecc/detail/pop_macros.h>
