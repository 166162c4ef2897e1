//===-- Mbarrier.h - an mbarrier object ------------------------------------------------------------------------===//
//
// PTX leaves open what the 64 bits in shared memory are. The objects themselves are kept by their block; memory has an
// image, which is also what mbarrier.arrive returns as the state. So it is noticed when something else is written
// there.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_MBARRIER_H
#define TILECC_EMULATOR_EXEC_MBARRIER_H

#include "emulator/checks/Reporter.h"

#include <cstdint>

namespace tilecc::emu {

struct Mbarrier {
  enum : uint32_t { mostArrivals = (1 << 20) - 1 };
  enum : int64_t {
    mostTransactions = (1 << 20) - 1
  }; // and as many below zero: bytes may come before they are expected

  uint32_t expected = 0, pending = 0; // arrivals that later phases take, and that this one still takes
  int64_t transactions = 0;           // bytes that are expected and have not come
  uint32_t phase = 0;                 // how many are complete
  Place initialized;
  bool isFenced = false; // the asynchronous proxy has been told of its initialization

  // The state in 64 bits: what is pending, the parity, and enough for objects that differ to look different.
  struct Image {
    uint64_t expected : 20, pending : 20, parity : 1, valid : 2, transactions : 21;
  };
  Image image() const {
    return {expected, pending, phase & 1, 1, static_cast<uint64_t>(transactions) & ((1 << 21) - 1)};
  }

  bool takes(uint32_t arrivals) const { return arrivals <= pending; }
  bool canExpect(int64_t bytes) const {
    return transactions + bytes >= -mostTransactions && transactions + bytes <= mostTransactions;
  }
  // `count` arrivals, which it takes; with `drop` the later phases take that many less. True if the phase is complete.
  bool arrive(uint32_t count, bool drop = false) {
    pending -= count;
    if (drop)
      expected -= count;
    return completeIfDone();
  }
  void expect(int64_t bytes) { transactions += bytes; }
  bool complete(int64_t bytes) {
    transactions -= bytes;
    return completeIfDone();
  }

private:
  bool completeIfDone() {
    if (pending || transactions)
      return false;
    ++phase;
    pending = expected;
    return true;
  }
};
static_assert(sizeof(Mbarrier::Image) == 8);

struct Block;

// What happens to the object at this offset of a block's shared memory. `place`: the thread and the instruction that
// does it, or has issued the copy that does it; a fault names them. All fault if nothing is initialized there, if
// something has been written over it, and if a count would leave its range.
Mbarrier &mbarrierOf(Block &block, uint32_t offset, const Place &place);
void initMbarrier(Block &block, uint32_t offset, uint32_t count, const Place &place);
void invalidateMbarrier(Block &block, uint32_t offset, const Place &place);
struct MbarrierArrival {
  uint32_t count = 1;
  bool drops = false;
  bool completes = true; // the phase, if it was the last: .noComplete must not be the last
};
void arriveAtMbarrier(Block &block, uint32_t offset, MbarrierArrival arrival, const Place &place);
void expectTransactions(Block &block, uint32_t offset, uint32_t bytes, const Place &place);
void completeTransactions(Block &block, uint32_t offset, uint32_t bytes, const Place &place);
// cp.async.mbarrier.arrive: one more arrival that the phase takes.
void expectArrival(Block &block, uint32_t offset, const Place &place);

} // namespace tilecc::emu
#endif
