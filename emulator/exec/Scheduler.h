//===-- Scheduler.h - determines the order of execution --------------------------------------------------------===//
//
// There are two schedules. The fast one runs blocks on all threads of the pool; each thread has a few blocks at a time
// and runs their warps in turn, and copies are performed as late as possible. The random one uses one thread and a few
// blocks at a time, and picks the next step at random: a split of a warp, or pending work of an engine. The same seed
// gives the same run.
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

// Runs all blocks of the grid. Throws Fault.
RunTotals runFast(Launch &launch, tilecc_emu_parallel parallel);
RunTotals runRandom(Launch &launch, uint64_t seed);

} // namespace tilecc::emu
#endif
