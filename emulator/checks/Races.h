//===-- Races.h - an access and what a line remembers ----------------------------------------------------------===//
//
// For each byte a line remembers the last weak write, the last strong write since, and all reads since that a write may
// race with. Something is forgotten when
//
//   - what comes now happened after it, and whatever will race with it will race with that, too: so a weak access
//     takes the place of all before it, a strong one of strong ones. (The latter is not all the truth where they are
//     of different blocks or the new one's scope is larger: a race that is one because of the old one's scope may be
//     missed.)
//   - a write comes that races with it: it has been reported;
//   - it is a strong write and another strong write comes that may be concurrent: of these only the last is known.
//     Who synchronizes with that one alone and then races with the other is not found;
//   - it is a read of global memory and there are many: once a line remembers `manySegments`, a byte's readers in two
//     blocks are enough, since no write in any block can be ordered with both unless blocks synchronize;
//   - too many warps and lanes have read: from `mostSegments` on it is not remembered which lanes of a warp did, and
//     then a race within the warp is not found; global memory then forgets what has been read longest ago.
//
// A store of the value that is there already does not race with other stores. It counts as the last write all the
// same. What several lanes of one weak store write together (the same value) counts as written by each of them, and
// what one of them does later takes the place of all.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_RACES_H
#define TILECC_EMULATOR_CHECKS_RACES_H

#include "emulator/checks/Pieces.h"
#include "emulator/checks/WarpClocks.h"

namespace tilecc::emu {

// Whether the scope of something that another block does includes us, and ours that block.
class Scopes {
public:
  using Cluster = std::function<uint64_t(uint64_t block)>;
  Scopes(const Cluster &cluster, uint32_t block) : cluster(cluster), block(block) {}
  bool include(Scope ours, uint32_t other, Scope theirs) const {
    Scope least = std::min(ours, theirs);
    return other == block || least >= Scope::gpu ||
           (least == Scope::cluster && cluster && cluster(other) == cluster(block));
  }

private:
  const Cluster &cluster;
  uint32_t block;
};

// Two accesses with nothing between them.
struct Race {
  Segment before;       // that of the other
  unsigned laneBefore;  // its lane
  unsigned lane;        // ours
  uint64_t address;     // of the first byte
  uint32_t bytes;       // how many of our lane's bytes race with that lane's
  bool scopes;          // both are strong, but not for each other
  bool proxy = false;   // they are in order, but no fence between them tells the asynchronous proxy of the earlier one
  bool tensorFence = false; // they are in order, but no pair of tcgen05.fence between them says so to the tensor core
};

struct RaceContext {
  const WarpClocks &clocks;
  const Scopes &scopes;
  const Access &access;
  bool global;
  std::vector<Race> &races; // found ones are added
  bool copyFences = false;  // LaunchChecker::Options
  ActorId inOrder = 0;      // the engine that makes this access, if its accesses for one lane are in order; 0: none
  bool tensorFences = false; // LaunchChecker::Options, and this access is to tensor memory
  uint32_t waveWarps = 0;    // LaunchChecker::Options
};

enum : uint32_t { manySegments = 8, mostSegments = 32 };

// Compares all pieces of a line, from the given one on, with what the line remembers, and adds them to it.
// `memory`: the line's bytes now, or null: values are not known.
void checkLine(SegmentList &list, Pieces &pieces, Piece &first, const std::byte *memory, RaceContext &context);

} // namespace tilecc::emu
#endif
