//===-- LaunchMemory.cpp - memory that belongs to a launch ------------------------------------------------------===//
//
// The driver's default pool returns memory to the system whenever a program synchronizes, and the next launch would
// have to allocate it again. Each device therefore has a pool of its own, which keeps the few megabytes that launches
// have freed. Allocations are ordered in the stream, so one launch after the other can safely use the same memory.
//
//===------------------------------------------------------------------------------------------------------------===//
#include "cuda/LaunchMemory.h"
#include "Support.h"

using namespace tilecc::rt;

namespace {
constexpr int maxDevices = 64;
Mutex creating;
CUmemoryPool pools[maxDevices];
} // namespace

static CUmemoryPool poolOf(CUdevice device) {
  Lock lock(creating);
  if (device < 0 || device >= maxDevices)
    return nullptr;
  CUmemoryPool &pool = pools[device];
  if (!pool) {
    const CUmemPoolProps properties = propertiesOfPool(device);
    if (cuda.cuMemPoolCreate(&pool, &properties))
      return pool = nullptr;
    unsigned long long keeps = ~0ull;
    cuda.cuMemPoolSetAttribute(pool, ttMemPoolAttrReleaseThreshold, &keeps); // without it, launches are only slower
  }
  return pool;
}

void *tilecc::rt::allocateForLaunch(uint64_t bytes, uint64_t zeros, ttStream_t stream) {
  CUdevice device;
  CUdeviceptr memory;
  if (cuda.cuCtxGetDevice(&device))
    return nullptr;
  CUmemoryPool pool = poolOf(device);
  if (!pool || cuda.cuMemAllocFromPoolAsync(&memory, bytes, pool, stream))
    return nullptr;
  if (!cuda.cuMemsetD8Async(memory, 0, zeros, stream))
    return reinterpret_cast<void *>(memory);
  cuda.cuMemFreeAsync(memory, stream);
  return nullptr;
}

void tilecc::rt::freeAfterLaunch(void *memory, ttStream_t stream) {
  cuda.cuMemFreeAsync(reinterpret_cast<CUdeviceptr>(memory), stream); // may also return an error of the launch
}
