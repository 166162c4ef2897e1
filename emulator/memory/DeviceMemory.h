//===-- DeviceMemory.h - the emulated device's global memory ---------------------------------------------------===//
//
// Device addresses are a range that the host cannot touch: a host that follows one faults, as with a GPU. Behind each
// address, at a constant distance, is the host memory that backs it, so that translation is one addition. Both ranges
// are reserved and not committed; they lie at fixed addresses where those are free, so that a run replays exactly.
// Beside the backing memory, at addresses that are computed as simply, is what is known of each byte: see Arena.h.
//
// Allocations are 256-byte aligned with a gap after each one that belongs to none, and freed ones are not given out
// again until much else has been freed: an access that strays by a little or comes late meets no other allocation.
// Host memory that kernels may use (ttMallocHost) is a second range, with the same addresses on both sides, and so is
// what the host has registered of its own (cudaHostRegister), wherever that lies.
//
// Any function may be called from any thread.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_MEMORY_DEVICEMEMORY_H
#define TILECC_EMULATOR_MEMORY_DEVICEMEMORY_H

#include "emulator/memory/Arena.h"

#include <map>
#include <memory>
#include <shared_mutex>

namespace tilecc::emu {

class DeviceMemory {
public:
  using State = Arena::State; // valid, outOfBounds, freed

  DeviceMemory();  // throws std::bad_alloc when the address space cannot be reserved
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;

  // 0 when out of memory. The contents are not initialized (and read as a pattern that is no plausible value: a NaN of
  // every type). An allocation of no bytes has an address, too.
  uint64_t allocate(size_t bytes);
  // False: not the start of a live allocation.
  bool free(uint64_t address);
  void *allocateHost(size_t bytes);
  bool freeHost(void *address);
  // False: there is registered memory already, or none that begins there.
  bool registerHost(void *address, size_t bytes);
  bool unregisterHost(void *address);
  void info(size_t &freeBytes, size_t &totalBytes) const;

  // Is the address in the range of device addresses (allocated or not)?
  bool owns(uint64_t address) const { return address - first < reserved; }

  // The bytes behind a device address or an address of host memory of allocateHost; null if any of the bytes lies in
  // neither. Says nothing of allocations: bytes between them have backing, too. Hot.
  std::byte *backing(uint64_t address, size_t bytes) const {
    if (address - first <= reserved - bytes)
      return reinterpret_cast<std::byte *>(address + distance);
    return hostBacking(address, bytes);
  }

  // Whether all the bytes belong to one live allocation.
  State check(uint64_t address, size_t bytes) const {
    State state = arenaOf(address).check(address, bytes); // an address of neither is out of the bounds of both
    return state != State::valid && isRegistered(address, bytes) ? State::valid : state;
  }
  // Where an address is, in words that follow what is done to it: "12 bytes past the end of the allocation of 4096
  // bytes at 0x...", "at byte 8 of the allocation of ...", "at 0x10, which is not memory of the device".
  std::string describe(uint64_t address) const;

  // Initialization, by byte. Copies from the host, sets and stores mark; checked loads ask. Of addresses that backing()
  // knows.
  void markInitialized(uint64_t address, size_t bytes);
  bool isInitialized(uint64_t address, size_t bytes) const;
  // The same for a line of 128 bytes. Hot.
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
  // Of registered memory, which may begin and end anywhere, `granularity` also counts what is around it: who looks at whole
  // lines touches what is in one page with it.
  bool isRegistered(uint64_t address, size_t bytes, uint64_t granularity = 1) const;

  std::unique_ptr<Arena> device, host;
  mutable std::shared_mutex registrations; // of:
  std::map<uint64_t, size_t> registered;
  uint64_t first = 0, reserved = 0; // of `device`
  uint64_t distance = 0;            // backing minus device address, modulo 2^64
  size_t total = 0;                 // bytes that may be allocated
  std::atomic<size_t> used = 0;
};

} // namespace tilecc::emu
#endif
