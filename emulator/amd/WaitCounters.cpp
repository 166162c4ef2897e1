//===-- WaitCounters.cpp - wait counters and registers in flight; used by Run.cpp and memory instructions ------===//
#include "emulator/amd/WaitCounters.h"

#include <algorithm>

using namespace tilecc::emu::amd;

uint32_t Waits::issue(Event event) {
  uint32_t number = ++issued[counterOf[event]];
  if (event == scalar)
    lastScalar = number;
  return number;
}

void Waits::write(Event event, RegisterUse registers, uint32_t inst, bool also, Event second) {
  inFlight.push_back({registers, event, second, also, issued[counterOf[event]], issued[counterOf[second]], inst});
}

bool Waits::hasArrived(Event event, uint32_t number) const {
  return event == scalar ? scalarDone >= number : done[counterOf[event]] >= number;
}

uint32_t Waits::wait(Counter counter, uint32_t most) {
  uint32_t reached = issued[counter] > most ? issued[counter] - most : 0;
  bool scalarsCount = counterOf[scalar] == counter, scalarsPending = scalarsCount && scalarDone < lastScalar;
  // Scalar loads return out of order, so a nonzero count does not tell which instruction has finished.
  if (most > 0 && scalarsPending)
    reached = 0;
  done[counter] = std::max(done[counter], reached);
  if (scalarsCount && most == 0)
    scalarDone = issued[counter];
  std::erase_if(inFlight, [&](const InFlight &entry) {
    return hasArrived(entry.event, entry.number) && (!entry.hasSecond || hasArrived(entry.second, entry.secondNumber));
  });
  return done[lds];
}

const Waits::InFlight *Waits::search(const std::vector<RegisterUse> &uses, Event issues) const {
  for (const InFlight &entry : inFlight)
    for (const RegisterUse &use : uses)
      if (use.isVector == entry.registers.isVector && use.first < entry.registers.first + entry.registers.words &&
          entry.registers.first < use.first + use.words &&
          !(use.isWritten && entry.event == issues && issues != scalar))
        return &entry;
  return nullptr;
}
