//===-- BulkReduce.h - reductions and multicasts of bulk copies -------------------------------------------------===//
//
// The instructions cp.async.bulk and cp.reduce.async.bulk, with or without a tensor map, share these functions.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_BULKREDUCE_H
#define TILECC_EMULATOR_ISA_BULKREDUCE_H

#include "emulator/exec/MemoryAccess.h"
#include "emulator/isa/Table.h"

namespace tilecc::emu {

// Combines elements with those in memory, each atomically.
using BulkReduce = void (*)(std::byte *to, const std::byte *from, uint32_t bytes);
// Returns the function for the operation of the instruction (such as .add) and an element type. Returns null if the
// instruction has no operation, or if the operation does not support this type.
BulkReduce bulkReduceOf(const Match &match, Type type);

// Calls use(target, mbarrier) for each block that receives the data of a load: for the block of `to`, or, if there is a
// `mask`, for all blocks of the cluster in it. Offsets in shared memory are the same in all blocks.
template <class F>
void eachTarget(Warp &warp, const Inst &inst, unsigned lane, const u16 *mask, SharedPlace to, SharedPlace mbarrier,
                F use, bool pairs = false) {
  if (!mask)
    return use(to, mbarrier);
  const Cluster &cluster = *warp.block->cluster;
  if (*mask >> cluster.blocks.size())
    warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "multicast",
               "a multicast to blocks " + std::to_string(*mask) + " (a mask) of a cluster of " +
                   std::to_string(cluster.blocks.size()));
  for (uint32_t rest = *mask; rest; rest &= rest - 1) {
    uint64_t target = __builtin_ctz(rest), rank = pairs ? (target & ~uint64_t(1)) | (mbarrier.block->rank & 1) : target,
             address = (rank + 1) << clusterRankShift;
    SharedPlace object = findMbarrier(warp, inst, lane, address + mbarrier.offset, ptx::Space::cluster, Access::atomic);
    use(SharedPlace{cluster.blocks[target].get(), to.offset}, object);
  }
}

} // namespace tilecc::emu
#endif
