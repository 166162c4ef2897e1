//===-- Races.h - compares an access with those recorded for a line --------------------------------------------===//
//
// For each byte, a line records the last weak write, the last strong write since, and all reads since that could race
// with a write. A record is dropped when
//
//   - the current access happens after it, and every later access that would race with it also races with the current
//     one: a weak access replaces everything before it, a strong access replaces strong ones. (The latter is inexact if
//     they are of different blocks or the new scope is larger: a race that exists only because of the old scope may be
//     missed.)
//   - a write races with it: the race has been reported.
//   - it is a strong write and a possibly concurrent strong write follows: only the last one is recorded. A thread that
//     synchronizes only with the last one and then races with the other is not found.
//   - it is a read of global memory and there are many: if a line has more than `manySegments` records, readers in two
//     blocks are enough for each byte, because no write can be ordered with both unless blocks synchronize.
//   - too many warps and lanes have read: from `maxSegments` on, the lanes of a warp are not recorded, so races within
//     the warp are not found; global memory then drops the oldest reads.
//
// A store of the value that is already in memory does not race with other stores, but is recorded as the last write. If
// several lanes of one weak store write the same value, it counts as written by each of them, and a later access of any
// of these lanes replaces all records.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_RACES_H
#define TILECC_EMULATOR_CHECKS_RACES_H

#include "emulator/checks/Pieces.h"
#include "emulator/checks/WarpClocks.h"

namespace tilecc::emu {

// Decides whether the scope of another block's access includes this block, and whether the scope of this block's access
// includes the other.
class Scopes {
public:
  // Maps a block to the group that it belongs to. If it is null, each block is in a cluster of its own, or all blocks
  // are on one device.
  using Group = std::function<uint64_t(uint64_t block)>;
  Scopes(const Group &cluster, const Group &device, uint32_t block) : cluster(cluster), device(device), block(block) {}
  bool include(Scope ours, uint32_t other, Scope theirs) const {
    if (other == block)
      return true;
    switch (std::min(ours, theirs)) {
    case Scope::cta: return false;
    case Scope::cluster: return cluster && cluster(other) == cluster(block);
    case Scope::gpu: return !device || device(other) == device(block);
    case Scope::sys: return true;
    }
    return false;
  }

private:
  const Group &cluster, &device;
  uint32_t block;
};

// Two accesses that race: no synchronization orders them.
struct Race {
  Segment before; // the other access
  unsigned laneBefore; // its lane
  unsigned lane; // the current lane
  uint64_t address; // of the first byte
  uint32_t bytes; // number of bytes of the current lane that race with those of the other
  bool scopes; // both are strong, but with insufficient scopes
  bool proxy = false; // they are ordered, but no proxy fence makes the earlier one visible to the asynchronous proxy
  bool tensorFence = false; // they are ordered, but no pair of tcgen05 fences makes that known to the tensor core
};

struct RaceContext {
  const WarpClocks &clocks;
  const Scopes &scopes;
  const Access &access;
  bool global;
  std::vector<Race> &races; // races are appended
  bool copyFences = false; // LaunchChecker::Options
  ActorId inOrder = 0; // the engine of this access, if it accesses memory in order for each lane; 0: none
  bool tensorFences = false; // from LaunchChecker::Options, if this access is to tensor memory
  uint32_t waveWarps = 0; // LaunchChecker::Options
};

enum : uint32_t { manySegments = 8, maxSegments = 32 };

// Compares all pieces of a line, from the given one on, with the records of the line, and then adds the pieces to the
// records. `memory` points to the current contents of the line; null if they are not known.
void checkLine(SegmentList &list, Pieces &pieces, Piece &first, const std::byte *memory, RaceContext &context);

} // namespace tilecc::emu
#endif
