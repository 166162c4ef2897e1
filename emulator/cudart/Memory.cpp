//===- Memory.cpp - memory and copies, the device ------------------------------------------------------------------------===//
//
// The device's memory is the emulator's. Pinned and managed memory is the host's, at the same address for kernels.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "State.h"

using namespace tilecc::cudart;

//===--- memory -----------------------------------------------------------------------------------------------------===//

CUDART cudaError_t cudaMalloc(void **memory, size_t bytes) {
  *memory = nullptr;
  tilecc_emu_device *emulator = device();
  if (!emulator)
    return cudaPeekAtLastError();
  return bytes ? keep(tilecc_emu_allocate(emulator, bytes, memory)) : cudaSuccess;
}

static cudaError_t allocateHost(void **memory, size_t bytes) {
  *memory = nullptr;
  tilecc_emu_device *emulator = device();
  if (!emulator)
    return cudaPeekAtLastError();
  if (cudaError_t error = keep(tilecc_emu_allocate_host(emulator, bytes, memory)))
    return error;
  std::lock_guard lock(state().mutex);
  state().hostMemory[*memory] = bytes;
  return cudaSuccess;
}

CUDART cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned) { return allocateHost(memory, bytes); }
CUDART cudaError_t cudaMallocHost(void **memory, size_t bytes) { return allocateHost(memory, bytes); }
CUDART cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned) { return allocateHost(memory, bytes); }
CUDART cudaError_t cudaHostGetDevicePointer(void **address, void *memory, unsigned) {
  *address = memory;
  return cudaSuccess;
}

CUDART cudaError_t cudaFree(void *memory) {
  tilecc_emu_device *emulator = device();
  if (!memory || !emulator)
    return cudaSuccess;
  bool isHost;
  {
    std::lock_guard lock(state().mutex);
    isHost = state().hostMemory.erase(memory);
  }
  return keep(isHost ? tilecc_emu_free_host(emulator, memory) : tilecc_emu_free(emulator, memory));
}
CUDART cudaError_t cudaFreeHost(void *memory) { return cudaFree(memory); }
CUDART cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t) { return cudaMalloc(memory, bytes); }
CUDART cudaError_t cudaFreeAsync(void *memory, cudaStream_t) { return cudaFree(memory); }

CUDART cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(memory, *pitch * height);
}

//===--- copies -----------------------------------------------------------------------------------------------------===//

CUDART cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  tilecc_emu_device *emulator = device();
  return emulator ? keep(tilecc_emu_copy(emulator, to, from, bytes)) : cudaPeekAtLastError();
}
CUDART cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
CUDART cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  for (size_t row = 0; row < height; ++row)
    if (cudaError_t error = cudaMemcpy(static_cast<char *>(to) + row * toPitch,
                                       static_cast<const char *>(from) + row * fromPitch, width, kind))
      return error;
  return cudaSuccess;
}
CUDART cudaError_t cudaMemset(void *memory, int value, size_t bytes) {
  tilecc_emu_device *emulator = device();
  return emulator ? keep(tilecc_emu_set(emulator, memory, value, bytes)) : cudaPeekAtLastError();
}
CUDART cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t) {
  return cudaMemset(memory, value, bytes);
}

// Their names with a default stream for each thread.
CUDART cudaError_t cudaMemcpy_ptds(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpy(to, from, bytes, kind);
}
CUDART cudaError_t cudaMemset_ptds(void *memory, int value, size_t bytes) { return cudaMemset(memory, value, bytes); }

//===--- the device -------------------------------------------------------------------------------------------------===//

CUDART cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
CUDART cudaError_t cudaGetDevice(int *number) {
  *number = 0;
  return cudaSuccess;
}
CUDART cudaError_t cudaSetDevice(int number) { return number ? keep(cudaErrorInvalidDevice) : cudaSuccess; }
CUDART cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
