//===-- Undefined.h - registers that were never written --------------------------------------------------------===//
//
// A kernel may read a register that no instruction has written on the way there, as long as nothing comes of it:
// compilers leave such reads where a value is not needed after all. So the bit "undefined", one for each lane of each
// register, follows the values through instructions and is reported where one reaches a store, an address or a branch.
//
// It is one bit for each quarter of a register: compilers also make a vector of a value and nothing, and take the
// value out again. Moves of whole registers and of their parts (mov, prmt, shr, cvt to
// a narrower integer) keep the quarters apart; any other instruction that
// reads an undefined one makes an undefined register.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_UNDEFINED_H
#define TILECC_EMULATOR_EXEC_UNDEFINED_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// Before an instruction runs: whether it uses an undefined value in earnest, and what of its results is undefined.
void followUndefined(Warp &warp, const Inst &inst, Mask lanes);
// The same for instructions in which lanes read each other's registers.
void followCollective(Warp &warp, const Inst &inst, Mask lanes);
// A guard decides which lanes act.
void checkGuard(Warp &warp, const Inst &inst, Mask lanes);

} // namespace tilecc::emu
#endif
