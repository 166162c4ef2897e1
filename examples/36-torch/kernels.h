// 36: the interface between operators.cpp, which uses PyTorch, and kernels.tt.cpp, which does not.
#ifndef EXAMPLES_TORCH_KERNELS_H
#define EXAMPLES_TORCH_KERNELS_H

#include <tilecc/runtime.h>

enum class Type { f32, f16, bf16 };

// out = softmax(x) along rows of at most `maxColumns` elements of type `type`.
enum { maxColumns = 16384 };
void softmax(Type type, const void *x, void *out, long rows, int columns, ttStream_t stream);
// The gradient dx, from y = softmax(x) and dy.
void softmaxBackward(Type type, const void *dy, const void *y, void *dx, long rows, int columns, ttStream_t stream);
// out[M, N] = max(0, x[M, K] w[K, N] + bias[N]); all arrays are row-major and contiguous.
void linearRelu(Type type, const void *x, const void *w, const void *bias, void *out, int M, int N, int K,
                ttStream_t stream);

#endif
