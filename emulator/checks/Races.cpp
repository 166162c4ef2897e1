//===-- Races.cpp - compares an access with those recorded for a line ------------------------------------------===//
#include "emulator/checks/Races.h"

#include <bit>

using namespace tilecc::emu;

namespace {

class LineCheck {
public:
  LineCheck(SegmentList &list, const Piece &piece, const std::byte *memory, RaceContext &context)
      : list(list), now(piece.segment), line(piece.line), memory(memory), context(context) {}

  // Reports races and drops segments that are no longer needed.
  void compareWithAll() {
    bool someEmpty = false;
    for (Segment &before : list) {
      ByteMask common = before.bytes & now.bytes;
      if (!common || (before.writes() && !now.writes() && isOrdered(before) && !context.access.asyncProxy &&
                      !context.tensorFences))
        continue;
      compare(before, common);
      someEmpty |= !before.bytes;
    }
    if (someEmpty)
      list.eraseEmpty();
  }

private:
  // Returns true if the accesses are ordered because the lanes of a wave run in lockstep.
  bool isOrdered(const Segment &before) const {
    if (context.waveWarps && before.block == now.block &&
        before.warp / context.waveWarps == now.warp / context.waveWarps)
      return true;
    return context.clocks.allKnow(context.access.lanes, before.actor(), before.clock);
  }

  // Returns true if `before` is the plain load of an atomic operation that an AMD processor lacks: it becomes a load
  // and a compare-and-swap loop, which detects a stale load.
  bool isLoadOfAtomic(const Segment &before) const {
    return context.waveWarps && ((before.kind == Access::load && now.kind == Access::atomic) ||
                                 (before.kind == Access::atomic && now.kind == Access::load));
  }

  bool bothStrong(const Segment &before) const {
    if (context.global && isLoadOfAtomic(before))
      return true;
    return before.strong && now.strong && context.scopes.include(Scope(now.scope), before.block, Scope(before.scope));
  }

  // If they are ordered, a later access that races with `before` also races with `now`. (If both are strong, this is an
  // approximation: see Races.h.)
  bool replaces(const Segment &before) const {
    if (before.writes() && !now.writes())
      return false;
    return !now.strong || before.strong;
  }

  void compare(Segment &before, ByteMask common) {
    ByteMask ordered, racing;
    if (isOrdered(before) || sameLanesInOrder(before))
      ordered = common;
    else
      compareLanes(before, common, ordered, racing);
    if (ordered && context.access.asyncProxy && before.writes() && needsFence(before))
      findMissingFence(before, ordered);
    if (ordered && context.tensorFences && before.isAsync() && (before.writes() || now.writes()))
      findMissingTensorFence(before, ordered);
    if (replaces(before))
      before.bytes &= ~ordered;
    if (now.writes() && before.writes() && now.strong && before.strong)
      before.bytes &= ~(common & ~ordered); // of concurrent accesses, only the last is recorded
    if (now.writes())
      before.bytes &= ~racing;
  }

  bool isInOrder(const Segment &before) const { return context.inOrder && before.actor() == context.inOrder; }

  // Returns true if the earlier access is to the same bytes by the same lanes, in order.
  bool sameLanesInOrder(const Segment &before) const {
    return !before.set && !now.set && (before.actor() == context.clocks.actor || isInOrder(before)) &&
           std::memcmp(before.lane, now.lane, sizeof now.lane) == 0;
  }

  // Computes the bytes that are ordered after the earlier access for each lane, and those that race. This is exact, but
  // not on the hot path.
  void compareLanes(const Segment &before, ByteMask common, ByteMask &ordered, ByteMask &racing) {
    bool conflict = (before.writes() || now.writes()) && !bothStrong(before);
    bool sameWarp = before.actor() == context.clocks.actor || before.actor() == context.clocks.copiesActor;
    uint32_t rest = granulesOf(common);
    if (sameWarp && !before.isAsync() && !before.set && !now.set) {
      uint32_t same = sameLaneGranules(before) & rest;
      ordered = common & bytesOf(same);
      rest &= ~same;
    }
    if (!conflict && !sameWarp && context.clocks.noneKnows(context.access.lanes, before.actor(), before.clock))
      return;
    Race race{before, 0, 0, 0, 0, before.strong && now.strong};
    for (uint32_t granules = rest; granules; granules &= granules - 1) {
      uint32_t granule = std::countr_zero(granules);
      ByteMask bytes = common & ByteMask::range(granule * Segment::granuleBytes, Segment::granuleBytes);
      unsigned lane, laneBefore;
      if (lanesInOrder(before, granule, lane, laneBefore)) {
        ordered |= bytes;
        continue;
      }
      if (!conflict || laneBefore == noLane)
        continue;
      for (uint32_t i = bytes.first(), last = bytes.last(); i <= last; ++i) {
        if (!bytes[i])
          continue;
        if (storesTheSame(before, lane, i)) {
          ordered.set(i); // not a race; from now on this is the last write
          continue;
        }
        racing.set(i);
        if (!race.bytes) {
          race.address = line + i;
          race.lane = lane;
          race.laneBefore = laneBefore;
        }
        race.bytes += lane == race.lane && laneBefore == race.laneBefore;
      }
    }
    if (race.bytes)
      context.races.push_back(race);
  }

