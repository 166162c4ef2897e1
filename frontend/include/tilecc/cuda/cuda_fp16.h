//===-- cuda_fp16.h - NVIDIA's half, in kernels, too --------------------------------------------------------------===//
//
// Includes the toolkit's header, whose functions kernels may call like host code, or a replacement if there is none.
//
//===--------------------------------------------------------------------------------------------------------------===//
#pragma GCC system_header

#include <tilecc/detail/push_macros.h>

#if defined(__CUDACC__) // SIMT code uses the toolkit's header unchanged
#include_next <cuda_fp16.h>
#elif __has_include_next(<cuda_fp16.h>)
#pragma clang force_cuda_host_device begin
#include_next <cuda_fp16.h>
#pragma clang force_cuda_host_device end
#elif !defined(TILECC_CUDA_FP16_H)
#define TILECC_CUDA_FP16_H
#include "stand_in.h"

__TILECC_NUMBER(__half, _Float16);
__TILECC_NUMBER_OPERATORS(__half)
#ifndef CUDA_NO_HALF
using half = __half;
#endif
__TILECC_HOST_FN constexpr float __half2float(__half x) { return x; }
__TILECC_HOST_FN constexpr __half __float2half(float x) { return x; }
__TILECC_HOST_FN constexpr __half __float2half_rn(float x) { return x; }
__TILECC_HOST_FN constexpr __half __double2half(double x) { return __half(x); }
#endif

#include <tilecc/detail/pop_macros.h>
