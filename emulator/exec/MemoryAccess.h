//===-- MemoryAccess.h - translates the addresses of a warp's access -------------------------------------------===//
//
// All instructions that access memory find the bytes behind an address by these functions, which also check the access.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_MEMORYACCESS_H
#define TILECC_EMULATOR_EXEC_MEMORYACCESS_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// The host memory that the lanes of one instruction access. It may be used until this object is destroyed.
struct Pointers {
  // The deleter of `checker`, which notifies it that the access has happened.
  struct Performed {
    void operator()(BlockChecker *checker) const { checker->performed(); }
  };
  std::byte *at[warpSize];
  std::unique_ptr<BlockChecker, Performed> checker;
};

// Computes the addresses of the lanes: the values in the row plus the offset in the instruction.
void computeAddresses(Warp &warp, const Inst &inst, Mask lanes, uint32_t row, uint64_t (&addresses)[warpSize]);

// Checks an access that is about to happen, of `bytes` consecutive bytes for each lane, in the state space of the
// instruction, and returns its host memory. Faults if the access is not allowed. `values` has `bytes` bytes for each
// lane of a store.
Pointers access(Warp &warp, const Inst &inst, Mask lanes, const uint64_t (&addresses)[warpSize], ptx::Space space,
                uint32_t bytes, Access::Kind kind, const std::byte *values = nullptr);

// Translates addresses of one state space, with only those checks that protect this process. Faults as a GPU would.
// `home` is the block whose shared memory is accessed, if that is not the block of the warp.
Pointers translate(Warp &warp, const Inst &inst, Mask lanes, const uint64_t *addresses, ptx::Space space,
                   uint32_t bytes, Access::Kind kind, Block *home = nullptr);

// Returns the block to which a .shared::cluster address belongs, and turns the address into an offset. If there is no
// such block, or if it has ended, faults with the instruction and the lane.
Block &ownerOf(Warp &warp, const Inst &inst, unsigned lane, uint64_t &address);

// An offset in the shared memory of one block.
struct SharedPlace {
  Block *block;
  uint32_t offset;
};
// Translates an address that must be in shared memory, given in the state space of the instruction or in another one.
// Faults if it is not in shared memory, or if it is misaligned.
SharedPlace findShared(Warp &warp, const Inst &inst, unsigned lane, uint64_t address, ptx::Space space, uint32_t bytes,
                       uint32_t align, const char *what);

// Translates the address of an mbarrier that a lane uses. The checker is told that .init and .inval write this memory,
// and that all other instructions update it atomically. So a user of the object must be ordered after its
// initialization.
SharedPlace findMbarrier(Warp &warp, const Inst &inst, unsigned lane, uint64_t address, ptx::Space space,
                         Access::Kind kind);

// Describes an access to one space for the checker.
Access describe(const Warp &warp, const Inst &inst, Mask lanes, const uint64_t *addresses, ptx::Space space,
                uint32_t bytes, Access::Kind kind, const std::byte *values);

// The common case: the address is in this operand, in the instruction's own space.
inline Pointers access(Warp &warp, const Inst &inst, Mask lanes, uint32_t addressOperand, uint32_t bytes,
                       Access::Kind kind, const std::byte *values = nullptr) {
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, lanes, inst.op[addressOperand], addresses);
  return access(warp, inst, lanes, addresses, inst.space, bytes, kind, values);
}

} // namespace tilecc::emu
#endif
