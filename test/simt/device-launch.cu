// Kernels that launch kernels use nvcc's interface, which supports fire-and-forget and tail launches. Arguments of
// every kind are passed in one buffer.
//
// RUN: %tcc -rdc=true --emit=llvm -arch=sm_90 %s | FileCheck %s --implicit-check-not="@__cudaCDP2LaunchDevice(" --implicit-check-not="@__cudaCDP2GetParameterBuffer("
// RUN: %tcc -rdc=true %s -o %t
// RUN: not %tcc -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WHOLE
//
// CHECK-COUNT-2: call {{.*}}@__cudaCDP2LaunchDeviceV2(
// WHOLE: error: kernel launch from __device__ or __global__ function requires relocatable device code
#include <cstdio>

struct Pair {
  char tag;
  double value;
};

__global__ void child(int *out, Pair pair, short add) { atomicAdd(out, int(pair.value) + pair.tag + add); }

__global__ void last(int *out) { out[1] = out[0]; }

__global__ void parent(int *out) {
  child<<<2, 4, 0, cudaStreamFireAndForget>>>(out, Pair{1, 20.0}, 300);
  last<<<1, 1, 0, cudaStreamTailLaunch>>>(out);
}

int main() {
  int *out;
  if (cudaMallocManaged(&out, 2 * sizeof(int))) {
    printf("FAIL device launch: no memory\n");
    return 1;
  }
  out[0] = out[1] = 0;
  parent<<<1, 1>>>(out);
  cudaError_t error = cudaDeviceSynchronize();
  bool right = !error && out[0] == 8 * 321 && out[1] == 8 * 321;
  printf("%s device launch: error %d, %d and %d\n", right ? "PASS" : "FAIL", error, out[0], out[1]);
  return !right;
}
