//===-- SystemCalls.h - instructions that are not in the table -------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_SYSTEMCALLS_H
#define TILECC_EMULATOR_ISA_SYSTEMCALLS_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// Returns the handler for calls of a system function (such as vprintf), or null if there is no such function. Operands:
// the local addresses of the result, if any, and of the parameters.
Handler systemCall(std::string_view function);

// Reads %clock, %clock_hi, %clock64 or %globaltimer into op[0], `elementBytes` wide; `extra` selects the upper half.
void readClock(Warp &warp, const Inst &inst, Mask lanes);

} // namespace tilecc::emu
#endif
