//===-- Arena.cpp - an address range and its allocations -------------------------------------------------------===//
#include "emulator/memory/Arena.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/mman.h>

using namespace tilecc::emu;

namespace {
constexpr uint64_t pageBytes = 4096;
// Allocations of this size and above have their own pages, which are returned to the system when freed.
constexpr uint64_t ownPagesBytes = 64 << 10;
constexpr size_t quarantineCount = 64 << 10;
constexpr uint64_t quarantineBytes = 1ull << 30;

uint64_t roundUp(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0 // without it, the address is only a hint
#endif

// Reserves memory at `hint` if that is free, so that addresses are the same in every run; otherwise, any address will
// do.
void *reserve(uint64_t bytes, uint64_t hint, int protection) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *memory = MAP_FAILED;
  if (!Arena::anywhere)
    memory = mmap(reinterpret_cast<void *>(hint), bytes, protection, flags | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED)
    memory = mmap(nullptr, bytes, protection, flags, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  madvise(memory, bytes, MADV_DONTDUMP);
  return memory;
}

// Zeroes memory; whole pages are returned to the system.
void clear(void *memory, uint64_t bytes) {
  auto begin = reinterpret_cast<uint64_t>(memory), end = begin + bytes;
  uint64_t firstPage = roundUp(begin, pageBytes), lastPage = end / pageBytes * pageBytes;
  if (bytes < ownPagesBytes || firstPage >= lastPage) {
    memset(memory, 0, bytes);
    return;
  }
  memset(memory, 0, firstPage - begin);
  madvise(reinterpret_cast<void *>(firstPage), lastPage - firstPage, MADV_DONTNEED);
  memset(reinterpret_cast<void *>(lastPage), 0, end - lastPage);
}
} // namespace

Arena::Arena(Kind kind, uint64_t bytes, uint64_t hint) : size(bytes) {
  constexpr int none = PROT_NONE, full = PROT_READ | PROT_WRITE;
  bool device = kind == Kind::device;
  // Ranges follow each other from the hint on, with gaps in between.
  uint64_t step = std::max<uint64_t>(bytes, 1ull << 40);
  void *addresses = reserve(bytes, hint, device ? none : full);
  void *backing = device ? reserve(bytes, hint + step, full) : addresses;
  void *chunkTable = reserve(bytes / chunkBytes * sizeof *chunks, hint + 2 * step, full);
  void *stateTable = device ? reserve(bytes / 8, hint + 3 * step, full) : nullptr;
  first = reinterpret_cast<uint64_t>(addresses);
  distance = reinterpret_cast<uint64_t>(backing) - first;
  chunks = static_cast<std::atomic<uint16_t> *>(chunkTable);
  states = static_cast<std::atomic<uint64_t> *>(stateTable);
  if (!addresses || !backing || !chunkTable || (device && !stateTable)) {
    unmap();
    throw std::bad_alloc();
  }
  madvise(backing, bytes, MADV_HUGEPAGE);
  ranges[first + chunkBytes] = bytes - chunkBytes; // accesses below the first allocation hit a gap
}

Arena::~Arena() { unmap(); }

void Arena::unmap() {
  uint64_t backing = first + distance;
  if (first)
    munmap(reinterpret_cast<void *>(first), size);
  if (backing && backing != first)
    munmap(reinterpret_cast<void *>(backing), size);
  if (chunks)
    munmap(chunks, size / chunkBytes * sizeof *chunks);
  if (states)
    munmap(states, size / 8);
}

uint64_t Arena::allocate(size_t bytes) {
  if (bytes > size / 2)
    return 0;
  uint64_t gap = std::clamp<uint64_t>(bytes / 8, chunkBytes, 1 << 20);
  uint64_t alignment = bytes < ownPagesBytes ? chunkBytes : pageBytes;
  uint64_t span = roundUp(roundUp(bytes, alignment) + gap, alignment);
  std::lock_guard guard(lock);
  uint64_t address = takeRange(span, alignment);
  while (!address && !quarantine.empty()) {
    releaseOldest();
    address = takeRange(span, alignment);
  }
  if (!address)
    return 0;
  live[address] = {bytes, span};
  setChunks(address, bytes, 0);
  return address;
}

int64_t Arena::free(uint64_t address) {
  std::lock_guard guard(lock);
  auto found = live.find(address);
  if (found == live.end())
    return -1;
  Allocation allocation = found->second;
  live.erase(found);
  protections.erase(protections.lower_bound(address), protections.lower_bound(address + allocation.span));
  setChunks(address, allocation.bytes, freedFlag);
  if (states)
    clear(&states[(address - first) / 64], roundUp(allocation.bytes, chunkBytes) / 8);
  if (allocation.bytes >= ownPagesBytes)
    clear(bytes(address), roundUp(allocation.bytes, pageBytes));
  freed[address] = allocation;
  quarantine.push_back(address);
  quarantined += allocation.span;
  while (quarantined > std::min(quarantineBytes, size / 8) || quarantine.size() > quarantineCount)
    releaseOldest();
  return static_cast<int64_t>(allocation.bytes);
}

// Takes the lowest free range that fits. The caller holds the lock.
uint64_t Arena::takeRange(uint64_t span, uint64_t alignment) {
  for (auto [start, room] : ranges) {
    uint64_t address = roundUp(start, alignment), before = address - start;
    if (before + span > room)
      continue;
    ranges.erase(start);
    if (before)
      ranges[start] = before;
    if (room > before + span)
      ranges[address + span] = room - before - span;
    return address;
  }
  return 0;
}

// Returns a range to the free ranges. The caller holds the lock.
void Arena::giveRange(uint64_t address, uint64_t span) {
  auto next = ranges.lower_bound(address);
  if (next != ranges.end() && next->first == address + span) {
    span += next->second;
    next = ranges.erase(next);
  }
  if (next != ranges.begin() && std::prev(next)->first + std::prev(next)->second == address)
    std::prev(next)->second += span;
  else
    ranges[address] = span;
}

// Removes the oldest range from the quarantine. The caller holds the lock.
void Arena::releaseOldest() {
  uint64_t address = quarantine.front();
  quarantine.pop_front();
  Allocation allocation = freed[address];
  freed.erase(address);
  quarantined -= allocation.span;
  clear(&chunks[(address - first) / chunkBytes], roundUp(allocation.bytes, chunkBytes) / chunkBytes * sizeof *chunks);
  giveRange(address, allocation.span);
}

void Arena::setChunks(uint64_t address, size_t bytes, uint16_t flags) {
  for (std::atomic<uint16_t> *chunk = &chunks[(address - first) / chunkBytes]; bytes; ++chunk) {
    size_t part = std::min<size_t>(bytes, chunkBytes);
    chunk->store(static_cast<uint16_t>(part) | flags, std::memory_order_relaxed);
    bytes -= part;
  }
}

void Arena::protect(uint64_t address, size_t bytes) {
  if (!bytes)
    return;
  std::lock_guard guard(lock);
  protections[address] = bytes;
  for (uint64_t chunk = (address - first) / chunkBytes; chunk <= (address - first + bytes - 1) / chunkBytes; ++chunk)
    chunks[chunk].fetch_or(protectedFlag, std::memory_order_relaxed);
}

bool Arena::inProtectedRange(uint64_t address, size_t bytes) const {
  std::lock_guard guard(lock);
  auto next = protections.lower_bound(address + bytes);
  return next != protections.begin() && std::prev(next)->first + std::prev(next)->second > address;
}

std::string Arena::describe(uint64_t address) const {
  // Returns the distance of the address from [start, start + bytes).
  auto outside = [&](uint64_t start, size_t bytes) {
    return address < start ? start - address : address >= start + bytes ? address - start - bytes + 1 : 0;
  };
  std::lock_guard guard(lock);
  uint64_t best = ~0ull, start = 0;
  size_t bytes = 0;
  bool wasFreed = false;
  auto consider = [&](const std::map<uint64_t, Allocation> &allocations, bool areFreed) {
    auto next = allocations.upper_bound(address);
    auto look = [&](const std::pair<const uint64_t, Allocation> &allocation) {
      uint64_t distance = outside(allocation.first, allocation.second.bytes);
      if (distance < best) {
        best = distance;
        start = allocation.first;
        bytes = allocation.second.bytes;
        wasFreed = areFreed;
      }
    };
    if (next != allocations.begin())
      look(*std::prev(next));
    if (next != allocations.end())
      look(*next);
  };
  consider(live, false);
  consider(freed, true);
  if (best > (1ull << 30))
    return "";
  char text[200];
  const char *after = wasFreed ? ", which has been freed" : "";
  auto allocation = [&](const char *format, uint64_t distance) {
    int end = snprintf(text, sizeof text, format, static_cast<unsigned long long>(distance));
    snprintf(text + end, sizeof text - end, "the allocation of %zu bytes at 0x%llx%s", bytes,
             static_cast<unsigned long long>(start), after);
    return std::string(text);
  };
  if (address < start)
    return allocation(best == 1 ? "%llu byte before " : "%llu bytes before ", best);
  if (address < start + bytes)
    return allocation("at byte %llu of ", address - start);
  if (best == 1)
    return allocation("just past the end of ", 0);
  return allocation(best == 2 ? "%llu byte past the end of " : "%llu bytes past the end of ", best - 1);
}
