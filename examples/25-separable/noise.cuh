// 25: the device functions that the library provides to kernels in other files.
#pragma once
__device__ unsigned hash(unsigned x);
__device__ float uniform(unsigned seed, unsigned i);
extern __constant__ unsigned noiseSeed;
