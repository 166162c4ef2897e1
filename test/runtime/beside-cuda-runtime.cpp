// <tilecc/runtime.h> works together with <cuda_runtime.h>, in every C++ from C++11 on: grids may be CUDA's dim3,
// streams CUDA's, and a launch only needs the kernel's declaration.
//
// REQUIRES: cuda
// RUN: %gxx -std=c++11 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I%source_dir/runtime/include -isystem %cuda/include %s
// RUN: %gxx -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I%source_dir/runtime/include -isystem %cuda/include %s
// RUN: %clangxx -std=c++11 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I%source_dir/runtime/include -isystem %cuda/include %s
// RUN: %clangxx -std=c++20 -fno-exceptions -fsyntax-only -Wall -Wextra -Werror -I%source_dir/runtime/include -isystem %cuda/include %s
// RUN: not %gxx -std=c++20 -fsyntax-only -DWRONG_COUNT -I%source_dir/runtime/include -isystem %cuda/include %s 2>&1 | FileCheck %s
// CHECK: error: static assertion failed: tt::launch: the kernel takes another number of arguments
#include <cuda_runtime.h>
#include <tilecc/runtime.h>

void scale(float *data, int n);

void launchAll(float *data, cudaStream_t stream, cudaEvent_t event) {
  tt::launch(scale, dim3(4, 5), stream, data, 3);
  tt::launch(scale, 7u, nullptr, data, 3L);
  tt::launch(scale, sizeof(int), ttStreamPerThread, nullptr, 'c');
  tt::stream own;
  cudaStreamSynchronize(own);
  ttStreamSynchronize(stream);
  own.wait(event);
#ifdef WRONG_COUNT
  tt::launch(scale, 1, stream, data);
#endif
}
