//===-- VectorClock.h - what has happened before ---------------------------------------------------------------===//
//
// Threads are ordered one by one, but nearly always whole warps know whole warps. So a clock has a number for each
// actor, which holds for all its 32 lanes, and rarely, for the few actors of which more is known of some lanes than of
// others, a number for each lane. An actor is a warp, or the asynchronous copies of a warp.
//
// A clock belongs to a block: the block's own actors are an array, those of other blocks, of which kernels that do
// not synchronize across blocks know nothing, a sorted list.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_VECTORCLOCK_H
#define TILECC_EMULATOR_CHECKS_VECTORCLOCK_H

#include "emulator/checks/Checker.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace tilecc::emu {

using ActorId = uint64_t;
constexpr ActorId actorId(uint32_t block, uint32_t warp, bool async) {
  return uint64_t(block) << 7 | warp << 1 | (async ? 1 : 0);
}
constexpr uint32_t blockOf(ActorId actor) { return static_cast<uint32_t>(actor >> 7); }
constexpr uint32_t indexOf(ActorId actor) { return actor & 127; }

inline constexpr Mask everyLane = ~Mask(0);

class VectorClock {
public:
  VectorClock() : block(~0u) {} // of no block: all are others
  VectorClock(uint32_t block, uint32_t warps) : block(block), own(2 * warps) {}

  // Everything that all lanes of the actor did up to this time is known.
  uint32_t all(ActorId actor) const {
    if (blockOf(actor) == block)
      return own[indexOf(actor)];
    return remote.empty() ? 0 : remoteAll(actor);
  }
  // The same for one lane.
  uint32_t lane(ActorId actor, unsigned lane) const {
    uint32_t clock = all(actor);
    return lanes.empty() ? clock : std::max(clock, laneBeyond(actor, lane));
  }

  // More is known of some lanes than of all. May say yes where it should say no.
  bool differsByLane(ActorId actor) const { return !lanes.empty() && hasLanes(actor); }

  void raise(ActorId actor, Mask which, uint32_t clock);
  void join(const VectorClock &other);
  bool covers(const VectorClock &other) const;

private:
  struct Entry {
    ActorId actor;
    uint32_t clock;
  };
  struct Lanes {
    ActorId actor;
    std::array<uint32_t, 32> clocks; // where they are beyond all()
  };

  uint32_t remoteAll(ActorId actor) const;
  bool hasLanes(ActorId actor) const;
  uint32_t laneBeyond(ActorId actor, unsigned lane) const;
  void raiseAll(ActorId actor, uint32_t clock);
  void joinRemote(const VectorClock &other);
  void dropKnownLanes();

  uint32_t block;
  std::vector<uint32_t> own;  // by indexOf(actor)
  std::vector<Entry> remote;  // sorted by actor
  std::vector<Lanes> lanes;   // sorted by actor
};

} // namespace tilecc::emu
#endif
