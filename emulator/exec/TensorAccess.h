//===-- TensorAccess.h - what instructions access of tensor memory ------------------------------------------------===//
//
// Every access is checked when it is issued: its columns must be allocated, and the checker finds out whether something
// orders it with the accesses of others. The tensor core is an actor of its own.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_TENSORACCESS_H
#define TILECC_EMULATOR_EXEC_TENSORACCESS_H

#include "emulator/exec/MemoryAccess.h"

#include <bitset>

namespace tilecc::emu {

using TensorLanes = std::bitset<TensorMemory::lanes>;

// Faults if any of the columns is outside of tensor memory or not allocated. `what`: "tcgen05.ld"
void needColumns(Warp &warp, const Inst &inst, Mask lanes, Block &home, uint64_t first, uint32_t count,
                 const std::string &what);
// All instructions of a kernel must be for one kind of group, 1 or 2 blocks. Faults otherwise.
void needGroup(Warp &warp, const Inst &inst, Mask lanes, uint32_t group);
// The blocks whose memory an instruction is about, by rank in their pair: the warp's own, or both of its pair, where
// cta_group::2 needs one. Faults if the pair is not there any more.
std::vector<Block *> blocksOfGroup(Warp &warp, const Inst &inst, Mask lanes, uint32_t group);

// Tells the checker of what the warp's lanes do to a cell each: tcgen05.ld and .st (`isMove`), or to allocate and free.
void tellCells(Warp &warp, const Inst &inst, Mask lanes, const uint64_t (&addresses)[warpSize], Access::Kind kind,
               bool isMove);

// What the tensor core does on behalf of one lane of a warp.
class TensorCoreAccess {
public:
  TensorCoreAccess(Warp &warp, const Inst &inst, unsigned lane) : warp(warp), inst(inst), lane(lane) {}

  // These lanes of columns of a block's tensor memory. `readsToo`: sums are added to.
  void tensor(Block &home, const TensorLanes &lanes, uint32_t firstColumn, uint32_t columns, Access::Kind kind,
              bool readsToo = false);
  // Pieces of 16 bytes of a block's shared memory are read. Faults if one is not there. Sorts them.
  void shared(Block &home, std::vector<uint64_t> &pieces);
  // To be done when the tensor core comes to it.
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
