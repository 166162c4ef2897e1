// Shared by the examples that use the CUDA runtime: a failed call ends the program with an error message.
#ifndef EXAMPLES_SUPPORT_CUDA_CHECK_H
#define EXAMPLES_SUPPORT_CUDA_CHECK_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

inline void check(cudaError_t error, const char *call) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}
#define CHECK(call) check(call, #call)

// Prints one line and returns main's result.
inline int report(const char *name, int wrong, int n) {
  std::printf("%s: %s, %d of %d wrong\n", name, wrong ? "WRONG" : "correct", wrong, n);
  return wrong != 0;
}

#endif // EXAMPLES_SUPPORT_CUDA_CHECK_H
