//===- Memory.cpp - memory and copies -----------------------------------------------------------------------------===//

#include "State.h"

using namespace tilecc::cudart;

//===--- memory ---------------------------------------------------------------------------------------------------===//

/// An allocation of no bytes succeeds, other than in the driver.
CUDART cudaError_t cudaMalloc(void **memory, size_t bytes) {
  *memory = nullptr;
  return bytes ? keep(cuMemAlloc(reinterpret_cast<CUdeviceptr *>(memory), bytes)) : cudaDeviceSynchronize();
}
CUDART cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned flags) {
  *memory = nullptr;
  return bytes ? keep(cuMemAllocManaged(reinterpret_cast<CUdeviceptr *>(memory), bytes, flags))
               : cudaDeviceSynchronize();
}
CUDART cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags) {
  *memory = nullptr;
  return bytes ? keep(cuMemHostAlloc(memory, bytes, flags)) : cudaDeviceSynchronize();
}
CUDART cudaError_t cudaMallocHost(void **memory, size_t bytes) { return cudaHostAlloc(memory, bytes, 0); }
CUDART cudaError_t cudaHostGetDevicePointer(void **address, void *memory, unsigned flags) {
  return keep(cuMemHostGetDevicePointer(reinterpret_cast<CUdeviceptr *>(address), memory, flags));
}
CUDART cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags) {
  return keep(cuMemHostRegister(memory, bytes, flags));
}
CUDART cudaError_t cudaHostUnregister(void *memory) { return keep(cuMemHostUnregister(memory)); }
CUDART cudaError_t cudaFree(void *memory) { return keep(cuMemFree(addressOf(memory))); }
CUDART cudaError_t cudaFreeHost(void *memory) { return keep(cuMemFreeHost(memory)); }
CUDART cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t) { return cudaMalloc(memory, bytes); }
CUDART cudaError_t cudaFreeAsync(void *memory, cudaStream_t) { return cudaFree(memory); }
CUDART cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height) {
  return keep(cuMemAllocPitch(reinterpret_cast<CUdeviceptr *>(memory), pitch, width, height, sizeof(int)));
}

CUDART cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory) {
  *attributes = {};
  CUdeviceptr address = addressOf(memory);
  unsigned isManaged;
  CUmemorytype type;
  if (cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, address) ||
      cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address))
    return cudaSuccess; // unregistered: belongs to neither side
  attributes->type = isManaged                    ? cudaMemoryTypeManaged
                     : type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost
                                                  : cudaMemoryTypeDevice;
  attributes->devicePointer = const_cast<void *>(memory);
  if (attributes->type != cudaMemoryTypeDevice)
    attributes->hostPointer = attributes->devicePointer;
  return cudaSuccess;
}

// Prefetches and advice have no effect, because managed memory is host memory.
#if CUDART_VERSION >= 13000
using MemoryPlace = cudaMemLocation;
CUDART cudaError_t cudaMemPrefetchAsync(const void *, size_t, MemoryPlace, unsigned, cudaStream_t) {
  return cudaSuccess;
}
#else
using MemoryPlace = int;
CUDART cudaError_t cudaMemPrefetchAsync(const void *, size_t, MemoryPlace, cudaStream_t) { return cudaSuccess; }
#endif
CUDART cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, MemoryPlace) { return cudaSuccess; }
CUDART cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t, unsigned) { return cudaSuccess; }

//===--- pools ----------------------------------------------------------------------------------------------------===//

CUDART cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int number) {
  return keep(cuDeviceGetDefaultMemPool(pool, number));
}
CUDART cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int number) {
  return keep(cuDeviceGetMemPool(pool, number));
}
CUDART cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  return keep(cuMemPoolSetAttribute(pool, static_cast<CUmemPool_attribute>(attribute), value));
}
CUDART cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  return keep(cuMemPoolGetAttribute(pool, static_cast<CUmemPool_attribute>(attribute), value));
}
CUDART cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) { return keep(cuMemPoolTrimTo(pool, bytes)); }
CUDART cudaError_t cudaMallocFromPoolAsync(void **memory, size_t bytes, cudaMemPool_t, cudaStream_t) {
  return cudaMalloc(memory, bytes);
}

//===--- copies ---------------------------------------------------------------------------------------------------===//

// Addresses say on which side they are, so the kind of a copy does not matter.
CUDART cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  return keep(cuMemcpy(addressOf(to), addressOf(from), bytes));
}
CUDART cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
  return keep(cuMemcpyAsync(addressOf(to), addressOf(from), bytes, stream));
}
static CUDA_MEMCPY2D rows(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height) {
  CUDA_MEMCPY2D shape = {};
  shape.srcMemoryType = shape.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  shape.srcDevice = addressOf(from);
  shape.srcPitch = fromPitch;
  shape.dstDevice = addressOf(to);
  shape.dstPitch = toPitch;
  shape.WidthInBytes = width;
  shape.Height = height;
  return shape;
}
CUDART cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                size_t height, cudaMemcpyKind) {
  CUDA_MEMCPY2D shape = rows(to, toPitch, from, fromPitch, width, height);
  return keep(cuMemcpy2D(&shape));
}
CUDART cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                     size_t height, cudaMemcpyKind, cudaStream_t stream) {
  CUDA_MEMCPY2D shape = rows(to, toPitch, from, fromPitch, width, height);
  return keep(cuMemcpy2DAsync(&shape, stream));
}
CUDART cudaError_t cudaMemset(void *memory, int value, size_t bytes) {
  return keep(cuMemsetD8(addressOf(memory), static_cast<unsigned char>(value), bytes));
}
CUDART cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream) {
  return keep(cuMemsetD8Async(addressOf(memory), static_cast<unsigned char>(value), bytes, stream));
}
CUDART cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height) {
  return keep(cuMemsetD2D8(addressOf(memory), pitch, static_cast<unsigned char>(value), width, height));
}
CUDART cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height,
                                     cudaStream_t stream) {
  return keep(cuMemsetD2D8Async(addressOf(memory), pitch, static_cast<unsigned char>(value), width, height, stream));
}
