//===-- FakeMemory.cpp - the fake driver's memory ------------------------------------------------------------------===//
#include "FakeCuda.h"

#include <stdlib.h>
#include <string.h>

using namespace fake;

namespace {
struct Block {
  size_t bytes;
  int type; // CU_MEMORYTYPE_*; UNIFIED: managed
  int device;
};
std::map<uintptr_t, Block> blocks; // under the lock
std::set<std::pair<CUcontext, CUcontext>> peers; // that may access the second one's memory
} // namespace

struct CUmemPoolHandle_st {
  int device;
  unsigned long long threshold = 0, used = 0;
};

static CUdeviceptr give(size_t bytes, int type) {
  void *memory = malloc(bytes);
  std::lock_guard guard(lock);
  blocks[reinterpret_cast<uintptr_t>(memory)] = {bytes, type, current()->device};
  return reinterpret_cast<CUdeviceptr>(memory);
}

static CUresult take(void *memory) {
  std::lock_guard guard(lock);
  if (!blocks.erase(reinterpret_cast<uintptr_t>(memory)))
    return invalidValue;
  free(memory);
  return CUDA_SUCCESS;
}

static const Block *find(CUdeviceptr pointer, CUdeviceptr *begin = nullptr) {
  auto after = blocks.upper_bound(pointer);
  if (after == blocks.begin() || pointer - (--after)->first >= after->second.bytes)
    return nullptr;
  if (begin)
    *begin = after->first;
  return &after->second;
}

//===-- Memory -----------------------------------------------------------------------------------------------------===//

FAKE(cuMemAlloc_v2)(CUdeviceptr *pointer, size_t bytes) {
  logCall("cuMemAlloc %zu", bytes);
  CONTEXT("cuMemAlloc");
  NOT_WHILE_CAPTURING("cuMemAlloc");
  *pointer = give(bytes, CU_MEMORYTYPE_DEVICE);
  return CUDA_SUCCESS;
}
FAKE(cuMemFree_v2)(CUdeviceptr pointer) {
  logCall("cuMemFree");
  CONTEXT("cuMemFree");
  return take(toPointer(pointer));
}
FAKE(cuMemHostAlloc)(void **pointer, size_t bytes, unsigned flags) {
  logCall("cuMemHostAlloc %zu flags %u", bytes, flags);
  CONTEXT("cuMemHostAlloc");
  *pointer = toPointer(give(bytes, CU_MEMORYTYPE_HOST));
  return CUDA_SUCCESS;
}
FAKE(cuMemFreeHost)(void *pointer) {
  logCall("cuMemFreeHost");
  CONTEXT("cuMemFreeHost");
  return take(pointer);
}
FAKE(cuMemGetInfo_v2)(size_t *freeBytes, size_t *totalBytes) {
  CONTEXT("cuMemGetInfo");
  *freeBytes = size_t(79) << 30;
  *totalBytes = size_t(80) << 30;
  return CUDA_SUCCESS;
}
FAKE(cuMemcpy)(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  logCall("cuMemcpy %zu", bytes);
  CONTEXT("cuMemcpy");
  memcpy(toPointer(to), toPointer(from), bytes);
  return CUDA_SUCCESS;
}
FAKE(cuMemcpyAsync)(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  logCall("cuMemcpyAsync %zu stream %p", bytes, static_cast<void *>(stream));
  CONTEXT("cuMemcpyAsync");
  if (capture(stream, "copy"))
    return CUDA_SUCCESS;
  memcpy(toPointer(to), toPointer(from), bytes);
  return CUDA_SUCCESS;
}
FAKE(cuMemsetD8_v2)(CUdeviceptr pointer, unsigned char byte, size_t bytes) {
  logCall("cuMemsetD8 %u %zu", byte, bytes);
  CONTEXT("cuMemsetD8");
  memset(toPointer(pointer), byte, bytes);
  return CUDA_SUCCESS;
}
FAKE(cuMemsetD8Async)(CUdeviceptr pointer, unsigned char byte, size_t bytes, CUstream stream) {
  logCall("cuMemsetD8Async %u %zu stream %p", byte, bytes, static_cast<void *>(stream));
  CONTEXT("cuMemsetD8Async");
  if (capture(stream, "set"))
    return CUDA_SUCCESS;
  memset(toPointer(pointer), byte, bytes);
  return CUDA_SUCCESS;
}

