//===- Swizzle.h - arranges a tile in scratch space for its stores and loads ----------------------------*- C++ -*-===//
//
// When a tile is converted from one layout to another through shared memory, its arrangement there can be chosen
// freely. There are three goals: an access should move as many registers of a thread as possible, the lanes of a
// wavefront should access different banks, and a tile that is too large for the scratch space should be divisible into
// rounds. Each goal is a condition on some bits of an element's offset. Each bit of the offset is a linear form of the
// element's coordinates:
//
//     bits      0 .. access-1    the registers that an access covers; 0 for every thread, so that accesses are aligned
//               .. to 128 bytes  the bank; any two lanes of a wavefront must differ here or access the same word
//               ..               the row; anything that makes the map invertible
//               the last         the round; 0 for every thread, so that only registers decide the round
//
// The core is the choice of the bits that select the bank. Let X be the space of elements that the lanes of a wavefront
// write, and Y the space of those that they read. The forms must be one-to-one on both. To find them, split X = I + E
// and Y = I + F, where I is the intersection. Then use one form for each vector of I, and one for each *pair* of
// vectors of E and F; a pair may share a form, because no access touches both. So no conflict remains for any layouts,
// as long as X and Y fit in the banks.
//
// If only one side has registers with adjacent elements, that side may still use wide accesses. This determines the low
// bits of the offset, by which the narrow accesses of the other side must then distinguish lanes. All combinations of
// access widths are computed, and the cheapest is chosen.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_LAYOUTS_SWIZZLE_H
#define TILECC_LOWERING_LAYOUTS_SWIZZLE_H

#include "lowering/layouts/LinearLayout.h"

namespace tilecc {

/// Shared memory has 32 banks of 4 bytes. A wavefront serves 128 bytes: 32 lanes with up to 4 bytes each, 16 lanes with
/// 8 bytes, or 8 lanes with 16.
inline constexpr unsigned log2BankRowBytes = 7, log2BankBytes = 2, log2WidestAccess = 4;

/// Returns the number of wavefronts that one access of a warp takes: one for each 128 bytes if there are no bank
/// conflicts. `offsets` maps (register, lane, warp) to Dim::Offset in elements of 2^`log2ElementBytes` bytes; an access
/// covers 2^`accessBits` elements.
unsigned countBankUses(const LinearLayout &offsets, unsigned accessBits, unsigned log2ElementBytes);

class Swizzle {
public:
  /// Arranges a tile that is stored in layout `source` and loaded in layout `destination`. If the layouts allow it, the
  /// tile is moved in as many rounds as are needed to use at most `maxBytes` at once. The layouts are surjective, and
  /// different registers hold different elements. `moved` lists elements (as packed coordinates); a loop offsets its
  /// loads by sums of them. If `mustFit` is true, narrower accesses are preferred to exceeding `maxBytes`.
  Swizzle(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes,
          uint64_t maxBytes = UINT64_MAX, llvm::ArrayRef<uint64_t> moved = {}, bool mustFit = false);

  /// Maps an element's coordinates to its offset, in elements; the `roundBits` highest bits select the round.
  LinearLayout toOffset;
  unsigned storeBits = 0, loadBits = 0; ///< one store (load) covers 2^n elements
  unsigned roundBits = 0;
  unsigned log2ElementBytes;

  /// Returns the bytes of shared memory that all threads use in a round.
  uint64_t getBytes() const { return (uint64_t(1) << (toOffset.getTotalOutBits() - roundBits)) << log2ElementBytes; }
  unsigned getNumRounds() const { return 1u << roundBits; }

  /// One access of every thread in round `round`: its registers in the order of addresses, and the contribution of the
  /// register bits to the offset of the first register within its round.
  struct Access {
    unsigned round;
    uint64_t offset;
    llvm::SmallVector<unsigned> registers;
  };
  /// Returns the accesses that cover each register of `side`, in the order of their first registers.
  llvm::SmallVector<Access> getAccesses(const LinearLayout &side, unsigned accessBits) const;
  /// Returns the number of wavefronts and instructions with which a warp stores and loads all its registers.
  unsigned getCost(const LinearLayout &source, const LinearLayout &destination) const;
};

} // namespace tilecc

#endif // TILECC_LOWERING_LAYOUTS_SWIZZLE_H
