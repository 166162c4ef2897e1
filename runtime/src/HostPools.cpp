//===-- HostPools.cpp - memory pools of devices that run on the host -------------------------------------------===//
//
// These pools cache nothing: they only count allocations, because malloc is the cache. Thus a program's use of pools is
// checked and counted as on a GPU.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Device.h"
#include "Error.h"
#include "HostCapture.h"
#include "HostMemory.h"
#include "HostStreams.h"

#include <stdlib.h>

namespace tilecc::rt {

// Copies of the runtime in one process share these objects, so the layout is part of the ABI version.
struct HostPool {
  bool isOfGpus; // otherwise the pool is the CPU's
  std::atomic<uint32_t> owners; // the user's handle and each block; the last one frees it, unless a default
  std::atomic<unsigned long long> used, usedHigh, threshold;
};

} // namespace tilecc::rt

using namespace tilecc::rt;

// The GPUs of a process are of one kind (Device.h), and a kind that runs on the host has one device.
static constinit HostPool cpuDefault = {false, 1, 0, 0, 0}, gpuDefault = {true, 1, 0, 0, 0};
static constinit std::atomic<HostPool *> cpuCurrent{&cpuDefault}, gpuCurrent{&gpuDefault};

static ttMemPool_t toHandle(HostPool *pool) {
  return reinterpret_cast<ttMemPool_t>(reinterpret_cast<uintptr_t>(pool) | 1);
}

static HostPool *fromHandle(ttMemPool_t handle) {
  if (isHostHandle(handle))
    return reinterpret_cast<HostPool *>(reinterpret_cast<uintptr_t>(handle) - 1);
  fail(ttErrorInvalidResourceHandle, "the pool is not one of this device");
  return nullptr;
}

static bool isGpu(int device) { return device != deviceIsHost; }
static std::atomic<HostPool *> &currentPool(bool ofGpus) { return ofGpus ? gpuCurrent : cpuCurrent; }

