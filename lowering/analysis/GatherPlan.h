//===- GatherPlan.h - how a gather moves data between threads ---------------------------------------------*- C++ -*-----===//

#ifndef TILECC_LOWERING_ANALYSIS_GATHERPLAN_H
#define TILECC_LOWERING_ANALYSIS_GATHERPLAN_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// From which place of the source each place of the result takes its element. Layouts are linear, so that is the XOR of
/// what the place itself contributes and what the index does:
///
///     place in source = fromPlace(place in result) ^ fromIndex(index)
///
/// Where all indices are their positions with the same bits inverted and both layouts are equal, the second part is a
/// constant and the first the place itself: threads and registers change places in pairs.
class GatherPlan {
public:
  explicit GatherPlan(tt::GatherOp op);

  enum class Kind {
    Exchange, ///< with the register and lane that differ in `distance`
    Shuffles, ///< every warp has what its threads may ask for
    Shared,   ///< through shared memory
  } kind = Kind::Shared;
  LinearLayout source, result;
  unsigned axisIndex;
  /// The bits of Kind::Exchange, also where it goes through shared memory.
  std::optional<int64_t> exchangedBits;
  /// Of Kind::Exchange.
  uint32_t registerDistance = 0, laneDistance = 0;
  /// Of Kind::Shuffles. The index is Dim::Offset.
  LinearLayout fromPlace, fromIndex;
  /// Registers of a lane that may be asked for by one register of the result, which select among them: each of these
  /// with each one that `fromPlace` gives.
  llvm::SmallVector<unsigned> candidates;
  /// Of Kind::Shared: the offset (Dim::Offset, in elements) of what each place of the source stores in a round, and of what
  /// each of the result loads, but for what the index adds: itself, from bit `indexShift` on.
  LinearLayout stored, loaded;
  unsigned indexShift = 0;
  /// Every warp loads what itself has stored. Its threads wait for each other alone, and the tile goes in as many rounds as keep
  /// it small: each of these bits of a register, of the source and of the result, is one of the round.
  bool isWithinWarps = false;
  llvm::SmallVector<std::pair<unsigned, unsigned>> roundBits;

  unsigned getNumRounds() const { return 1u << roundBits.size(); }
  unsigned getRoundOfSource(unsigned reg) const;
  unsigned getRoundOfResult(unsigned reg) const;
  unsigned getScratchBytes() const { return scratchBytes; }

private:
  bool planExchange();
  /// Whether every warp has what its threads may ask for; finds from where.
  bool findPlacesInWarp();
  bool isCheapByShuffles();
  void planScratch(unsigned elementBytes);
  void planRound(unsigned offsetBit);
  unsigned scratchBytes = 0;
};

} // namespace tilecc

#endif
