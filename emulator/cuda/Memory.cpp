//===- Memory.cpp - memory and copies -----------------------------------------------------------------------------===//
//
// The device allocates memory. Pinned and managed memory is host memory that kernels access at the same address.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "State.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

using namespace tilecc::cuda;

const Allocation *tilecc::cuda::findAllocation(const void *address, char *&base) {
  auto at = static_cast<char *>(const_cast<void *>(address));
  auto found = state().allocations.upper_bound(at);
  if (found == state().allocations.begin() || at >= (--found)->first + found->second.bytes)
    return nullptr;
  base = found->first;
  return &found->second;
}

//===--- memory ---------------------------------------------------------------------------------------------------===//

static CUresult allocate(void *&memory, size_t bytes, MemoryKind kind) {
  memory = nullptr;
  if (CUresult error = synchronize())
    return error;
  if (!bytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult error = keep(device()->allocate(bytes, kind != MemoryKind::Device, memory)))
    return error;
  std::lock_guard lock(state().mutex);
  state().allocations[static_cast<char *>(memory)] = {bytes, kind, /*isRegistered=*/false};
  return CUDA_SUCCESS;
}
static CUresult allocate(CUdeviceptr *address, size_t bytes, MemoryKind kind) {
  void *memory;
  CUresult error = allocate(memory, bytes, kind);
  *address = addressOf(memory);
  return error;
}

DRIVER cuMemAlloc(CUdeviceptr *address, size_t bytes) { return allocate(address, bytes, MemoryKind::Device); }
DRIVER cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned) {
  return allocate(address, bytes, MemoryKind::Managed);
}
DRIVER cuMemHostAlloc(void **memory, size_t bytes, unsigned) { return allocate(*memory, bytes, MemoryKind::Pinned); }
DRIVER cuMemAllocHost(void **memory, size_t bytes) { return cuMemHostAlloc(memory, bytes, 0); }
DRIVER cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned) {
  *pitch = (width + 511) / 512 * 512;
  return cuMemAlloc(address, *pitch * height);
}
DRIVER cuMemHostGetDevicePointer(CUdeviceptr *address, void *memory, unsigned) {
  *address = addressOf(memory);
  return CUDA_SUCCESS;
}
DRIVER cuMemHostGetFlags(unsigned *flags, void *) {
  *flags = CU_MEMHOSTALLOC_DEVICEMAP;
  return CUDA_SUCCESS;
}

DRIVER cuMemHostRegister(void *memory, size_t bytes, unsigned) {
  if (!device())
    return CUDA_ERROR_NO_DEVICE;
  if (!memory || !bytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult error = keep(device()->registerHost(memory, bytes)))
    return error;
  std::lock_guard lock(state().mutex);
  state().allocations[static_cast<char *>(memory)] = {bytes, MemoryKind::Pinned, /*isRegistered=*/true};
  return CUDA_SUCCESS;
}
DRIVER cuMemHostUnregister(void *memory) {
  if (!device())
    return CUDA_ERROR_NO_DEVICE;
  if (CUresult error = keep(device()->unregisterHost(memory)))
    return error;
  std::lock_guard lock(state().mutex);
  state().allocations.erase(static_cast<char *>(memory));
  return CUDA_SUCCESS;
}

static CUresult release(void *memory) {
  if (!memory || !device())
    return CUDA_SUCCESS;
  bool onHost = false;
  {
    std::lock_guard lock(state().mutex);
    auto found = state().allocations.find(static_cast<char *>(memory));
    if (found != state().allocations.end()) {
      onHost = found->second.kind != MemoryKind::Device;
      state().allocations.erase(found);
    }
  }
  return keep(device()->free(memory, onHost));
}
DRIVER cuMemFree(CUdeviceptr address) { return release(pointerOf(address)); }
DRIVER cuMemFreeHost(void *memory) { return release(memory); }
DRIVER cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream) { return cuMemAlloc(address, bytes); }
DRIVER cuMemFreeAsync(CUdeviceptr address, CUstream) { return cuMemFree(address); }

DRIVER cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
  std::lock_guard lock(state().mutex);
  char *first;
  const Allocation *found = findAllocation(pointerOf(address), first);
  if (!found)
    return CUDA_ERROR_NOT_FOUND;
  if (base)
    *base = addressOf(first);
  if (bytes)
    *bytes = found->bytes;
  return CUDA_SUCCESS;
}

