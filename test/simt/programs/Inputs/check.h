// Shared by the programs. Each computes something on the GPU, compares it with the host's result, and prints one line.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

inline void check(cudaError_t error, const char *call, int line) {
  if (error == cudaSuccess)
    return;
  std::printf("FAIL line %d: %s: %s\n", line, call, cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}
#define CHECK(call) check(call, #call, __LINE__)

// Memory of both sides.
template <class T> T *allocate(size_t n) {
  T *memory;
  CHECK(cudaMallocManaged(&memory, n * sizeof(T)));
  CHECK(cudaMemset(memory, 0xff, n * sizeof(T)));
  CHECK(cudaDeviceSynchronize());
  return memory;
}

inline void finishKernels() {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

inline bool close(double value, double reference, double tolerance = 1e-5) {
  return std::fabs(value - reference) <= tolerance * (1 + std::fabs(reference));
}

// The result of main.
inline int report(const char *name, long wrong) {
  std::printf("%s %s: %ld wrong\n", wrong ? "FAIL" : "PASS", name, wrong);
  return wrong != 0;
}
