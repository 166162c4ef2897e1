// Textures over linear and pitched memory, normalized and wrapped; arrays of three dimensions and with layers.
// The emulated runtime does not have textures.
//
// RUN: %tcc -O2 %s -o %t
#include "Inputs/check.h"
__global__ void linear(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1Dfetch<float>(t, 31 - threadIdx.x); }
__global__ void pitched(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex2D<float>(t, (threadIdx.x % 8 + 8.5f) / 8, (threadIdx.x / 8 + 0.5f) / 4);
}
__global__ void volume(cudaTextureObject_t t, int *out) {
  int i = threadIdx.x;
  out[i] = tex3D<int>(t, i % 4 + 0.5f, i / 4 % 4 + 0.5f, i / 16 + 0.5f);
}

int main() {
  float *out = allocate<float>(32), *values = allocate<float>(32);
  int *whole = allocate<int>(32), ints[32];
  for (int i = 0; i < 32; ++i)
    values[i] = float(ints[i] = i * i);
  long wrong = 0;
  cudaResourceDesc resource = {};
  cudaTextureDesc description = {};
  cudaTextureObject_t texture;
  description.readMode = cudaReadModeElementType;
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = values;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 32 * sizeof(float);
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  linear<<<1, 32>>>(texture, out);
  finishKernels();
  for (int i = 0; i < 32; ++i)
    wrong += out[i] != values[31 - i];

  float *rows;
  size_t pitch;
  CHECK(cudaMallocPitch(&rows, &pitch, 8 * sizeof(float), 4));
  CHECK(cudaMemcpy2D(rows, pitch, values, 8 * sizeof(float), 8 * sizeof(float), 4, cudaMemcpyDefault));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = rows;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = 8;
  resource.res.pitch2D.height = 4;
  resource.res.pitch2D.pitchInBytes = pitch;
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeWrap;
  description.normalizedCoords = 1;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  pitched<<<1, 32>>>(texture, out);
  finishKernels();
  for (int i = 0; i < 32; ++i)
    wrong += out[i] != values[i];

  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 2)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(ints, 4 * sizeof(int), 4, 4);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(4, 4, 2);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  description = {};
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  volume<<<1, 32>>>(texture, whole);
  finishKernels();
  for (int i = 0; i < 32; ++i)
    wrong += whole[i] != ints[i];
  return report("texture-kinds", wrong);
}