/// Writes an attribute of the memory at an address. Memory that the driver does not know has no attributes.
static CUresult getAttribute(void *to, CUpointer_attribute attribute, CUdeviceptr address) {
  std::lock_guard lock(state().mutex);
  char *base;
  const Allocation *found = findAllocation(pointerOf(address), base);
  if (!found)
    return CUDA_ERROR_INVALID_VALUE;
  const bool onHost = found->kind != MemoryKind::Device;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT: return cuDevicePrimaryCtxRetain(static_cast<CUcontext *>(to), 0);
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *static_cast<CUmemorytype *>(to) = found->kind == MemoryKind::Pinned ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *static_cast<CUdeviceptr *>(to) = address; return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    *static_cast<void **>(to) = onHost ? pointerOf(address) : nullptr;
    return onHost ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *static_cast<unsigned *>(to) = found->kind == MemoryKind::Managed;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *static_cast<int *>(to) = 0; return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *static_cast<CUdeviceptr *>(to) = addressOf(base); return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *static_cast<size_t *>(to) = found->bytes; return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_MAPPED: *static_cast<int *>(to) = 1; return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    *static_cast<unsigned long long *>(to) = reinterpret_cast<uintptr_t>(base);
    return CUDA_SUCCESS;
  default: return CUDA_ERROR_NOT_SUPPORTED;
  }
}
DRIVER cuPointerGetAttribute(void *to, CUpointer_attribute attribute, CUdeviceptr address) {
  return getAttribute(to, attribute, address);
}
DRIVER cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **to, CUdeviceptr address) {
  for (unsigned i = 0; i < count; ++i)
    if (getAttribute(to[i], attributes[i], address))
      switch (attributes[i]) {
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      case CU_POINTER_ATTRIBUTE_IS_MANAGED: *static_cast<unsigned *>(to[i]) = 0; break;
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *static_cast<int *>(to[i]) = -2; break;
      default: *static_cast<void **>(to[i]) = nullptr; break;
      }
  return CUDA_SUCCESS;
}

// Prefetches and advice have no effect, because managed memory is host memory.
#if CUDA_VERSION >= 13000
DRIVER cuMemPrefetchAsync(CUdeviceptr, size_t, CUmemLocation, unsigned, CUstream) { return CUDA_SUCCESS; }
DRIVER cuMemAdvise(CUdeviceptr, size_t, CUmem_advise, CUmemLocation) { return CUDA_SUCCESS; }
#else
DRIVER cuMemPrefetchAsync(CUdeviceptr, size_t, CUdevice, CUstream) { return CUDA_SUCCESS; }
DRIVER cuMemAdvise(CUdeviceptr, size_t, CUmem_advise, CUdevice) { return CUDA_SUCCESS; }
#endif
DRIVER cuStreamAttachMemAsync(CUstream, CUdeviceptr, size_t, unsigned) { return CUDA_SUCCESS; }

//===--- pools ----------------------------------------------------------------------------------------------------===//

// The only pool is the device's own. It stores attributes but frees memory at once.
static uint64_t attributesOfPool[16];

DRIVER cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice) {
  *pool = reinterpret_cast<CUmemoryPool>(attributesOfPool);
  return CUDA_SUCCESS;
}
DRIVER cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) { return cuDeviceGetDefaultMemPool(pool, device); }
/// Returns the storage of an attribute's value, which has 4 or 8 bytes, or null if the attribute is unknown.
static uint64_t *attributeOf(CUmemoryPool pool, CUmemPool_attribute attribute, size_t &bytes) {
  bytes = attribute < CU_MEMPOOL_ATTR_RELEASE_THRESHOLD ? sizeof(int) : sizeof(uint64_t);
  bool isKnown = reinterpret_cast<uint64_t *>(pool) == attributesOfPool &&
                 static_cast<size_t>(attribute) < std::size(attributesOfPool);
  return isKnown ? &attributesOfPool[attribute] : nullptr;
}
DRIVER cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  size_t bytes;
  uint64_t *kept = attributeOf(pool, attribute, bytes);
  if (!kept)
    return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(kept, value, bytes);
  return CUDA_SUCCESS;
}
DRIVER cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  size_t bytes;
  uint64_t *kept = attributeOf(pool, attribute, bytes);
  if (!kept)
    return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(value, kept, bytes);
  return CUDA_SUCCESS;
}
DRIVER cuMemPoolTrimTo(CUmemoryPool, size_t) { return CUDA_SUCCESS; }
DRIVER cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool, CUstream) {
  return cuMemAlloc(address, bytes);
}

//===--- copies ---------------------------------------------------------------------------------------------------===//

static CUresult copyNow(void *to, const void *from, size_t bytes) {
  CUresult error = synchronize();
  return error ? error : keep(device()->copy(to, from, bytes));
}
static CUresult copy(void *to, const void *from, size_t bytes, CUstream stream) {
  return submit(stream, [=] { return copyNow(to, from, bytes); });
}

