//===-- SyncTable.h - how strong accesses order threads --------------------------------------------------------===//
//
// PTX's memory model: a release pattern (a release write, or a fence and then a strong write) synchronizes with an
// acquire pattern (an acquire read, or a strong read and then a fence) that reads what it wrote, or what read-modify-writes
// made of it, if the scopes include each other. So a location has a record for each release whose value may still be read:
// a strong store leaves its own alone, an atomic operation adds to them.
//
// (A weak store ends nothing here: what was released before it can still be acquired.)
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
  // What a strong access does, after it has been checked for races. Lanes act one after the other.
  void access(const Access &access, SyncState &warp, const Scopes &scopes);

private:
  using Releases = std::vector<Release>;
  static void read(const Releases &from, Mask lanes, const Access &access, SyncState &warp, const Scopes &scopes);
  static void write(Releases &to, unsigned lane, const Access &access, SyncState &warp);
  static void add(Releases &to, const Release &release);

  std::unordered_map<uint64_t, Releases> words; // by address / 4
};

} // namespace tilecc::emu
#endif
