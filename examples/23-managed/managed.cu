// 23: memory shared by the host and the GPU: __managed__ variables and cudaMallocManaged. The program contains no
// explicit copies.
//
//   tcc -O2 managed.cu -o managed && ./managed

#include "../support/cuda_check.h"
#include <tilecc/tt.h>

__managed__ int found = 0;
__managed__ float threshold;

__global__ void findLarger(const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > threshold)
    atomicAdd(&found, 1);
}

__tile_global__ void square(float *x, int n) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  auto values = tt::load(x + i, i < n);
  tt::store(x + i, values * values, i < n);
}

int main() {
  const int n = 100000;
  float *x;
  CHECK(cudaMallocManaged(&x, n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    x[i] = float(i % 1000);
  threshold = 250000; // the square of 500

  square<<<tt::cdiv(n, 1024)>>>(x, n);
  findLarger<<<(n + 255) / 256, 256>>>(x, n);
  CHECK(cudaDeviceSynchronize());

  int wrong = found != n / 1000 * 499;
  for (int i = 0; i < n; ++i)
    wrong += x[i] != float(i % 1000) * float(i % 1000);
  CHECK(cudaFree(x));
  return report("managed", wrong, n);
}
