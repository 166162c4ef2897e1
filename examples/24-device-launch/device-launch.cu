// 24: kernels that launch kernels. The width of each part of an integral is halved until it is exact enough: how much
// work there is, and where, is found out on the GPU.
//
//   tcc -O2 -rdc=true -arch=sm_90 device-launch.cu -o device-launch && ./device-launch

#include "../support/cuda_check.h"
#include <cmath>

__device__ double f(double x) { return 1 / (1e-3 + x * x); }

__device__ double simpson(double a, double b) { return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b)); }

// One block of two threads a part: each takes a half, and launches this kernel for it if the half is too coarse.
__global__ void integrate(double a, double b, double tolerance, int depth, double *sum, int *launches) {
  double middle = (a + b) / 2;
  double from = threadIdx.x ? middle : a, to = threadIdx.x ? b : middle, center = (from + to) / 2;
  double coarse = simpson(from, to), fine = simpson(from, center) + simpson(center, to);
  if (depth == 0 || fabs(fine - coarse) <= 15 * tolerance) {
    atomicAdd(sum, fine + (fine - coarse) / 15);
    return;
  }
  atomicAdd(launches, 1);
  integrate<<<1, 2, 0, cudaStreamFireAndForget>>>(from, to, tolerance / 2, depth - 1, sum, launches);
}

int main() {
  double *sum;
  int *launches;
  CHECK(cudaMallocManaged(&sum, sizeof(double)));
  CHECK(cudaMallocManaged(&launches, sizeof(int)));
  *sum = 0;
  *launches = 0;
  integrate<<<1, 2>>>(-1, 1, 1e-6, 12, sum, launches);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  const double root = std::sqrt(1e-3), reference = 2 / root * std::atan(1 / root);
  int wrong = !(std::fabs(*sum - reference) < 1e-4) || *launches == 0;
  std::printf("integral %.6f, exact %.6f, %d launches by the GPU\n", *sum, reference, *launches);
  return report("device-launch", wrong, 1);
}
