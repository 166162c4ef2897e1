//===-- Waits.h - what a wave has to wait for ------------------------------------------------------------------===//
//
// Memory instructions count up a counter of the wave when they are issued, and down when they are done; s_waitcnt and
// its successors wait until a counter is small enough. Until then the registers that a load writes may neither be read
// nor written. (gfx9 has one counter for vector memory and one for LDS and scalar loads; gfx10 counts stores apart,
// gfx12 scalar loads, too.) Scalar loads return in any order: only a counter of 0 tells that one has arrived.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_AMD_WAITS_H
#define TILECC_EMULATOR_AMD_WAITS_H

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

  // An instruction is issued. Returns its number in its counter, from 1 on.
  uint32_t issue(Event event);
  // What the last instruction that was issued for `event` writes; `also`: it counts in a second counter, as flat loads
  // do.
  void write(Event event, RegisterUse registers, uint32_t inst, bool also = false, Event second = shared);
  // The counter has come down to `most`. Returns the number of the last LDS instruction that is done.
  uint32_t wait(Counter counter, uint32_t most);

  struct InFlight {
    RegisterUse registers;
    Event event, second;
    bool hasSecond;
    uint32_t number, secondNumber;
    uint32_t inst; // that loads it
  };
  // What of these registers is in flight; null: nothing.
  // Loads of one kind return in order (`issues`: what the instruction itself is, or eventCount), so that the later one
  // may write the same register.
  const InFlight *find(const std::vector<RegisterUse> &uses, Event issues) const {
    return inFlight.empty() ? nullptr : search(uses, issues);
  }
  // Reported once: from here on the register counts as arrived.
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
