// The same kernel and launch as add.tt.cpp, for nvcc.
#ifdef HEAVY
#include <algorithm>
#include <iostream>
#include <vector>
#endif

template <int BLOCK>
__global__ void add(const float *x, const float *y, float *out, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n)
    out[i] = x[i] + y[i];
}

void launch(const float *x, const float *y, float *out, int n) {
  add<256><<<(n + 255) / 256, 256>>>(x, y, out, n);
}
