// __host__ __device__ functions serve both kinds of kernels and the host, inline or not. Tile kernels have code for the CPU
// with them. A __device__ function that is compiled apart needs <tilecc/threads.h>, and the message says so.
//
// REQUIRES: emulated-cudart
// RUN: %tcc -O2 -arch=sm_80 --cudart=shared %s -o %t && env TILECC_DEVICE=emu %emulated %t | FileCheck %s
// RUN: %tcc -O2 -arch=sm_80 --emit=cpu-llvm %s -o /dev/null
// RUN: not %tcc -O2 -arch=sm_80 -DDEVICE -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=DEVICE --implicit-check-not=error:
// CHECK: host-device: correct
// DEVICE: host-device.cu:[[#@LINE+20]]:{{[0-9]+}}: error: the SIMT function 'third' is compiled apart from tile kernels: to call it, include <tilecc/threads.h> before the kernel, or make it inline or __host__ __device__
#include <tilecc/tt.h>

#include <cstdio>
#include <cstdlib>

__host__ __device__ float half(float x) { return x > 2 ? x / 2 : x; }
static __host__ __device__ int twice(int x) { return 2 * x; }
struct scale {
  float factor;
  __host__ __device__ float operator()(float x) const;
};
__host__ __device__ float scale::operator()(float x) const { return factor * x; }
__host__ __device__ void unused(FILE *file) { std::fputs("for the host alone", file); }
__device__ float third(float x) { return x / 3; }

__tile_global__ void tiles(float *p, scale s) {
  auto i = tt::arange<64>();
  auto v = tt::map_elementwise([](float x) { return half(x); }, tt::load(p + i));
#ifdef DEVICE
  v = tt::map_elementwise([](float x) { return third(x); }, v);
#endif
  tt::store(p + i, v * twice(3) + s(2.0f));
}
__global__ void threads(float *p, scale s) { p[threadIdx.x] = half(p[threadIdx.x]) * twice(3) + s(2.0f); }

int main() {
  float *x, *y;
  if (cudaMallocManaged(&x, 256) || cudaMallocManaged(&y, 256))
    return 1;
  for (int i = 0; i < 64; ++i)
    x[i] = y[i] = float(i) / 8;
  tiles<<<1>>>(x, {3});
  threads<<<1, 64>>>(y, {3});
  if (cudaDeviceSynchronize())
    return 1;
  int wrong = 0;
  for (int i = 0; i < 64; ++i)
    wrong += x[i] != y[i] || x[i] != half(float(i) / 8) * twice(3) + scale{3}(2.0f);
  std::printf("host-device: %s\n", wrong ? "WRONG" : "correct");
  return wrong != 0;
}
