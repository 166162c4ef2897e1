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
Pointers translate(Warp &warp, const Inst &inst, Mask lanes, const uint64_t *addresses, ptx::Space space, uint32_t bytes,
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
