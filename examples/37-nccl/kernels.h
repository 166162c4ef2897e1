// 37: the kernels around the all-reduce.
#ifndef EXAMPLES_NCCL_KERNELS_H
#define EXAMPLES_NCCL_KERNELS_H

#include <tilecc/runtime.h>

// out = x * x
void square(const float *x, float *out, int n, ttStream_t stream);
// x = x / divisor
void divide(float *x, float divisor, int n, ttStream_t stream);

#endif
