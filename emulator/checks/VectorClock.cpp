//===-- VectorClock.cpp - clocks of the happens-before relation ------------------------------------------------===//
#include "emulator/checks/VectorClock.h"

#include <algorithm>

using namespace tilecc::emu;

// Returns the position of an actor in a list, or the position at which to insert it.
template <class List> static auto find(List &list, ActorId actor) {
  return std::lower_bound(list.begin(), list.end(), actor,
                          [](const auto &entry, ActorId a) { return entry.actor < a; });
}

uint32_t VectorClock::remoteAll(ActorId actor) const {
  auto at = find(remote, actor);
  return at != remote.end() && at->actor == actor ? at->clock : 0;
}

bool VectorClock::hasLanes(ActorId actor) const {
  auto at = find(lanes, actor);
  return at != lanes.end() && at->actor == actor;
}

uint32_t VectorClock::laneBeyond(ActorId actor, unsigned lane) const {
  auto at = find(lanes, actor);
  return at != lanes.end() && at->actor == actor ? at->clocks[lane] : 0;
}

void VectorClock::raiseAll(ActorId actor, uint32_t clock) {
  if (blockOf(actor) == block) {
    uint32_t &known = ownAt(indexOf(actor));
    known = std::max(known, clock);
    return;
  }
  auto at = find(remote, actor);
  if (at != remote.end() && at->actor == actor)
    at->clock = std::max(at->clock, clock);
  else
    remote.insert(at, {actor, clock});
}

void VectorClock::raise(ActorId actor, Mask which, uint32_t clock) {
  if (which == everyLane) {
    raiseAll(actor, clock);
    if (!lanes.empty())
      dropKnownLanes();
    return;
  }
  if (!which || all(actor) >= clock)
    return;
  auto at = find(lanes, actor);
  if (at == lanes.end() || at->actor != actor)
    at = lanes.insert(at, Lanes{actor, {}});
  for (unsigned lane = 0; lane < 32; ++lane)
    if (which >> lane & 1)
      at->clocks[lane] = std::max(at->clocks[lane], clock);
  uint32_t least = *std::min_element(at->clocks.begin(), at->clocks.end());
  if (least > all(actor)) {
    raiseAll(actor, least);
    dropKnownLanes();
  }
}

void VectorClock::dropKnownLanes() {
  std::erase_if(lanes, [&](const Lanes &entry) {
    return *std::max_element(entry.clocks.begin(), entry.clocks.end()) <= all(entry.actor);
  });
}

// Joins the knowledge of `other` about blocks other than its own.
void VectorClock::joinRemote(const VectorClock &other) {
  std::vector<Entry> merged;
  merged.reserve(remote.size() + other.remote.size() + other.own.size());
  auto mine = remote.begin();
  auto add = [&](Entry entry) {
    for (; mine != remote.end() && mine->actor < entry.actor; ++mine)
      merged.push_back(*mine);
    if (mine != remote.end() && mine->actor == entry.actor)
      entry.clock = std::max(entry.clock, mine++->clock);
    merged.push_back(entry);
  };
  auto addOwn = [&] {
    for (uint32_t index = 0; index < other.own.size(); ++index)
      if (other.own[index])
        add({actorId(other.block, 0, Actor::threads) | index, other.own[index]});
  };
  bool ownAdded = other.block == block;
  for (const Entry &entry : other.remote) {
    if (!ownAdded && blockOf(entry.actor) > other.block) {
      addOwn();
      ownAdded = true;
    }
    if (blockOf(entry.actor) == block)
      raiseAll(entry.actor, entry.clock);
    else
      add(entry);
  }
  if (!ownAdded)
    addOwn();
  merged.insert(merged.end(), mine, remote.end());
  remote = std::move(merged);
}

void VectorClock::join(const VectorClock &other) {
  if (other.block == block) {
    if (own.size() < other.own.size())
      own.resize(other.own.size());
    for (size_t i = 0; i < other.own.size(); ++i)
      own[i] = std::max(own[i], other.own[i]);
  }
  if (other.block != block || !other.remote.empty())
    joinRemote(other);
  for (const Lanes &entry : other.lanes) {
    auto at = find(lanes, entry.actor);
    if (at == lanes.end() || at->actor != entry.actor)
      at = lanes.insert(at, Lanes{entry.actor, {}});
    for (unsigned lane = 0; lane < 32; ++lane)
      at->clocks[lane] = std::max(at->clocks[lane], entry.clocks[lane]);
  }
  for (size_t i = 0; i < lanes.size(); ++i)
    if (uint32_t least = *std::min_element(lanes[i].clocks.begin(), lanes[i].clocks.end()))
      raiseAll(lanes[i].actor, least);
  if (!lanes.empty())
    dropKnownLanes();
}

bool VectorClock::covers(const VectorClock &other) const {
  for (uint32_t index = 0; index < other.own.size(); ++index)
    if (all(actorId(other.block, 0, Actor::threads) | index) < other.own[index])
      return false;
  for (const Entry &entry : other.remote)
    if (all(entry.actor) < entry.clock)
      return false;
  for (const Lanes &entry : other.lanes)
    for (unsigned i = 0; i < 32; ++i)
      if (lane(entry.actor, i) < std::max(entry.clocks[i], other.all(entry.actor)))
        return false;
  return true;
}

void VectorClock::fenceTensorAfter() {
  auto isBefore = [](ActorId actor) {
    return (actor >> 63) == 0 && indexOf(actor) == indexOf(tensorFencedOf(actor, TensorFenced::before));
  };
  auto after = [](ActorId actor) { return tensorFencedOf(actor, TensorFenced::after); };
  for (uint32_t index = 0; index < own.size(); ++index)
    if (ActorId actor = actorId(block, 0, Actor::threads) | index; own[index] && isBefore(actor))
      raiseAll(after(actor), own[index]);
  for (const Entry &entry : std::vector<Entry>(remote))
    if (isBefore(entry.actor))
      raiseAll(after(entry.actor), entry.clock);
  for (const Lanes &entry : std::vector<Lanes>(lanes))
    for (unsigned lane = 0; lane < 32 && isBefore(entry.actor); ++lane)
      if (entry.clocks[lane])
        raise(after(entry.actor), Mask(1) << lane, entry.clocks[lane]);
}

void VectorClock::fenceProxies(bool toShared, bool toGlobal) {
  auto eachFenced = [&](ActorId actor, auto raiseTo) {
    if (isOf(actor, Actor::threads)) {
      if (toShared)
        raiseTo(fencedOf(actor, Fenced::sharedByThreads));
      if (toGlobal)
        raiseTo(fencedOf(actor, Fenced::globalByThreads));
    } else if (isOf(actor, Actor::copies) && toShared) {
      raiseTo(fencedOf(actor, Fenced::sharedByCopies));
    }
  };
  for (uint32_t index = 0; index < own.size(); ++index)
    if (uint32_t clock = own[index])
      eachFenced(actorId(block, 0, Actor::threads) | index, [&](ActorId fenced) { raiseAll(fenced, clock); });
  for (const Entry &entry : std::vector<Entry>(remote))
    eachFenced(entry.actor, [&](ActorId fenced) { raiseAll(fenced, entry.clock); });
  for (const Lanes &entry : std::vector<Lanes>(lanes))
    eachFenced(entry.actor, [&](ActorId fenced) {
      for (unsigned lane = 0; lane < 32; ++lane)
        if (entry.clocks[lane])
          raise(fenced, Mask(1) << lane, entry.clocks[lane]);
    });
}
