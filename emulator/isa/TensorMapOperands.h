//===-- TensorMapOperands.h - reads the tensor maps of instructions ---------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_TENSORMAPOPERANDS_H
#define TILECC_EMULATOR_ISA_TENSORMAPOPERANDS_H

#include "emulator/exec/MemoryAccess.h"
#include "emulator/memory/TensorMap.h"

namespace tilecc::emu {

// Returns the tensor map at `address`, which the copy of one lane uses. Faults if there is no valid map. Reports a map
// that was created in this launch and has not been acquired with a fence.
TensorMap mapAt(Warp &warp, const Inst &inst, unsigned lane, uint64_t address);

} // namespace tilecc::emu
#endif
