//===-- InFlight.h - registers of a wgmma, and of tcgen05.ld ---------------------------------------------------===//
//
// Before the first wgmma of a warp, and between what else uses a register and a wgmma that does, too, there has to be a
// wgmma.fence, unless both only read it. (ptxas inserts it where it sees that none is there. What only moves a value counts
// as nothing: it may be gone in machine code.)
//
// From its issue until the wait for its group a wgmma writes its sums and reads A where it is in registers, at any
// time: nothing else may touch the sums until then, nor write what it reads. Only further products may add to the same
// sums.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_INFLIGHT_H
#define TILECC_EMULATOR_EXEC_INFLIGHT_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

inline bool isProduct(const Inst &inst) { return inst.selects && inst.flow == Flow::collective; }

// What an instruction uses needs a fence before products; of a product: was there one? Where that is checked,
// warp.fenceNeeded is not empty.
void followFences(Warp &warp, const Inst &inst, Mask lanes);
// wgmma.fence
void fenceProducts(Warp &warp);

// A product is issued: what it uses is in flight from here on, where the launch checks that.
void takeOff(Warp &warp, const Inst &inst);
// The warp has waited for its groups up to this one.
void land(Warp &warp, uint64_t group);
// Before an instruction runs, while something is in flight.
void checkInFlight(Warp &warp, const Inst &inst, Mask lanes);

// tcgen05.ld: what it writes is in flight until tcgen05.wait::ld, for any use.
void takeOffLoad(Warp &warp, const Inst &inst);
void landLoads(Warp &warp);
void checkLoadsInFlight(Warp &warp, const Inst &inst, Mask lanes);

} // namespace tilecc::emu
#endif
