//===-- ByteMask.h - a set of bytes in a line ------------------------------------------------------------------===//
//
// Memory is handled in lines of 128 bytes, the size of a coalesced access by a warp's 32 lanes of 4 bytes. The bytes of
// a line that are initialized, accessed, or last written by an actor form a mask of 128 bits.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_MEMORY_BYTEMASK_H
#define TILECC_EMULATOR_MEMORY_BYTEMASK_H

#include <bit>
#include <cstdint>

namespace tilecc::emu {

inline constexpr uint32_t lineBytes = 128;

struct ByteMask {
  uint64_t low = 0, high = 0;

  // Bytes [begin, begin + count) of the line.
  static ByteMask range(uint32_t begin, uint32_t count) { return upTo(begin + count) & ~upTo(begin); }
  static ByteMask upTo(uint32_t end) {
    return end >= 64 ? ByteMask{~0ull, end >= 128 ? ~0ull : (1ull << (end - 64)) - 1} : ByteMask{(1ull << end) - 1, 0};
  }

  explicit operator bool() const { return (low | high) != 0; }
  bool operator==(const ByteMask &other) const { return low == other.low && high == other.high; }
  ByteMask operator&(ByteMask other) const { return {low & other.low, high & other.high}; }
  ByteMask operator|(ByteMask other) const { return {low | other.low, high | other.high}; }
  ByteMask operator~() const { return {~low, ~high}; }
  ByteMask &operator&=(ByteMask other) { return *this = *this & other; }
  ByteMask &operator|=(ByteMask other) { return *this = *this | other; }

  bool operator[](uint32_t byte) const { return ((byte < 64 ? low : high) >> (byte & 63)) & 1; }
  void set(uint32_t byte) { (byte < 64 ? low : high) |= 1ull << (byte & 63); }
  // The mask must not be empty.
  uint32_t first() const { return low ? std::countr_zero(low) : 64 + std::countr_zero(high); }
  uint32_t last() const { return high ? 127 - std::countl_zero(high) : 63 - std::countl_zero(low); }
  uint32_t count() const { return std::popcount(low) + std::popcount(high); }
};

} // namespace tilecc::emu
#endif
