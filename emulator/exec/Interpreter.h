//===-- Interpreter.h - executes warps -------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_INTERPRETER_H
#define TILECC_EMULATOR_EXEC_INTERPRETER_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// Creates a cluster that is ready to run. The launch holds the arguments.
std::unique_ptr<Cluster> startCluster(Launch &launch, uint64_t number);

// Executes a ready split for at most `budget` instructions. Stops earlier if the split waits, exits, diverges or
// reaches another split. Throws Fault. Returns true if the budget was exhausted.
bool runSplit(Warp &warp, size_t split, uint32_t budget);

// Selects the ready split that should run next so that lanes reconverge soon: the one furthest behind. Returns -1 if
// there is none.
int splitBehind(const Warp &warp);

// Reports what every thread of a cluster waits for, and ends the launch.
[[noreturn]] void reportDeadlock(const Cluster &cluster);

// Called after a block has ended. Reports warpgroups whose warps have not executed the same setmaxnreg instructions.
void checkBlockAtEnd(Block &block);

} // namespace tilecc::emu
#endif
