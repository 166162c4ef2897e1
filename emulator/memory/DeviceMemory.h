//===-- DeviceMemory.h - the emulated device's global memory ---------------------------------------------------===//
//
// Device addresses are in a range that the host cannot access: a host access faults, as with a GPU. Host memory at a
// constant distance backs each address, so translation is one addition. Both ranges are reserved but not committed.
// They are at fixed addresses if these are free, so that runs replay exactly. Arena.h describes the tables with the
// state of each byte.
//
// Allocations are 256-byte aligned, with an unallocated gap after each. Freed ones are reused only after much other
// memory has been freed. So an access slightly out of bounds, or after a free, does not hit another allocation. Host
// memory for kernels (ttMallocHost) is a second range, with the same addresses on both sides. So is memory that the
// host has registered (cudaHostRegister), wherever it is.
//
// The class is thread-safe.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_MEMORY_DEVICEMEMORY_H
#define TILECC_EMULATOR_MEMORY_DEVICEMEMORY_H

#include "emulator/memory/Arena.h"

#include <map>
#include <memory>
#include <shared_mutex>
#include <vector>

namespace tilecc::emu {

class DeviceMemory {
public:
  using State = Arena::State; // valid, outOfBounds, freed

  DeviceMemory();  // throws std::bad_alloc if the address space cannot be reserved
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;

  // Returns 0 if out of memory. The contents are uninitialized (and read as a pattern that is a NaN of every type).
  // Zero bytes also give an address.
  uint64_t allocate(size_t bytes);
  // Returns false if `address` is not the start of a live allocation.
  bool free(uint64_t address);
  void *allocateHost(size_t bytes);
  bool freeHost(void *address);
  // Return false if there is registered memory already, or if none begins there.
  bool registerHost(void *address, size_t bytes);
  bool unregisterHost(void *address);
  void info(size_t &freeBytes, size_t &totalBytes) const;

  // Returns true if the address is in the range of device addresses, allocated or not.
  bool owns(uint64_t address) const { return address - first < reserved; }

  // Returns the bytes behind a device address or an address from allocateHost(); null if any of the bytes is in neither
  // range. Ignores allocations: bytes between them have backing, too. On the hot path.
  std::byte *backing(uint64_t address, size_t bytes) const {
    if (address - first <= reserved - bytes)
      return reinterpret_cast<std::byte *>(address + distance);
    return hostBacking(address, bytes);
  }

  // Checks that all bytes belong to one live allocation.
  State check(uint64_t address, size_t bytes) const {
    State state = arenaOf(address).check(address, bytes); // other addresses are out of bounds of both arenas
    return state != State::valid && isRegistered(address, bytes) ? State::valid : state;
  }
  // Describes an address, to follow a description of the access: "12 bytes past the end of the allocation of 4096 bytes
  // at 0x...", "at byte 8 of the allocation of ...", "at 0x10, which is not memory of the device".
  std::string describe(uint64_t address) const;

  // Multicast memory: addresses of which each stands for one address in each of several ranges of `bytes`. Only
  // multimem instructions can access it. Returns 0 if a range is not in live allocations, or if there are none.
  uint64_t allocateMulticast(const std::vector<uint64_t> &copies, size_t bytes);
  // Returns the distances from a multicast address to the addresses for which it stands; null if not all bytes are in
  // one object of multicast memory.
  const std::vector<uint64_t> *distancesToCopies(uint64_t address, size_t bytes) const;

  // Initialization, by byte. Copies from the host, memsets and stores set it; checked loads query it. The addresses
  // must be known to backing().
  void markInitialized(uint64_t address, size_t bytes);
  bool isInitialized(uint64_t address, size_t bytes) const;
  // The same for a line of 128 bytes. On the hot path.
  ByteMask initialized(uint64_t line) const { return arenaOf(line).initialized(line); }
  void markInitialized(uint64_t line, ByteMask bytes) { arenaOf(line).markInitialized(line, bytes); }

  // Module variables marked constant: a store to one is an error.
  void protect(uint64_t address, size_t bytes) { arenaOf(address).protect(address, bytes); }
  bool isProtected(uint64_t address, size_t bytes) const {
    const Arena &arena = arenaOf(address);
    return arena.owns(address) && arena.isProtected(address, bytes);
  }

private:
  const Arena &arenaOf(uint64_t address) const { return owns(address) ? *device : *host; }
  Arena &arenaOf(uint64_t address) { return owns(address) ? *device : *host; }
  std::byte *hostBacking(uint64_t address, size_t bytes) const;
  // Returns true if the bytes are in registered memory. This may begin and end anywhere, so `granularity` extends its
  // range to whole units: code that handles whole lines also accesses adjacent bytes in the page.
  bool isRegistered(uint64_t address, size_t bytes, uint64_t granularity = 1) const;

  std::unique_ptr<Arena> device, host;
  mutable std::shared_mutex registrations; // guards registered and multicast memory
  std::map<uint64_t, size_t> registered;
  struct Multicast {
    size_t bytes;
    std::vector<uint64_t> distances;
  };
  std::map<uint64_t, Multicast> multicasts; // by address; none is freed
  uint64_t first = 0, reserved = 0; // of `device`
  uint64_t distance = 0; // backing minus device address, modulo 2^64
  size_t total = 0; // bytes that may be allocated
  std::atomic<size_t> used = 0;
};

} // namespace tilecc::emu
#endif
