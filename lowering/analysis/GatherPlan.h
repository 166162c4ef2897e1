//===- GatherPlan.h - plans of gathers ------------------------------------------------------------------*- C++ -*-===//
//
// The allocation of shared memory and the lowering of gathers use these plans.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_ANALYSIS_GATHERPLAN_H
#define TILECC_LOWERING_ANALYSIS_GATHERPLAN_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Maps each location (register, lane, warp) of the result to the location in the source that holds its element. Since
/// layouts are linear, the latter is the XOR of a contribution of the location and a contribution of the index:
///     location in source = fromLocation(location in result) ^ fromIndex(index)
/// If every index is its own position with the same bits inverted, and both layouts are equal, then the second part is
/// a constant and the first is the location itself: threads and registers exchange elements in pairs.
class GatherPlan {
public:
  explicit GatherPlan(tt::GatherOp op);

  enum class Kind {
    Exchange, ///< with the register and lane whose numbers differ by (XOR) `registerDistance`, `laneDistance`
    Shuffles, ///< every warp already has the elements that its threads may fetch
    Shared, ///< through shared memory
  } kind = Kind::Shared;
  LinearLayout source, result;
  unsigned axisIndex;
  /// The bits that an exchange inverts; also set if the exchange goes through shared memory.
  std::optional<int64_t> exchangedBits;
  /// The distances of Kind::Exchange.
  uint32_t registerDistance = 0, laneDistance = 0;
  /// For Kind::Shuffles. The index is Dim::Offset.
  LinearLayout fromLocation, fromIndex;
  /// Determines the registers of a lane from which one register of the result may fetch: each of these combined (XOR)
  /// with the register that `fromLocation` returns. The result selects among them.
  llvm::SmallVector<unsigned> candidates;
  /// For Kind::Shared: the offset (Dim::Offset, in elements) to which each location of the source is stored in a round,
  /// and from which each location of the result is loaded, without the contribution of the index. That contribution is
  /// the index shifted left by `indexShift`.
  LinearLayout stored, loaded;
  unsigned indexShift = 0;
  /// Every warp loads only elements that it has stored itself. Threads then synchronize only with their warp, and the
  /// tile is gathered in rounds, so that the scratch space stays small. Each pair is a bit of the source's register and
  /// a bit of the result's register that select the round.
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
