//===-- Pieces.cpp - splits a warp's access into lines ---------------------------------------------------------===//
#include "emulator/checks/Pieces.h"

#include <bit>
#include <cassert>

using namespace tilecc::emu;

static uint64_t lineOf(uint64_t address) { return address & ~uint64_t(lineBytes - 1); }

void Pieces::build(const Access &access, const Segment &like) {
  assert(access.bytes <= lineBytes && "a lane touches two lines at most");
  event = like;
  event.set = event.anyLane = 0;
  shared = inOrder = false;
  start();
  if (!access.lanes || buildConsecutive(access) || buildUniform(access))
    return;
  for (Mask rest = access.lanes; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    if (!place(lane, access.address[lane], access.bytes, false)) {
      start();
      buildGroups(access);
      return;
    }
  }
}

void Pieces::start() {
  pieces.clear();
  index.fill(-1);
}

// Handles lanes that access consecutive addresses in order, as for arrays. This is the hot path.
bool Pieces::buildConsecutive(const Access &access) {
  uint32_t bytes = access.bytes;
  if (!std::has_single_bit(bytes) || bytes > 16)
    return false;
  unsigned first = std::countr_zero(access.lanes), last = 31 - std::countl_zero(access.lanes);
  uint64_t base = access.address[first] - uint64_t(first) * bytes; // address of lane 0, even if it is inactive
  if (base % bytes || base + 32 * bytes < base)
    return false;
  uint64_t different = 0;
  if (access.lanes == everyLane)
    for (unsigned lane = 0; lane < 32; ++lane)
      different |= (access.address[lane] - uint64_t(lane) * bytes) ^ base;
  else
    for (unsigned lane = first; lane <= last; ++lane)
      different |= ((access.address[lane] - uint64_t(lane) * bytes) ^ base) & -uint64_t(access.lanes >> lane & 1);
  if (different)
    return false;

  bool gaps = access.lanes >> first != everyLane >> (31 - last + first);
  inOrder = !gaps && bytes >= Segment::granuleBytes;
  uint64_t begin = base + first * bytes, end = base + (last + 1) * bytes;
  // If lanes access fewer than four bytes, several lanes share a granule, and each gets a piece.
  uint32_t layers = bytes < Segment::granuleBytes ? Segment::granuleBytes / bytes : 1;
  uint32_t shift = bytes < Segment::granuleBytes ? 0 : std::countr_zero(bytes) - 2;
  for (uint64_t line = lineOf(begin); line < end; line += lineBytes) {
    uint32_t from = line < begin ? begin - line : 0, to = std::min<uint64_t>(end - line, lineBytes);
    ByteMask inLine = ByteMask::range(from, to - from);
    if (gaps)
      for (Mask rest = ~access.lanes & everyLane >> (31 - last) & everyLane << first; rest; rest &= rest - 1)
        if (uint64_t hole = base + std::countr_zero(rest) * bytes; lineOf(hole) == line)
          inLine &= ~ByteMask::range(hole - line, bytes);
    for (uint32_t layer = 0; layer < layers; ++layer) {
      ByteMask mask = inLine;
      if (layers > 1) {
        uint64_t some = bytes == 2 ? 0x3333333333333333ull << 2 * layer : 0x1111111111111111ull << layer;
        mask &= ByteMask{some, some};
      }
      if (!mask)
        continue;
      Segment &segment = add(line).segment;
      segment.bytes = mask;
      // (line + 4 * granule - base) / bytes, if that is a lane
      auto zero = static_cast<uint32_t>((line - base) / std::min<uint32_t>(bytes, 4)) + layer;
      for (uint32_t granule = 0; granule < Segment::granules; ++granule)
        segment.lane[granule] = static_cast<uint8_t>(static_cast<uint8_t>(zero + granule * layers) & 0x7f) >> shift;
    }
  }
  return true;
}

// Handles lanes that all access one address.
bool Pieces::buildUniform(const Access &access) {
  unsigned first = std::countr_zero(access.lanes);
  for (Mask rest = access.lanes; rest; rest &= rest - 1)
    if (access.address[std::countr_zero(rest)] != access.address[first])
      return false;
  shared = true;
  addSet(access.lanes, access.address[first], access.bytes);
  return true;
}

