//===-- VectorClock.h - clocks of the happens-before relation --------------------------------------------------===//
//
// Threads are ordered individually, but synchronization is nearly always between whole warps. So a clock has one number
// for each actor, which is valid for all 32 lanes of the actor. For the few actors whose lanes are known to different
// degrees, it has a number for each lane.
//
// An actor is the threads of a warp, or an engine that copies for them; each has its own clock. A proxy fence makes the
// writes of an actor visible to the asynchronous proxy. This is represented by the clock of one more actor: whoever
// knows of the fence also knows the writes that it made visible.
//
// A clock belongs to a block. The actors of this block are in an array. The actors of other blocks, which matter only
// to kernels that synchronize between blocks, are in a sorted list.
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

enum class Actor : uint8_t {
  threads, // of a warp
  copies, // cp.async of a warp; the clock counts groups
  bulkReads, // reads of a warp's bulk copies that complete by group; the clock counts groups
  bulkWrites, // their writes
  transactions, // bulk copies that complete at an mbarrier; the clock is its phase, from 1
  wgmmas = 7, // reads of a warp's wgmma; the clock counts groups
  // For tensor memory (tcgen05). The clocks are the warp's own, at the time of issue.
  tensorLoads, // tcgen05.ld of a warp
  tensorStores, // tcgen05.st of a warp
  tensorCore, // work of the tensor core for a thread of a warp: mma, cp
};
// Actors for writes that fences have made visible to the asynchronous proxy. Their clocks are those of the threads and
// copies.
enum class Fenced : uint8_t { sharedByThreads = 4, sharedByCopies, globalByThreads };
// How tcgen05 fences order a warp's work on tensor memory. `before` is the work that precedes the warp's own
// tcgen05.fence::before_thread_sync. `after` is the part of it that a reader has ordered by its
// tcgen05.fence::after_thread_sync. The clocks count the writing warp's work.
enum class TensorFenced : uint8_t { before = 11, after };

using ActorId = uint64_t;
namespace detail {
constexpr unsigned indexBits = 9;
// Ordinary kernels have only threads and copies. These kinds come first, so that the clocks of such kernels are short.
constexpr ActorId actorId(uint32_t block, uint32_t warp, uint32_t kind) {
  return uint64_t(block) << indexBits | (kind >> 1) << 6 | warp << 1 | (kind & 1);
}
} // namespace detail
constexpr ActorId actorId(uint32_t block, uint32_t warp, Actor kind) {
  return detail::actorId(block, warp, static_cast<uint32_t>(kind));
}
// `mbarrier`: the object's offset in shared memory, in 8-byte words.
constexpr ActorId transactionsOf(uint32_t block, uint32_t mbarrier) {
  return uint64_t(1) << 63 | uint64_t(block) << 16 | mbarrier;
}
// Returns the actor that stands for the proxy fences after writes of the threads or copies of a warp.
constexpr ActorId fencedOf(ActorId actor, Fenced kind) {
  return detail::actorId(static_cast<uint32_t>(actor >> detail::indexBits), actor >> 1 & 31,
                         static_cast<uint32_t>(kind));
}
// Returns the actor that stands for the tcgen05 fences of the warp to which an actor belongs.
constexpr ActorId tensorFencedOf(ActorId actor, TensorFenced kind) {
  return detail::actorId(static_cast<uint32_t>(actor >> detail::indexBits), actor >> 1 & 31,
                         static_cast<uint32_t>(kind));
}
constexpr uint64_t blockOf(ActorId actor) { return actor >> detail::indexBits; } // for transactions: not a real block
constexpr uint32_t indexOf(ActorId actor) { return actor & ((1u << detail::indexBits) - 1); }
constexpr bool isOf(ActorId actor, Actor kind) { // not for transactions
  return (actor >> 63) == 0 && (indexOf(actor) >> 6) == static_cast<uint32_t>(kind) >> 1 &&
         (actor & 1) == (static_cast<uint32_t>(kind) & 1);
}

inline constexpr Mask everyLane = ~Mask(0);

class VectorClock {
public:
  VectorClock() : block(~0u) {} // of no block: all actors are remote
  VectorClock(uint32_t block, uint32_t warps) : block(block), own(2 * warps) {}

  // Returns the time up to which the actions of all lanes of `actor` are known.
  uint32_t all(ActorId actor) const {
    if (blockOf(actor) == block)
      return indexOf(actor) < own.size() ? own[indexOf(actor)] : 0;
    return remote.empty() ? 0 : remoteAll(actor);
  }
  // Returns the same for one lane.
  uint32_t lane(ActorId actor, unsigned lane) const {
    uint32_t clock = all(actor);
    return lanes.empty() ? clock : std::max(clock, laneBeyond(actor, lane));
  }

  // Returns true if more may be known about some lanes than about all lanes.
  bool differsByLane(ActorId actor) const { return !lanes.empty() && hasLanes(actor); }

  void raise(ActorId actor, Mask which, uint32_t clock);
  void join(const VectorClock &other);
  bool covers(const VectorClock &other) const;
  // Marks all writes that are known as fenced.
  void fenceProxies(bool shared, bool global);
  // Records that an after_thread_sync of this warp orders everything that is known to precede a
  // tcgen05.fence::before_thread_sync.
  void fenceTensorAfter();

private:
  struct Entry {
    ActorId actor;
    uint32_t clock;
  };
  struct Lanes {
    ActorId actor;
    std::array<uint32_t, 32> clocks; // if greater than all()
  };

  uint32_t remoteAll(ActorId actor) const;
  bool hasLanes(ActorId actor) const;
  uint32_t laneBeyond(ActorId actor, unsigned lane) const;
  uint32_t &ownAt(uint32_t index) {
    if (index >= own.size())
      own.resize(index + 1);
    return own[index];
  }
  void raiseAll(ActorId actor, uint32_t clock);
  void joinRemote(const VectorClock &other);
  void dropKnownLanes();

  uint32_t block;
  std::vector<uint32_t> own; // indexed by indexOf(actor); nothing is known beyond the end
  std::vector<Entry> remote; // sorted by actor
  std::vector<Lanes> lanes; // sorted by actor
};

} // namespace tilecc::emu
#endif
