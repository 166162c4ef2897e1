//===-- LaunchMemory.cpp - memory that belongs to a launch ------------------------------------------------------===//
//
// The driver's default pool returns memory to the system whenever a program synchronizes, and the next launch would
// have to allocate it again. Each device therefore has a pool of its own, which keeps the few megabytes that launches
// have freed. Allocations are ordered in the stream, so one launch after the other can safely use the same memory.
//
// An allocation and its zeros still delay each launch by 2 to 3 us (on an H200), so each of the first streams keeps its
// memory, whose zeros the launches restore. Streams are recognized by a number that is never used again. The memory of
// a stream that has been destroyed stays allocated.
//
//===------------------------------------------------------------------------------------------------------------===//
#include "cuda/LaunchMemory.h"
#include "Support.h"

using namespace tilecc::rt;

namespace {
constexpr int maxDevices = 64;
Mutex creating;
CUmemoryPool pools[maxDevices];

// The memory that a stream keeps.
struct KeptMemory {
  bool hasStream, isUsed; // a thread uses it while it launches a kernel
  unsigned long long context, stream;
  void *address; // null: not allocated yet
  uint64_t bytes, zeros;
};
constexpr int maxStreams = 16;
Mutex keeping;
KeptMemory kept[maxStreams];
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

static void *allocate(uint64_t bytes, uint64_t zeros, ttStream_t stream) {
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

static void freeInOrder(void *memory, ttStream_t stream) {
  cuda.cuMemFreeAsync(reinterpret_cast<CUdeviceptr>(memory), stream); // may also return an error of the launch
}

// Returns the entry of a stream, if necessary a new one; null if there is none left, or if another thread uses it.
static KeptMemory *findKept(ttStream_t stream) {
  unsigned long long context, id;
  if (!cuda.cuStreamGetId || cuda.cuCtxGetId(nullptr, &context) || cuda.cuStreamGetId(stream, &id))
    return nullptr;
  KeptMemory *unused = nullptr;
  for (KeptMemory &memory : kept) {
    if (memory.hasStream && memory.context == context && memory.stream == id)
      return memory.isUsed ? nullptr : &memory;
    if (!memory.hasStream && !unused)
      unused = &memory;
  }
  if (unused)
    *unused = {/*hasStream=*/true, /*isUsed=*/false, context, id, nullptr, 0, 0};
  return unused;
}

void *tilecc::rt::allocateForLaunch(uint64_t bytes, uint64_t zeros, ttStream_t stream) {
  Lock lock(keeping);
  KeptMemory *memory = findKept(stream);
  if (!memory)
    return allocate(bytes, zeros, stream);
  if (memory->address && (memory->bytes < bytes || memory->zeros != zeros)) {
    freeInOrder(memory->address, stream);
    memory->address = nullptr;
  }
  if (!memory->address) {
    memory->address = allocate(bytes, zeros, stream);
    memory->bytes = bytes;
    memory->zeros = zeros;
  }
  memory->isUsed = memory->address != nullptr;
  return memory->address;
}

void tilecc::rt::freeAfterLaunch(void *address, ttStream_t stream) {
  Lock lock(keeping);
  for (KeptMemory &memory : kept)
    if (memory.isUsed && memory.address == address) {
      memory.isUsed = false;
      return;
    }
  freeInOrder(address, stream);
}