static void giveUp(HostPool &pool) {
  if (pool.owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
    free(&pool);
}

void tilecc::rt::leavePool(HostPool &pool, size_t bytes) {
  pool.used -= bytes;
  giveUp(pool);
}

static void enterPool(HostPool &pool, size_t bytes) {
  ++pool.owners;
  unsigned long long used = pool.used += bytes, high = pool.usedHigh;
  while (used > high && !pool.usedHigh.compare_exchange_weak(high, used)) {}
}

ttError_t tilecc::rt::hostAllocateAsync(void **pointer, size_t bytes, ttMemPool_t handle, ttStream_t stream) {
  const DeviceKind &device = *currentDevice();
  if (ttError_t error = checkHostStream(stream))
    return error;
  if (isCapturing(stream))
    return fail(ttErrorNotSupported, "%s cannot capture an allocation; allocate before the capture", device.name);
  HostPool *pool = handle ? fromHandle(handle) : currentPool(&device != hostDevice).load();
  if (!pool)
    return ttPeekAtLastError();
  if (pool->isOfGpus != (&device != hostDevice))
    return fail(ttErrorInvalidValue, "the pool is not one of %s, which is the current device", device.name);
  if (ttError_t error = device.host->allocate(pointer, bytes))
    return error;
  if (!addBlock({*pointer, bytes, device.kind, ttMemoryTypeDevice, /*registered=*/false, pool})) {
    device.host->release(*pointer);
    *pointer = nullptr;
    return fail(ttErrorMemoryAllocation, "not enough memory for %zu bytes on %s", bytes, device.name);
  }
  enterPool(*pool, bytes);
  return ttSuccess;
}

ttError_t tilecc::rt::hostFreeAsync(void *pointer, ttStream_t stream) {
  if (ttError_t error = checkHostStream(stream))
    return error;
  if (isCapturing(stream))
    return fail(ttErrorNotSupported, "%s cannot capture the end of an allocation", currentDevice()->name);
  HostBlock block;
  if (!findBlock(pointer, currentDevice()->kind, &block) || !block.pool || block.memory != pointer)
    return fail(ttErrorInvalidValue, "ttFreeAsync: %p is not memory of ttMallocAsync on %s, or it has been freed",
                pointer, currentDevice()->name);
  return hostMemory.free(pointer);
}

ttError_t tilecc::rt::hostPoolCreate(ttMemPool_t *handle, int device) {
  auto *pool = static_cast<HostPool *>(calloc(1, sizeof(HostPool)));
  if (!pool)
    return fail(ttErrorMemoryAllocation, "not enough memory for a pool");
  pool->isOfGpus = isGpu(device);
  pool->owners = 1;
  *handle = toHandle(pool);
  return ttSuccess;
}

ttError_t tilecc::rt::hostPoolDestroy(ttMemPool_t handle) {
  HostPool *pool = fromHandle(handle);
  if (!pool)
    return ttPeekAtLastError();
  if (pool == &cpuDefault || pool == &gpuDefault)
    return fail(ttErrorInvalidValue, "a device's default pool cannot be destroyed");
  HostPool *inUse = pool;
  currentPool(pool->isOfGpus).compare_exchange_strong(inUse, pool->isOfGpus ? &gpuDefault : &cpuDefault);
  giveUp(*pool);
  return ttSuccess;
}

ttError_t tilecc::rt::hostPoolDefault(ttMemPool_t *handle, int device) {
  *handle = toHandle(isGpu(device) ? &gpuDefault : &cpuDefault);
  return ttSuccess;
}

ttError_t tilecc::rt::hostPoolOf(ttMemPool_t *handle, int device) {
  *handle = toHandle(currentPool(isGpu(device)));
  return ttSuccess;
}

ttError_t tilecc::rt::hostPoolUse(int device, ttMemPool_t handle) {
  HostPool *pool = fromHandle(handle);
  if (!pool)
    return ttPeekAtLastError();
  if (pool->isOfGpus != isGpu(device))
    return fail(ttErrorInvalidValue, "ttDeviceSetMemPool: the pool is another device's");
  currentPool(isGpu(device)) = pool;
  return ttSuccess;
}

ttError_t tilecc::rt::hostPoolTrim(ttMemPool_t handle, size_t) {
  return fromHandle(handle) ? ttSuccess : ttPeekAtLastError();
}

ttError_t tilecc::rt::hostPoolSet(ttMemPool_t handle, ttMemPoolAttr attribute, unsigned long long value) {
  HostPool *pool = fromHandle(handle);
  if (!pool)
    return ttPeekAtLastError();
  switch (attribute) {
  case ttMemPoolAttrReleaseThreshold: pool->threshold = value; return ttSuccess;
  case ttMemPoolAttrReservedMemHigh:
  case ttMemPoolAttrUsedMemHigh:
    if (value == 0) {
      pool->usedHigh = pool->used.load();
      return ttSuccess;
    }
    break;
  default: break;
  }
  return fail(ttErrorInvalidValue, "ttMemPoolSetAttribute: attribute %d cannot be set to %llu", attribute, value);
}

ttError_t tilecc::rt::hostPoolGet(ttMemPool_t handle, ttMemPoolAttr attribute, unsigned long long *value) {
  HostPool *pool = fromHandle(handle);
  if (!pool)
    return ttPeekAtLastError();
  switch (attribute) {
  case ttMemPoolAttrReleaseThreshold: *value = pool->threshold; return ttSuccess;
  case ttMemPoolAttrReservedMemCurrent:
  case ttMemPoolAttrUsedMemCurrent: *value = pool->used; return ttSuccess;
  case ttMemPoolAttrReservedMemHigh:
  case ttMemPoolAttrUsedMemHigh: *value = pool->usedHigh; return ttSuccess;
  }
  return fail(ttErrorInvalidValue, "ttMemPoolGetAttribute: there is no attribute %d", attribute);
}
