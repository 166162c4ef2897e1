//===-- BlockBarriers.h - the 16 barriers of a block, and that of a cluster -------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_BLOCKBARRIERS_H
#define TILECC_EMULATOR_EXEC_BLOCKBARRIERS_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// The lanes of a split arrive at the barrier of warp.arrival; they go on, or wait there.
void arrive(Warp &warp, Split &split, const Inst &inst, Mask lanes);
// Lets the barrier's threads go if all have come.
void completeBarrier(Block &block, Barrier &barrier);
// With a count, barriers count whole warps: this one, once all of its lanes have come.
void countWarp(Warp &warp, uint32_t barrier);

// barrier.cluster.arrive and .wait by the lanes of a split.
void arriveAtCluster(Warp &warp, Split &split, const Inst &inst, Mask lanes);
void waitForCluster(Warp &warp, Split &split, const Inst &inst, Mask lanes);
void passClusterBarrier(Warp &warp, Split &split);
void completeClusterBarrier(Cluster &cluster);

} // namespace tilecc::emu
#endif
