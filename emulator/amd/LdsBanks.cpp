//===-- LdsBanks.cpp - bank conflicts of accesses to LDS -------------------------------------------------------===//
//
// AMD documents the phases of accesses of 16 bytes on CDNA 3. For gfx950 and for accesses of 8 bytes they are known
// from measurements by others. All other accesses are assumed to take adjacent lanes, as many as have one word for each
// bank.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/amd/LdsBanks.h"

#include <algorithm>

using namespace tilecc::emu::amd;

namespace {

constexpr unsigned wordBytes = 4, maxBanks = 64;

// Returns the lane that comes at position `i` if lanes are ordered by phases. Loads of 16 bytes on CDNA pair groups of
// four lanes from both halves of 32: 0-3 with 20-23, 4-7 with 16-19, and so on.
unsigned laneAt(unsigned i, bool isSplit, bool has64Banks) {
  if (!isSplit)
    return i;
  static constexpr uint8_t of32Banks[] = {0, 5, 1, 4, 2, 7, 3, 6}, of64Banks[] = {0, 3, 5, 6, 1, 2, 4, 7};
  unsigned group = i / 4 % 8;
  return (i & ~31u) + 4 * (has64Banks ? of64Banks : of32Banks)[group] + i % 4;
}

} // namespace

BankCycles tilecc::emu::amd::countBankCycles(const Target &target, bool isLoad, unsigned bytes, LaneMask lanes,
                                             const uint64_t (&addresses)[maxLanes]) {
  const bool has64Banks = target.isGfx950() && isLoad && bytes >= 8;
  const bool isSplit = target.isGfx9() && isLoad && bytes == 16;
  const unsigned banks = has64Banks ? 64 : 32, words = std::max(1u, bytes / wordBytes),
                 together = banks / std::bit_ceil(words);
  BankCycles result;
  for (unsigned first = 0; first < target.lanes(); first += together) {
    uint64_t accessed[maxBanks];
    unsigned count = 0;
    for (unsigned i = first; i < first + together; ++i) {
      unsigned lane = laneAt(i, isSplit, has64Banks);
      if (lanes >> lane & 1)
        for (unsigned word = 0; word < words; ++word)
          accessed[count++] = addresses[lane] / wordBytes + word;
    }
    std::sort(accessed, accessed + count);
    const uint64_t *end = std::unique(accessed, accessed + count);
    unsigned perBank[maxBanks] = {}, most = 0;
    for (const uint64_t *word = accessed; word != end; ++word)
      most = std::max(most, ++perBank[*word % banks]);
    result.cycles += most;
    result.conflicts += most ? most - 1 : 0;
  }
  return result;
}
