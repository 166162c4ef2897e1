//===- NamedBarriers.h - which of a thread block's barriers is for what ---------------------------------*- C++ -*-===//
//
// A thread block has 16 barriers that instructions name by number (bar.sync). Groups of its threads wait at the same
// time, so each of them has its own.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_NAMEDBARRIERS_H
#define TILECC_TARGETS_NVIDIA_NAMEDBARRIERS_H

namespace tilecc::nvidia {

enum NamedBarrier : unsigned {
  BlockBarrier, ///< of all threads
  ProgramBarrier, ///< of a program's threads outside its partitions
  PartitionBarrier, ///< the first of those of the partitions
  TurnBarrier = 8, ///< the first of those of warp groups that take turns
  SharingBarrier = 12, ///< the first of those of programs that share a block, instead of ProgramBarrier
  NumNamedBarriers = 16,
};

inline constexpr unsigned maxPartitions = TurnBarrier - PartitionBarrier, maxTurns = SharingBarrier - TurnBarrier,
                          maxSharingPrograms = NumNamedBarriers - SharingBarrier;

static_assert(PartitionBarrier < TurnBarrier && TurnBarrier < SharingBarrier && SharingBarrier < NumNamedBarriers);

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_NAMEDBARRIERS_H
