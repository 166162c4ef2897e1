//===-- Arena.h - an address range and its allocations ---------------------------------------------------------===//
//
// The range and its tables are reserved but not committed, so they use memory only as needed. Two tables, indexed by
// offset, describe every byte of the range:
//
//   chunks[offset / 256]        how many of these 256 bytes, from the first on, belong to a live allocation
//   initialized[offset / 64]    a bit for each byte
//
// Allocations begin at multiples of 256 and share no chunk. After each there is an unallocated gap of at least 256
// bytes. Freed ranges wait in a quarantine, first in, first out, before they are reused.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_MEMORY_ARENA_H
#define TILECC_EMULATOR_MEMORY_ARENA_H

#include "emulator/memory/ByteMask.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace tilecc::emu {

class Arena {
public:
  enum class State : uint8_t { valid, outOfBounds, freed };
  enum class Kind : uint8_t {
    device, // the host cannot access these addresses; the bytes are elsewhere
    host,   // the bytes are at the addresses; always initialized, because host writes are not tracked
  };

  // With ThreadSanitizer, address space is limited, and its location cannot be chosen.
#if defined(__SANITIZE_THREAD__)
  static constexpr bool anywhere = true;
#elif defined(__has_feature)
  static constexpr bool anywhere = __has_feature(thread_sanitizer);
#else
  static constexpr bool anywhere = false;
#endif

  // Reserves `size` bytes of address space, at `hint` if that is free. Throws std::bad_alloc.
  Arena(Kind kind, uint64_t size, uint64_t hint);
  ~Arena();
  Arena(const Arena &) = delete;

  // Returns 0 if there is no room.
  uint64_t allocate(size_t bytes);
  // Returns the number of bytes freed, or -1 if `address` is not the start of a live allocation.
  int64_t free(uint64_t address);

  bool owns(uint64_t address) const { return address - first < size; }
  std::byte *bytes(uint64_t address) const { return reinterpret_cast<std::byte *>(address + distance); }
  uint64_t begin() const { return first; }
  uint64_t reserved() const { return size; }

  // Returns the state of bytes in the range. This function is on the hot path.
  State check(uint64_t address, size_t bytes) const {
    for (;;) {
      uint64_t offset = address - first;
      if (offset >= size)
        return State::outOfBounds;
      uint32_t chunk = chunks[offset / chunkBytes].load(std::memory_order_relaxed);
      uint64_t inChunk = offset % chunkBytes, end = inChunk + bytes;
      if (end <= chunkBytes || (chunk & validMask) < chunkBytes)
        return end > (chunk & validMask) ? State::outOfBounds : chunk & freedFlag ? State::freed : State::valid;
      if (chunk & freedFlag)
        return State::freed;
      address += chunkBytes - inChunk;
      bytes -= chunkBytes - inChunk;
    }
  }

  // Returns the initialized bytes of a line; `line` is a multiple of lineBytes in the range. This function is on the
  // hot path.
  ByteMask initialized(uint64_t line) const {
    if (!states)
      return ByteMask::upTo(lineBytes);
    const std::atomic<uint64_t> *state = &states[(line - first) / 64];
    return {state[0].load(std::memory_order_relaxed), state[1].load(std::memory_order_relaxed)};
  }
  void markInitialized(uint64_t line, ByteMask bytes) {
    if (!states)
      return;
    std::atomic<uint64_t> *state = &states[(line - first) / 64];
    mark(state[0], bytes.low);
    mark(state[1], bytes.high);
  }

  // Makes stores to this memory errors.
  void protect(uint64_t address, size_t bytes);
  bool isProtected(uint64_t address, size_t bytes) const {
    for (uint64_t chunk = (address - first) / chunkBytes; chunk <= (address - first + bytes - 1) / chunkBytes; ++chunk)
      if (chunks[chunk].load(std::memory_order_relaxed) & protectedFlag)
        return inProtectedRange(address, bytes);
    return false;
  }

  // Describes any address: "12 bytes past the end of the allocation of 4096 bytes at 0x...". The result is empty if no
  // allocation is near.
  std::string describe(uint64_t address) const;

private:
  static constexpr uint32_t chunkBytes = 256;
  // Parts of an entry of `chunks`.
  enum : uint16_t { validMask = 0x1ff, freedFlag = 0x200, protectedFlag = 0x400 };
  struct Allocation {
    size_t bytes; // as requested by the user
    uint64_t span; // including the gap
  };

  static void mark(std::atomic<uint64_t> &word, uint64_t bits) {
    if (bits == ~0ull)
      word.store(bits, std::memory_order_relaxed);
    else if (bits & ~word.load(std::memory_order_relaxed)) // most stores go to bytes that are already initialized
      word.fetch_or(bits, std::memory_order_relaxed);
  }
  void unmap();
  bool inProtectedRange(uint64_t address, size_t bytes) const;
  void setChunks(uint64_t address, size_t bytes, uint16_t flags);
  uint64_t takeRange(uint64_t span, uint64_t alignment);
  void giveRange(uint64_t address, uint64_t span);
  void releaseOldest();

  uint64_t first = 0, size = 0;
  uint64_t distance = 0; // backing minus address, modulo 2^64
  std::atomic<uint16_t> *chunks = nullptr;
  std::atomic<uint64_t> *states = nullptr; // null: everything is initialized

  mutable std::mutex lock; // guards the rest
  std::map<uint64_t, Allocation> live; // by start
  std::map<uint64_t, Allocation> freed; // in quarantine
  std::deque<uint64_t> quarantine; // their starts, oldest first
  uint64_t quarantined = 0; // bytes of their spans
  std::map<uint64_t, uint64_t> ranges; // free: start and span; adjacent ones are merged
  std::map<uint64_t, size_t> protections; // start and bytes
};

} // namespace tilecc::emu
#endif
