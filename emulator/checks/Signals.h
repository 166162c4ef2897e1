//===-- Signals.h - words of global memory that threads wait for -----------------------------------------------===//
//
// A wait names the value that it needs: code for the emulator has a comment behind each load of a polling loop
//
//   ld.acquire.sys.global.u32 r, [p];
//   //@ awaits.global.ge.u32 [p], r, v;     this loop ends when the word is at least v, modulo 2^32
//
// A run often sees a later value than the one that a thread waits for. If the thread then acquired what the later value
// released, it would be ordered after writes for which it did not wait, and a wait for a value that is too small would
// look right in most runs. So the checker keeps the values that a word has had, each with what was released with it.
// The wait acquires only the releases of the first value that suffices, and those of the values that read-modify-write
// operations turned into it. If the value before the launch suffices, nothing is acquired.
//
// Of two stores to such a word that nothing orders, one is lost to a thread that waits for it. This is reported, unless
// both store the same value or both compute it from the value before, as additions do. (An exchange is a store.)
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_SIGNALS_H
#define TILECC_EMULATOR_CHECKS_SIGNALS_H

#include "emulator/checks/SyncTable.h"

#include <optional>

namespace tilecc::emu {

// The signals of a launch. The caller locks.
class Signals {
public:
  struct Writer {
    Place place;
    ActorId actor;
    uint32_t clock;
    unsigned lane() const { return place.thread % 32; }
  };
  // Two writes to `address`, of which a waiting thread may miss one.
  struct Lost {
    uint64_t address;
    Writer first, second;
  };

  // Records a strong write of threads that released `releases`. `clock` is the warp's clock at the write. The values
  // are known only after the write: `performed` must follow. It appends to `lost` if the word has been waited for.
  void write(const Access &access, uint64_t block, uint32_t clock, const std::vector<Release> &releases,
             const WarpClocks &clocks, const DeviceMemory &memory);
  void performed(const DeviceMemory &memory, std::vector<Lost> &lost);

  // Records that a lane has loaded `seen`, which is at least `wanted`, and lets it acquire what the first such value
  // released. `poll` is the load.
  void awaited(const Access &poll, unsigned lane, uint32_t seen, uint32_t wanted, SyncState &warp, const Scopes &scopes,
               std::vector<Lost> &lost);
  // The same for a word that a thread still waits for.
  void awaits(uint64_t address, std::vector<Lost> &lost) { markAwaited(words[address], lost); }

  // Returns who wrote the current value; nothing if no strong access of this launch did.
  std::optional<Place> lastWriter(uint64_t address) const;

  static bool suffices(uint32_t value, uint32_t wanted) { return static_cast<int32_t>(value - wanted) >= 0; }

private:
  struct Value {
    uint32_t value;
    bool isUpdate; // by a read-modify-write operation, whose value goes on with what was released before
    bool isSum; // and it was computed from the value before it
    Writer writer;
    std::vector<Release> releases;
  };
  struct Word {
    uint32_t initial = 0;
    bool isComplete = true; // `values` begins with the first write of the launch
    bool isAwaited = false;
    std::vector<Value> values;
    std::vector<Lost> lost; // to be reported if somebody waits
  };
  struct Pending {
    uint64_t address;
    Value value;
    bool isOrdered; // after the previous write
  };
  static void markAwaited(Word &word, std::vector<Lost> &lost);

  std::unordered_map<uint64_t, Word> words;
  std::vector<Pending> pending;
};

} // namespace tilecc::emu
#endif
