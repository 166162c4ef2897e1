//===- Memory.cpp - memory and copies -----------------------------------------------------------------------------===//
//
// The emulator allocates device memory. Pinned and managed memory is host memory that kernels access at the same
// address.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "Graphs.h"

#include <cstring>
#include <iterator>

using namespace tilecc::cudart;

//===--- memory ---------------------------------------------------------------------------------------------------===//

static cudaError_t allocate(void **memory, size_t bytes, cudaMemoryType type) {
  *memory = nullptr;
  if (cudaError_t error = synchronize())
    return error;
  tilecc_emu_device *emulator = device();
  if (!bytes)
    return cudaSuccess;
  auto function = type == cudaMemoryTypeDevice ? tilecc_emu_allocate : tilecc_emu_allocate_host;
  if (cudaError_t error = keep(function(emulator, bytes, memory)))
    return error;
  std::lock_guard lock(state().mutex);
  state().allocations[static_cast<char *>(*memory)] = {bytes, type};
  return cudaSuccess;
}

CUDART cudaError_t cudaMalloc(void **memory, size_t bytes) { return allocate(memory, bytes, cudaMemoryTypeDevice); }
CUDART cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned) {
  return allocate(memory, bytes, cudaMemoryTypeManaged);
}
CUDART cudaError_t cudaMallocHost(void **memory, size_t bytes) { return allocate(memory, bytes, cudaMemoryTypeHost); }
CUDART cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned) {
  return allocate(memory, bytes, cudaMemoryTypeHost);
}
CUDART cudaError_t cudaHostGetDevicePointer(void **address, void *memory, unsigned) {
  *address = memory;
  return cudaSuccess;
}

CUDART cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned) {
  tilecc_emu_device *emulator = device();
  if (!emulator)
    return cudaPeekAtLastError();
  if (!memory || !bytes)
    return keep(cudaErrorInvalidValue);
  if (cudaError_t error = keep(tilecc_emu_register_host(emulator, memory, bytes)))
    return error;
  std::lock_guard lock(state().mutex);
  state().allocations[static_cast<char *>(memory)] = {bytes, cudaMemoryTypeHost};
  return cudaSuccess;
}
CUDART cudaError_t cudaHostUnregister(void *memory) {
  tilecc_emu_device *emulator = device();
  if (!emulator)
    return cudaPeekAtLastError();
  if (cudaError_t error = keep(tilecc_emu_unregister_host(emulator, memory)))
    return error;
  std::lock_guard lock(state().mutex);
  state().allocations.erase(static_cast<char *>(memory));
  return cudaSuccess;
}

CUDART cudaError_t cudaFree(void *memory) {
  tilecc_emu_device *emulator = device();
  if (!memory || !emulator)
    return cudaSuccess;
  bool isDevice = true;
  {
    std::lock_guard lock(state().mutex);
    auto found = state().allocations.find(static_cast<char *>(memory));
    if (found != state().allocations.end()) {
      isDevice = found->second.type == cudaMemoryTypeDevice;
      state().allocations.erase(found);
    }
  }
  return keep(isDevice ? tilecc_emu_free(emulator, memory) : tilecc_emu_free_host(emulator, memory));
}
CUDART cudaError_t cudaFreeHost(void *memory) { return cudaFree(memory); }
CUDART cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t) { return cudaMalloc(memory, bytes); }
CUDART cudaError_t cudaFreeAsync(void *memory, cudaStream_t) { return cudaFree(memory); }

CUDART cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(memory, *pitch * height);
}

CUDART cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory) {
  *attributes = {};
  auto address = static_cast<char *>(const_cast<void *>(memory));
  std::lock_guard lock(state().mutex);
  auto found = state().allocations.upper_bound(address);
  if (found == state().allocations.begin() || address >= (--found)->first + found->second.bytes)
    return cudaSuccess; // unregistered: belongs to neither side
  attributes->type = found->second.type;
  if (attributes->type != cudaMemoryTypeDevice)
    attributes->hostPointer = address;
  attributes->devicePointer = address;
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

// The only pool is the device's own. It stores attributes but frees memory at once.
static uint64_t attributesOfPool[16];

CUDART cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int) {
  *pool = reinterpret_cast<cudaMemPool_t>(attributesOfPool);
  return cudaSuccess;
}
CUDART cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int number) {
  return cudaDeviceGetDefaultMemPool(pool, number);
}
/// Returns the storage of an attribute's value, which has 4 or 8 bytes, or null if the attribute is unknown.
static uint64_t *attributeOf(cudaMemPool_t pool, cudaMemPoolAttr attribute, size_t &bytes) {
  bytes = attribute < cudaMemPoolAttrReleaseThreshold ? sizeof(int) : sizeof(uint64_t);
  bool isKnown = reinterpret_cast<uint64_t *>(pool) == attributesOfPool &&
                 static_cast<size_t>(attribute) < std::size(attributesOfPool);
  return isKnown ? &attributesOfPool[attribute] : nullptr;
}
CUDART cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  size_t bytes;
  uint64_t *kept = attributeOf(pool, attribute, bytes);
  if (!kept)
    return keep(cudaErrorInvalidValue);
  std::memcpy(kept, value, bytes);
  return cudaSuccess;
}
CUDART cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  size_t bytes;
  uint64_t *kept = attributeOf(pool, attribute, bytes);
  if (!kept)
    return keep(cudaErrorInvalidValue);
  std::memcpy(value, kept, bytes);
  return cudaSuccess;
}
CUDART cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
CUDART cudaError_t cudaMallocFromPoolAsync(void **memory, size_t bytes, cudaMemPool_t, cudaStream_t) {
  return cudaMalloc(memory, bytes);
}

//===--- copies ---------------------------------------------------------------------------------------------------===//

CUDART cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  cudaError_t error = synchronize();
  return error ? error : keep(tilecc_emu_copy(device(), to, from, bytes));
}
CUDART cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return submit(stream, [=] { return cudaMemcpy(to, from, bytes, kind); });
}
CUDART cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  for (size_t row = 0; row < height; ++row)
    if (cudaError_t error = cudaMemcpy(static_cast<char *>(to) + row * toPitch,
                                       static_cast<const char *>(from) + row * fromPitch, width, kind))
      return error;
  return cudaSuccess;
}
CUDART cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return submit(stream, [=] { return cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind); });
}
CUDART cudaError_t cudaMemset(void *memory, int value, size_t bytes) {
  cudaError_t error = synchronize();
  return error ? error : keep(tilecc_emu_set(device(), memory, value, bytes));
}
CUDART cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream) {
  return submit(stream, [=] { return cudaMemset(memory, value, bytes); });
}
CUDART cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height) {
  for (size_t row = 0; row < height; ++row)
    if (cudaError_t error = cudaMemset(static_cast<char *>(memory) + row * pitch, value, width))
      return error;
  return cudaSuccess;
}
CUDART cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height,
                                     cudaStream_t stream) {
  return submit(stream, [=] { return cudaMemset2D(memory, pitch, value, width, height); });
}
