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

  /// In shared memory the source lies in row-major order.
  LinearLayout inMemory(const LinearLayout &layout) const;
  unsigned getScratchBytes() const { return scratchBytes; }

private:
  bool planExchange();
  bool planShuffles();
  unsigned scratchBytes = 0;
};

} // namespace tilecc

#endif
