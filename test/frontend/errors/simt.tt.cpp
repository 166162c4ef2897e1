// SIMT code in a tile source names the option that it needs.
//
// RUN: split-file %s %t
// RUN: not %raise %t/code.tt.cpp 2>&1 | FileCheck %t/code.tt.cpp --implicit-check-not="error:"
// RUN: not %raise %t/builtin.tt.cpp 2>&1 | FileCheck %t/builtin.tt.cpp --implicit-check-not="error:"
// RUN: not %raise %t/names.tt.cpp 2>&1 | FileCheck %t/names.tt.cpp --implicit-check-not="error:"

//--- code.tt.cpp
#include <tilecc/tt.h>
// CHECK-DAG: code.tt.cpp:[[#@LINE+1]]:18: error: 'f' is a __device__ function, SIMT code, which needs --simt; a function for tile kernels is marked __tile__
__device__ float f(float a) { return a; }
// CHECK-DAG: code.tt.cpp:[[#@LINE+1]]:17: error: 'simt' is a SIMT kernel, which needs --simt; a tile kernel is marked __tile_global__
__global__ void simt(float *x) { x[0] = f(1.0f); }
// CHECK-DAG: code.tt.cpp:[[#@LINE+1]]:16: error: 'gpu' is in a GPU's memory, SIMT code, which needs --simt
__device__ int gpu;
__tile_global__ void shared(float *x) {
  // CHECK-DAG: code.tt.cpp:[[#@LINE+1]]:20: error: 's' is in a GPU's memory, SIMT code, which needs --simt
  __shared__ float s[4];
  x[0] = s[0];
}
// A function for the host and for GPUs may be called by tile kernels, too.
__host__ __device__ float g(float a) { return a; }
__tile_global__ void tile(float *x) { x[0] = g(1.0f); }

//--- names.tt.cpp
#include <tilecc/tt.h>
__tile_global__ void kernel(float *x) {
  // CHECK: names.tt.cpp:[[#@LINE+1]]:5: error: 'threadIdx' is SIMT code, which needs --simt
  x[threadIdx.x] = 1.0f;
  // CHECK: names.tt.cpp:[[#@LINE+1]]:3: error: 'atomicAdd' is SIMT code, which needs --simt
  atomicAdd(x, 1.0f);
}

//--- builtin.tt.cpp
#include <tilecc/tt.h>
// CHECK: builtin.tt.cpp:[[#@LINE+1]]:41: error: '__syncthreads', SIMT code, for which there is tt::debug_barrier(), is not available in a tile kernel
__tile_global__ void kernel(float *x) { __syncthreads(); }
