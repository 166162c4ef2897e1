//===-- FakeHipMemory.cpp - the fake HIP's memory -----------------------------------------------------------------===//
#include "FakeHip.h"

#include <string.h>

using namespace fake;

struct CUmemPoolHandle_st {
  int device;
  unsigned long long threshold = 0, used = 0;
};

namespace {
struct Block {
  size_t bytes;
  int type; // hipMemoryType*
  int device;
  bool isRegistered = false; // memory of the host that HIP did not allocate
  CUmemoryPool pool = nullptr;
  bool isFreed = false; // stays on the list until its address is used again
};
} // namespace
// Never destroyed.
static auto &blocks = *new std::map<uintptr_t, Block>;
static auto &pools = *new std::set<CUmemoryPool>;

static Block *find(const void *pointer, uintptr_t *begin = nullptr) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin() || address - (--after)->first >= after->second.bytes)
    return nullptr;
  if (begin)
    *begin = after->first;
  return &after->second;
}

static hipError_t give(void **pointer, size_t bytes, int type, CUmemoryPool pool = nullptr) {
  if (!bytes)
    return wrong(invalidValue, "an allocation of no bytes");
  auto allocate = type == hipMemoryTypeDevice ? emulator().allocate : emulator().allocate_host;
  if (allocate(emulator().device, bytes, pointer))
    return outOfMemory;
  blocks[reinterpret_cast<uintptr_t>(*pointer)] = {bytes, type, currentDevice, false, pool};
  return success;
}

static hipError_t take(const char *function, void *pointer, bool isHosts) {
  uintptr_t begin = 0;
  Block *block = find(pointer, &begin);
  if (!block || begin != reinterpret_cast<uintptr_t>(pointer) || block->isFreed || block->isRegistered ||
      (block->type == hipMemoryTypeHost) != isHosts)
    return wrong(invalidValue, "%s: %p was not allocated for that, or is free already", function, pointer);
  if (block->pool)
    block->pool->used -= block->bytes;
  block->isFreed = true;
  (block->type == hipMemoryTypeDevice ? emulator().free : emulator().free_host)(emulator().device, pointer);
  return success;
}

hipError_t fake::checkRange(const char *function, const void *pointer, size_t bytes) {
  uintptr_t begin;
  const Block *block = find(pointer, &begin);
  if (!block)
    return pointer ? success : wrong(invalidValue, "%s: a null pointer", function);
  if (block->isFreed)
    return wrong(invalidValue, "%s: %p is memory that was freed", function, pointer);
  if (reinterpret_cast<uintptr_t>(pointer) - begin + bytes > block->bytes)
    return wrong(invalidValue, "%s: %zu bytes at %p, beyond the end of its block", function, bytes, pointer);
  return success;
}

bool fake::isPageable(const void *pointer) { return !find(pointer); }

hipError_t fake::checkAccess(int device, const void *pointer) {
  const Block *block = find(pointer);
  if (!block || block->type != hipMemoryTypeDevice || block->device == device || peers.count({device, block->device}))
    return success;
  return wrong(illegalAddress, "a kernel on device %d gets %p, memory of device %d without peer access", device,
               pointer, block->device);
}

hipError_t fake::finishOwner(const void *pointer) {
  const Block *block = find(pointer);
  return block ? finishDevice(block->device) : success;
}

hipError_t fake::runCopy(void *to, const void *from, size_t bytes) {
  if (emulator().copy(emulator().device, to, from, bytes))
    return wrong(invalidValue, "a copy: %s", emulator().error_message());
  return success;
}

hipError_t fake::runSet(void *pointer, int byte, size_t bytes) {
  if (emulator().set(emulator().device, pointer, byte, bytes))
    return wrong(invalidValue, "a set: %s", emulator().error_message());
  return success;
}

//===-- Allocation ------------------------------------------------------------------------------------------------===//

