//===-- Undefined.h - registers without a defined value --------------------------------------------------------===//
//
// A kernel may read a register that no instruction has written, as long as the value has no effect: compilers leave
// such reads in the code if the value is not needed. So each lane of each register has an "undefined" bit, which is
// propagated together with values through instructions. An error is reported when an undefined value reaches a store,
// an address or a branch.
//
// A shuffle that reads a lane that does not take part also produces an undefined value. (Such a lane has exited, does
// not exist in the block, or is not in the member mask.) When this first happens in a warp, the warp starts to track
// undefined values, regardless of which checks are enabled.
//
// There is one bit for each quarter of a register, because compilers also build a vector from a value and an undefined
// part, and later extract the value again. Moves of whole registers and of their parts (mov, prmt, shr, cvt to a
// narrower integer) preserve quarters. If any other instruction reads an undefined part, its whole result is undefined.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_UNDEFINED_H
#define TILECC_EMULATOR_EXEC_UNDEFINED_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// Called before an instruction is executed. Reports the use of an undefined value, and marks undefined results.
void followUndefined(Warp &warp, const Inst &inst, Mask lanes);
// Does the same for instructions in which lanes read each other's registers.
void followCollective(Warp &warp, const Inst &inst, Mask lanes);
// Called after a shuffle has been executed. sources[lane] is the lane whose value a lane has received; for the lanes in
// `absent`, that lane does not take part.
void followShuffle(Warp &warp, const Inst &inst, Mask lanes, const uint8_t *sources, Mask absent);
// Checks a guard predicate, which decides which lanes execute an instruction.
void checkGuard(Warp &warp, const Inst &inst, Mask lanes);

} // namespace tilecc::emu
#endif
