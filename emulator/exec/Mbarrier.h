//===-- Mbarrier.h - an mbarrier object ------------------------------------------------------------------------===//
//
// PTX does not specify the format of the 64 bits of an mbarrier object in shared memory. The emulator keeps the object
// in the Block, and memory contains only an image of it, which is also the state that mbarrier.arrive returns. Thus the
// emulator detects it if a kernel overwrites the object.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_MBARRIER_H
#define TILECC_EMULATOR_EXEC_MBARRIER_H

#include "emulator/checks/Reporter.h"

#include <cstdint>

namespace tilecc::emu {

struct Mbarrier {
  enum : uint32_t { maxArrivals = (1 << 20) - 1 };
  enum : int64_t {
    maxTransactions = (1 << 20) - 1
  }; // the count may be negative to the same limit, because bytes may arrive before they are expected

  uint32_t expected = 0, pending = 0; // arrivals per phase; still missing in this phase
  int64_t transactions = 0; // expected bytes that have not arrived
  uint32_t phase = 0; // number of completed phases
  Place initialized;
  uint64_t latest = 0, completed = 0; // in a profile: the times of the last arrival, and of the last phase's end
  bool isFenced = false; // a fence has made its initialization visible to the asynchronous proxy

  // The state as 64 bits: the pending arrivals, the parity, and enough further bits to distinguish objects.
  struct Image {
    uint64_t expected : 20, pending : 20, parity : 1, valid : 2, transactions : 21;
  };
  Image image() const {
    return {expected, pending, phase & 1, 1, static_cast<uint64_t>(transactions) & ((1 << 21) - 1)};
  }

  bool takes(uint32_t arrivals) const { return arrivals <= pending; }
  bool canExpect(int64_t bytes) const {
    return transactions + bytes >= -maxTransactions && transactions + bytes <= maxTransactions;
  }
  // Processes `count` arrivals. At least `count` arrivals must be pending. With `drop`, later phases expect `count`
  // fewer arrivals. Returns true if this completes the phase.
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
    completed = latest;
    return true;
  }
};
static_assert(sizeof(Mbarrier::Image) == 8);

struct Block;

// Operations on the object at this offset in the shared memory of a block. `place` is the thread and the instruction
// that performs the operation, or that issued the copy that performs it; errors name it. All operations fault if there
// is no initialized object, if the object has been overwritten, or if a count would leave its range.
Mbarrier &mbarrierOf(Block &block, uint32_t offset, const Place &place);
void initMbarrier(Block &block, uint32_t offset, uint32_t count, const Place &place);
void invalidateMbarrier(Block &block, uint32_t offset, const Place &place);
struct MbarrierArrival {
  uint32_t count = 1;
  bool drops = false;
  bool completes = true; // may complete the phase; .noComplete must not
};
void arriveAtMbarrier(Block &block, uint32_t offset, MbarrierArrival arrival, const Place &place);
void expectTransactions(Block &block, uint32_t offset, uint32_t bytes, const Place &place);
void completeTransactions(Block &block, uint32_t offset, uint32_t bytes, const Place &place);
// Implements cp.async.mbarrier.arrive: adds one expected arrival to the phase.
void expectArrival(Block &block, uint32_t offset, const Place &place);

} // namespace tilecc::emu
#endif
