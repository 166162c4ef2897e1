//===-- TensorAccess.h - accesses to tensor memory ----------------------------------------------------------------===//
//
// Every access to tensor memory is checked when it is issued: its columns must be allocated, and the checker determines
// whether it is ordered with other accesses. To the checker, the tensor core is a separate actor.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_TENSORACCESS_H
#define TILECC_EMULATOR_EXEC_TENSORACCESS_H

#include "emulator/exec/MemoryAccess.h"

#include <bitset>

namespace tilecc::emu {

using TensorLanes = std::bitset<TensorMemory::lanes>;

// Faults if any of the columns is outside tensor memory or not allocated. `what` names the instruction: "tcgen05.ld".
void needColumns(Warp &warp, const Inst &inst, Mask lanes, Block &home, uint64_t first, uint32_t count,
                 const std::string &what);
// Faults unless all instructions of a kernel use the same group size, 1 or 2 blocks.
void needGroup(Warp &warp, const Inst &inst, Mask lanes, uint32_t group);
// Returns the blocks whose memory an instruction accesses, by rank in their pair: the block of the warp, or both blocks
// for cta_group::2. Faults if the other block of the pair has ended.
std::vector<Block *> blocksOfGroup(Warp &warp, const Inst &inst, Mask lanes, uint32_t group);

// Reports accesses of one cell for each lane to the checker: tcgen05.ld and .st (`isMove`), or allocating and freeing.
void tellCells(Warp &warp, const Inst &inst, Mask lanes, const uint64_t (&addresses)[warpSize], Access::Kind kind,
               bool isMove);

// Reports and issues the work of the tensor core on behalf of one lane of a warp.
class TensorCoreAccess {
public:
  TensorCoreAccess(Warp &warp, const Inst &inst, unsigned lane) : warp(warp), inst(inst), lane(lane) {}

  // Accesses these lanes of columns in the tensor memory of a block. `readsToo` is true if the access adds to
  // accumulators.
  void tensor(Block &home, const TensorLanes &lanes, uint32_t firstColumn, uint32_t columns, Access::Kind kind,
              bool readsToo = false);
  // Reads pieces of 16 bytes from the shared memory of a block, and sorts `pieces`. Faults if one does not exist.
  void shared(Block &home, std::vector<uint64_t> &pieces);
  // Queues work for the tensor core.
  void issue(std::function<void()> perform, bool isCommit = false);

  Place place() const { return warp.place(inst, Mask(1) << lane); }
  [[noreturn]] void fault(int error, const std::string &what) {
    warp.fault(inst, Mask(1) << lane, error, "tcgen05", what);
  }

  Warp &warp;
  const Inst &inst;
  unsigned lane;

private:
  void tell(Access::Where where, Block &home, uint64_t address, uint32_t bytes, Access::Kind kind, bool readsToo);
};

} // namespace tilecc::emu
#endif
