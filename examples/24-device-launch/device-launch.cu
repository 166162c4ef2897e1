// 24: kernels that launch kernels. Parts of an integral are halved until they are accurate enough, so the GPU itself
// determines how much work there is, and where. Finally, a tile kernel computes the sum of the parts. SIMT kernels
// launch tile kernels with the required number of threads and amount of shared memory.
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

// One block of two threads per part. Each thread handles one half, and launches this kernel for it if the half is not
// accurate enough.
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

// A tail launch runs after this kernel and everything that it has launched.
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