//===-- Managed memory and what pointers are ------------------------------------------------------------------------===//

FAKE(cuMemAllocManaged)(CUdeviceptr *pointer, size_t bytes, unsigned flags) {
  logCall("cuMemAllocManaged %zu flags %u", bytes, flags);
  CONTEXT("cuMemAllocManaged");
  NOT_WHILE_CAPTURING("cuMemAllocManaged");
  *pointer = give(bytes, CU_MEMORYTYPE_UNIFIED);
  return CUDA_SUCCESS;
}

static CUresult checkManaged(CUdeviceptr pointer) {
  std::lock_guard guard(lock);
  const Block *block = find(pointer);
  return block && block->type == CU_MEMORYTYPE_UNIFIED ? CUDA_SUCCESS : invalidValue;
}

FAKE(cuMemPrefetchAsync)(CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream) {
  logCall("cuMemPrefetchAsync %zu to %d stream %p", bytes, device, static_cast<void *>(stream));
  CONTEXT("cuMemPrefetchAsync");
  return checkManaged(pointer);
}
FAKE(cuMemAdvise)(CUdeviceptr pointer, size_t bytes, int advice, CUdevice device) {
  logCall("cuMemAdvise %zu advice %d device %d", bytes, advice, device);
  CONTEXT("cuMemAdvise");
  return checkManaged(pointer);
}
FAKE(cuMemHostRegister_v2)(void *pointer, size_t bytes, unsigned flags) {
  logCall("cuMemHostRegister %zu flags %u", bytes, flags);
  CONTEXT("cuMemHostRegister");
  std::lock_guard guard(lock);
  return blocks.emplace(reinterpret_cast<uintptr_t>(pointer), Block{bytes, CU_MEMORYTYPE_HOST, 0}).second ? 0 : 712;
}
FAKE(cuMemHostUnregister)(void *pointer) {
  logCall("cuMemHostUnregister");
  CONTEXT("cuMemHostUnregister");
  std::lock_guard guard(lock);
  return blocks.erase(reinterpret_cast<uintptr_t>(pointer)) ? 0 : 713;
}
FAKE(cuPointerGetAttributes)(unsigned count, int *attributes, void **values, CUdeviceptr pointer) {
  CONTEXT("cuPointerGetAttributes");
  std::lock_guard guard(lock);
  CUdeviceptr begin;
  const Block *block = find(pointer, &begin);
  for (unsigned i = 0; block && i < count; ++i)
    switch (attributes[i]) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<int *>(values[i]) = block->type == CU_MEMORYTYPE_UNIFIED ? CU_MEMORYTYPE_DEVICE : block->type;
      break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<unsigned *>(values[i]) = block->type == CU_MEMORYTYPE_UNIFIED;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int *>(values[i]) = block->device;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<CUdeviceptr *>(values[i]) = pointer;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr *>(values[i]) = begin;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<size_t *>(values[i]) = block->bytes;
      break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      *static_cast<void **>(values[i]) = block->type == CU_MEMORYTYPE_DEVICE ? nullptr : toPointer(pointer);
      break;
    }
  return CUDA_SUCCESS;
}

//===-- Rows --------------------------------------------------------------------------------------------------------===//

FAKE(cuMemAllocPitch_v2)(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height, unsigned elementBytes) {
  logCall("cuMemAllocPitch %zu x %zu of %u", height, width, elementBytes);
  CONTEXT("cuMemAllocPitch");
  *pitch = (width + 511) / 512 * 512;
  *pointer = give(*pitch * height, CU_MEMORYTYPE_DEVICE);
  return CUDA_SUCCESS;
}

