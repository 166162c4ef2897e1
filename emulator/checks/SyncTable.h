//===-- SyncTable.h - tracks the synchronization by strong accesses --------------------------------------------===//
//
// In PTX's memory model, a release pattern (a release write, or a fence followed by a strong write) synchronizes with
// an acquire pattern (an acquire read, or a strong read followed by a fence), if the latter reads the written value, or
// a value that read-modify-write operations derived from it, and if the scopes include each other. So each location has
// a record for every release whose value may still be read. A strong store replaces the records, and an atomic
// operation adds one.
//
// The following simplifications can only miss races:
//   - The lanes of one instruction acquire or release together.
//   - Of consecutive atomic operations, only the last is recorded if it knows of the earlier ones. If a thread acquires
//     it with block scope only, no error says that this is insufficient.
//   - A weak store removes no records: earlier releases can still be acquired.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_SYNCTABLE_H
#define TILECC_EMULATOR_CHECKS_SYNCTABLE_H

#include "emulator/checks/Races.h"

#include <unordered_map>

namespace tilecc::emu {

// The synchronization state of a warp.
struct SyncState {
  struct Fence {
    Mask lanes;
    Release release; // covers what precedes the fence
  };
  struct Read {
    Mask lanes;
    Release release; // the release that these lanes have read, and that their next fence will acquire
  };
  WarpClocks clocks;
  std::vector<Fence> fences;
  std::vector<Read> reads;

  void fence(Mask lanes, Scope scope, const Scopes &scopes);
};

class SyncTable {
public:
  // Records a strong access, after it has been checked for races. Returns what it has released.
  std::vector<Release> access(const Access &access, Pieces &pieces, SyncState &warp, const Scopes &scopes);
  // Lets lanes that have read a value with this order and scope acquire what was released with it, now or at their next
  // fence.
  static void observe(Order order, Scope scope, Mask lanes, const Release &release, SyncState &warp,
                      const Scopes &scopes);

private:
  struct Entry {
    uint32_t words; // of the line
    Release release;
  };
  using Line = std::vector<Entry>;
  static void add(Line &line, uint32_t words, Release release);
  void read(const Access &access, Pieces &pieces, SyncState &warp, const Scopes &scopes);
  std::vector<Release> write(const Access &access, Pieces &pieces, SyncState &warp);

  std::unordered_map<uint64_t, Line> lines; // by address
};

} // namespace tilecc::emu
#endif
