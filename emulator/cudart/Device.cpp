//===- Device.cpp - properties of the emulated device and of its kernels ------------------------------------------===//

#include "State.h"

using namespace tilecc::cudart;

CUDART cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

CUDART cudaError_t cudaGetDeviceCount(int *count) { return keep(cuDeviceGetCount(count)); }
CUDART cudaError_t cudaGetDevice(int *number) {
  *number = 0;
  return cudaSuccess;
}
CUDART cudaError_t cudaSetDevice(int number) { return number ? keep(cudaErrorInvalidDevice) : cudaSuccess; }
CUDART cudaError_t cudaDeviceReset() { return keep(cuDevicePrimaryCtxReset(0)); }
/// Accepts all flags, because threads always wait in the same way.
CUDART cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
CUDART cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  *flags = cudaDeviceScheduleAuto;
  return cudaSuccess;
}
CUDART cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
CUDART cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
CUDART cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return keep(cuCtxGetStreamPriorityRange(least, greatest));
}
CUDART cudaError_t cudaProfilerStart() { return cudaSuccess; }
CUDART cudaError_t cudaProfilerStop() { return cudaSuccess; }
CUDART cudaError_t cudaDriverGetVersion(int *version) { return keep(cuDriverGetVersion(version)); }
CUDART cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
CUDART cudaError_t cudaMemGetInfo(size_t *free, size_t *total) { return keep(cuMemGetInfo(free, total)); }

/// The attributes of a device have the driver's numbers.
CUDART cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int number) {
  return keep(cuDeviceGetAttribute(value, static_cast<CUdevice_attribute>(attribute), number));
}

static int get(cudaDeviceAttr attribute) {
  int value = 0;
  cudaDeviceGetAttribute(&value, attribute, 0);
  return value;
}

CUDART cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int number) {
  if (number)
    return keep(cudaErrorInvalidDevice);
  *properties = {};
  cuDeviceGetName(properties->name, sizeof properties->name, 0);
  size_t free;
  if (cudaError_t error = cudaMemGetInfo(&free, &properties->totalGlobalMem))
    return error;
  properties->major = get(cudaDevAttrComputeCapabilityMajor);
  properties->minor = get(cudaDevAttrComputeCapabilityMinor);
  properties->warpSize = get(cudaDevAttrWarpSize);
  properties->multiProcessorCount = get(cudaDevAttrMultiProcessorCount);
  properties->maxThreadsPerBlock = get(cudaDevAttrMaxThreadsPerBlock);
  properties->maxThreadsDim[0] = get(cudaDevAttrMaxBlockDimX);
  properties->maxThreadsDim[1] = get(cudaDevAttrMaxBlockDimY);
  properties->maxThreadsDim[2] = get(cudaDevAttrMaxBlockDimZ);
  properties->maxGridSize[0] = get(cudaDevAttrMaxGridDimX);
  properties->maxGridSize[1] = get(cudaDevAttrMaxGridDimY);
  properties->maxGridSize[2] = get(cudaDevAttrMaxGridDimZ);
  properties->maxThreadsPerMultiProcessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
  properties->maxBlocksPerMultiProcessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
  properties->sharedMemPerBlock = static_cast<size_t>(get(cudaDevAttrMaxSharedMemoryPerBlock));
  properties->sharedMemPerBlockOptin = static_cast<size_t>(get(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  properties->sharedMemPerMultiprocessor = static_cast<size_t>(get(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
  properties->regsPerBlock = get(cudaDevAttrMaxRegistersPerBlock);
  properties->regsPerMultiprocessor = get(cudaDevAttrMaxRegistersPerMultiprocessor);
  properties->totalConstMem = static_cast<size_t>(get(cudaDevAttrTotalConstantMemory));
  properties->unifiedAddressing = get(cudaDevAttrUnifiedAddressing);
  properties->managedMemory = get(cudaDevAttrManagedMemory);
  properties->concurrentManagedAccess = get(cudaDevAttrConcurrentManagedAccess);
  properties->cooperativeLaunch = get(cudaDevAttrCooperativeLaunch);
  properties->canMapHostMemory = get(cudaDevAttrCanMapHostMemory);
  properties->memoryPoolsSupported = get(cudaDevAttrMemoryPoolsSupported);
  return cudaSuccess;
}

//===--- kernels --------------------------------------------------------------------------------------------------===//

CUDART cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function) {
  CUfunction kernel = kernelOf(function);
  if (!kernel)
    return cudaPeekAtLastError();
  auto get = [&](CUfunction_attribute attribute) {
    int value = 0;
    cuFuncGetAttribute(&value, attribute, kernel);
    return value;
  };
  *attributes = {};
  attributes->sharedSizeBytes = static_cast<size_t>(get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  attributes->localSizeBytes = static_cast<size_t>(get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
  attributes->maxThreadsPerBlock = get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  attributes->maxDynamicSharedSizeBytes = get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  attributes->numRegs = get(CU_FUNC_ATTRIBUTE_NUM_REGS);
  attributes->ptxVersion = get(CU_FUNC_ATTRIBUTE_PTX_VERSION);
  attributes->binaryVersion = get(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
  return cudaSuccess;
}

/// Has no effect: shared memory up to the maximum of a block is available without opting in.
CUDART cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute, int) {
  return kernelOf(function) ? cudaSuccess : cudaPeekAtLastError();
}
/// Has no effect, because the emulator has no caches.
CUDART cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache) {
  return kernelOf(function) ? cudaSuccess : cudaPeekAtLastError();
}

CUDART cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                          int threads, size_t shared, unsigned flags) {
  CUfunction kernel = kernelOf(function);
  return kernel ? keep(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, shared, flags))
                : cudaPeekAtLastError();
}
CUDART cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                                 size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}
