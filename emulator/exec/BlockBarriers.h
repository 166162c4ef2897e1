//===-- BlockBarriers.h - the 16 barriers of a block, and that of a cluster -------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_BLOCKBARRIERS_H
#define TILECC_EMULATOR_EXEC_BLOCKBARRIERS_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// The lanes of a split arrive at the barrier of warp.arrival and then continue or wait.
void arrive(Warp &warp, Split &split, const Inst &inst, Mask lanes);
// Releases the barrier's threads if all have arrived.
void completeBarrier(Block &block, Barrier &barrier);
// Barriers with a count count whole warps: counts this warp if all of its lanes have arrived.
void countWarp(Warp &warp, uint32_t barrier);

// barrier.cluster.arrive and .wait by the lanes of a split.
void arriveAtCluster(Warp &warp, Split &split, const Inst &inst, Mask lanes);
void waitForCluster(Warp &warp, Split &split, const Inst &inst, Mask lanes);
void passClusterBarrier(Warp &warp, Split &split);
void completeClusterBarrier(Cluster &cluster);

} // namespace tilecc::emu
#endif