// Handles lanes that share addresses, or whose accesses overlap.
void Pieces::buildGroups(const Access &access) {
  shared = true;
  struct {
    uint64_t address;
    Mask lanes;
  } groups[32];
  uint32_t count = 0, most = 0;
  for (Mask rest = access.lanes; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    uint32_t i = 0;
    while (i < count && groups[i].address != access.address[lane])
      ++i;
    if (i == count)
      groups[count++] = {access.address[lane], 0};
    groups[i].lanes |= Mask(1) << lane;
    most = std::max<uint32_t>(most, std::popcount(groups[i].lanes));
  }
  // Use either one set of lanes per address, or as many layers of single lanes as there are lanes per address,
  // whichever is smaller. Shared weak stores count as stores of each lane (see Races.h), which requires sets.
  bool sets = count <= most || (access.kind == Access::store && access.order == Order::weak);
  for (uint32_t i = 0; i < count; ++i)
    if (sets && std::popcount(groups[i].lanes) > 1)
      addSet(groups[i].lanes, groups[i].address, access.bytes);
    else
      for (Mask rest = groups[i].lanes; rest; rest &= rest - 1)
        place(std::countr_zero(rest), groups[i].address, access.bytes, true);
}

// Returns false if another lane already has one of the bytes and overlap is not allowed.
bool Pieces::place(unsigned lane, uint64_t address, uint32_t bytes, bool mayOverlap) {
  while (bytes) {
    uint64_t line = lineOf(address);
    uint32_t offset = address - line, part = std::min(bytes, lineBytes - offset);
    ByteMask mask = ByteMask::range(offset, part);
    if (!placeInLine(lane, line, mask, granulesOf(mask), mayOverlap))
      return false;
    address += part;
    bytes -= part;
  }
  return true;
}

bool Pieces::placeInLine(unsigned lane, uint64_t line, ByteMask bytes, uint32_t granules, bool mayOverlap) {
  Piece *free = nullptr;
  for (int32_t i = findLine(line); i >= 0; i = pieces[i].next) {
    Segment &segment = pieces[i].segment;
    if (segment.bytes & bytes) {
      if (!mayOverlap)
        return false;
    } else if (!free && !segment.set && !(granulesOf(segment.bytes) & granules)) {
      free = &pieces[i];
      if (mayOverlap)
        break;
    }
  }
  if (!free)
    free = &add(line);
  free->segment.bytes |= bytes;
  for (; granules; granules &= granules - 1)
    free->segment.lane[std::countr_zero(granules)] = lane;
  return true;
}

void Pieces::addSet(Mask lanes, uint64_t address, uint32_t bytes) {
  while (bytes) {
    uint64_t line = lineOf(address);
    uint32_t offset = address - line, part = std::min(bytes, lineBytes - offset);
    Segment &segment = add(line).segment;
    segment.bytes = ByteMask::range(offset, part);
    segment.set = std::popcount(lanes) > 1;
    if (segment.set)
      segment.lanes = lanes;
    else
      for (uint32_t granules = granulesOf(segment.bytes); granules; granules &= granules - 1)
        segment.lane[std::countr_zero(granules)] = std::countr_zero(lanes);
    address += part;
    bytes -= part;
  }
}

// Returns the line's first piece, or -1.
int32_t Pieces::findLine(uint64_t line) {
  for (uint32_t slot = line / lineBytes;; ++slot) {
    int32_t i = index[slot % index.size()];
    if (i < 0 || pieces[i].line == line)
      return i;
  }
}

Piece &Pieces::add(uint64_t line) {
  auto number = static_cast<int32_t>(pieces.size());
  int32_t same = findLine(line);
  pieces.push_back({event, line, -1, same < 0});
  Piece &piece = pieces.back();
  piece.segment.bytes = {};
  std::memset(piece.segment.lane, 0, sizeof piece.segment.lane);
  if (same < 0) {
    uint32_t slot = line / lineBytes;
    while (index[slot % index.size()] >= 0)
      ++slot;
    index[slot % index.size()] = number;
  } else {
    // Insert it after the first one.
    piece.next = pieces[same].next;
    pieces[same].next = number;
  }
  return piece;
}
