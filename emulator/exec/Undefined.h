//===-- Undefined.h - registers that were never written --------------------------------------------------------===//
//
// A kernel may read a register that no instruction has written, as long as the value has no effect: compilers leave
// such reads where a value turns out not to be needed. So an "undefined" bit for each lane of each register is
// propagated with the values through instructions, and reported when the value reaches a store, an address or a branch.
//
// There is one bit for each quarter of a register, because compilers also build a vector from a value and an undefined
// part, and extract the value again. Moves of whole registers and of their parts (mov, prmt, shr, cvt to a narrower
// integer) preserve quarters. Any other instruction that reads an undefined part makes its whole result undefined.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_UNDEFINED_H
#define TILECC_EMULATOR_EXEC_UNDEFINED_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// Called before an instruction runs: reports the use of an undefined value, and marks undefined results.
void followUndefined(Warp &warp, const Inst &inst, Mask lanes);
// The same for instructions in which lanes read each other's registers.
void followCollective(Warp &warp, const Inst &inst, Mask lanes);
// Checks a guard, which decides which lanes execute.
void checkGuard(Warp &warp, const Inst &inst, Mask lanes);

} // namespace tilecc::emu
#endif
