// Host functions that a stream runs between kernels.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void add(int *x, int value) { *x += value; }
static int order = 0;

int main() {
  int *x = allocate<int>(1);
  *x = 0;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  struct State {
    int *x, seen;
  } state = {x, 0};
  add<<<1, 1, 0, stream>>>(x, 3);
  CHECK(cudaLaunchHostFunc(
      stream,
      [](void *data) {
        auto *state = static_cast<State *>(data);
        state->seen = *state->x;
        *state->x *= 10;
      },
      &state));
  add<<<1, 1, 0, stream>>>(x, 4);
  CHECK(cudaStreamAddCallback(
      stream, [](cudaStream_t, cudaError_t error, void *) { order = error ? -1 : 1; }, nullptr, 0));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  return report("callbacks", (*x != 34) + (state.seen != 3) + (order != 1));
}
