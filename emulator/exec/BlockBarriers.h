//===-- BlockBarriers.h - the 16 barriers of a block, and that of a cluster -------------------------------------===//
//
// Implements bar.sync and its relatives, and barrier.cluster, for the interpreter.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_BLOCKBARRIERS_H
#define TILECC_EMULATOR_EXEC_BLOCKBARRIERS_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// Makes the lanes of a split arrive at the barrier that warp.arrival names; they then continue or wait.
void arrive(Warp &warp, Split &split, const Inst &inst, Mask lanes);
// Releases the threads that wait at the barrier, if all threads have arrived.
void completeBarrier(Block &block, Barrier &barrier);
// Counts this warp at the barrier if all of its lanes have arrived. A barrier with a thread count counts whole warps.
void countWarp(Warp &warp, uint32_t barrier);

// Execute barrier.cluster.arrive and .wait for the lanes of a split.
void arriveAtCluster(Warp &warp, Split &split, const Inst &inst, Mask lanes);
void waitForCluster(Warp &warp, Split &split, const Inst &inst, Mask lanes);
void passClusterBarrier(Warp &warp, Split &split);
void completeClusterBarrier(Cluster &cluster);

} // namespace tilecc::emu
#endif
