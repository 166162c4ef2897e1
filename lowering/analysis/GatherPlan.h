//===- GatherPlan.h - how a gather moves data between threads -------------------------------------------*- C++ -*-===//
//
// Used by the allocation of shared memory and by the lowering of gathers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_ANALYSIS_GATHERPLAN_H
#define TILECC_LOWERING_ANALYSIS_GATHERPLAN_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Maps each place of the result to the place of the source that holds its element. Since layouts are linear, that is
/// the XOR of what the place itself contributes and what the index contributes:
///
///     place in source = fromPlace(place in result) ^ fromIndex(index)
///
/// If every index is its own position with the same bits inverted, and both layouts are equal, then the second part is
/// a constant and the first is the place itself: threads and registers exchange elements in pairs.
class GatherPlan {
public:
  explicit GatherPlan(tt::GatherOp op);

  enum class Kind {
    Exchange, ///< with the register and lane whose numbers differ by (XOR) `registerDistance`, `laneDistance`
    Shuffles, ///< every warp has the elements that its threads may fetch
    Shared, ///< through shared memory
  } kind = Kind::Shared;
  LinearLayout source, result;
  unsigned axisIndex;
  /// The bits that an exchange inverts; also set if the exchange goes through shared memory.
  std::optional<int64_t> exchangedBits;
  /// For Kind::Exchange.
  uint32_t registerDistance = 0, laneDistance = 0;
  /// For Kind::Shuffles. The index is Dim::Offset.
  LinearLayout fromPlace, fromIndex;
  /// Registers of a lane that one register of the result may fetch from: each of these combined (XOR) with the register
  /// that `fromPlace` gives. The result selects among them.
  llvm::SmallVector<unsigned> candidates;
  /// For Kind::Shared: the offset (Dim::Offset, in elements) to which each place of the source stores in a round, and
  /// from which each place of the result loads, without what the index adds. That is the index itself, shifted left by
  /// `indexShift`.
  LinearLayout stored, loaded;
  unsigned indexShift = 0;
  /// Every warp loads only what it has stored itself. Then threads synchronize only with their warp, and the tile goes
  /// in rounds, so that scratch space stays small. Each pair is a bit of the source's register and of the result's
  /// register that selects the round.
  bool isWithinWarps = false;
  llvm::SmallVector<std::pair<unsigned, unsigned>> roundBits;

  unsigned getNumRounds() const { return 1u << roundBits.size(); }
  unsigned getRoundOfSource(unsigned reg) const;
  unsigned getRoundOfResult(unsigned reg) const;
  unsigned getScratchBytes() const { return scratchBytes; }

private:
  bool planExchange();
  /// Returns true if every warp has the elements that its threads may fetch, and computes `fromPlace` and `fromIndex`.
  bool findPlacesInWarp();
  bool isCheapByShuffles();
  void planScratch(unsigned elementBytes);
  void planRound(unsigned offsetBit);
  unsigned scratchBytes = 0;
};

} // namespace tilecc

#endif
