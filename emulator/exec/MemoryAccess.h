//===-- MemoryAccess.h - translates the addresses of a warp's access -------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_MEMORYACCESS_H
#define TILECC_EMULATOR_EXEC_MEMORYACCESS_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// The host memory that the lanes of one instruction access, until this object is destroyed.
struct Pointers {
  // The deleter of `checker`, which notifies it that the access has happened.
  struct Performed {
    void operator()(BlockChecker *checker) const { checker->performed(); }
  };
  std::byte *at[warpSize];
  std::unique_ptr<BlockChecker, Performed> checker;
};

// Computes the lanes' addresses: the row plus the instruction's offset.
void computeAddresses(Warp &warp, const Inst &inst, Mask lanes, uint32_t row, uint64_t (&addresses)[warpSize]);

// Checks an access of `bytes` consecutive bytes per lane, in the instruction's space, that is about to happen, and
// returns its host memory. Faults if it is not allowed. `values`: for stores, `bytes` per lane.
Pointers access(Warp &warp, const Inst &inst, Mask lanes, const uint64_t (&addresses)[warpSize], ptx::Space space,
                uint32_t bytes, Access::Kind kind, const std::byte *values = nullptr);

// Translates addresses of one space, with only those checks that protect this process. Faults like a GPU. `home`: the
// block whose shared memory is accessed, if not the warp's own.
Pointers translate(Warp &warp, const Inst &inst, Mask lanes, const uint64_t *addresses, ptx::Space space,
                   uint32_t bytes, Access::Kind kind, Block *home = nullptr);

// Returns the block that owns a .shared::cluster address and turns the address into an offset. Faults, naming `inst`
// and `lane`, if there is no such block or it has ended.
Block &ownerOf(Warp &warp, const Inst &inst, unsigned lane, uint64_t &address);

// An offset in the shared memory of one block.
struct SharedPlace {
  Block *block;
  uint32_t offset;
};
// Translates an address that must be in shared memory, in the instruction's space or another one. Faults if it is not,
// or is misaligned.
SharedPlace findShared(Warp &warp, const Inst &inst, unsigned lane, uint64_t address, ptx::Space space, uint32_t bytes,
                       uint32_t align, const char *what);

// Translates the address of an mbarrier that a lane uses. Reports it to the checker as memory that .init and .inval
// write and all other instructions update atomically, so that a user of the object must be ordered after its
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
