//===-- CpuChecks.cpp - words for what kernels do wrong on the CPU device --------------------------------------===//
//
// See the header. Here are the allocations with bounds.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cpu/CpuChecks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace tilecc::rt;

namespace {
constexpr size_t guard = size_t(1) << 30;   // of addresses on either side
constexpr unsigned mostFreed = 256;         // whose addresses are kept

struct Guarded {
  Guarded *next; // owned
  GuardedRange range;
};
} // namespace

static constinit Mutex guardedLock;
static constinit Guarded *guardedBlocks = nullptr; // the youngest first; under the lock

static constinit std::atomic<uint64_t> generation{1};

static constinit std::atomic<int> checks{-1}; // not known yet

bool tilecc::rt::checksCpuMemory() {
  int known = checks.load(std::memory_order_relaxed);
  if (known < 0) {
    const char *text = secure_getenv("TILECC_CPU_CHECKS");
    int asked = text && *text && strcmp(text, "0") && strcmp(text, "none");
    known = checks.compare_exchange_strong(known, asked, std::memory_order_relaxed) ? asked : known;
  }
  return known;
}
void tilecc::rt::checkCpuMemoryFromNowOn() { checks.store(1, std::memory_order_relaxed); }

// Takes the oldest of the freed blocks, if there are too many, out of the list. Under the lock.
static Guarded *retireFreed() {
  unsigned freed = 0;
  Guarded **oldest = nullptr;
  for (Guarded **link = &guardedBlocks; *link; link = &(*link)->next)
    if ((*link)->range.isFreed) {
      ++freed;
      oldest = link;
    }
  if (freed <= mostFreed)
    return nullptr;
  Guarded *block = *oldest;
  *oldest = block->next;
  return block;
}

void *tilecc::rt::allocateGuarded(size_t bytes) {
  constexpr size_t alignment = 16;
  size_t page = sysconf(_SC_PAGESIZE), pages = (bytes + page - 1) / page * page, mapped = pages + 2 * guard;
  if (pages < bytes || mapped < pages)
    return nullptr;
  auto *block = static_cast<Guarded *>(malloc(sizeof(Guarded)));
  void *mapping = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!block || mapping == MAP_FAILED ||
      mprotect(static_cast<char *>(mapping) + guard, pages, PROT_READ | PROT_WRITE)) {
    if (mapping != MAP_FAILED)
      munmap(mapping, mapped);
    free(block);
    return nullptr;
  }
  char *memory = static_cast<char *>(mapping) + guard + pages - (bytes + alignment - 1) / alignment * alignment;
  Lock lock(guardedLock);
  *block = {guardedBlocks, {memory, bytes, static_cast<char *>(mapping), mapped, false}};
  guardedBlocks = block;
  generation.fetch_add(1, std::memory_order_release);
  return memory;
}

bool tilecc::rt::freeGuarded(void *memory) {
  Guarded *retired = nullptr;
  {
    Lock lock(guardedLock);
    Guarded *block = guardedBlocks;
    while (block && (block->range.memory != memory || block->range.isFreed))
      block = block->next;
    if (!block)
      return false;
    // Fresh pages without access in place of those that hold the data.
    mmap(const_cast<char *>(block->range.mapping) + guard, block->range.mapped - 2 * guard, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    block->range.isFreed = true;
    generation.fetch_add(1, std::memory_order_release);
    retired = retireFreed();
  }
  if (retired)
    munmap(const_cast<char *>(retired->range.mapping), retired->range.mapped);
  free(retired);
  return true;
}

bool tilecc::rt::findGuarded(const void *address, GuardedRange &range) {
  Lock lock(guardedLock);
  for (const Guarded *block = guardedBlocks; block; block = block->next)
    if (block->range.contains(address)) {
      range = block->range;
      return true;
    }
  return false;
}

uint64_t tilecc::rt::guardedGeneration() { return generation.load(std::memory_order_acquire); }

void tilecc::rt::describePlace(char *text, size_t size, const void *at, const GuardedRange &range) {
  auto *address = static_cast<const char *>(at), *end = range.memory + range.bytes;
  bool isBefore = address < range.memory, isBehind = address >= end;
  size_t distance = isBefore ? range.memory - address : isBehind ? address - end : address - range.memory;
  snprintf(text, size, "%zu bytes %s an allocation of %zu bytes at %p%s", distance,
           isBefore ? "before" : isBehind ? "behind the end of" : "into", range.bytes,
           static_cast<const void *>(range.memory), range.isFreed ? " that has been freed" : "");
}
