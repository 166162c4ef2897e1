//===-- WarpClocks.cpp - the clocks of a warp's lanes ----------------------------------------------------------===//
#include "emulator/checks/WarpClocks.h"

using namespace tilecc::emu;

WarpClocks::WarpClocks(uint32_t block, uint32_t warp, uint32_t warps, Mask lanes)
    : actor(actorId(block, warp, Actor::threads)), copiesActor(actorId(block, warp, Actor::copies)), alive(lanes) {
  groups.push_back({lanes, std::make_shared<VectorClock>(block, warps), false});
}

const WarpClocks::Group &WarpClocks::groupOf(unsigned lane) const {
  for (const Group &group : groups)
    if (group.lanes >> lane & 1)
      return group;
  return groups.front(); // the knowledge of a lane that has exited no longer changes
}

bool WarpClocks::knows(unsigned lane, ActorId other, unsigned otherLane, uint32_t clock) const {
  if (lane == otherLane && (other == actor || (other == copiesActor && waited[lane] >= clock)))
    return true;
  return groupOf(lane).view->lane(other, otherLane) >= clock;
}

bool WarpClocks::knowsAny(unsigned lane, ActorId other, uint32_t clock) const {
  for (unsigned otherLane = 0; otherLane < 32; ++otherLane)
    if (knows(lane, other, otherLane, clock))
      return true;
  return false;
}

VectorClock &WarpClocks::change(Group &group) {
  if (group.published || group.view.use_count() > 1) {
    group.view = std::make_shared<VectorClock>(*group.view);
    group.published = false;
  }
  return *group.view;
}

void WarpClocks::split(Mask lanes) {
  for (size_t i = 0, count = groups.size(); i < count; ++i)
    if (Mask part = groups[i].lanes & lanes; part && part != groups[i].lanes) {
      groups[i].lanes &= ~part;
      groups.push_back({part, groups[i].view, groups[i].published});
    }
}

void WarpClocks::mergeEqualGroups() {
  for (size_t i = 0; i < groups.size(); ++i)
    for (size_t k = groups.size() - 1; k > i; --k)
      if (groups[i].view->covers(*groups[k].view) && groups[k].view->covers(*groups[i].view)) {
        groups[i].lanes |= groups[k].lanes;
        groups.erase(groups.begin() + k);
      }
}

// Adds the actions of the lanes themselves so far.
void WarpClocks::addSelf(VectorClock &clock, Mask lanes) const {
  bool all = (lanes & alive) == alive;
  clock.raise(actor, all ? everyLane : lanes, now);
  if (all && waitedAlike)
    clock.raise(copiesActor, everyLane, waited[std::countr_zero(alive)]);
  else
    for (Mask rest = lanes; rest; rest &= rest - 1)
      clock.raise(copiesActor, rest & -rest, waited[std::countr_zero(rest)]);
}

void WarpClocks::syncLanes(Mask lanes) {
  lanes &= alive;
  if (!lanes)
    return;
  if (groups.size() > 1 || lanes != alive) {
    split(lanes);
    // Merge the groups of these lanes into the first one: it gets their lanes, and joins their views.
    Group *together = nullptr;
    for (Group &group : groups)
      if (group.lanes & lanes) {
        if (together) {
          change(*together).join(*group.view);
          together->lanes |= group.lanes;
          group.lanes = 0;
        } else {
          together = &group;
        }
      }
    std::erase_if(groups, [](const Group &group) { return !group.lanes; });
  }
  for (Group &group : groups)
    if (group.lanes == lanes)
      addSelf(change(group), lanes);
  advance();
}

void WarpClocks::acquire(Mask lanes, const VectorClock &clock) {
  split(lanes);
  for (Group &group : groups)
    if (group.lanes & lanes)
      change(group).join(clock);
  if (groups.size() > 1)
    mergeEqualGroups();
}

void WarpClocks::acquire(Mask lanes, const Release &release) {
  // If the lanes know the release point of the other lanes, they know everything that those lanes knew, and there is
  // nothing to do. This is common in polling loops.
  bool known = release.clock != 0;
  if (release.lanes == everyLane)
    known = known && allKnow(lanes, release.actor, release.clock);
  else
    for (Mask rest = lanes; rest && known; rest &= rest - 1)
      for (Mask others = release.lanes; others && known; others &= others - 1)
        known = knows(std::countr_zero(rest), release.actor, std::countr_zero(others), release.clock);
  if (known)
    return;
  split(lanes);
  for (Group &group : groups)
    if (group.lanes & lanes)
      release.joinInto(change(group));
}

