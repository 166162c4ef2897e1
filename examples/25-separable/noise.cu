// 25: a library of device functions, which is compiled separately into an archive.
#include "noise.cuh"

__constant__ unsigned noiseSeed = 12345;

__device__ unsigned hash(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

__device__ float uniform(unsigned seed, unsigned i) { return float(hash(seed ^ hash(i)) >> 8) / float(1 << 24); }
