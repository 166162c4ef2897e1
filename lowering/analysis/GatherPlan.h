//===- GatherPlan.h - plans of gathers ------------------------------------------------------------------*- C++ -*-===//
//
// A gather fetches elements at positions that are known only at run time. The allocation of shared memory and the
// lowering of gathers both compute this plan, so they agree.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_ANALYSIS_GATHERPLAN_H
#define TILECC_LOWERING_ANALYSIS_GATHERPLAN_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Maps each location (register, lane, warp) of the result to the location in the source that holds its element. Since
/// layouts are linear, the location in the source is the XOR of two contributions, one of the location in the result
/// and one of the index: location in source = fromLocation(location in result) ^ fromIndex(index). If the index of
/// every element is the element's own position with a fixed set of bits inverted, and both layouts are equal, then
/// fromIndex(index) is a constant and fromLocation is the identity, so threads and registers exchange elements in
/// pairs.
class GatherPlan {
public:
  explicit GatherPlan(tt::GatherOp op);

  enum class Kind {
    Exchange, ///< with the register and lane whose numbers differ in the bits `registerDistance`, `laneDistance`
    Shuffles, ///< every warp already has the elements that its threads may fetch
    Shared, ///< through shared memory
  } kind = Kind::Shared;
  LinearLayout source, result;
  unsigned axisIndex;
  /// The bits that an exchange inverts; also set if the exchange goes through shared memory.
  std::optional<int64_t> exchangedBits;
  /// For Kind::Exchange.
  uint32_t registerDistance = 0, laneDistance = 0;
  /// For Kind::Shuffles. The index is Dim::Offset.
  LinearLayout fromLocation, fromIndex;
  /// The registers of the source from which one register of the result may have to be fetched: each number in this list
  /// is combined by XOR with the register that `fromLocation` gives. All of these registers are shuffled, and each lane
  /// selects one of the results by its index.
  llvm::SmallVector<unsigned> candidates;
  /// For Kind::Shared. `stored` maps each location of the source to the offset (Dim::Offset, in elements) where it is
  /// stored in a round. `loaded` maps each location of the result to the offset from which it is loaded, without the
  /// contribution of the index, which is the index shifted left by `indexShift`.
  LinearLayout stored, loaded;
  unsigned indexShift = 0;
  /// True if every warp loads only elements that it has stored itself. Threads then synchronize only with their own
  /// warp, and the tile is gathered in rounds, so that the scratch space stays small. `roundBits` lists the pairs of
  /// bits, one of the source's register number and one of the result's, that select the round.
  bool isWithinWarps = false;
  llvm::SmallVector<std::pair<unsigned, unsigned>> roundBits;

  unsigned getNumRounds() const { return 1u << roundBits.size(); }
  unsigned getRoundOfSource(unsigned reg) const;
  unsigned getRoundOfResult(unsigned reg) const;
  unsigned getScratchBytes() const { return scratchBytes; }

private:
  bool planExchange();
  /// Returns true if every warp has the elements that its threads may fetch, and computes `fromLocation` and
  /// `fromIndex`.
  bool findLocationsInWarp();
  bool isCheapByShuffles();
  void planScratch(unsigned elementBytes);
  void planRound(unsigned offsetBit);
  unsigned scratchBytes = 0;
};

} // namespace tilecc

#endif
