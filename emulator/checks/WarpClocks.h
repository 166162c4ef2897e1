//===-- WarpClocks.h - what the lanes of a warp know -----------------------------------------------------------===//
//
// Each lane is a thread with a view of its own: of other warps, and of the other lanes of its warp. Lanes that know the
// same share a view, and after a barrier or bar.warp.sync all do; a lane that acquires something alone gets a view of
// its own until they meet again.
//
// The warp has one clock for all its lanes, which advances at each event that tells others what was done before it, so
// that what is done after it is not covered.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_WARPCLOCKS_H
#define TILECC_EMULATOR_CHECKS_WARPCLOCKS_H

#include "emulator/checks/VectorClock.h"

#include <memory>

namespace tilecc::emu {

// What lanes tell others at a point: their view, and what they did themselves until then.
struct Release {
  std::shared_ptr<const VectorClock> view;
  ActorId actor = 0;
  Mask lanes = 0;
  uint32_t clock = 0;
  uint32_t copies = 0; // groups of their asynchronous copies that they have waited for
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
  // Who knows this knows all of the other.
  bool covers(const Release &other) const;
};

class WarpClocks {
public:
  WarpClocks(uint32_t block, uint32_t warp, uint32_t warps, Mask lanes);

  const ActorId actor, copiesActor;
  uint32_t clock() const { return now; }

  // Everything that the actor did up to `clock` is known to all of these lanes. May say no where it should say yes.
  // Hot.
  bool allKnow(Mask lanes, ActorId other, uint32_t clock) const {
    for (const Group &group : groups)
      if (group.lanes & lanes && group.view->all(other) < clock)
        return false;
    return true;
  }
  // None of these lanes knows of anything that the actor, of another warp, did at `clock`. May say no where it should
  // say yes. Hot.
  bool noneKnows(Mask lanes, ActorId other, uint32_t clock) const {
    for (const Group &group : groups)
      if (group.lanes & lanes && (group.view->all(other) >= clock || group.view->differsByLane(other)))
        return false;
    return true;
  }
  // What another actor's lane did at `clock` happened before what this lane does now.
  bool knows(unsigned lane, ActorId other, unsigned otherLane, uint32_t clock) const;
  // ... whichever of its lanes did it; true if that is so for any.
  bool knowsAny(unsigned lane, ActorId other, uint32_t clock) const;

  void syncLanes(Mask lanes);
  void acquire(Mask lanes, const VectorClock &clock);
  void acquire(Mask lanes, const Release &release);
  // Adds what the lanes know and did to a clock. Then the warp's clock must advance.
  void releaseInto(VectorClock &clock, Mask lanes) const;
  // The same as a record. Lanes that do it together, by one instruction, share it.
  Release release(Mask lanes);
  // The same, apart for lanes that know different things.
  template <class F> void eachRelease(Mask lanes, F use) {
    for (size_t i = 0; i < groups.size(); ++i)
      for (Mask rest = groups[i].lanes & lanes, some; rest; rest &= ~some) {
        some = waitedAlike ? rest : rest & -rest;
        use(some, release(some));
      }
  }
  void advance() { ++now; }

  void waitForCopies(Mask lanes, uint32_t group);
  // The lanes know what the actor did for these lanes of its warp up to this clock, by a wait.
  void learn(Mask lanes, ActorId other, Mask otherLanes, uint32_t clock);
  // fence.proxy.async: the asynchronous proxy is told of all writes that the lanes know of, their own included.
  void fenceProxies(Mask lanes, bool shared, bool global);
  // The lanes' tcgen05.fence::before_thread_sync or after_thread_sync.
  void fenceTensor(Mask lanes, bool before);
  void releaseCopiesInto(VectorClock &clock, Mask lanes, uint32_t group) const;
  // From here on the warp is its other lanes.
  void exit(Mask lanes);

private:
  struct Group {
    Mask lanes;
    std::shared_ptr<VectorClock> view;
    bool published; // others may look at the view at any time: it changes no more
  };
  const Group &groupOf(unsigned lane) const;
  VectorClock &change(Group &group);
  // Makes groups of their own of the lanes that are to learn something.
  void split(Mask lanes);
  void mergeEqualGroups();
  void addSelf(VectorClock &clock, Mask lanes) const;

  uint32_t now = 1;
  Mask alive;
  std::vector<Group> groups; // whose lanes are those alive
  std::array<uint32_t, 32> waited = {};
  bool waitedAlike = true;
};

} // namespace tilecc::emu
#endif
