// The same work as the kernels of rows.tt.cpp, as plain loops.
#ifndef TILECC_BENCH_CPU_LOOPS_H
#define TILECC_BENCH_CPU_LOOPS_H

namespace loops {
void layerNorm(const float *x, const float *weight, const float *bias, float *y, int rows, int columns);
void rope(const float *x, const float *cosines, const float *sines, float *y, int rows, int columns);
void cumsum(const float *x, float *y, int rows, int columns);
void histogram(const int *x, int *counts, int rows, int columns);
} // namespace loops

#endif
