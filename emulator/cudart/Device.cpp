//===- Device.cpp - properties of the emulated device and of its kernels ------------------------------------------===//
//
// The device has few multiprocessors, because libraries size their grids to fill them.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "State.h"

#include <algorithm>
#include <cstdio>

using namespace tilecc::cudart;

CUDART cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

namespace {
constexpr int multiprocessors = 4, threadsOfOne = 2048, threadsOfBlock = 1024, blocksOfOne = 32;
constexpr int sharedOfOne = 228 * 1024, sharedOfBlock = 227 * 1024, sharedUnasked = 48 * 1024;
constexpr int registersOfOne = 65536, registersOfThread = 32;
constexpr int major = 9, minor = 0;
} // namespace

CUDART cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
CUDART cudaError_t cudaGetDevice(int *number) {
  *number = 0;
  return cudaSuccess;
}
CUDART cudaError_t cudaSetDevice(int number) { return number ? keep(cudaErrorInvalidDevice) : cudaSuccess; }
/// Frees nothing, because the emulator's device exists until the process ends.
CUDART cudaError_t cudaDeviceReset() {
  synchronize();
  state().kernelError = cudaSuccess;
  return keepPrinted(cudaSuccess);
}
/// Accepts all flags, because threads always wait in the same way.
CUDART cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
CUDART cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  *flags = cudaDeviceScheduleAuto;
  return cudaSuccess;
}
CUDART cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
CUDART cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
CUDART cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}
CUDART cudaError_t cudaProfilerStart() { return cudaSuccess; }
CUDART cudaError_t cudaProfilerStop() { return cudaSuccess; }
CUDART cudaError_t cudaDriverGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
CUDART cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }

CUDART cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  tilecc_emu_device *emulator = device();
  if (!emulator)
    return cudaPeekAtLastError();
  tilecc_emu_memory_info(emulator, free, total);
  return cudaSuccess;
}

CUDART cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int number) {
  if (number)
    return keep(cudaErrorInvalidDevice);
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "the PTX emulator of tcc");
  size_t free;
  if (cudaError_t error = cudaMemGetInfo(&free, &properties->totalGlobalMem))
    return error;
  properties->major = major;
  properties->minor = minor;
  properties->warpSize = 32;
  properties->multiProcessorCount = multiprocessors;
  properties->maxThreadsPerBlock = properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = threadsOfBlock;
  properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = 0x7fffffff;
  properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
  properties->maxThreadsPerMultiProcessor = threadsOfOne;
  properties->maxBlocksPerMultiProcessor = blocksOfOne;
  properties->sharedMemPerBlock = sharedUnasked;
  properties->sharedMemPerBlockOptin = sharedOfBlock;
  properties->sharedMemPerMultiprocessor = sharedOfOne;
  properties->regsPerBlock = properties->regsPerMultiprocessor = registersOfOne;
  properties->totalConstMem = 65536;
  properties->unifiedAddressing = properties->managedMemory = properties->concurrentManagedAccess = 1;
  properties->cooperativeLaunch = properties->canMapHostMemory = properties->memoryPoolsSupported = 1;
  return cudaSuccess;
}

CUDART cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int number) {
  if (number)
    return keep(cudaErrorInvalidDevice);
  switch (attribute) {
  case cudaDevAttrComputeCapabilityMajor: *value = major; return cudaSuccess;
  case cudaDevAttrComputeCapabilityMinor: *value = minor; return cudaSuccess;
  case cudaDevAttrMultiProcessorCount: *value = multiprocessors; return cudaSuccess;
  case cudaDevAttrWarpSize: *value = 32; return cudaSuccess;
  case cudaDevAttrMaxThreadsPerBlock:
  case cudaDevAttrMaxBlockDimX: *value = threadsOfBlock; return cudaSuccess;
  case cudaDevAttrMaxThreadsPerMultiProcessor: *value = threadsOfOne; return cudaSuccess;
  case cudaDevAttrMaxBlocksPerMultiprocessor: *value = blocksOfOne; return cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerBlock: *value = sharedUnasked; return cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = sharedOfBlock; return cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = sharedOfOne; return cudaSuccess;
  case cudaDevAttrMaxGridDimX: *value = 0x7fffffff; return cudaSuccess;
  case cudaDevAttrMaxRegistersPerBlock:
  case cudaDevAttrMaxRegistersPerMultiprocessor: *value = registersOfOne; return cudaSuccess;
  case cudaDevAttrCooperativeLaunch:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrMemoryPoolsSupported: *value = 1; return cudaSuccess;
  default: *value = 0; return cudaSuccess;
  }
}

//===--- kernels --------------------------------------------------------------------------------------------------===//

CUDART cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function) {
  tilecc_emu_kernel *kernel = kernelOf(function);
  if (!kernel)
    return cudaPeekAtLastError();
  tilecc_emu_kernel_attributes known;
  tilecc_emu_get_attributes(kernel, &known);
  *attributes = {};
  attributes->sharedSizeBytes = known.shared_bytes;
  attributes->localSizeBytes = known.local_bytes;
  attributes->maxThreadsPerBlock = static_cast<int>(known.max_threads);
  attributes->maxDynamicSharedSizeBytes = sharedOfBlock - static_cast<int>(known.shared_bytes);
  attributes->numRegs = registersOfThread;
  attributes->ptxVersion = attributes->binaryVersion = static_cast<int>(known.arch);
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
                                                                          int threads, size_t shared, unsigned) {
  tilecc_emu_kernel *kernel = kernelOf(function);
  if (!kernel)
    return cudaPeekAtLastError();
  if (threads <= 0)
    return keep(cudaErrorInvalidValue);
  tilecc_emu_kernel_attributes known;
  tilecc_emu_get_attributes(kernel, &known);
  size_t bytes = known.shared_bytes + shared;
  int most = threads > static_cast<int>(known.max_threads) || bytes > sharedOfBlock ? 0 : threadsOfOne / threads;
  *blocks = std::min({most, blocksOfOne, bytes ? static_cast<int>(sharedOfOne / bytes) : blocksOfOne});
  return cudaSuccess;
}
CUDART cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                                 size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}
