//===- NamedBarriers.h - the use of a thread block's named barriers -------------------------------------*- C++ -*-===//
//
// A thread block has 16 barriers, which instructions such as bar.sync select by number. Several groups of threads may
// wait at the same time, so each group has a barrier of its own.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_NAMEDBARRIERS_H
#define TILECC_TARGETS_NVIDIA_NAMEDBARRIERS_H

namespace tilecc::nvidia {

enum NamedBarrier : unsigned {
  BlockBarrier, ///< for all threads of the block
  ProgramBarrier, ///< for the threads of a program that are in no partition
  PartitionBarrier, ///< the first barrier for partitions; each partition has one
  TurnBarrier = 8, ///< the first barrier for warp groups that take turns; each group has one
  SharingBarrier = 12, ///< the first barrier for programs that share a block, in place of ProgramBarrier
  NumNamedBarriers = 16,
};

inline constexpr unsigned numPartitionBarriers = TurnBarrier - PartitionBarrier,
                          maxTurns = SharingBarrier - TurnBarrier,
                          maxSharingPrograms = NumNamedBarriers - SharingBarrier;

static_assert(PartitionBarrier < TurnBarrier && TurnBarrier < SharingBarrier && SharingBarrier < NumNamedBarriers);

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_NAMEDBARRIERS_H
