//===-- Segment.h - an access as recorded for a line of memory -------------------------------------------------===//
//
// A segment records the access of one instruction of one warp to one line of 128 bytes: the bytes, the lanes and the
// time. A line keeps the segments that matter: the last writer of each byte, and the readers since then. So a coalesced
// access needs only one record for 32 threads, and the history of a byte is exact for any mix of access sizes.
//
// A segment has the number of a lane for each four bytes. If several lanes access the same bytes, it instead has a set
// of lanes, all of which accessed all of its bytes. (Pieces.h splits accesses that fit neither form into several
// segments.)
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_SEGMENT_H
#define TILECC_EMULATOR_CHECKS_SEGMENT_H

#include "emulator/checks/VectorClock.h"
#include "emulator/memory/ByteMask.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace tilecc::emu {

struct alignas(64) Segment {
  enum : uint32_t { granuleBytes = 4, granules = lineBytes / granuleBytes };

  ByteMask bytes;
  union {
    uint8_t lane[granules]; // of each granule that has bytes
    Mask lanes; // if `set`
  };
  uint32_t block, clock, pc;
  uint32_t warp : 6;
  uint32_t by : 4; // Actor: the owner of the clock
  uint32_t kind : 2; // Access::Kind
  uint32_t strong : 1;
  uint32_t scope : 2;
  uint32_t set : 1;
  uint32_t anyLane : 1; // for a set: the lanes are not recorded
  uint32_t mbarrier : 15; // for transactions: the object in `block` (transactionsOf); warp and lanes are the issuer's

  ActorId actor() const {
    return by == uint32_t(Actor::transactions) ? transactionsOf(block, mbarrier) : actorId(block, warp, Actor(by));
  }
  bool isAsync() const { return by != uint32_t(Actor::threads); }
  bool writes() const { return kind != Access::load; }
  Mask lanesAt(uint32_t granule) const { return set ? lanes : Mask(1) << lane[granule]; }

  // Returns true if one instruction of one warp made both accesses, with no other event in between.
  bool sameEvent(const Segment &other) const {
    return clock == other.clock && pc == other.pc && block == other.block && warp == other.warp && by == other.by &&
           mbarrier == other.mbarrier && kind == other.kind && strong == other.strong && scope == other.scope && !set &&
           !other.set;
  }
};
static_assert(sizeof(Segment) == 64);

// Returns a mask with a bit for each group of four bytes of which `bytes` contains at least one.
inline uint32_t granulesOf(ByteMask bytes) {
  auto half = [](uint64_t bits) {
    bits |= bits >> 2; // the lowest bit of each four becomes their union
    bits = (bits | bits >> 1) & 0x1111111111111111;
    bits = (bits | bits >> 3) & 0x0303030303030303;
    bits = (bits | bits >> 6) & 0x000f000f000f000f;
    bits = (bits | bits >> 12) & 0x000000ff000000ff;
    return static_cast<uint32_t>((bits | bits >> 24) & 0xffff);
  };
  return half(bytes.low) | half(bytes.high) << 16;
}

// Returns all bytes of the given groups of four.
inline ByteMask bytesOf(uint32_t granules) {
  auto half = [](uint64_t bits) {
    bits = (bits | bits << 24) & 0x000000ff000000ff;
    bits = (bits | bits << 12) & 0x000f000f000f000f;
    bits = (bits | bits << 6) & 0x0303030303030303;
    bits = (bits | bits << 3) & 0x1111111111111111;
    return bits * 15;
  };
  return {half(granules & 0xffff), half(granules >> 16)};
}

// The segments of a line. The first ones are stored in memory that is passed to the constructor.
class SegmentList {
public:
  SegmentList(Segment *storage, uint32_t capacity) : data(storage), capacity(capacity), onHeap(0) {}
  ~SegmentList() {
    if (onHeap)
      free(data);
  }
  SegmentList(const SegmentList &) = delete;

  Segment *begin() { return data; }
  Segment *end() { return data + count; }
  uint32_t size() const { return count; }
  Segment &operator[](uint32_t i) { return data[i]; }
  void clear() { count = 0; }

  void push(const Segment &segment) {
    if (count == capacity)
      grow();
    data[count++] = segment;
  }
  void eraseEmpty() {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
      if (data[i].bytes) {
        if (kept != i)
          data[kept] = data[i];
        ++kept;
      }
    count = kept;
  }
  void erase(uint32_t i) {
    memmove(static_cast<void *>(data + i), data + i + 1, (count - i - 1) * sizeof(Segment));
    --count;
  }

private:
  void grow() {
    auto *more = static_cast<Segment *>(aligned_alloc(alignof(Segment), 2 * capacity * sizeof(Segment)));
    if (!more)
      throw std::bad_alloc();
    memcpy(static_cast<void *>(more), data, count * sizeof(Segment));
    if (onHeap)
      free(data);
    data = more;
    capacity *= 2;
    onHeap = 1;
  }

  Segment *data;
  uint32_t count = 0;
  uint32_t capacity : 31, onHeap : 1;
};

} // namespace tilecc::emu
#endif
