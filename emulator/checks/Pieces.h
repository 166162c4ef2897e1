//===-- Pieces.h - splits a warp's access into lines -----------------------------------------------------------===//
//
// The checker records accesses by lines of memory (Segment.h), so it splits each access of a warp.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_PIECES_H
#define TILECC_EMULATOR_CHECKS_PIECES_H

#include "emulator/checks/Segment.h"

namespace tilecc::emu {

// The part of an access that is in one line. If there are several pieces for a line, they are linked by `next`.
struct Piece {
  Segment segment;
  uint64_t line;
  int32_t next;
  bool first; // the first piece of its line
};

// Splits an access. If its addresses are coalesced, permuted or scattered, there is one piece for each line (two for
// 2-byte and four for 1-byte accesses). If lanes share bytes, there are more.
class Pieces {
public:
  // Splits `access`. All segments are copies of `event`, except for bytes and lanes.
  void build(const Access &access, const Segment &event);

  Piece *begin() { return pieces.data(); }
  Piece *end() { return pieces.data() + pieces.size(); }
  Piece &operator[](size_t i) { return pieces[i]; }
  // Returns true if several lanes access the same byte.
  bool overlaps() const { return shared; }
  // Returns true if the addresses of the lanes are in order and contiguous, and each lane accesses whole words.
  bool consecutive() const { return inOrder; }

private:
  bool buildConsecutive(const Access &access);
  bool buildUniform(const Access &access);
  void buildGroups(const Access &access);
  bool place(unsigned lane, uint64_t address, uint32_t bytes, bool mayOverlap);
  bool placeInLine(unsigned lane, uint64_t line, ByteMask bytes, uint32_t granules, bool mayOverlap);
  void addSet(Mask lanes, uint64_t address, uint32_t bytes);
  int32_t findLine(uint64_t line);
  Piece &add(uint64_t line);
  void start();

  std::vector<Piece> pieces;
  Segment event;
  bool shared = false, inOrder = false;
  // Hash table from line numbers to first pieces, with linear probing.
  std::array<int8_t, 128> index;
};

} // namespace tilecc::emu
#endif
