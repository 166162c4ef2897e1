//===-- BlockBarriers.h - the 16 barriers of a block, and that of a cluster -------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_BLOCKBARRIERS_H
#define TILECC_EMULATOR_EXEC_BLOCKBARRIERS_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// Lets the lanes of a split arrive at the barrier of warp.arrival and then continue or wait.
void arrive(Warp &warp, Split &split, const Inst &inst, Mask lanes);
// Releases the barrier's threads if all have arrived.
void completeBarrier(Block &block, Barrier &barrier);
// Counts this warp if all of its lanes have arrived: barriers with a thread count count whole warps.
void countWarp(Warp &warp, uint32_t barrier);

// Execute barrier.cluster.arrive and .wait for the lanes of a split.
void arriveAtCluster(Warp &warp, Split &split, const Inst &inst, Mask lanes);
void waitForCluster(Warp &warp, Split &split, const Inst &inst, Mask lanes);
void passClusterBarrier(Warp &warp, Split &split);
void completeClusterBarrier(Cluster &cluster);

} // namespace tilecc::emu
#endif
