//===-- InFlight.h - registers used by wgmma and tcgen05.ld ----------------------------------------------------===//
//
// PTX requires a wgmma.fence before the first wgmma of a warp, and between any other use of a register and a wgmma that
// uses the register, unless both only read it. (If a fence is missing and ptxas sees it, it inserts the fence.
// Instructions that only move a value do not count as uses, because machine code may not contain them.)
//
// At any time between its issue and the wait for its group, a wgmma writes its accumulators, and reads A if A is in
// registers. Until then, no other instruction may access the accumulators, or write registers that the wgmma reads.
// Only further wgmmas may add to the same accumulators.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_INFLIGHT_H
#define TILECC_EMULATOR_EXEC_INFLIGHT_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

inline bool isWgmma(const Inst &inst) { return inst.selects && inst.flow == Flow::collective; }

// Records which registers need a fence before a wgmma. If `inst` is a wgmma, checks that there was a fence. Called only
// if warp.fenceNeeded is not empty.
void followFences(Warp &warp, const Inst &inst, Mask lanes);
// Records a wgmma.fence.
void fenceWgmma(Warp &warp);

// Marks the registers of a wgmma that has been issued as in flight, if the launch checks this.
void takeOff(Warp &warp, const Inst &inst);
// Called when the warp has waited for its groups up to `group`.
void land(Warp &warp, uint64_t group);
// Called before an instruction is executed while registers are in flight.
void checkInFlight(Warp &warp, const Inst &inst, Mask lanes);

// Marks the destination registers of a tcgen05.ld as in flight: they must not be used until tcgen05.wait::ld.
void takeOffLoad(Warp &warp, const Inst &inst);
void landLoads(Warp &warp);
void checkLoadsInFlight(Warp &warp, const Inst &inst, Mask lanes);

} // namespace tilecc::emu
#endif
