//===-- HostMemory.h - memory of devices that run on the host --------------------------------------------------===//
//
// The CPU and the emulator do everything before a call returns, so what is peculiar to CUDA's memory (pools, managed
// memory, prefetches, rows, captured copies) comes down to a few primitives, the same way for both.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_HOSTMEMORY_H
#define TILECC_RUNTIME_HOSTMEMORY_H

#include "DeviceMemory.h"

namespace tilecc::rt {

struct Kernel;

// What such a device has of its own. None of it looks at streams or captures.
struct HostPrimitives {
  ttError_t (*allocate)(void **pointer, size_t bytes); // aligned to 256 bytes
  ttError_t (*release)(void *pointer);                 // a pointer that is not its memory is an error
  ttError_t (*allocateHost)(void **pointer, size_t bytes); // the host's, which kernels reach at the same address
  ttError_t (*releaseHost)(void *pointer);
  ttError_t (*info)(size_t *freeBytes, size_t *totalBytes);
  ttError_t (*copy)(void *to, const void *from, size_t bytes);
  ttError_t (*set)(void *pointer, int byte, size_t bytes);
  ttError_t (*launch)(Kernel &kernel, ttDim3 grid, bool cooperative, void **args);
};

// Copies as work of a graph (HostGraph.h).
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

// DeviceKind's memory of both.
extern const DeviceMemory hostMemory;

struct HostPool;

//===-- HostBlocks.cpp: what has been handed out -----------------------------------------------------------------===//

struct HostBlock {
  void *memory; // owned by the user, who frees it; of ttHostRegister, nobody's here
  size_t bytes;
  ttDeviceKind device;
  ttMemoryType type;
  bool registered; // by ttHostRegister
  HostPool *pool;  // that it counts for, or null; not owned
};

// Any thread. Adding fails when out of memory.
bool addBlock(const HostBlock &block);
// Takes out the block that begins at `memory`, if `wanted` says so; false if there is none.
bool takeBlock(const void *memory, bool (*wanted)(const HostBlock &block), HostBlock *block);
// The block of a device that an address lies in; false if there is none.
bool findBlock(const void *address, ttDeviceKind device, HostBlock *block);

void lockHostBlocksForFork();
void unlockHostBlocksAfterFork();

//===-- HostPools.cpp ---------------------------------------------------------------------------------------------===//

// DeviceMemory's.
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

// A block of the pool has been freed.
void leavePool(HostPool &pool, size_t bytes);

} // namespace tilecc::rt
#endif
