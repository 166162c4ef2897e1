// 24: kernels that launch kernels. The width of each part of an integral is halved until it is exact enough: how much
// work there is, and where, is found out on the GPU. When all parts are there, a tile kernel sums them up: SIMT kernels
// launch those, too, with how many threads and how much shared memory they need.
//
//   tcc -O2 -rdc=true -arch=sm_90 device-launch.cu -o device-launch && ./device-launch

#include "../support/cuda_check.h"
#include <cmath>
#include <tilecc/tt.h>

__device__ double f(double x) { return 1 / (1e-3 + x * x); }

__device__ double simpson(double a, double b) { return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b)); }

struct Parts {
  double *values;
  int *count, *launches;
};

// One block of two threads a part: each takes a half, and launches this kernel for it if the half is too coarse.
__global__ void integrate(double a, double b, double tolerance, int depth, Parts parts) {
  double middle = (a + b) / 2;
  double from = threadIdx.x ? middle : a, to = threadIdx.x ? b : middle, center = (from + to) / 2;
  double coarse = simpson(from, to), fine = simpson(from, center) + simpson(center, to);
  if (depth == 0 || fabs(fine - coarse) <= 15 * tolerance) {
    parts.values[atomicAdd(parts.count, 1)] = fine + (fine - coarse) / 15;
    return;
  }
  atomicAdd(parts.launches, 1);
  integrate<<<1, 2, 0, cudaStreamFireAndForget>>>(from, to, tolerance / 2, depth - 1, parts);
}

__tile_global__ void total(const double *parts, const int *count, double *sum) {
  const int n = tt::load(count);
  auto sums = tt::full<double, 512>(0.0);
  for (int i = 0; i < n; i += 512) {
    auto at = i + tt::arange<512>();
    sums += tt::load(parts + at, at < n, 0.0);
  }
  tt::store(sum, tt::sum(sums));
}

// A tail launch waits for this kernel and for all that it has launched.
__global__ void start(double a, double b, double tolerance, int depth, Parts parts, double *sum) {
  integrate<<<1, 2, 0, cudaStreamFireAndForget>>>(a, b, tolerance, depth, parts);
  total<<<1, 1, 0, cudaStreamTailLaunch>>>(parts.values, parts.count, sum);
}

int main() {
  constexpr int depth = 12;
  Parts parts;
  double *sum;
  CHECK(cudaMallocManaged(&sum, sizeof(double)));
  CHECK(cudaMallocManaged(&parts.values, (2 << depth) * sizeof(double)));
  CHECK(cudaMallocManaged(&parts.count, 2 * sizeof(int)));
  parts.launches = parts.count + 1;
  *sum = *parts.count = *parts.launches = 0;
  start<<<1, 1>>>(-1, 1, 1e-6, depth, parts, sum);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  const double root = std::sqrt(1e-3), reference = 2 / root * std::atan(1 / root);
  int wrong = !(std::fabs(*sum - reference) < 1e-4) || *parts.launches == 0;
  std::printf("integral %.6f of %d parts, exact %.6f, %d launches by the GPU\n", *sum, *parts.count, reference,
              *parts.launches);
  return report("device-launch", wrong, 1);
}
