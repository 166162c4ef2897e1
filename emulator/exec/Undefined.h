//===-- Undefined.h - registers without a defined value --------------------------------------------------------===//
//
// A kernel may read a register that no instruction has written, as long as the value has no effect: compilers leave
// such reads if a value is not needed. So an "undefined" bit for each lane of each register is propagated with the
// values through instructions, and reported when the value reaches a store, an address or a branch.
//
// A shuffle that reads a lane which does not take part (it has exited, the block does not have it, or the member mask
// does not name it) also produces an undefined value. A warp starts to track undefined values when that first happens,
// regardless of the enabled checks.
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
// Does what followUndefined() does, for instructions in which lanes read each other's registers.
void followCollective(Warp &warp, const Inst &inst, Mask lanes);
// Called after a shuffle has run: sources[lane] is the lane whose value a lane has received; for lanes in `absent`,
// that lane does not take part.
void followShuffle(Warp &warp, const Inst &inst, Mask lanes, const uint8_t *sources, Mask absent);
// Checks a guard, which decides which lanes execute.
void checkGuard(Warp &warp, const Inst &inst, Mask lanes);

} // namespace tilecc::emu
#endif
