//===-- CpuChecks.cpp - guarded allocations for the CPU device -------------------------------------------------===//
//
// See the header. The metadata of an allocation is at the start of its mapping, a gigabyte before the data, where a
// kernel that overwrites the heap does not reach it.
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
constexpr size_t guard = size_t(1) << 30;   // of address space on either side
constexpr unsigned maxFreed = 256;         // number of freed blocks whose addresses stay reserved
constexpr char pattern = char(0xA5);        // fills the bytes around an allocation in its pages

struct Guarded {
  Guarded *next;
  GuardedRange range;

  // The accessible pages.
  char *pages() const { return const_cast<char *>(range.mapping) + guard; }
  size_t pageBytes() const { return range.mapped - 2 * guard; }
};
} // namespace

static constinit Mutex guardedLock;
static constinit Guarded *guardedBlocks = nullptr; // youngest first; under the lock

static constinit std::atomic<uint64_t> generation{1};

static constinit std::atomic<int> checks{-1}; // -1: unknown

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

// Removes the oldest freed block from the list if there are too many. The caller holds the lock.
static Guarded *retireFreed() {
  unsigned freed = 0;
  Guarded **oldest = nullptr;
  for (Guarded **link = &guardedBlocks; *link; link = &(*link)->next)
    if ((*link)->range.isFreed) {
      ++freed;
      oldest = link;
    }
  if (freed <= maxFreed)
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
  void *mapping = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return nullptr;
  char *first = static_cast<char *>(mapping) + guard;
  if (mprotect(mapping, page, PROT_READ | PROT_WRITE) || mprotect(first, pages, PROT_READ | PROT_WRITE)) {
    munmap(mapping, mapped);
    return nullptr;
  }
  char *memory = first + pages - (bytes + alignment - 1) / alignment * alignment;
  memset(first, pattern, memory - first);
  memset(memory + bytes, pattern, first + pages - memory - bytes);
  auto *block = static_cast<Guarded *>(mapping);
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
    // Replace the data pages by new pages without access rights.
    mmap(block->pages(), block->pageBytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    block->range.isFreed = true;
    generation.fetch_add(1, std::memory_order_release);
    retired = retireFreed();
  }
  if (retired)
    munmap(retired, retired->range.mapped);
  return true;
}

// Finds the block that contains an address. The caller holds the lock.
static bool findBlockOf(const void *address, GuardedRange &range) {
  for (const Guarded *block = guardedBlocks; block; block = block->next)
    if (block->range.contains(address)) {
      range = block->range;
      return true;
    }
  return false;
}

bool tilecc::rt::findGuarded(const void *address, GuardedRange &range) {
  Lock lock(guardedLock);
  return findBlockOf(address, range);
}

bool tilecc::rt::findGuardedInHandler(const void *address, GuardedRange &range) {
  if (!guardedLock.tryLock())
    return false;
  bool found = findBlockOf(address, range);
  guardedLock.unlock();
  return found;
}

// Searches [from, to) for bytes that differ from the pattern, and restores it.
static bool restorePattern(char *from, char *to, const char *&first, size_t &bytes) {
  char *begin = from, *end = to;
  while (begin < end && *begin == pattern)
    ++begin;
  while (begin < end && end[-1] == pattern)
    --end;
  if (begin == end)
    return false;
  first = begin;
  bytes = end - begin;
  memset(begin, pattern, bytes);
  return true;
}

bool tilecc::rt::findOverwritten(GuardedRange &range, const char *&first, size_t &bytes) {
  Lock lock(guardedLock);
  for (const Guarded *block = guardedBlocks; block; block = block->next) {
    range = block->range;
    auto *memory = const_cast<char *>(range.memory);
    if (!range.isFreed && (restorePattern(block->pages(), memory, first, bytes) ||
                           restorePattern(memory + range.bytes, block->pages() + block->pageBytes(), first, bytes)))
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
           isBefore   ? "before"
           : isBehind ? "past the end of"
                      : "into",
           range.bytes, static_cast<const void *>(range.memory), range.isFreed ? " that has been freed" : "");
}