  bool needsFence(const Segment &before) const {
    return before.by == uint32_t(Actor::threads) || (before.by == uint32_t(Actor::copies) && context.copyFences);
  }

  // Finds bytes written through the generic proxy and now accessed, in order, through the asynchronous proxy.
  void findMissingFence(const Segment &before, ByteMask bytes) {
    const WarpClocks &clocks = context.clocks;
    ActorId fence = fencedOf(before.actor(), before.by == uint32_t(Actor::copies) ? Fenced::sharedByCopies
                                             : context.global                     ? Fenced::globalByThreads
                                                                                  : Fenced::sharedByThreads);
    if (clocks.allKnow(context.access.lanes, fence, before.clock))
      return;
    Race race{before, 0, 0, 0, 0, false, true};
    for (uint32_t granules = granulesOf(bytes); granules; granules &= granules - 1) {
      uint32_t granule = std::countr_zero(granules);
      unsigned lane = std::countr_zero(now.lanesAt(granule)), laneBefore = std::countr_zero(before.lanesAt(granule));
      bool isFenced = before.anyLane || clocks.knows(lane, fence, laneBefore, before.clock);
      if (isFenced || (race.bytes && (lane != race.lane || laneBefore != race.laneBefore)))
        continue;
      ByteMask missing = bytes & ByteMask::range(granule * Segment::granuleBytes, Segment::granuleBytes);
      if (!race.bytes) {
        race.lane = lane;
        race.laneBefore = laneBefore;
        race.address = line + missing.first();
      }
      for (uint32_t i = missing.first(), last = missing.last(); i <= last; ++i)
        race.bytes += missing[i];
    }
    if (race.bytes)
      context.races.push_back(race);
  }

  // Finds ordered work on tensor memory by another thread or by the tensor core.
  void findMissingTensorFence(const Segment &before, ByteMask bytes) {
    const WarpClocks &clocks = context.clocks;
    ActorId fence = tensorFencedOf(before.actor(), TensorFenced::after);
    if (isInOrder(before) || before.anyLane || clocks.allKnow(context.access.lanes, fence, before.clock))
      return;
    for (uint32_t granules = granulesOf(bytes); granules; granules &= granules - 1) {
      uint32_t granule = std::countr_zero(granules);
      unsigned lane = std::countr_zero(now.lanesAt(granule)), laneBefore = std::countr_zero(before.lanesAt(granule));
      bool isOwn = before.warp == context.access.warp && before.block == now.block && lane == laneBefore &&
                   before.by != uint32_t(Actor::tensorCore); // the thread's own, for which it has waited
      if (isOwn || clocks.knows(lane, fence, laneBefore, before.clock))
        continue;
      Race race{before, laneBefore, lane, line + granule * Segment::granuleBytes, Segment::granuleBytes, false};
      race.tensorFence = true;
      context.races.push_back(race);
      return;
    }
  }

  uint32_t sameLaneGranules(const Segment &before) const {
    uint32_t same = 0;
    for (uint32_t granule = 0; granule < Segment::granules; ++granule)
      same |= uint32_t(before.lane[granule] == now.lane[granule]) << granule;
    return same;
  }

  enum : unsigned { noLane = 32 };
  // Returns false if `laneBefore` made the earlier access and nothing orders it with `lane`; noLane if the lane is
  // unknown.
  bool lanesInOrder(const Segment &before, uint32_t granule, unsigned &lane, unsigned &laneBefore) const {
    const WarpClocks &clocks = context.clocks;
    ActorId actor = before.actor();
    bool storedTogether = before.set && before.kind == Access::store && !before.strong && actor == clocks.actor;
    for (Mask ours = now.lanesAt(granule); ours; ours &= ours - 1) {
      lane = std::countr_zero(ours);
      if (before.anyLane) {
        laneBefore = actor == clocks.actor || actor == clocks.copiesActor ? unsigned(noLane) : 0;
        if (laneBefore == noLane || !clocks.knowsAny(lane, actor, before.clock))
          return false;
        continue;
      }
      Mask theirs = before.lanesAt(granule);
      if (storedTogether && theirs >> lane & 1)
        continue;
      for (; theirs; theirs &= theirs - 1) {
        laneBefore = std::countr_zero(theirs);
        if (!(lane == laneBefore && isInOrder(before)) && !clocks.knows(lane, actor, laneBefore, before.clock))
          return false;
      }
    }
    return true;
  }

