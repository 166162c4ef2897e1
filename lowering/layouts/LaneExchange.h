//===- LaneExchange.h - a tile's way between layouts by shuffles ---------------------------------------*- C++ -*-----===//
//
// A shuffle takes a value from another lane of the warp, the same register in every lane. If threads ask for different
// registers of different lanes, as in every transposition, one shuffle for each pair would do, but it takes no more than
// one for each register: every thread first renames its registers, then all shuffle, then every thread renames what it
// got. Renaming register r to r ^ f(thread), f being linear, takes a select for each register and dimension of f's image.
//
// Let register r of thread t want register a(r) + b(t) of the lane c(r) + d(t). If threads with the same d(t) have the
// same b(t), a lane is asked for one register only and can put it there beforehand. Otherwise shuffle r of thread t is
// made to serve register r + after(t), with after() chosen so that the threads in question ask other lanes.
//
//===---------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_LAYOUTS_LANEEXCHANGE_H
#define TILECC_LOWERING_LAYOUTS_LANEEXCHANGE_H

#include "lowering/layouts/LinearLayout.h"

namespace tilecc {

/// A renaming of registers by XOR with a linear function of the thread, one vector at a time.
struct Renaming {
  struct Step {
    unsigned vector; ///< registers change places with those that differ by this …
    /// … in threads in which the number of these bits that are set is odd: those of the lane and, above them, of the warp.
    uint64_t threadBits;
  };
  llvm::SmallVector<Step> steps;
};

class LaneExchange {
public:
  /// `fetch` maps places of the destination to places of the source (LinearLayout::fetchFrom). Nothing if the exchange
  /// leaves warps or needs more than one shuffle for each register.
  static std::optional<LaneExchange> create(const LinearLayout &fetch);

  Renaming before, after;
  /// Shuffle r sends register `sent[r]` (renamed) and takes from lane `lanes`(thread) ^ `lane[r]`.
  llvm::SmallVector<unsigned> sent, lane;
  /// From lane and warp (one packed input) to the lane.
  llvm::SmallVector<uint64_t> lanes;
  /// Every thread takes only from itself.
  bool isLocal;
  /// Bits of r that change neither the lane: registers that differ in those can share a shuffle if they fit in a word.
  llvm::SmallVector<unsigned> packable;

  /// Instructions, in units of an addition, for elements of `elementBytes`.
  unsigned getCost(unsigned sourceRegisters, unsigned elementBytes) const;
  /// Of `packable`, those that fit.
  llvm::ArrayRef<unsigned> getPacked(unsigned elementBytes) const;
};

} // namespace tilecc

#endif // TILECC_LOWERING_LAYOUTS_LANEEXCHANGE_H
