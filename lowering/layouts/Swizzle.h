//===- Swizzle.h - a tile in shared memory, arranged for those who write and read it -------------------*- C++ -*-----===//
//
// When a tile goes from one layout to another through shared memory, how it lies there is free. Three things count:
// that an access moves as many registers of a thread as possible, that the lanes served at once meet different banks,
// and that a tile too large for the scratch space can go in several rounds. All are conditions on the bits of an
// element's offset, each of which is a linear form of the element's coordinates:
//
//     bits      0 .. access-1    registers that an access takes; 0 for every thread, or accesses would be unaligned
//               .. to 128 bytes  the bank; any two lanes served at once must differ here or be in the same word
//               ..               the row; whatever makes the map invertible
//               the last         the round; 0 for every thread, so that a round is a matter of registers
//
// The heart is the choice of banks. Let X be the space of elements that the lanes served at once write, and Y those they
// read. Forms that are one-to-one on both are found by splitting X = I + E and Y = I + F, I being the intersection: one
// form for each vector of I, and one for each *pair* of vectors of E and F, which may share it because no access meets
// both. Hence no conflict is left while X and Y fit the banks at all, whatever the layouts.
//
// A side whose registers are neighbours only for itself may still take wide accesses, which then fixes low bits that the
// other side's narrow accesses have to tell its lanes apart by. Each possibility is computed and the cheapest taken.
//
//===---------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_LAYOUTS_SWIZZLE_H
#define TILECC_LOWERING_LAYOUTS_SWIZZLE_H

#include "lowering/layouts/LinearLayout.h"

namespace tilecc {

/// Shared memory has 32 banks of 4 bytes: what is served at once is 128 bytes, to 32 lanes that access up to 4 bytes
/// each, to 16 lanes of 8 bytes or to 8 lanes of 16.
inline constexpr unsigned log2BankRowBytes = 7, log2BankBytes = 2, log2WidestAccess = 4;

/// How often the banks are used for one access of a warp; without conflicts, once for each 128 bytes. `offsets` maps
/// (register, lane, warp) to Dim::Offset in elements of 2^`log2ElementBytes`; an access takes 2^`accessBits` of them.
unsigned countBankUses(const LinearLayout &offsets, unsigned accessBits, unsigned log2ElementBytes);

class Swizzle {
public:
  /// For a tile that is stored in layout `source` and loaded in layout `destination`, in as many rounds as it takes to
  /// use `maxBytes` at once if the layouts allow that. The layouts are surjective; their registers hold different
  /// elements. `moved` are elements (packed coordinates) by whose sums a loop moves what is loaded. `mustFit`: accesses are narrower
  /// rather than that more is used.
  Swizzle(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes,
          uint64_t maxBytes = UINT64_MAX, llvm::ArrayRef<uint64_t> moved = {}, bool mustFit = false);

  /// From an element's coordinates to its offset, in elements; the `roundBits` highest bits are the round.
  LinearLayout toOffset;
  unsigned storeBits = 0, loadBits = 0; ///< an access takes 2^n elements
  unsigned roundBits = 0;
  unsigned log2ElementBytes;

  /// What all threads of a round use of shared memory.
  uint64_t getBytes() const { return (uint64_t(1) << (toOffset.getTotalOutBits() - roundBits)) << log2ElementBytes; }
  unsigned getNumRounds() const { return 1u << roundBits; }

  /// One access of every thread: its registers in the order of their addresses, and the offset of the first one that
  /// register bits account for (within its round).
  struct Access {
    unsigned round;
    uint64_t offset;
    llvm::SmallVector<unsigned> registers;
  };
  /// The accesses that take each register of `side`, in the order of their first registers.
  llvm::SmallVector<Access> getAccesses(const LinearLayout &side, unsigned accessBits) const;
  /// Wavefronts of a warp that stores and loads all its registers, and its instructions.
  unsigned getCost(const LinearLayout &source, const LinearLayout &destination) const;
};

} // namespace tilecc

#endif // TILECC_LOWERING_LAYOUTS_SWIZZLE_H
