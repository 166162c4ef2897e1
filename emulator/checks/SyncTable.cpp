//===-- SyncTable.cpp - how strong accesses order threads ------------------------------------------------------===//
#include "emulator/checks/SyncTable.h"

#include <bit>

using namespace tilecc::emu;

// More of them at one place become one, which then counts as made by any block.
enum : size_t { mostReleases = 8 };

static bool sameEvent(const Release &a, const Release &b) {
  return !a.manyBlocks && !b.manyBlocks && a.view == b.view && a.actor == b.actor && a.clock == b.clock &&
         a.scope == b.scope && a.copies == b.copies;
}

static bool include(const Scopes &scopes, Scope ours, const Release &release) {
  return release.manyBlocks || scopes.include(ours, release.block(), release.scope);
}

// Adds a record to a list of pairs of lanes and records.
template <class List> static void addFor(List &list, Mask lanes, const Release &release) {
  for (auto &entry : list)
    if (sameEvent(entry.release, release) && entry.release.lanes == release.lanes) {
      entry.lanes |= lanes;
      return;
    }
  list.push_back({lanes, release});
}

template <class List> static void remove(List &list, Mask lanes, auto condition) {
  for (auto &entry : list)
    if (condition(entry.release))
      entry.lanes &= ~lanes;
  std::erase_if(list, [](const auto &entry) { return !entry.lanes; });
}

void SyncState::fence(Mask lanes, Scope scope, const Scopes &scopes) {
  // What strong reads have found is acquired. It stays there for a fence of larger scope.
  for (Read &read : reads)
    if (Mask acquiring = read.lanes & lanes; acquiring && include(scopes, scope, read.release))
      clocks.acquire(acquiring, read.release);
  remove(reads, lanes, [&](const Release &release) { return include(scopes, scope, release); });
  // Strong writes will release what is known and done now.
  remove(fences, lanes, [&](const Release &release) { return release.scope <= scope; });
  clocks.eachRelease(lanes, [&](Release release) {
    release.scope = scope;
    fences.push_back({lanes & release.lanes, release});
  });
  clocks.advance();
}

// One record that stands for several.
template <class List> static Release unite(const List &list, auto releaseOf) {
  auto view = std::make_shared<VectorClock>();
  for (const auto &entry : list) {
    const Release &release = releaseOf(entry);
    view->join(*release.view);
    if (!release.manyBlocks) {
      view->raise(release.actor, release.lanes, release.clock);
      view->raise(release.actor | 1, release.lanes, release.copies);
    }
  }
  return {view, 0, 0, 0, 0, Scope::sys, true};
}

void SyncTable::add(Releases &to, const Release &release) {
  for (Release &other : to)
    if (sameEvent(other, release)) {
      other.lanes |= release.lanes;
      return;
    }
  to.push_back(release);
  if (to.size() > mostReleases)
    to.assign(1, unite(to, [](const Release &one) { return one; }));
}

void SyncTable::read(const Releases &from, Mask lanes, const Access &access, SyncState &warp, const Scopes &scopes) {
  bool acquires = access.order == Order::acquire || access.order == Order::acquireRelease;
  for (const Release &release : from) {
    if (!include(scopes, access.scope, release))
      continue;
    if (acquires) {
      warp.clocks.acquire(lanes, release);
      continue;
    }
    Release seen = release;
    seen.scope = std::min(release.scope, access.scope);
    addFor(warp.reads, lanes, seen);
  }
  // Reads that nobody fences.
  if (warp.reads.size() > 4 * mostReleases)
    warp.reads.assign(1, {everyLane, unite(warp.reads, [](const SyncState::Read &one) { return one.release; })});
}

void SyncTable::write(Releases &to, unsigned lane, const Access &access, SyncState &warp) {
  if (access.order == Order::release || access.order == Order::acquireRelease) {
    warp.clocks.eachRelease(Mask(1) << lane, [&](Release release) {
      release.scope = access.scope;
      add(to, release);
    });
    return;
  }
  for (const SyncState::Fence &fence : warp.fences)
    if (fence.lanes >> lane & 1) {
      Release release = fence.release;
      release.lanes = Mask(1) << lane;
      release.scope = std::min(release.scope, access.scope);
      add(to, release);
    }
}

void SyncTable::access(const Access &access, SyncState &warp, const Scopes &scopes) {
  bool reads = access.kind != Access::store, writes = access.kind != Access::load;
  bool releases = writes && (access.order == Order::release || access.order == Order::acquireRelease);
  bool fenced = writes && !warp.fences.empty();
  if (words.empty() && !releases && !fenced)
    return;
  for (Mask rest = access.lanes, together; rest; rest &= ~together) {
    unsigned lane = std::countr_zero(rest);
    uint64_t address = access.address[lane];
    together = Mask(1) << lane;
    if (!writes) // nobody sees which of these came first
      for (Mask scan = rest; scan; scan &= scan - 1)
        if (access.address[std::countr_zero(scan)] == address)
          together |= scan & -scan;
    for (uint64_t word = address / 4; word <= (address + access.bytes - 1) / 4; ++word) {
      auto at = words.find(word);
      if (reads && at != words.end())
        read(at->second, together, access, warp, scopes);
      if (access.kind == Access::store && at != words.end() && access.bytes >= 4)
        at->second.clear();
      if (releases || fenced)
        write(words[word], lane, access, warp);
    }
  }
  if (releases)
    warp.clocks.advance();
}
