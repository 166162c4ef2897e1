//===-- TensorMapOperands.h - reads the tensor maps of instructions ---------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_TENSORMAPOPERANDS_H
#define TILECC_EMULATOR_ISA_TENSORMAPOPERANDS_H

#include "emulator/exec/MemoryAccess.h"
#include "emulator/memory/TensorMap.h"

namespace tilecc::emu {

// Returns the map at an address, for a lane's copy. Faults if there is no valid map. Reports one that was created in
// this launch and has not been acquired.
TensorMap mapAt(Warp &warp, const Inst &inst, unsigned lane, uint64_t address);

} // namespace tilecc::emu
#endif
