//===-- WarpClocks.h - the clocks of a warp's lanes ------------------------------------------------------------===//
//
// Each lane is a thread, and knows different things about other warps and about the other lanes of its warp. Lanes that
// know the same share a view; after a barrier or a bar.warp.sync, all lanes do. A lane that acquires something alone
// gets a view of its own until the next such point.
//
// A warp has one clock for all its lanes. It advances at each event that releases earlier accesses, so that the release
// does not cover later ones.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_WARPCLOCKS_H
#define TILECC_EMULATOR_CHECKS_WARPCLOCKS_H

#include "emulator/checks/VectorClock.h"

#include <memory>

namespace tilecc::emu {

// What lanes release at some point: their view, and their own actions so far.
struct Release {
  std::shared_ptr<const VectorClock> view;
  ActorId actor = 0;
  Mask lanes = 0;
  uint32_t clock = 0;
  uint32_t copies = 0; // number of groups of asynchronous copies for which they have waited
  Scope scope = Scope::gpu;
  bool anyBlock = false; // stands for releases of several blocks

  uint32_t block() const { return static_cast<uint32_t>(blockOf(actor)); }
  bool is(const Release &other) const {
    return view == other.view && actor == other.actor && lanes == other.lanes && clock == other.clock &&
           copies == other.copies && scope == other.scope && anyBlock == other.anyBlock;
  }
  void joinInto(VectorClock &clocks) const {
    clocks.join(*view);
    clocks.raise(actor, lanes, clock);
    clocks.raise(actor | 1, lanes, copies);
  }
  // Returns true if acquiring this release implies acquiring the other.
  bool covers(const Release &other) const;
};

class WarpClocks {
public:
  WarpClocks(uint32_t block, uint32_t warp, uint32_t warps, Mask lanes);

  const ActorId actor, copiesActor;
  uint32_t clock() const { return now; }

  // Returns true if all of these lanes are known to know all actions of the actor up to `clock`. Called very often.
  bool allKnow(Mask lanes, ActorId other, uint32_t clock) const {
    for (const Group &group : groups)
      if (group.lanes & lanes && group.view->all(other) < clock)
        return false;
    return true;
  }
  // Returns true if none of these lanes is known to know an action of the actor, which belongs to another warp, at
  // `clock`. Called very often.
  bool noneKnows(Mask lanes, ActorId other, uint32_t clock) const {
    for (const Group &group : groups)
      if (group.lanes & lanes && (group.view->all(other) >= clock || group.view->differsByLane(other)))
        return false;
    return true;
  }
  // Returns true if the action of lane `otherLane` of an actor at `clock` happened before the current action of this
  // lane.
  bool knows(unsigned lane, ActorId other, unsigned otherLane, uint32_t clock) const;
  // Returns the same if the other lane is not known: true if it holds for some lane.
  bool knowsAny(unsigned lane, ActorId other, uint32_t clock) const;

  void syncLanes(Mask lanes);
  void acquire(Mask lanes, const VectorClock &clock);
  void acquire(Mask lanes, const Release &release);
  // Adds what the lanes know and have done to `clock`. The clock of the warp must advance afterwards.
  void releaseInto(VectorClock &clock, Mask lanes) const;
  // Returns the same as a record, which lanes that execute one instruction together share.
  Release release(Mask lanes);
  // Does the same separately for groups of lanes that know different things.
  template <class F> void eachRelease(Mask lanes, F use) {
    for (size_t i = 0; i < groups.size(); ++i)
      for (Mask rest = groups[i].lanes & lanes, some; rest; rest &= ~some) {
        some = waitedAlike ? rest : rest & -rest;
        use(some, release(some));
      }
  }
  void advance() { ++now; }

  void waitForCopies(Mask lanes, uint32_t group);
  // Records that the lanes have waited for an actor, so that they know all its actions for these lanes of its warp up
  // to `clock`.
  void learn(Mask lanes, ActorId other, Mask otherLanes, uint32_t clock);
  // Implements fence.proxy.async: makes all writes that the lanes know of, including their own, visible to the
  // asynchronous proxy.
  void fenceProxies(Mask lanes, bool shared, bool global);
  // Implements tcgen05.fence::before_thread_sync and after_thread_sync of these lanes.
  void fenceTensor(Mask lanes, bool before);
  void releaseCopiesInto(VectorClock &clock, Mask lanes, uint32_t group) const;
  // Removes lanes from the warp.
  void exit(Mask lanes);

private:
  struct Group {
    Mask lanes;
    std::shared_ptr<VectorClock> view;
    bool published; // others may read the view at any time; it is immutable
  };
  const Group &groupOf(unsigned lane) const;
  VectorClock &change(Group &group);
  // Puts the lanes, which are about to learn something, into groups of their own.
  void split(Mask lanes);
  void mergeEqualGroups();
  void addSelf(VectorClock &clock, Mask lanes) const;

  uint32_t now = 1;
  Mask alive;
  std::vector<Group> groups; // their lanes are those alive
  std::array<uint32_t, 32> waited = {};
  bool waitedAlike = true;
};

} // namespace tilecc::emu
#endif
