// 21: the CUDA runtime, as in every introduction to CUDA: GPU memory, copies, and a kernel with threads.
//
//   tcc -O2 vec-add.cu -o vec-add && ./vec-add

#include "../support/cuda_check.h"
#include <vector>

__global__ void vecAdd(const float *x, const float *y, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = x[i] + y[i];
}

int main() {
  const int n = 1 << 20;
  const size_t bytes = n * sizeof(float);
  std::vector<float> x(n), y(n), out(n);
  for (int i = 0; i < n; ++i)
    x[i] = float(i), y[i] = 2.0f * float(i);

  float *dx, *dy, *dout;
  CHECK(cudaMalloc(&dx, bytes));
  CHECK(cudaMalloc(&dy, bytes));
  CHECK(cudaMalloc(&dout, bytes));
  CHECK(cudaMemcpy(dx, x.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dy, y.data(), bytes, cudaMemcpyHostToDevice));

  const int threads = 256, blocks = (n + threads - 1) / threads;
  vecAdd<<<blocks, threads>>>(dx, dy, dout, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), dout, bytes, cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += out[i] != x[i] + y[i];
  for (float *memory : {dx, dy, dout})
    CHECK(cudaFree(memory));
  return report("vec-add", wrong, n);
}
