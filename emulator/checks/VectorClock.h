//===-- VectorClock.h - what has happened before ---------------------------------------------------------------===//
//
// Threads are ordered one by one, but nearly always whole warps know whole warps. So a clock has a number for each
// actor, which holds for all its 32 lanes, and rarely, for the few actors of which more is known of some lanes than of
// others, a number for each lane.
//
// An actor is the threads of a warp, or an engine that copies for them, each with a clock of its own. What of an
// actor's writes the asynchronous proxy has been told of, by a proxy fence, is carried along in the same way, as if it
// were the clock of one more actor: who knows a fence knows what it made visible.
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

enum class Actor : uint8_t {
  threads,      // of a warp
  copies,       // cp.async of a warp; the clock is the group
  bulkReads,    // what a warp's bulk copies read that complete by groups; the clock is the group
  bulkWrites,   // what they write
  transactions, // bulk copies that complete at an mbarrier; the clock is its phase, from 1 on
  products = 7, // what the wgmma of a warp read; the clock is the group
  // Of tensor memory (tcgen05). Their clocks are the warp's own, at the time of their issue.
  tensorLoads,  // tcgen05.ld of a warp
  tensorStores, // tcgen05.st of a warp
  tensorCore,   // what the tensor core does for a thread of a warp: mma, cp
};
// What fences have told the asynchronous proxy of: the clocks are those of the threads and copies.
enum class Fenced : uint8_t { sharedByThreads = 4, sharedByCopies, globalByThreads };
// What tcgen05 fences order of a warp's work on tensor memory. `before` is the work ahead of the warp's own
// tcgen05.fence::before_thread_sync. `after` is the part of it that a reader has ordered by its
// tcgen05.fence::after_thread_sync. The clocks count the writing warp's work.
enum class TensorFenced : uint8_t { before = 11, after };

using ActorId = uint64_t;
namespace detail {
constexpr unsigned indexBits = 9;
// Plain kernels have threads and copies only, so these come first: clocks of warps that nothing else is known of are
// short.
constexpr ActorId actorId(uint32_t block, uint32_t warp, uint32_t kind) {
  return uint64_t(block) << indexBits | (kind >> 1) << 6 | warp << 1 | (kind & 1);
}
} // namespace detail
constexpr ActorId actorId(uint32_t block, uint32_t warp, Actor kind) {
  return detail::actorId(block, warp, static_cast<uint32_t>(kind));
}
// `mbarrier`: the object's offset in shared memory, in words of 8 bytes.
constexpr ActorId transactionsOf(uint32_t block, uint32_t mbarrier) {
  return uint64_t(1) << 63 | uint64_t(block) << 16 | mbarrier;
}
// Of the threads or copies of a warp.
constexpr ActorId fencedOf(ActorId actor, Fenced kind) {
  return detail::actorId(static_cast<uint32_t>(actor >> detail::indexBits), actor >> 1 & 31,
                         static_cast<uint32_t>(kind));
}
// Of a warp, whichever of its actors this is.
constexpr ActorId tensorFencedOf(ActorId actor, TensorFenced kind) {
  return detail::actorId(static_cast<uint32_t>(actor >> detail::indexBits), actor >> 1 & 31,
                         static_cast<uint32_t>(kind));
}
constexpr uint64_t blockOf(ActorId actor) { return actor >> detail::indexBits; } // of transactions: none that there is
constexpr uint32_t indexOf(ActorId actor) { return actor & ((1u << detail::indexBits) - 1); }
constexpr bool isOf(ActorId actor, Actor kind) { // not for transactions
  return (actor >> 63) == 0 && (indexOf(actor) >> 6) == static_cast<uint32_t>(kind) >> 1 &&
         (actor & 1) == (static_cast<uint32_t>(kind) & 1);
}

inline constexpr Mask everyLane = ~Mask(0);

class VectorClock {
public:
  VectorClock() : block(~0u) {} // of no block: all are others
  VectorClock(uint32_t block, uint32_t warps) : block(block), own(2 * warps) {}

  // Everything that all lanes of the actor did up to this time is known.
  uint32_t all(ActorId actor) const {
    if (blockOf(actor) == block)
      return indexOf(actor) < own.size() ? own[indexOf(actor)] : 0;
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
  // All writes that are known count as fenced from here on.
  void fenceProxies(bool shared, bool global);
  // What is known to lie before somebody's tcgen05.fence::before_thread_sync lies before our after_thread_sync.
  void fenceTensorAfter();

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
  uint32_t &ownAt(uint32_t index) {
    if (index >= own.size())
      own.resize(index + 1);
    return own[index];
  }
  void raiseAll(ActorId actor, uint32_t clock);
  void joinRemote(const VectorClock &other);
  void dropKnownLanes();

  uint32_t block;
  std::vector<uint32_t> own;  // by indexOf(actor); nothing is known of those behind its end
  std::vector<Entry> remote;  // sorted by actor
  std::vector<Lanes> lanes;   // sorted by actor
};

} // namespace tilecc::emu
#endif
