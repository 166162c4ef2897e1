//===-- Pieces.h - splits a warp's access into lines -----------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_PIECES_H
#define TILECC_EMULATOR_CHECKS_PIECES_H

#include "emulator/checks/Segment.h"

namespace tilecc::emu {

// The part of an access in one line. Pieces after the line's first are linked by `next`.
struct Piece {
  Segment segment;
  uint64_t line;
  int32_t next;
  bool first; // first piece of its line
};

// Splits accesses. An access with coalesced, permuted or scattered addresses gives one piece per line (two for 2-byte
// and four for 1-byte accesses). Lanes that share bytes give more.
class Pieces {
public:
  // All segments copy `event`, except bytes and lanes.
  void build(const Access &access, const Segment &event);

  Piece *begin() { return pieces.data(); }
  Piece *end() { return pieces.data() + pieces.size(); }
  Piece &operator[](size_t i) { return pieces[i]; }
  // Returns true if several lanes share bytes.
  bool overlaps() const { return shared; }
  // Returns true if the lanes' addresses are in order and contiguous, and each lane has whole words.
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
