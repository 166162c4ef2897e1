// The work of the kernels of rows.tt.cpp as plain loops.
#ifndef TILECC_BENCH_CPU_LOOPS_H
#define TILECC_BENCH_CPU_LOOPS_H

namespace loops {
void layerNorm(const float *x, const float *weight, const float *bias, float *y, int rows, int columns);
void rope(const float *x, const float *cosines, const float *sines, float *y, int rows, int columns);
void cumsum(const float *x, float *y, int rows, int columns);
void histogram(const int *x, int *counts, int rows, int columns);
void attention(const float *q, const float *k, const float *v, float *out, int length, float scale); // of heads of 64
void topK(const float *x, float *values, int *places, int rows, int columns);                        // the largest 8
void crossEntropy(const float *logits, const int *labels, float *loss, float *gradient, int rows, int columns);
void matmulInt4(const float *a, const unsigned char *b, const float *scales, float *c, int m, int n, int k);
} // namespace loops

#endif
