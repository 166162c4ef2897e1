//===-- DeviceMemory.h - the emulated device's global memory ---------------------------------------------------===//
//
// Device addresses are a range that the host cannot touch: a host that follows one faults, as with a GPU. Behind each
// address, at a constant distance, is the host memory that backs it, so that translation is one addition. Both ranges are
// reserved and not committed; they lie at fixed addresses where those are free, so that a run replays exactly. Beside the
// backing memory, at addresses that are computed as simply, is one byte of state per byte: allocated, initialized, freed.
//
// Allocations are 256-byte aligned with a gap after each one that belongs to none, and freed ones are not given out
// again until much else has been freed: an access that strays by a little or comes late meets no other allocation.
// Host memory that kernels may use (ttMallocHost) has the same address on both sides.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_MEMORY_DEVICEMEMORY_H
#define TILECC_EMULATOR_MEMORY_DEVICEMEMORY_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace tilecc::emu {

class DeviceMemory {
public:
  DeviceMemory();  // throws std::bad_alloc when the address space cannot be reserved
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;

  // 0 when out of memory. The contents are not initialized (and read as a pattern that is no plausible value).
  uint64_t allocate(size_t bytes);
  // False: not the start of a live allocation.
  bool free(uint64_t address);
  void *allocateHost(size_t bytes);
  bool freeHost(void *address);
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

  enum class State : uint8_t { valid, outOfBounds, freed };
  // Whether all the bytes belong to one live allocation.
  State check(uint64_t address, size_t bytes) const;
  // In words, for a message: "4 bytes past the end of the allocation of 4096 bytes at 0x...".
  std::string describe(uint64_t address) const;

  // Initialization, by byte. Copies from the host, sets and stores mark; checked loads ask. Any thread.
  void markInitialized(uint64_t address, size_t bytes);
  bool isInitialized(uint64_t address, size_t bytes) const;

  // Module variables marked constant: a store to one is out of bounds (of what may be written).
  void protect(uint64_t address, size_t bytes);
  bool isProtected(uint64_t address, size_t bytes) const;

private:
  std::byte *hostBacking(uint64_t address, size_t bytes) const;

  uint64_t first = 0, reserved = 0;
  uint64_t distance = 0; // backing minus device address, modulo 2^64
  // ...
};

} // namespace tilecc::emu
#endif
