//===-- Deadlock.h - reports what threads wait for -------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_DEADLOCK_H
#define TILECC_EMULATOR_EXEC_DEADLOCK_H

#include "emulator/exec/Machine.h"

#include <map>

namespace tilecc::emu {

// Reports what every thread of a cluster is waiting for, and ends the launch.
[[noreturn]] void reportDeadlock(const Cluster &cluster);

// What the threads of several clusters wait for, of which some wait for signals.
class DeadlockReport {
public:
  void add(const Cluster &cluster);
  // Reports the deadlock, and ends the launch.
  [[noreturn]] void print(const Launch &launch) const;

private:
  struct Waiting {
    Place place;
    std::vector<std::string> lines;
  };
  // By block and thread, so that the text does not depend on the threads of the emulator.
  std::map<std::pair<uint64_t, uint32_t>, Waiting> forSignals;
  uint64_t others = 0; // number of threads that wait for other threads of their clusters
};

} // namespace tilecc::emu
#endif
