//===- NamedBarriers.h - the use of a thread block's named barriers -------------------------------------*- C++ -*-===//
//
// A thread block has 16 hardware barriers, which instructions such as bar.sync select by number. Groups of threads that
// may wait at the same time need different barriers. This file assigns the numbers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_NAMEDBARRIERS_H
#define TILECC_TARGETS_NVIDIA_NAMEDBARRIERS_H

namespace tilecc::nvidia {

enum NamedBarrier : unsigned {
  BlockBarrier, ///< for all threads of the block
  ProgramBarrier, ///< for the threads of a program that are in no partition
  PartitionBarrier, ///< the first of the barriers of partitions; each partition has its own
  TurnBarrier = 8, ///< the first of the barriers on which warp groups wait for their turn; each group has its own
  SharingBarrier = 12, ///< the first of the barriers that replace ProgramBarrier if programs share a block
  NumNamedBarriers = 16,
};

inline constexpr unsigned numPartitionBarriers = TurnBarrier - PartitionBarrier,
                          maxTurns = SharingBarrier - TurnBarrier,
                          maxSharingPrograms = NumNamedBarriers - SharingBarrier;

static_assert(PartitionBarrier < TurnBarrier && TurnBarrier < SharingBarrier && SharingBarrier < NumNamedBarriers);

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_NAMEDBARRIERS_H