FAKE(hipMalloc)(void **pointer, size_t bytes) {
  logCall("hipMalloc %zu", bytes);
  ENTER("hipMalloc");
  NOT_WHILE_CAPTURING("hipMalloc");
  return give(pointer, bytes, hipMemoryTypeDevice);
}
FAKE(hipFree)(void *pointer) {
  logCall("hipFree");
  ENTER("hipFree");
  NOT_WHILE_CAPTURING("hipFree");
  for (size_t device = 0; device < archs.size(); ++device)
    TRY(finishDevice(static_cast<int>(device)));
  return take("hipFree", pointer, /*isHosts=*/false);
}
FAKE(hipHostMalloc)(void **pointer, size_t bytes, unsigned flags) {
  logCall("hipHostMalloc %zu flags %u", bytes, flags);
  ENTER("hipHostMalloc");
  return give(pointer, bytes, hipMemoryTypeHost);
}
FAKE(hipHostFree)(void *pointer) {
  logCall("hipHostFree");
  ENTER("hipHostFree");
  for (size_t device = 0; device < archs.size(); ++device)
    TRY(finishDevice(static_cast<int>(device)));
  return take("hipHostFree", pointer, /*isHosts=*/true);
}
FAKE(hipMallocManaged)(void **pointer, size_t bytes, unsigned flags) {
  logCall("hipMallocManaged %zu flags %u", bytes, flags);
  ENTER("hipMallocManaged");
  NOT_WHILE_CAPTURING("hipMallocManaged");
  return give(pointer, bytes, hipMemoryTypeManaged);
}
FAKE(hipMemAllocPitch)(void **pointer, size_t *pitch, size_t width, size_t height, unsigned elementBytes) {
  logCall("hipMemAllocPitch %zu x %zu of %u", height, width, elementBytes);
  ENTER("hipMemAllocPitch");
  *pitch = (width + 511) / 512 * 512;
  return give(pointer, *pitch * height, hipMemoryTypeDevice);
}
FAKE(hipMemGetInfo)(size_t *freeBytes, size_t *totalBytes) {
  ENTER("hipMemGetInfo");
  *freeBytes = size_t(191) << 30;
  *totalBytes = size_t(192) << 30;
  return success;
}
FAKE(hipHostRegister)(void *pointer, size_t bytes, unsigned flags) {
  logCall("hipHostRegister %zu flags %u", bytes, flags);
  ENTER("hipHostRegister");
  if (Block *block = find(pointer); block && !block->isFreed)
    return wrong(712, "hipHostRegister: %p is registered already", pointer);
  if (emulator().register_host(emulator().device, pointer, bytes))
    return wrong(invalidValue, "hipHostRegister: %s", emulator().error_message());
  blocks[reinterpret_cast<uintptr_t>(pointer)] = {bytes, hipMemoryTypeHost, currentDevice, true};
  return success;
}
FAKE(hipHostUnregister)(void *pointer) {
  logCall("hipHostUnregister");
  ENTER("hipHostUnregister");
  auto found = blocks.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == blocks.end() || !found->second.isRegistered)
    return wrong(713, "hipHostUnregister: %p is not registered", pointer);
  TRY(finishDevice(currentDevice));
  blocks.erase(found);
  emulator().unregister_host(emulator().device, pointer);
  return success;
}

FAKE(hipPointerGetAttributes)(hipPointerAttribute_t *attributes, const void *pointer) {
  ENTER("hipPointerGetAttributes");
  *attributes = {};
  Block *block = find(pointer);
  if (!block || block->isFreed)
    return success; // hipMemoryTypeUnregistered
  void *address = const_cast<void *>(pointer);
  attributes->type = block->type;
  attributes->device = block->device;
  attributes->devicePointer = address;
  attributes->hostPointer = block->type == hipMemoryTypeDevice ? nullptr : address;
  attributes->isManaged = block->type == hipMemoryTypeManaged;
  return success;
}
FAKE(hipMemGetAddressRange)(void **begin, size_t *bytes, void *pointer) {
  ENTER("hipMemGetAddressRange");
  uintptr_t first = 0;
  Block *block = find(pointer, &first);
  if (!block || block->isFreed)
    return notFound;
  *begin = reinterpret_cast<void *>(first);
  *bytes = block->bytes;
  return success;
}

static hipError_t checkManaged(const char *function, const void *pointer, size_t bytes) {
  TRY(checkRange(function, pointer, bytes));
  Block *block = find(pointer);
  return block && block->type == hipMemoryTypeManaged ? success
                                                      : wrong(invalidValue, "%s: the memory is not managed", function);
}
FAKE(hipMemPrefetchAsync)(const void *pointer, size_t bytes, int device, CUstream stream) {
  logCall("hipMemPrefetchAsync %zu to %d stream %p", bytes, device, static_cast<void *>(stream));
  ENTER("hipMemPrefetchAsync");
  return checkManaged("hipMemPrefetchAsync", pointer, bytes);
}
FAKE(hipMemAdvise)(const void *pointer, size_t bytes, int advice, int device) {
  logCall("hipMemAdvise %zu advice %d device %d", bytes, advice, device);
  ENTER("hipMemAdvise");
  return checkManaged("hipMemAdvise", pointer, bytes);
}

//===-- Pools -----------------------------------------------------------------------------------------------------===//

static auto &defaultPools = *new std::map<int, CUmemoryPool>;
static auto &currentPools = *new std::map<int, CUmemoryPool>;

