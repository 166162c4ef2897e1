//===-- MadeMaps.h - tensor maps that the kernels of a launch make ----------------------------------------------===//
//
// Who copies by a map looks at it through a proxy of its own (PTX ISA, fence.proxy.tensormap). A map that was written in the
// same launch it sees for sure only if the writer has released it, and the block whose copy it is has acquired it since.
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

// Of one launch. Its functions may be called by several threads at the same time.
class MadeMaps {
public:
  struct Map {
    uint64_t version = 0; // counts how often it was written
    bool isReleased = false;
    Place writer;
  };

  void write(uint64_t address, bool isReleased, const Place &writer) {
    std::lock_guard lock(mutex);
    Map &map = maps[address];
    map = {map.version + 1, isReleased, writer};
    areAny.store(true, std::memory_order_release);
  }
  // What this block has written.
  void release(uint64_t block) {
    std::lock_guard lock(mutex);
    for (auto &[address, map] : maps)
      map.isReleased |= map.writer.block == block;
  }
  // The map that was made at this address, if one was.
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
