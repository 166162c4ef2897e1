//===-- Interpreter.h - running warps --------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_INTERPRETER_H
#define TILECC_EMULATOR_EXEC_INTERPRETER_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// A cluster that is ready to run; the arguments are in the launch.
std::unique_ptr<Cluster> startCluster(Launch &launch, uint64_t number);

// Runs a ready split for at most `budget` instructions; less if it waits, ends, diverges or meets another split. Throws
// Fault. True if the budget was what ended it.
bool runSplit(Warp &warp, size_t split, uint32_t budget);

// The ready split that should run next for lanes to meet again soon: the one that is furthest behind. -1: none.
int splitBehind(const Warp &warp);

// Reports what every thread of a cluster waits for and ends the launch.
[[noreturn]] void reportDeadlock(const Cluster &cluster);

// After a block has ended: warpgroups whose warps have not executed the same setmaxnreg.
void checkBlockAtEnd(Block &block);

} // namespace tilecc::emu
#endif