static CUmemoryPool defaultPool(int device) {
  CUmemoryPool &pool = defaultPools[device];
  if (!pool)
    pools.insert(pool = new CUmemPoolHandle_st{device});
  return pool;
}
static CUmemoryPool currentPool(int device) {
  return currentPools[device] ? currentPools[device] : defaultPool(device);
}
static hipError_t checkPool(const char *function, CUmemoryPool pool) {
  return pools.count(pool) ? success
                           : wrong(invalidValue, "%s: there is no pool %p", function, static_cast<void *>(pool));
}
static hipError_t allocateFrom(CUmemoryPool pool, void **pointer, size_t bytes) {
  TRY(give(pointer, bytes, hipMemoryTypeDevice, pool));
  pool->used += bytes;
  return success;
}

FAKE(hipMallocAsync)(void **pointer, size_t bytes, CUstream stream) {
  logCall("hipMallocAsync %zu stream %p", bytes, static_cast<void *>(stream));
  ENTER("hipMallocAsync");
  return allocateFrom(currentPool(currentDevice), pointer, bytes);
}
FAKE(hipMallocFromPoolAsync)(void **pointer, size_t bytes, CUmemoryPool pool, CUstream stream) {
  logCall("hipMallocFromPoolAsync %zu stream %p", bytes, static_cast<void *>(stream));
  ENTER("hipMallocFromPoolAsync");
  TRY(checkPool("hipMallocFromPoolAsync", pool));
  return allocateFrom(pool, pointer, bytes);
}
FAKE(hipFreeAsync)(void *pointer, CUstream stream) {
  logCall("hipFreeAsync stream %p", static_cast<void *>(stream));
  ENTER("hipFreeAsync");
  TRY(checkRange("hipFreeAsync", pointer, 1));
  return enqueue(
      "hipFreeAsync", stream, [=] { return take("hipFreeAsync", pointer, /*isHosts=*/false); },
      [&](CUgraph graph, CUgraphNode *node) {
        addWorkNode(graph, node, 11, "free", [=] { return take("hipFreeAsync", pointer, false); });
      });
}
FAKE(hipMemPoolCreate)(CUmemoryPool *pool, const CUmemPoolProps *properties) {
  logCall("hipMemPoolCreate type %d on %d:%d", properties->allocType, properties->location.type,
          properties->location.id);
  ENTER("hipMemPoolCreate");
  pools.insert(*pool = new CUmemPoolHandle_st{properties->location.id});
  return success;
}
FAKE(hipMemPoolDestroy)(CUmemoryPool pool) {
  logCall("hipMemPoolDestroy");
  ENTER("hipMemPoolDestroy");
  TRY(checkPool("hipMemPoolDestroy", pool));
  if (pool->used)
    return wrong(invalidValue, "hipMemPoolDestroy: %llu bytes are in use", pool->used);
  pools.erase(pool);
  delete pool;
  return success;
}
FAKE(hipMemPoolTrimTo)(CUmemoryPool pool, size_t bytes) {
  logCall("hipMemPoolTrimTo %zu", bytes);
  ENTER("hipMemPoolTrimTo");
  return checkPool("hipMemPoolTrimTo", pool);
}
FAKE(hipMemPoolSetAttribute)(CUmemoryPool pool, int attribute, void *value) {
  ENTER("hipMemPoolSetAttribute");
  TRY(checkPool("hipMemPoolSetAttribute", pool));
  if (attribute != ttMemPoolAttrReleaseThreshold)
    return invalidValue;
  pool->threshold = *static_cast<unsigned long long *>(value);
  return success;
}
FAKE(hipMemPoolGetAttribute)(CUmemoryPool pool, int attribute, void *value) {
  ENTER("hipMemPoolGetAttribute");
  TRY(checkPool("hipMemPoolGetAttribute", pool));
  *static_cast<unsigned long long *>(value) = attribute == ttMemPoolAttrReleaseThreshold ? pool->threshold : pool->used;
  return success;
}
FAKE(hipDeviceGetDefaultMemPool)(CUmemoryPool *pool, int device) {
  ENTER("hipDeviceGetDefaultMemPool");
  *pool = defaultPool(device);
  return success;
}
FAKE(hipDeviceGetMemPool)(CUmemoryPool *pool, int device) {
  ENTER("hipDeviceGetMemPool");
  *pool = currentPool(device);
  return success;
}
FAKE(hipDeviceSetMemPool)(int device, CUmemoryPool pool) {
  logCall("hipDeviceSetMemPool %d", device);
  ENTER("hipDeviceSetMemPool");
  TRY(checkPool("hipDeviceSetMemPool", pool));
  currentPools[device] = pool;
  return success;
}
