//===-- Pieces.h - a warp's access, line by line ---------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_PIECES_H
#define TILECC_EMULATOR_CHECKS_PIECES_H

#include "emulator/checks/Segment.h"

namespace tilecc::emu {

// What an access does to one line. One that is not the line's first piece is behind another one's `next`.
struct Piece {
  Segment segment;
  uint64_t line;
  int32_t next;
  bool first; // of its line
};

// Divides accesses. Coalesced ones of any size, permuted ones, those to addresses all over the place are one piece for
// each line (two and four for accesses of two bytes and of one); lanes that share bytes make it more.
class Pieces {
public:
  // All segments are like `event` but for bytes and lanes.
  void build(const Access &access, const Segment &event);

  Piece *begin() { return pieces.data(); }
  Piece *end() { return pieces.data() + pieces.size(); }
  Piece &operator[](size_t i) { return pieces[i]; }
  // Several lanes have bytes in common.
  bool overlaps() const { return shared; }
  // All lanes in the order of their addresses with no gap, each with whole words.
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
  // The first piece of a line, by the line's number, one place further on where that is taken.
  std::array<int8_t, 128> index;
};

} // namespace tilecc::emu
#endif
