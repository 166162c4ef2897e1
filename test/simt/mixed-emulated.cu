// Kernels of both kinds on the emulator, with the same memory: tcc's runtime and the emulated CUDA runtime share its
// single device, so each kernel sees what the others wrote. The checks cover both: a missing barrier in a SIMT kernel
// is a race.
//
// REQUIRES: emulated-cudart
// RUN: %tcc -O2 --cudart=shared %s -o %t && env TILECC_DEVICE=emu %emulated %t | FileCheck %s
// RUN: %tcc -O2 --cudart=shared -DFORGOTTEN %s -o %t.race && not env TILECC_DEVICE=emu %emulated %t.race 2>&1 | FileCheck %s --check-prefix=RACE
// CHECK: PASS
// RACE: mixed-emulated.cu:[[#@LINE+18]]:{{[0-9]+}}: error: data race in shared memory
#include "programs/Inputs/check.h"
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

__tile_global__ void twice(float *x, int n) {
  auto i = tt::program_id(0) * 128 + tt::arange<128>();
  tt::store(x + i, tt::load(x + i, i < n) * 2.0f, i < n);
}

// Each block reverses its part.
__global__ void reverse(float *x) {
  __shared__ float part[100];
  float *mine = x + blockIdx.x * 100;
  part[threadIdx.x] = mine[threadIdx.x];
#ifndef FORGOTTEN
  __syncthreads();
#endif
  mine[threadIdx.x] = part[99 - threadIdx.x];
}

int main() {
  const int n = 300;
  float *x, host[n];
  for (int i = 0; i < n; ++i)
    host[i] = float(i);
  CHECK(cudaMalloc(&x, sizeof host));
  CHECK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  twice<<<tt::cdiv(n, 128)>>>(x, n);
  reverse<<<3, 100>>>(x);
  twice<<<tt::cdiv(n, 128)>>>(x, n);
  finishKernels();
  if (ttDeviceSynchronize())
    return 1;
  CHECK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += host[i] != 4.0f * float(i / 100 * 100 + 99 - i % 100);
  return report("mixed-emulated", wrong);
}
