//===-- Scheduler.h - determines the order of execution --------------------------------------------------------===//
//
// The fast schedule runs blocks on all threads of the pool. Each thread has a few blocks at a time and runs warps in
// turn; copies happen as late as possible. The random schedule uses one thread and a few blocks at a time, and picks
// the next step (a split of a warp, or an engine's pending work) at random. The same seed gives the same run.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_SCHEDULER_H
#define TILECC_EMULATOR_EXEC_SCHEDULER_H

#include "emulator/exec/Machine.h"
#include "tilecc/emulator.h"

namespace tilecc::emu {

struct RunTotals {
  uint64_t warpInstructions = 0, threadInstructions = 0;
};

// Runs the whole grid. Throws Fault.
RunTotals runFast(Launch &launch, tilecc_emu_parallel parallel);
RunTotals runRandom(Launch &launch, uint64_t seed);

} // namespace tilecc::emu
#endif