  bool storesTheSame(const Segment &before, unsigned lane, uint32_t byte) const {
    const Access &access = context.access;
    // Data of an asynchronous copy may not have arrived. A wave's store to LDS has, even while in flight.
    bool isMissing = before.isAsync() && !context.waveWarps;
    if (now.kind != Access::store || before.kind != Access::store || isMissing || !access.values || !memory)
      return false;
    // (Another thread may be storing there; its block races with this one.)
    auto there = __atomic_load_n(reinterpret_cast<const uint8_t *>(memory + byte), __ATOMIC_RELAXED);
    return access.values[lane * access.bytes + (line + byte - access.address[lane])] == std::byte(there);
  }

  SegmentList &list;
  const Segment &now;
  uint64_t line;
  const std::byte *memory;
  RaceContext &context;
};

} // namespace

static bool sameReader(const Segment &a, const Segment &b) {
  return a.actor() == b.actor() && a.strong == b.strong && a.scope == b.scope && !a.writes() && !b.writes();
}

// Merges the read into a recorded one whose lanes are not recorded. The older clock applies to both: this may miss
// races, but reports no false ones.
static void foldInto(Segment &kept, const Segment &read) {
  kept.bytes |= read.bytes;
  kept.clock = std::min(kept.clock, read.clock);
  kept.pc = read.pc;
  kept.set = kept.anyLane = 1;
  kept.lanes = everyLane;
}

static void foldReads(SegmentList &list, bool ofAllTimes) {
  for (uint32_t i = 0; i < list.size(); ++i)
    for (uint32_t k = i + 1; k < list.size() && list[i].bytes; ++k)
      if (list[k].bytes && sameReader(list[i], list[k]) && (ofAllTimes || list[i].clock == list[k].clock)) {
        foldInto(list[i], list[k]);
        list[k].bytes = {};
      }
  list.eraseEmpty();
}

// Returns the bytes for which readers in two other blocks are recorded.
static ByteMask readByOthers(SegmentList &list, const Segment &now) {
  ByteMask once, twice;
  uint32_t firstBlock = now.block;
  for (const Segment &before : list) {
    if (before.writes() || before.block == now.block || before.strong)
      continue;
    if (firstBlock == now.block)
      firstBlock = before.block;
    (before.block == firstBlock ? once : twice) |= before.bytes;
  }
  return once & twice;
}

static void remember(SegmentList &list, Segment &now, bool global) {
  if (list.size() >= manySegments && global && !now.writes())
    now.bytes &= ~readByOthers(list, now);
  if (!now.bytes)
    return;
  uint32_t granules = granulesOf(now.bytes);
  for (Segment &before : list) {
    if (before.clock != now.clock)
      continue;
    if (before.anyLane && sameReader(before, now))
      return foldInto(before, now);
    // An instruction in a loop may advance along the line.
    if (before.sameEvent(now) && !(granulesOf(before.bytes) & granules)) {
      before.bytes |= now.bytes;
      for (; granules; granules &= granules - 1)
        before.lane[std::countr_zero(granules)] = now.lane[std::countr_zero(granules)];
      return;
    }
  }
  list.push(now);
  if (list.size() <= maxSegments || now.writes())
    return;
  foldReads(list, false);
  if (list.size() > maxSegments)
    foldReads(list, true);
  for (uint32_t i = 0; global && list.size() > maxSegments && i < list.size();)
    if (list[i].writes())
      ++i;
    else
      list.erase(i);
}

void tilecc::emu::checkLine(SegmentList &list, Pieces &pieces, Piece &first, const std::byte *memory,
                            RaceContext &context) {
  auto each = [&](auto use) {
    for (Piece *piece = &first;; piece = &pieces[piece->next]) {
      use(*piece);
      if (piece->next < 0)
        return;
    }
  };
  if (list.size())
    each([&](const Piece &piece) { LineCheck(list, piece, memory, context).compareWithAll(); });
  each([&](Piece &piece) { remember(list, piece.segment, context.global); });
}