static CUresult copyRows(const CUDA_MEMCPY2D &copy) {
  if (copy.srcMemoryType != CU_MEMORYTYPE_UNIFIED || copy.dstMemoryType != CU_MEMORYTYPE_UNIFIED)
    return invalidValue;
  for (size_t row = 0; row < copy.Height; ++row)
    memcpy(toPointer(copy.dstDevice + row * copy.dstPitch), toPointer(copy.srcDevice + row * copy.srcPitch),
           copy.WidthInBytes);
  return CUDA_SUCCESS;
}
FAKE(cuMemcpy2DUnaligned_v2)(const CUDA_MEMCPY2D *copy) {
  logCall("cuMemcpy2DUnaligned %zu x %zu", copy->Height, copy->WidthInBytes);
  CONTEXT("cuMemcpy2DUnaligned");
  return copyRows(*copy);
}
FAKE(cuMemcpy2DAsync_v2)(const CUDA_MEMCPY2D *copy, CUstream stream) {
  logCall("cuMemcpy2DAsync %zu x %zu stream %p", copy->Height, copy->WidthInBytes, static_cast<void *>(stream));
  CONTEXT("cuMemcpy2DAsync");
  return capture(stream, "copy") ? CUDA_SUCCESS : copyRows(*copy);
}
static CUresult setRows(CUdeviceptr pointer, size_t pitch, unsigned char byte, size_t width, size_t height) {
  for (size_t row = 0; row < height; ++row)
    memset(toPointer(pointer + row * pitch), byte, width);
  return CUDA_SUCCESS;
}
FAKE(cuMemsetD2D8_v2)(CUdeviceptr pointer, size_t pitch, unsigned char byte, size_t width, size_t height) {
  logCall("cuMemsetD2D8 %zu x %zu", height, width);
  CONTEXT("cuMemsetD2D8");
  return setRows(pointer, pitch, byte, width, height);
}
FAKE(cuMemsetD2D8Async)
(CUdeviceptr pointer, size_t pitch, unsigned char byte, size_t width, size_t height, CUstream stream) {
  logCall("cuMemsetD2D8Async %zu x %zu stream %p", height, width, static_cast<void *>(stream));
  CONTEXT("cuMemsetD2D8Async");
  return capture(stream, "set") ? CUDA_SUCCESS : setRows(pointer, pitch, byte, width, height);
}

//===-- Pools -------------------------------------------------------------------------------------------------------===//

// Never destroyed, as primary contexts.
static auto &defaultPools = *new std::map<int, CUmemoryPool>;
static auto &currentPools = *new std::map<int, CUmemoryPool>;
static auto &owners = *new std::map<CUdeviceptr, CUmemoryPool>; // of memory from pools

static CUmemoryPool defaultPool(int device) {
  std::lock_guard guard(lock);
  CUmemoryPool &pool = defaultPools[device];
  return pool ? pool : pool = new CUmemPoolHandle_st{device};
}
static CUmemoryPool currentPool(int device) {
  CUmemoryPool pool = defaultPool(device);
  std::lock_guard guard(lock);
  return currentPools[device] ? currentPools[device] : pool;
}

