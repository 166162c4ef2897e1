//===-- MemoryAccess.h - where the addresses of a warp's access lead -------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_MEMORYACCESS_H
#define TILECC_EMULATOR_EXEC_MEMORYACCESS_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// The host's memory behind what the lanes of one instruction access, which they do until this is gone.
struct Pointers {
  // Tells the checker then that it has happened.
  struct Performed {
    void operator()(BlockChecker *checker) const { checker->performed(); }
  };
  std::byte *at[warpSize];
  std::unique_ptr<BlockChecker, Performed> checker;
};

// The lanes' addresses: the row plus the instruction's offset.
void computeAddresses(Warp &warp, const Inst &inst, Mask lanes, uint32_t row, uint64_t (&addresses)[warpSize]);

// Checks an access of `bytes` consecutive bytes by each lane, to addresses in the instruction's space, which is then
// about to happen, and tells where. Faults when it must not. `values`: of a store, `bytes` for each lane.
Pointers access(Warp &warp, const Inst &inst, Mask lanes, const uint64_t (&addresses)[warpSize], ptx::Space space,
                uint32_t bytes, Access::Kind kind, const std::byte *values = nullptr);

// Where addresses of one space lead, with no checks but those that keep this program alive. Faults as a GPU does.
// `home`: whose shared memory, if not the warp's own.
Pointers translate(Warp &warp, const Inst &inst, Mask lanes, const uint64_t *addresses, ptx::Space space, uint32_t bytes,
                   Access::Kind kind, Block *home = nullptr);

// The block in whose shared memory an address of .shared::cluster is, which is an offset in it afterwards. `inst` and
// `lane` are who a fault names: there may be no such block, or it may have ended.
Block &ownerOf(Warp &warp, const Inst &inst, unsigned lane, uint64_t &address);

// An offset in the shared memory of one block.
struct SharedPlace {
  Block *block;
  uint32_t offset;
};
// Where an address leads that has to be in shared memory: of the instruction's space, or another one's. Faults if it is
// not, or not aligned.
SharedPlace findShared(Warp &warp, const Inst &inst, unsigned lane, uint64_t address, ptx::Space space, uint32_t bytes,
                       uint32_t align, const char *what);

// An mbarrier that a lane uses: where it is. Tells the checker of it as of memory that .init and .inval write and all
// else updates atomically, so that who uses an object must know that it has been initialized.
SharedPlace findMbarrier(Warp &warp, const Inst &inst, unsigned lane, uint64_t address, ptx::Space space,
                         Access::Kind kind);

// What the checker is told of an access to one space.
Access describe(const Warp &warp, const Inst &inst, Mask lanes, const uint64_t *addresses, ptx::Space space,
                uint32_t bytes, Access::Kind kind, const std::byte *values);

// The usual: the address in this operand, in the instruction's own space.
inline Pointers access(Warp &warp, const Inst &inst, Mask lanes, uint32_t addressOperand, uint32_t bytes,
                       Access::Kind kind, const std::byte *values = nullptr) {
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, lanes, inst.op[addressOperand], addresses);
  return access(warp, inst, lanes, addresses, inst.space, bytes, kind, values);
}

} // namespace tilecc::emu
#endif
