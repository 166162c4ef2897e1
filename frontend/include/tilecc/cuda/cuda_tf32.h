//===-- cuda_tf32.h - NVIDIA's tf32, in kernels, too --------------------------------------------------------------===//
//
// Includes the toolkit's header, whose functions kernels may call like host code, or a replacement if there is none, as
// in older toolkits. SIMT code uses the replacement, too.
//
//===--------------------------------------------------------------------------------------------------------------===//
#pragma GCC system_header

#include <tilecc/detail/push_macros.h>

#if defined(__CUDACC__) && __has_include_next(<cuda_tf32.h>) // SIMT code uses the toolkit's header unchanged
#include_next <cuda_tf32.h>
#elif __has_include_next(<cuda_tf32.h>)
#pragma clang force_cuda_host_device begin
#include_next <cuda_tf32.h>
#pragma clang force_cuda_host_device end
#elif !defined(TILECC_CUDA_TF32_H)
#define TILECC_CUDA_TF32_H
#include "stand_in.h"

// A float that is rounded to 10 fraction bits as an operand of a matrix product.
__TILECC_NUMBER(__nv_tf32, float);
#endif

#include <tilecc/detail/pop_macros.h>
