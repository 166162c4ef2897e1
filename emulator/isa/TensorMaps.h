//===-- TensorMaps.h - the tensor maps that instructions name ---------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_TENSORMAPS_H
#define TILECC_EMULATOR_ISA_TENSORMAPS_H

#include "emulator/exec/MemoryAccess.h"
#include "emulator/memory/TensorMap.h"

namespace tilecc::emu {

// The map at an address, by which a lane copies. Faults if there is none that copies can be made by; reports one that was made in
// this launch and has not been acquired.
TensorMap mapAt(Warp &warp, const Inst &inst, unsigned lane, uint64_t address);

} // namespace tilecc::emu
#endif