static CUresult allocateFrom(CUmemoryPool pool, CUdeviceptr *pointer, size_t bytes) {
  *pointer = give(bytes, CU_MEMORYTYPE_DEVICE);
  std::lock_guard guard(lock);
  pool->used += bytes;
  owners[*pointer] = pool;
  return CUDA_SUCCESS;
}
FAKE(cuMemAllocAsync)(CUdeviceptr *pointer, size_t bytes, CUstream stream) {
  logCall("cuMemAllocAsync %zu stream %p", bytes, static_cast<void *>(stream));
  CONTEXT("cuMemAllocAsync");
  return allocateFrom(currentPool(current()->device), pointer, bytes);
}
FAKE(cuMemAllocFromPoolAsync)(CUdeviceptr *pointer, size_t bytes, CUmemoryPool pool, CUstream stream) {
  logCall("cuMemAllocFromPoolAsync %zu of device %d stream %p", bytes, pool->device, static_cast<void *>(stream));
  CONTEXT("cuMemAllocFromPoolAsync");
  return allocateFrom(pool, pointer, bytes);
}
FAKE(cuMemFreeAsync)(CUdeviceptr pointer, CUstream stream) {
  logCall("cuMemFreeAsync stream %p", static_cast<void *>(stream));
  CONTEXT("cuMemFreeAsync");
  {
    std::lock_guard guard(lock);
    auto owner = owners.find(pointer);
    if (owner == owners.end())
      return invalidValue;
    owner->second->used -= find(pointer)->bytes;
    owners.erase(owner);
  }
  return take(toPointer(pointer));
}
FAKE(cuMemPoolCreate)(CUmemoryPool *pool, const CUmemPoolProps *properties) {
  logCall("cuMemPoolCreate type %d on %d:%d", properties->allocType, properties->location.type,
          properties->location.id);
  ENTER("cuMemPoolCreate");
  *pool = new CUmemPoolHandle_st{properties->location.id};
  return CUDA_SUCCESS;
}
FAKE(cuMemPoolDestroy)(CUmemoryPool pool) {
  logCall("cuMemPoolDestroy");
  ENTER("cuMemPoolDestroy");
  delete pool;
  return CUDA_SUCCESS;
}
FAKE(cuMemPoolTrimTo)(CUmemoryPool, size_t bytes) {
  logCall("cuMemPoolTrimTo %zu", bytes);
  ENTER("cuMemPoolTrimTo");
  return CUDA_SUCCESS;
}
FAKE(cuMemPoolSetAttribute)(CUmemoryPool pool, int attribute, void *value) {
  ENTER("cuMemPoolSetAttribute");
  if (attribute != ttMemPoolAttrReleaseThreshold)
    return invalidValue;
  pool->threshold = *static_cast<unsigned long long *>(value);
  return CUDA_SUCCESS;
}
FAKE(cuMemPoolGetAttribute)(CUmemoryPool pool, int attribute, void *value) {
  ENTER("cuMemPoolGetAttribute");
  *static_cast<unsigned long long *>(value) = attribute == ttMemPoolAttrReleaseThreshold ? pool->threshold : pool->used;
  return CUDA_SUCCESS;
}
FAKE(cuDeviceGetDefaultMemPool)(CUmemoryPool *pool, CUdevice device) {
  ENTER("cuDeviceGetDefaultMemPool");
  *pool = defaultPool(device);
  return CUDA_SUCCESS;
}
FAKE(cuDeviceGetMemPool)(CUmemoryPool *pool, CUdevice device) {
  ENTER("cuDeviceGetMemPool");
  *pool = currentPool(device);
  return CUDA_SUCCESS;
}
FAKE(cuDeviceSetMemPool)(CUdevice device, CUmemoryPool pool) {
  logCall("cuDeviceSetMemPool %d", device);
  ENTER("cuDeviceSetMemPool");
  std::lock_guard guard(lock);
  currentPools[device] = pool;
  return CUDA_SUCCESS;
}

//===-- Peers: devices reach each other, but for the last -----------------------------------------------------------===//

FAKE(cuDeviceCanAccessPeer)(int *can, CUdevice device, CUdevice peer) {
  ENTER("cuDeviceCanAccessPeer");
  int last = static_cast<int>(archs.size()) - 1;
  *can = device != peer && device != last && peer != last;
  return CUDA_SUCCESS;
}
FAKE(cuCtxEnablePeerAccess)(CUcontext peer, unsigned) {
  logCall("cuCtxEnablePeerAccess of %llu to %llu", current() ? current()->id : 0, peer->id);
  CONTEXT("cuCtxEnablePeerAccess");
  std::lock_guard guard(lock);
  return peers.emplace(current(), peer).second ? 0 : 704;
}
FAKE(cuCtxDisablePeerAccess)(CUcontext peer) {
  logCall("cuCtxDisablePeerAccess of %llu to %llu", current() ? current()->id : 0, peer->id);
  CONTEXT("cuCtxDisablePeerAccess");
  std::lock_guard guard(lock);
  return peers.erase({current(), peer}) ? 0 : 705;
}
