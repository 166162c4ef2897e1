// The same work as plain loops, as one writes them without tiles. tcc's CPU code is measured against them.
#pragma once
void plainAdd(const float *x, const float *y, float *out, long begin, long end);
void plainSoftmax(const float *x, float *out, int stride, int cols, int beginRow, int endRow);
