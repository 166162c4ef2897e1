//===-- HostMemory.h - memory of devices that run on the host --------------------------------------------------===//
//
// The CPU, the emulator and similar kinds complete all work before a call returns. So the features of CUDA's memory
// (pools, managed memory, prefetches, pitched rows, captured copies) reduce to a few primitives, which each kind
// provides.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_HOSTMEMORY_H
#define TILECC_RUNTIME_HOSTMEMORY_H

#include "MemoryFunctions.h"

namespace tilecc::rt {

struct Kernel;

// The attributes of a launch that kinds which run on the host support.
struct HostAttributes {
  bool cooperative = false, devicesAlongZ = false;
};

// The primitives of such a kind. They ignore captures, and most kinds ignore streams: they have completed all work when
// a call returns. A kind that enqueues work does so in `workStream` (HostStreams.h), unless this is null.
struct HostPrimitives {
  ttError_t (*allocate)(void **pointer, size_t bytes); // aligned to 256 bytes
  ttError_t (*release)(void *pointer); // fails for pointers that it did not allocate
  ttError_t (*allocateHost)(void **pointer, size_t bytes); // host memory that kernels access at the same address
  ttError_t (*releaseHost)(void *pointer);
  ttError_t (*info)(size_t *freeBytes, size_t *totalBytes);
  ttError_t (*copy)(void *to, const void *from, size_t bytes);
  ttError_t (*set)(void *pointer, int byte, size_t bytes);
  ttError_t (*launch)(Kernel &kernel, ttDim3 grid, HostAttributes attributes, void **args);

  // For kinds that enqueue work: waits for the work of a stream. The kind also implements the functions of DeviceKind
  // that wait or query, and has these numbers of bytes of its own in each stream and event.
  ttError_t (*finish)(ttStream_t stream) = nullptr;
  size_t streamBytes = 0, eventBytes = 0;
};

// A copy, as the work of a graph node (HostGraph.h).
struct HostCopy {
  const HostPrimitives *device;
  void *to;
  const void *from;
  size_t bytes;
  ttError_t run() const { return device->copy(to, from, bytes); }
};
struct HostSet {
  const HostPrimitives *device;
  void *to;
  int byte;
  size_t bytes;
  ttError_t run() const { return device->set(to, byte, bytes); }
};

// The memory functions of all kinds that run on the host (DeviceKind::memory).
extern const DeviceMemory hostMemory;

struct HostPool;

//===-- HostBlocks.cpp: allocated blocks -------------------------------------------------------------------------===//

struct HostBlock {
  void *memory; // owned by the user, who frees it; not owned if it was registered with ttHostRegister
  size_t bytes;
  ttDeviceKind device;
  ttMemoryType type;
  bool registered; // with ttHostRegister
  HostPool *pool; // the pool from which it was allocated, or null; not owned
};

// Adds a block. Thread-safe. Fails if there is no memory.
bool addBlock(const HostBlock &block);
// Removes the block that begins at `memory` and returns it, if `wanted` accepts it. Returns false if there is no such
// block.
bool takeBlock(const void *memory, bool (*wanted)(const HostBlock &block), HostBlock *block);
// Finds the block of a device that contains `address`. Returns false if there is none.
bool findBlock(const void *address, ttDeviceKind device, HostBlock *block);

void lockHostBlocksForFork();
void unlockHostBlocksAfterFork();

//===-- HostPools.cpp ---------------------------------------------------------------------------------------------===//

// Functions of DeviceMemory.
ttError_t hostAllocateAsync(void **pointer, size_t bytes, ttMemPool_t pool, ttStream_t stream);
ttError_t hostFreeAsync(void *pointer, ttStream_t stream);
ttError_t hostPoolCreate(ttMemPool_t *pool, int device);
ttError_t hostPoolDestroy(ttMemPool_t pool);
ttError_t hostPoolDefault(ttMemPool_t *pool, int device);
ttError_t hostPoolOf(ttMemPool_t *pool, int device);
ttError_t hostPoolUse(int device, ttMemPool_t pool);
ttError_t hostPoolTrim(ttMemPool_t pool, size_t bytes);
ttError_t hostPoolSet(ttMemPool_t pool, ttMemPoolAttr attribute, unsigned long long value);
ttError_t hostPoolGet(ttMemPool_t pool, ttMemPoolAttr attribute, unsigned long long *value);

// Called when a block of the pool is freed.
void leavePool(HostPool &pool, size_t bytes);

} // namespace tilecc::rt
#endif
