//===-- HostBlocks.cpp - the blocks that the CPU device and the emulator have allocated ------------------------===//
//
// ttFree frees memory of any device, whichever is current, so there must be a way to recognize memory of these devices.
// Asking the CUDA driver instead would create a context on a GPU, and an unknown pointer must be an error, not a crash.
// So this file keeps a small table of blocks. Allocation is not on the path of a launch, so a lock is fast enough.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "HostMemory.h"

#include <stdlib.h>

using namespace tilecc::rt;

namespace {
struct Entry {
  Entry *next; // owned
  HostBlock block;
};
enum { bucketCount = 1024, alignment = 256 };
} // namespace

static constinit Mutex blocksLock;
static constinit Entry *blocks[bucketCount] = {}; // owned; under the lock

static Entry **bucketOf(const void *memory) {
  return &blocks[(reinterpret_cast<uintptr_t>(memory) / alignment) * 0x9e3779b97f4a7c15ull >> 54];
}
static_assert(bucketCount == 1 << (64 - 54));

bool tilecc::rt::addBlock(const HostBlock &block) {
  auto *entry = static_cast<Entry *>(malloc(sizeof(Entry)));
  if (!entry)
    return false;
  Lock lock(blocksLock);
  Entry **bucket = bucketOf(block.memory);
  *entry = {*bucket, block};
  *bucket = entry;
  return true;
}

bool tilecc::rt::takeBlock(const void *memory, bool (*wanted)(const HostBlock &block), HostBlock *block) {
  Entry *entry;
  {
    Lock lock(blocksLock);
    Entry **link = bucketOf(memory);
    while (*link && ((*link)->block.memory != memory || !wanted((*link)->block)))
      link = &(*link)->next;
    if (!(entry = *link))
      return false;
    *link = entry->next;
  }
  *block = entry->block;
  free(entry);
  return true;
}

bool tilecc::rt::findBlock(const void *address, ttDeviceKind device, HostBlock *block) {
  Lock lock(blocksLock);
  for (Entry *entry : blocks)
    for (; entry; entry = entry->next) {
      size_t distance = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(entry->block.memory);
      if (entry->block.device == device && distance < entry->block.bytes) {
        *block = entry->block;
        return true;
      }
    }
  return false;
}

void tilecc::rt::lockHostBlocksForFork() { blocksLock.lock(); }
void tilecc::rt::unlockHostBlocksAfterFork() { blocksLock.unlock(); }
