//===- LaneExchange.h - exchanges within a warp by shuffles ---------------------------------------------*- C++ -*-===//
//
// A shuffle fetches a value from another lane of the warp, and all lanes read the same register. If threads need
// different registers of different lanes, as in every transposition, one shuffle per pair would work. But one shuffle
// per register suffices: every thread first renames its registers, then all threads shuffle, and then every thread
// renames the received registers. Renaming register r to r ^ f(thread), where f is linear, takes one select for each
// register and each dimension of f's image.
//
// Let register r of thread t need register a(r) + b(t) of lane c(r) + d(t). If threads with the same d(t) have the same
// b(t), then each lane supplies only one register at a time, and can move it into place beforehand. Otherwise shuffle r
// of thread t supplies register r + after(t), where after() is chosen so that these threads fetch from different lanes.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_LAYOUTS_LANEEXCHANGE_H
#define TILECC_LOWERING_LAYOUTS_LANEEXCHANGE_H

#include "lowering/layouts/LinearLayout.h"

namespace tilecc {

/// Renames registers by XOR with a linear function of the thread, one vector at a time.
struct Renaming {
  struct Step {
    unsigned vector; ///< registers are swapped with those that differ by this …
    /// … in threads in which an odd number of these bits are set: bits of the lane and, above them, of the warp.
    uint64_t threadBits;
  };
  llvm::SmallVector<Step> steps;
};

class LaneExchange {
public:
  /// `fetch` maps locations of the destination to locations of the source (LinearLayout::fetchFrom). Returns nothing if
  /// the exchange crosses warps, or needs more than one shuffle per register.
  static std::optional<LaneExchange> create(const LinearLayout &fetch);

  Renaming before, after;
  /// Shuffle r sends register `sent[r]` (renamed) and fetches from lane `lanes`(thread) ^ `lane[r]`.
  llvm::SmallVector<unsigned> sent, lane;
  /// Maps lane and warp (one packed input) to a lane.
  llvm::SmallVector<uint64_t> lanes;
  /// True if every thread fetches only from itself.
  bool isLocal;
  /// Bits of r that do not change the lane: registers that differ only in these can share a shuffle if they fit in a
  /// word.
  llvm::SmallVector<unsigned> packable;

  /// Returns the cost in units of an addition, for elements of `elementBytes`.
  unsigned getCost(unsigned sourceRegisters, unsigned elementBytes) const;
  /// Returns the bits of `packable` whose registers fit in a word.
  llvm::ArrayRef<unsigned> getPacked(unsigned elementBytes) const;
};

} // namespace tilecc

#endif // TILECC_LOWERING_LAYOUTS_LANEEXCHANGE_H