DRIVER cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copyNow(pointerOf(to), pointerOf(from), bytes);
}
DRIVER cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) { return copyNow(pointerOf(to), from, bytes); }
DRIVER cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) { return copyNow(to, pointerOf(from), bytes); }
DRIVER cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) { return cuMemcpy(to, from, bytes); }
DRIVER cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy(pointerOf(to), pointerOf(from), bytes, stream);
}
/// Copies the bytes of pageable memory when the call is made, as the driver does: the caller may free them afterwards.
DRIVER cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  return copy(pointerOf(to), from, bytes, stream);
}
DRIVER cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy(to, pointerOf(from), bytes, stream);
}
DRIVER cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return cuMemcpyAsync(to, from, bytes, stream);
}

/// Returns the first row of one side of a copy.
static char *firstRow(CUmemorytype type, const void *host, CUdeviceptr device, size_t x, size_t y, size_t pitch) {
  auto *base = static_cast<char *>(type == CU_MEMORYTYPE_HOST ? const_cast<void *>(host) : pointerOf(device));
  return base + y * pitch + x;
}
static CUresult copyRows(const CUDA_MEMCPY2D &shape) {
  if (shape.srcMemoryType == CU_MEMORYTYPE_ARRAY || shape.dstMemoryType == CU_MEMORYTYPE_ARRAY)
    return failMissing("a copy of an array");
  const char *from =
      firstRow(shape.srcMemoryType, shape.srcHost, shape.srcDevice, shape.srcXInBytes, shape.srcY, shape.srcPitch);
  char *to =
      firstRow(shape.dstMemoryType, shape.dstHost, shape.dstDevice, shape.dstXInBytes, shape.dstY, shape.dstPitch);
  for (size_t row = 0; row < shape.Height; ++row)
    if (CUresult error = copyNow(to + row * shape.dstPitch, from + row * shape.srcPitch, shape.WidthInBytes))
      return error;
  return CUDA_SUCCESS;
}
DRIVER cuMemcpy2D(const CUDA_MEMCPY2D *shape) { return copyRows(*shape); }
DRIVER cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *shape) { return copyRows(*shape); }
DRIVER cuMemcpy2DAsync(const CUDA_MEMCPY2D *shape, CUstream stream) {
  return submit(stream, [shape = *shape] { return copyRows(shape); });
}

//===--- values ---------------------------------------------------------------------------------------------------===//

static CUresult setNow(char *memory, size_t pitch, unsigned value, size_t elementBytes, size_t width, size_t height) {
  if (CUresult error = synchronize())
    return error;
  std::vector<char> row(elementBytes > 1 ? width * elementBytes : 0);
  for (size_t i = 0; i < row.size(); ++i)
    row[i] = static_cast<char>(value >> i % elementBytes * 8);
  for (size_t y = 0; y < height; ++y, memory += pitch)
    if (CUresult error = keep(elementBytes == 1 ? device()->set(memory, static_cast<int>(value & 0xff), width)
                                                : device()->copy(memory, row.data(), row.size())))
      return error;
  return CUDA_SUCCESS;
}
Work tilecc::cuda::setLater(const CUDA_MEMSET_NODE_PARAMS &set) {
  return [=] {
    return setNow(static_cast<char *>(pointerOf(set.dst)), set.pitch, set.value, set.elementSize, set.width,
                  std::max<size_t>(set.height, 1));
  };
}

#define SET(NAME, TYPE)                                                                                                \
  DRIVER cuMemset##NAME(CUdeviceptr memory, TYPE value, size_t count) {                                                \
    return setLater({memory, 0, value, sizeof value, count, 1})();                                                     \
  }                                                                                                                    \
  DRIVER cuMemset##NAME##Async(CUdeviceptr memory, TYPE value, size_t count, CUstream stream) {                        \
    return submit(stream, setLater({memory, 0, value, sizeof value, count, 1}));                                       \
  }
#define SET_ROWS(NAME, TYPE)                                                                                           \
  DRIVER cuMemset##NAME(CUdeviceptr memory, size_t pitch, TYPE value, size_t width, size_t height) {                   \
    return height ? setLater({memory, pitch, value, sizeof value, width, height})() : CUDA_SUCCESS;                    \
  }                                                                                                                    \
  DRIVER cuMemset##NAME##Async(CUdeviceptr memory, size_t pitch, TYPE value, size_t width, size_t height,              \
                               CUstream stream) {                                                                      \
    return height ? submit(stream, setLater({memory, pitch, value, sizeof value, width, height})) : CUDA_SUCCESS;      \
  }
SET(D8, unsigned char)
SET(D16, unsigned short)
SET(D32, unsigned)
SET_ROWS(D2D8, unsigned char)
SET_ROWS(D2D16, unsigned short)
SET_ROWS(D2D32, unsigned)
