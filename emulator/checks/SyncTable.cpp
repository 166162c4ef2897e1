//===-- SyncTable.cpp - tracks the synchronization by strong accesses ------------------------------------------===//
#include "emulator/checks/SyncTable.h"

#include <bit>

using namespace tilecc::emu;

// If a word has more releases than this, they are merged into one that counts as a release by any block.
enum : size_t { maxReleases = 8 };

static bool include(const Scopes &scopes, Scope ours, const Release &release) {
  return release.anyBlock || scopes.include(ours, release.block(), release.scope);
}

// Merges the records of a list that satisfy the condition.
template <class List, class F> static Release unite(const List &list, F condition) {
  auto view = std::make_shared<VectorClock>();
  for (const auto &entry : list)
    if (condition(entry))
      entry.release.joinInto(*view);
  return {view, 0, 0, 0, 0, Scope::sys, true};
}

template <class List, class F> static void remove(List &list, Mask lanes, F condition) {
  for (auto &entry : list)
    if (condition(entry.release))
      entry.lanes &= ~lanes;
  std::erase_if(list, [](const auto &entry) { return !entry.lanes; });
}

void SyncState::fence(Mask lanes, Scope scope, const Scopes &scopes) {
  // Acquire the releases that earlier strong reads have observed. Releases whose scope does not include this block
  // remain for a fence of larger scope.
  auto included = [&](const Release &release) { return include(scopes, scope, release); };
  for (Read &read : reads)
    if (Mask acquiring = read.lanes & lanes; acquiring && included(read.release))
      clocks.acquire(acquiring, read.release);
  remove(reads, lanes, included);
  // Later strong writes will release everything that is known and done now.
  remove(fences, lanes, [&](const Release &release) { return release.scope <= scope; });
  clocks.eachRelease(lanes, [&](Mask some, Release release) {
    release.scope = scope;
    fences.push_back({some, release});
  });
  clocks.advance();
}

void SyncTable::add(Line &line, uint32_t words, Release release) {
  uint32_t others = 0;
  for (Entry &entry : line) {
    if (entry.release.is(release)) {
      entry.words |= words;
      return;
    }
    if (!(entry.words & words))
      continue;
    if (release.covers(entry.release) && release.scope >= entry.release.scope) {
      release.anyBlock |= entry.release.anyBlock || entry.release.block() != release.block();
      entry.words &= ~words;
    } else {
      ++others;
    }
  }
  if (others >= maxReleases) {
    line.push_back({words, unite(line, [&](const Entry &entry) { return (entry.words & words) != 0; })});
    for (size_t i = 0; i + 1 < line.size(); ++i)
      line[i].words &= ~words;
  }
  line.push_back({words, release});
  std::erase_if(line, [](const Entry &entry) { return !entry.words; });
}

void SyncTable::observe(Order order, Scope scope, Mask lanes, const Release &release, SyncState &warp,
                        const Scopes &scopes) {
  if (!include(scopes, scope, release))
    return;
  if (order == Order::acquire || order == Order::acquireRelease)
    return warp.clocks.acquire(lanes, release);
  Release seen = release;
  seen.scope = std::min(seen.scope, scope);
  auto same = std::find_if(warp.reads.begin(), warp.reads.end(),
                           [&](const SyncState::Read &read) { return read.lanes == lanes && read.release.is(seen); });
  if (same == warp.reads.end())
    warp.reads.push_back({lanes, seen});
}

void SyncTable::read(const Access &access, Pieces &pieces, SyncState &warp, const Scopes &scopes) {
  for (const Piece &piece : pieces) {
    auto line = lines.find(piece.line);
    if (line == lines.end())
      continue;
    uint32_t words = granulesOf(piece.segment.bytes);
    for (const Entry &entry : line->second)
      if (entry.words & words)
        observe(access.order, access.scope, access.lanes, entry.release, warp, scopes);
  }
  if (warp.reads.size() > 4 * maxReleases) // no fence follows
    warp.reads.assign(1, {everyLane, unite(warp.reads, [](const SyncState::Read &) { return true; })});
}

std::vector<Release> SyncTable::write(const Access &access, Pieces &pieces, SyncState &warp) {
  std::vector<Release> releases;
  if (access.order == Order::release || access.order == Order::acquireRelease) {
    releases.push_back(warp.clocks.release(access.lanes));
    releases.back().scope = access.scope;
  } else {
    for (const SyncState::Fence &fence : warp.fences)
      if (Mask both = fence.lanes & access.lanes) {
        releases.push_back(fence.release);
        if (both != fence.lanes)
          releases.back().lanes = both;
        releases.back().scope = std::min(fence.release.scope, access.scope);
      }
  }
  for (const Piece &piece : pieces) {
    uint32_t words = granulesOf(piece.segment.bytes);
    if (access.kind == Access::store && access.bytes >= 4 && piece.first)
      if (auto line = lines.find(piece.line); line != lines.end()) {
        for (const Piece *same = &piece;; same = &pieces[same->next]) {
          for (Entry &entry : line->second)
            entry.words &= ~granulesOf(same->segment.bytes);
          if (same->next < 0)
            break;
        }
        std::erase_if(line->second, [](const Entry &entry) { return !entry.words; });
        if (line->second.empty())
          lines.erase(line);
      }
    for (const Release &release : releases)
      add(lines[piece.line], words, release);
  }
  return releases;
}

std::vector<Release> SyncTable::access(const Access &access, Pieces &pieces, SyncState &warp, const Scopes &scopes) {
  bool reads = access.kind != Access::store, writes = access.kind != Access::load;
  bool releases = writes && (access.order == Order::release || access.order == Order::acquireRelease);
  std::vector<Release> released;
  if (access.polls || (lines.empty() && !releases && (!writes || warp.fences.empty())))
    return released;
  if (reads)
    read(access, pieces, warp, scopes);
  if (writes)
    released = write(access, pieces, warp);
  if (reads && writes &&
      pieces.overlaps()) // lanes are processed one after another: each sees what the previous one has released
    read(access, pieces, warp, scopes);
  if (releases)
    warp.clocks.advance();
  return released;
}
