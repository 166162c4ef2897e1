//===-- CpuMemory.cpp - memory of the CPU device ---------------------------------------------------------------===//
//
// ttFree takes memory of any device, whichever is current, so there has to be a way to tell what came from here: asking
// the driver instead would create a context on a GPU, and a pointer that neither knows must be an error and not a crash.
// Hence a small table of the blocks handed out. Allocation is not on the path of a launch, so a lock is good enough.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cpu/CpuMemory.h"
#include "Error.h"

#include <stdlib.h>

using namespace tilecc::rt;

namespace {
struct Block {
  Block *next;  // owned
  void *memory; // owned by the user, who frees it
};
enum { bucketCount = 1024, alignment = 256 };
} // namespace

static constinit Mutex blocksLock;
static constinit Block *blocks[bucketCount] = {}; // owned; under the lock

static Block **bucketOf(const void *memory) {
  return &blocks[(reinterpret_cast<uintptr_t>(memory) / alignment) * 0x9e3779b97f4a7c15ull >> 54];
}
static_assert(bucketCount == 1 << (64 - 54));

ttError_t tilecc::rt::allocateCpuMemory(void **pointer, size_t bytes) {
  auto *block = static_cast<Block *>(malloc(sizeof(Block)));
  if (!block || posix_memalign(&block->memory, alignment, bytes)) {
    free(block);
    return fail(ttErrorMemoryAllocation, "not enough memory for %zu bytes on the CPU device", bytes);
  }
  *pointer = block->memory;
  Lock lock(blocksLock);
  Block **bucket = bucketOf(block->memory);
  block->next = *bucket;
  *bucket = block;
  return ttSuccess;
}

bool tilecc::rt::freeCpuMemory(void *pointer) {
  Block *block;
  {
    Lock lock(blocksLock);
    Block **link = bucketOf(pointer);
    while (*link && (*link)->memory != pointer)
      link = &(*link)->next;
    if (!(block = *link))
      return false;
    *link = block->next;
  }
  free(block->memory);
  free(block);
  return true;
}

void tilecc::rt::lockCpuMemoryForFork() { blocksLock.lock(); }
void tilecc::rt::unlockCpuMemoryAfterFork() { blocksLock.unlock(); }
