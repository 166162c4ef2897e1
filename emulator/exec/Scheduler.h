//===-- Scheduler.h - in which order things happen -------------------------------------------------------------===//
//
// Fast: blocks on all threads of the pool, each thread with a few blocks at a time, warps in turn, copies as late as they
// may be. Random: on one thread, some blocks at a time, and whatever can take a step (a split of a warp, or an engine's
// pending work) is picked at random; the same seed gives the same run.
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