bool Release::covers(const Release &other) const {
  if (!other.clock || other.lanes == everyLane)
    return other.clock && view->all(other.actor) >= other.clock;
  for (Mask rest = other.lanes; rest; rest &= rest - 1)
    if (unsigned lane = std::countr_zero(rest); view->lane(other.actor, lane) < other.clock)
      if (other.actor != actor || !(lanes >> lane & 1) || clock < other.clock)
        return false;
  return true;
}

Release WarpClocks::release(Mask lanes) {
  lanes &= alive;
  uint32_t copies = waited[std::countr_zero(lanes)];
  bool copiesAlike = waitedAlike;
  Group *first = nullptr;
  uint32_t count = 0;
  for (Group &group : groups)
    if (group.lanes & lanes && !count++)
      first = &group;
  Release release{nullptr, actor, lanes == alive ? everyLane : lanes, now, copies, Scope::gpu, false};
  if (count == 1 && (copiesAlike || std::has_single_bit(lanes))) {
    first->published = true;
    release.view = first->view;
    return release;
  }
  auto view = std::make_shared<VectorClock>(*first->view);
  for (const Group &group : groups)
    if (group.lanes & lanes)
      view->join(*group.view);
  addSelf(*view, lanes);
  release.view = view;
  release.copies = 0;
  return release;
}

void WarpClocks::releaseInto(VectorClock &clock, Mask lanes) const {
  lanes &= alive;
  for (const Group &group : groups)
    if (group.lanes & lanes)
      clock.join(*group.view);
  addSelf(clock, lanes);
}

void WarpClocks::waitForCopies(Mask lanes, uint32_t group) {
  for (Mask rest = lanes; rest; rest &= rest - 1)
    waited[std::countr_zero(rest)] = std::max(waited[std::countr_zero(rest)], group);
  waitedAlike = true;
  for (Mask rest = alive; rest; rest &= rest - 1)
    waitedAlike &= waited[std::countr_zero(rest)] == waited[std::countr_zero(alive)];
}

void WarpClocks::learn(Mask lanes, ActorId other, Mask otherLanes, uint32_t clock) {
  lanes &= alive;
  split(lanes);
  for (Group &group : groups)
    if (group.lanes & lanes)
      change(group).raise(other, otherLanes, clock);
  advance();
}

void WarpClocks::fenceProxies(Mask lanes, bool shared, bool global) {
  lanes &= alive;
  split(lanes);
  for (Group &group : groups)
    if (group.lanes & lanes) {
      VectorClock &view = change(group);
      view.fenceProxies(shared, global);
      Mask own = group.lanes == alive ? everyLane : group.lanes;
      if (global)
        view.raise(fencedOf(actor, Fenced::globalByThreads), own, now);
      if (!shared)
        continue;
      view.raise(fencedOf(actor, Fenced::sharedByThreads), own, now);
      for (Mask rest = group.lanes; rest; rest &= rest - 1)
        view.raise(fencedOf(copiesActor, Fenced::sharedByCopies), rest & -rest, waited[std::countr_zero(rest)]);
    }
  if (groups.size() > 1)
    mergeEqualGroups();
  advance();
}

void WarpClocks::fenceTensor(Mask lanes, bool before) {
  lanes &= alive;
  split(lanes);
  for (Group &group : groups)
    if (group.lanes & lanes) {
      if (before)
        change(group).raise(tensorFencedOf(actor, TensorFenced::before), group.lanes == alive ? everyLane : group.lanes,
                            now);
      else
        change(group).fenceTensorAfter();
    }
  if (groups.size() > 1)
    mergeEqualGroups();
  advance();
}

void WarpClocks::releaseCopiesInto(VectorClock &clock, Mask lanes, uint32_t group) const {
  releaseInto(clock, lanes);
  clock.raise(copiesActor, (lanes & alive) == alive ? everyLane : lanes, group);
}

void WarpClocks::exit(Mask lanes) {
  if ((lanes & alive) == alive) // no lane is left
    return;
  alive &= ~lanes;
  for (Group &group : groups)
    group.lanes &= ~lanes;
  std::erase_if(groups, [](const Group &group) { return !group.lanes; });
}
