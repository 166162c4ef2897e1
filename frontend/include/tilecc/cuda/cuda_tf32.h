//===-- cuda_tf32.h - NVIDIA's tf32, in kernels, too ---------------------------------------------------------------===//
//
// The toolkit's header, whose functions kernels may call as hosts do; where there is none, as in older toolkits, what stands
// in for it, for SIMT code, too.
//
//===----------------------------------------------------------------------------------------------------------------===//
#pragma GCC system_header

#include <tilecc/detail/push_macros.h>

#if defined(__CUDACC__) && __has_include_next(<cuda_tf32.h>) // SIMT code has the toolkit's as it is
#include_next <cuda_tf32.h>
#elif __has_include_next(<cuda_tf32.h>)
#pragma clang force_cuda_host_device begin
#include_next <cuda_tf32.h>
#pragma clang force_cuda_host_device end
#elif !defined(TILECC_CUDA_TF32_H)
#define TILECC_CUDA_TF32_H
#include "stand_in.h"

// A float that has 10 digits where it enters a product.
__TILECC_NUMBER(__nv_tf32, float);
#endif

#include <tilecc/detail/pop_macros.h>
