//===-- MadeMaps.h - tensor maps that kernels create during a launch --------------------------------------------===//
//
// Copies read a tensor map through a separate proxy (PTX ISA, fence.proxy.tensormap). If a map was written in the same
// launch, a copy is guaranteed to see it only if the writer has released the map, and the copying block has acquired it
// afterwards.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_MADEMAPS_H
#define TILECC_EMULATOR_EXEC_MADEMAPS_H

#include "emulator/checks/Reporter.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace tilecc::emu {

// The tensor maps that one launch has written. Thread-safe.
class MadeMaps {
public:
  struct Map {
    uint64_t version = 0; // number of writes
    bool isReleased = false;
    Place writer;
  };

  void write(uint64_t address, bool isReleased, const Place &writer) {
    std::lock_guard lock(mutex);
    Map &map = maps[address];
    map = {map.version + 1, isReleased, writer};
    areAny.store(true, std::memory_order_release);
  }
  // Releases the maps that `block` has written.
  void release(uint64_t block) {
    std::lock_guard lock(mutex);
    for (auto &[address, map] : maps)
      map.isReleased |= map.writer.block == block;
  }
  // Returns the map that was created at `address`, if there is one.
  std::optional<Map> find(uint64_t address) {
    if (!areAny.load(std::memory_order_acquire))
      return std::nullopt;
    std::lock_guard lock(mutex);
    auto at = maps.find(address);
    return at == maps.end() ? std::nullopt : std::optional<Map>(at->second);
  }

private:
  std::mutex mutex;
  std::atomic<bool> areAny = false;
  std::unordered_map<uint64_t, Map> maps;
};

} // namespace tilecc::emu
#endif
