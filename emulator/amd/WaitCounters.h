//===-- WaitCounters.h - wait counters of a wave ---------------------------------------------------------------===//
//
// A memory instruction increments a counter of its wave when it is issued, and decrements it when it finishes.
// s_waitcnt and its successors wait until a counter is at most some number. Until then, the registers that a load
// writes may be neither read nor written. (gfx9 has one counter for vector memory, and one for LDS and scalar loads.
// gfx10 adds one for stores, and gfx12 one for scalar loads.) Scalar loads finish out of order, so only a counter of 0
// guarantees that a certain one has finished.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_AMD_WAITCOUNTERS_H
#define TILECC_EMULATOR_AMD_WAITCOUNTERS_H

#include <cstdint>
#include <vector>

namespace tilecc::emu::amd {

struct RegisterUse {
  uint16_t first, words;
  bool isVector, isWritten;
};

class Waits {
public:
  enum Event : uint8_t { load, store, shared, scalar, eventCount };
  enum Counter : uint8_t { vectorMemory, stores, lds, scalars, counterCount };

  void configure(bool separateStores, bool separateScalar) {
    counterOf[load] = vectorMemory;
    counterOf[store] = separateStores ? stores : vectorMemory;
    counterOf[shared] = lds;
    counterOf[scalar] = separateScalar ? scalars : lds;
  }

  // Issues an instruction. Returns its number among those of its counter, from 1 on.
  uint32_t issue(Event event);
  // Records the registers that the last instruction issued for `event` writes. If `also` is true, the instruction
  // counts in a second counter too, as flat loads do.
  void write(Event event, RegisterUse registers, uint32_t inst, bool also = false, Event second = shared);
  // Waits until the counter is at most `most`. Returns the number of the last LDS instruction that has finished.
  uint32_t wait(Counter counter, uint32_t most);

  struct InFlight {
    RegisterUse registers;
    Event event, second;
    bool hasSecond;
    uint32_t number, secondNumber;
    uint32_t inst; // the load
  };
  // Returns one of the given registers that is in flight, or null. Loads of one kind return in order, so a later one
  // may write the same register; `issues` is the kind of the current instruction, or eventCount.
  const InFlight *find(const std::vector<RegisterUse> &uses, Event issues) const {
    return inFlight.empty() ? nullptr : search(uses, issues);
  }
  // Treats a register as arrived, so that it is reported only once.
  void forget(const InFlight *which) { inFlight.erase(inFlight.begin() + (which - inFlight.data())); }
  uint32_t outstanding(Event event) const { return issued[counterOf[event]] - done[counterOf[event]]; }

private:
  const InFlight *search(const std::vector<RegisterUse> &uses, Event issues) const;
  bool hasArrived(Event event, uint32_t number) const;

  Counter counterOf[eventCount] = {vectorMemory, vectorMemory, lds, lds};
  uint32_t issued[counterCount] = {}, done[counterCount] = {};
  uint32_t lastScalar = 0, scalarDone = 0;
  std::vector<InFlight> inFlight;
};

} // namespace tilecc::emu::amd
#endif
