// A texture over a CUDA array, interpolated, and a surface that is written.
// The emulated runtime does not have textures.
//
// RUN: %tcc -O2 %s -o %t
#include "Inputs/check.h"
__global__ void sample(cudaTextureObject_t texture, float *out, int n) {
  int i = threadIdx.x;
  out[i] = tex2D<float>(texture, i + 1.0f, 0.5f); // half-way between elements i and i + 1
}

__global__ void write(cudaSurfaceObject_t surface, int n) {
  surf2Dwrite(float(threadIdx.x * 10), surface, threadIdx.x * 4, 0);
}

int main() {
  const int n = 32;
  float host[n], *out = allocate<float>(n);
  for (int i = 0; i < n; ++i)
    host[i] = float(i * i);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, n, 1, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, host, sizeof host, sizeof host, 1, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  sample<<<1, n - 1>>>(texture, out, n);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < n - 1; ++i)
    wrong += !close(out[i], (host[i] + host[i + 1]) / 2, 1e-2);
  write<<<1, n>>>(surface, n);
  CHECK(cudaMemcpy2DFromArray(host, sizeof host, array, 0, 0, sizeof host, 1, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    wrong += host[i] != float(i * 10);
  return report("textures", wrong);
}
