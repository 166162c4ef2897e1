//===-- SystemCalls.h - instructions that no row of the table makes --------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_SYSTEMCALLS_H
#define TILECC_EMULATOR_ISA_SYSTEMCALLS_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// call of a function of the device's library; op: the local addresses of its result, if any, and its parameters. Null:
// not one of them.
Handler systemCall(std::string_view function);

// %clock, %clock_hi, %clock64, %globaltimer into op[0]: `elementBytes` wide, `extra` for the upper half.
void readClock(Warp &warp, const Inst &inst, Mask lanes);

} // namespace tilecc::emu
#endif
