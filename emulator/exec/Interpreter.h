//===-- Interpreter.h - executes warps -------------------------------------------------------------------------===//
//
// The scheduler (Scheduler.h) decides which split of which warp runs next; these functions execute it.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_INTERPRETER_H
#define TILECC_EMULATOR_EXEC_INTERPRETER_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// Creates a cluster that is ready to run. `launch` contains the arguments.
std::unique_ptr<Cluster> startCluster(Launch &launch, uint64_t number);

// Executes a ready split for at most `budget` instructions. Stops earlier if the split waits, exits, diverges, or
// reaches another split. Throws Fault. Returns true if the budget was used up.
bool runSplit(Warp &warp, size_t split, uint32_t budget);

// Returns the ready split that should run next so that lanes reconverge soon, which is the one furthest behind. Returns
// -1 if no split is ready.
int splitBehind(const Warp &warp);

// Called after a block has ended. Reports warpgroups whose warps have not executed the same setmaxnreg instructions.
void checkBlockAtEnd(Block &block);

} // namespace tilecc::emu
#endif
