//===- LaneExchange.h - exchanges within a warp by shuffles ---------------------------------------------*- C++ -*-===//
//
// A shuffle fetches a value from another lane of the warp, and all lanes read the same register. If threads need
// different registers of different lanes, as in every transposition, one shuffle for each pair of registers would work.
// But one shuffle per register suffices: every thread first renames its registers, then all threads shuffle, and then
// every thread renames the registers that it has received. Renaming register r to r ^ f(thread), where f is linear,
// takes one select for each register and each dimension of the image of f.
//
// Let register r of thread t need register a(r) + b(t) of lane c(r) + d(t), where + is XOR. If threads with the same
// d(t) also have the same b(t), then each lane supplies only one register at a time, and can rename it beforehand.
// Otherwise shuffle r of thread t supplies register r + after(t), where after() is chosen so that these threads fetch
// from different lanes.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_LAYOUTS_LANEEXCHANGE_H
#define TILECC_LOWERING_LAYOUTS_LANEEXCHANGE_H

#include "lowering/layouts/LinearLayout.h"

namespace tilecc {

/// Renames registers by XOR with a linear function of the thread. Each step XORs the register numbers with one vector,
/// in some of the threads.
struct Renaming {
  struct Step {
    unsigned vector; ///< the XOR of the numbers of two registers that are swapped
    /// The registers are swapped in threads in which an odd number of these bits is set. The bits are those of the lane
    /// and, above them, of the warp.
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
  /// Shuffle r sends register `sent[r]` (renamed), and fetches from the lane `lanes`(thread) ^ `lane[r]`.
  llvm::SmallVector<unsigned> sent, lane;
  /// Maps lane and warp (one packed input) to a lane.
  llvm::SmallVector<uint64_t> lanes;
  /// True if every thread fetches only from itself.
  bool isLocal;
  /// The bits of r that do not change the lane. Registers that differ only in these bits can share a shuffle if they
  /// fit in a word.
  llvm::SmallVector<unsigned> packable;

  /// Returns the cost in units of an addition, for elements of `elementBytes`.
  unsigned getCost(unsigned sourceRegisters, unsigned elementBytes) const;
  /// Returns the bits of `packable` whose registers fit in a word.
  llvm::ArrayRef<unsigned> getPacked(unsigned elementBytes) const;
};

} // namespace tilecc

#endif // TILECC_LOWERING_LAYOUTS_LANEEXCHANGE_H
