//===-- WarpClocks.h - the clocks of a warp's lanes ------------------------------------------------------------===//
//
// Each lane is a thread with its own view of other warps and of the other lanes of its warp. A lane *knows* an action
// if the action happened before the current action of the lane. Lanes with the same knowledge share a view, as all
// lanes do after a barrier or bar.warp.sync. A lane that acquires something alone gets its own view until the next such
// point.
//
// A warp has one clock for all its lanes. It advances at each event that releases earlier accesses, so that later
// accesses are not covered by the release.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_WARPCLOCKS_H
#define TILECC_EMULATOR_CHECKS_WARPCLOCKS_H

#include "emulator/checks/VectorClock.h"

#include <memory>

namespace tilecc::emu {

// The state that lanes release at a point: their view, and their actions so far.
struct Release {
  std::shared_ptr<const VectorClock> view;
  ActorId actor = 0;
  Mask lanes = 0;
  uint32_t clock = 0;
  uint32_t copies = 0; // the groups of their asynchronous copies for which they have waited
  Scope scope = Scope::gpu;
  bool anyBlock = false; // represents releases of several blocks

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
  // Acquiring this implies acquiring the other.
  bool covers(const Release &other) const;
};

class WarpClocks {
public:
  WarpClocks(uint32_t block, uint32_t warp, uint32_t warps, Mask lanes);

  const ActorId actor, copiesActor;
  uint32_t clock() const { return now; }

  // Returns true if all actions of the other actor up to `clock` happened before the current action of each of these
  // lanes. May return false negatives. This function is on the hot path.
  bool allKnow(Mask lanes, ActorId other, uint32_t clock) const {
    for (const Group &group : groups)
      if (group.lanes & lanes && group.view->all(other) < clock)
        return false;
    return true;
  }
  // Returns true if no action of the other actor, which belongs to another warp, at `clock` happened before the current
  // action of any of these lanes. May return false negatives. This function is on the hot path.
  bool noneKnows(Mask lanes, ActorId other, uint32_t clock) const {
    for (const Group &group : groups)
      if (group.lanes & lanes && (group.view->all(other) >= clock || group.view->differsByLane(other)))
        return false;
    return true;
  }
  // Returns true if an action of a lane of another actor at `clock` happened before the current action of this lane.
  bool knows(unsigned lane, ActorId other, unsigned otherLane, uint32_t clock) const;
  // Returns true if knows() is true for any lane of the other actor. Used if the other lane is not recorded.
  bool knowsAny(unsigned lane, ActorId other, uint32_t clock) const;

  void syncLanes(Mask lanes);
  void acquire(Mask lanes, const VectorClock &clock);
  void acquire(Mask lanes, const Release &release);
  // Adds the knowledge and the actions of the lanes to a clock. The warp's clock must then advance.
  void releaseInto(VectorClock &clock, Mask lanes) const;
  // Returns the knowledge and the actions of the lanes as a record. Lanes that execute one instruction together share
  // it.
  Release release(Mask lanes);
  // Calls use(lanes, release) for each group of these lanes with the same knowledge.
  template <class F> void eachRelease(Mask lanes, F use) {
    for (size_t i = 0; i < groups.size(); ++i)
      for (Mask rest = groups[i].lanes & lanes, some; rest; rest &= ~some) {
        some = waitedAlike ? rest : rest & -rest;
        use(some, release(some));
      }
  }
  void advance() { ++now; }

  void waitForCopies(Mask lanes, uint32_t group);
  // Records that, by a wait, the lanes know all actions of the actor for these lanes of its warp up to this clock.
  void learn(Mask lanes, ActorId other, Mask otherLanes, uint32_t clock);
  // fence.proxy.async: makes all writes that the lanes know of, including their own, visible to the asynchronous proxy.
  void fenceProxies(Mask lanes, bool shared, bool global);
  // tcgen05.fence::before_thread_sync or after_thread_sync of these lanes.
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
  // Splits off the lanes that will learn something into their own groups.
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
