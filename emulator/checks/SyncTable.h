//===-- SyncTable.h - how strong accesses order threads --------------------------------------------------------===//
//
// PTX's memory model: a release pattern (a release write, or a fence and then a strong write) synchronizes with an
// acquire pattern (an acquire read, or a strong read and then a fence) that reads what it wrote, or what
// read-modify-writes made of it, if the scopes include each other. So a location has a record for each release whose
// value may still be read: a strong store leaves its own alone, an atomic operation adds to them.
//
// What is simpler here, each time towards finding less:
//   - What several lanes of one instruction acquire or release, they do together.
//   - Of atomic operations one after the other, the last is remembered if it knows of those before; who acquires it
//     with a scope of its own block only is not told that it cannot.
//   - A weak store ends nothing: what was released before it can still be acquired.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_SYNCTABLE_H
#define TILECC_EMULATOR_CHECKS_SYNCTABLE_H

#include "emulator/checks/Races.h"

#include <unordered_map>

namespace tilecc::emu {

// A warp, as far as synchronization is concerned.
struct SyncState {
  struct Fence {
    Mask lanes;
    Release release; // of what lies before it
  };
  struct Read {
    Mask lanes;
    Release release; // that they have read, and acquire with the next fence
  };
  WarpClocks clocks;
  std::vector<Fence> fences;
  std::vector<Read> reads;

  void fence(Mask lanes, Scope scope, const Scopes &scopes);
};

class SyncTable {
public:
  // What a strong access does, after it has been checked for races.
  void access(const Access &access, Pieces &pieces, SyncState &warp, const Scopes &scopes);

private:
  struct Entry {
    uint32_t words; // of the line
    Release release;
  };
  using Line = std::vector<Entry>;
  static void add(Line &line, uint32_t words, Release release);
  void read(const Access &access, Pieces &pieces, SyncState &warp, const Scopes &scopes);
  void write(const Access &access, Pieces &pieces, SyncState &warp);

  std::unordered_map<uint64_t, Line> lines; // by address
};

} // namespace tilecc::emu
#endif
