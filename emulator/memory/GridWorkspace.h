//===-- GridWorkspace.h - state shared by the blocks of a cooperative launch -----------------------------------===//
//
// Contains its own size and the barrier's count, each 32 bits and initially zero, as in CUDA's public headers
// (cooperative_groups/details/driver_abi.h). %envreg1 and %envreg2 hold its address.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_MEMORY_GRIDWORKSPACE_H
#define TILECC_EMULATOR_MEMORY_GRIDWORKSPACE_H

#include "emulator/memory/DeviceMemory.h"

#include <cstring>
#include <new>

namespace tilecc::emu {

class GridWorkspace {
public:
  explicit GridWorkspace(DeviceMemory &memory) : memory(memory), address(memory.allocate(size)) {
    if (!address)
      throw std::bad_alloc();
    std::memset(memory.backing(address, size), 0, size);
    memory.markInitialized(address, size);
  }
  ~GridWorkspace() { memory.free(address); }
  GridWorkspace(const GridWorkspace &) = delete;

private:
  static constexpr size_t size = 8;
  DeviceMemory &memory;

public:
  const uint64_t address;
};

} // namespace tilecc::emu
#endif
