//===-- InFlight.h - registers used by wgmma and tcgen05.ld ----------------------------------------------------===//
//
// A wgmma.fence is required before a warp's first wgmma, and between any other use of a register and a wgmma that uses
// it, unless both only read it. (ptxas inserts a fence if it detects that one is missing. Instructions that only move a
// value do not count as uses, because machine code may not contain them.)
//
// A wgmma may write its accumulators, and read the registers of A if A is in registers, at any time between its issue
// and the wait for its group. Until that wait, no other instruction may access the accumulators or write the registers
// of A. Only further wgmmas may add to the same accumulators.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_INFLIGHT_H
#define TILECC_EMULATOR_EXEC_INFLIGHT_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

inline bool isWgmma(const Inst &inst) { return inst.selects && inst.flow == Flow::collective; }

// Records the registers that need a fence before a wgmma; for a wgmma, checks that there was one. Called only if
// warp.fenceNeeded is not empty.
void followFences(Warp &warp, const Inst &inst, Mask lanes);
// wgmma.fence
void fenceWgmma(Warp &warp);

// Marks the registers of an issued wgmma as in flight, if the launch checks for this.
void takeOff(Warp &warp, const Inst &inst);
// Called when the warp has waited for its groups up to this one.
void land(Warp &warp, uint64_t group);
// Called before an instruction runs while registers are in flight.
void checkInFlight(Warp &warp, const Inst &inst, Mask lanes);

// Marks the destination registers of a tcgen05.ld as in flight: they must not be used until tcgen05.wait::ld.
void takeOffLoad(Warp &warp, const Inst &inst);
void landLoads(Warp &warp);
void checkLoadsInFlight(Warp &warp, const Inst &inst, Mask lanes);

} // namespace tilecc::emu
#endif
