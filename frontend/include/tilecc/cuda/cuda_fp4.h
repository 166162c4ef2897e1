//===-- cuda_fp4.h - NVIDIA's 4-bit floats, in kernels, too --------------------------------------------------------===//
//
// The toolkit's header, whose functions kernels may call as hosts do; where there is none, as in older toolkits, what stands
// in for it, for SIMT code, too.
//
//===----------------------------------------------------------------------------------------------------------------===//
#pragma GCC system_header

#include <tilecc/detail/push_macros.h>

#if defined(__CUDACC__) && __has_include_next(<cuda_fp4.h>) // SIMT code has the toolkit's as it is
#include_next <cuda_fp4.h>
#elif __has_include_next(<cuda_fp4.h>)
#pragma clang force_cuda_host_device begin
#include_next <cuda_fp4.h>
#pragma clang force_cuda_host_device end
#elif !defined(TILECC_CUDA_FP4_H)
#define TILECC_CUDA_FP4_H
#include "stand_in.h"

#include <cuda_fp8.h>
// One number in the low bits of a byte.
struct __nv_fp4_e2m1 {
  unsigned char __x;
};
#endif

#include <tilecc/detail/pop_macros.h>
