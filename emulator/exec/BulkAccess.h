//===-- BulkAccess.h - the memory that a bulk copy accesses ----------------------------------------------------===//
//
// A bulk copy accesses a large amount of memory on behalf of one lane. It is checked at its issue: its memory must
// exist, and the checker examines it, a line at a time, as an access of the copy unit. The copy itself is performed
// later.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_BULKACCESS_H
#define TILECC_EMULATOR_EXEC_BULKACCESS_H

#include "emulator/exec/MemoryAccess.h"

namespace tilecc::emu {

class BulkAccess {
public:
  // The copy completes at `mbarrier`, or belongs to the lane's open group if there is none.
  BulkAccess(Warp &warp, const Inst &inst, unsigned lane, SharedPlace mbarrier);
  BulkAccess(Warp &warp, const Inst &inst, unsigned lane);

  // Returns pointers to the memory, which does not move. Faults if it does not exist.
  std::byte *global(uint64_t address, uint32_t bytes, Access::Kind kind);
  // Faults if there is no memory at `address`, even if nothing is copied from it.
  void lookAt(uint64_t address);
  std::byte *shared(SharedPlace place, uint32_t bytes, Access::Kind kind);

  // Issues the copy, which `perform` executes; `bytes` complete at the mbarrier.
  void issue(std::function<void()> perform, uint32_t bytes);

private:
  void tell(Access::Where where, BlockChecker *home, uint64_t address, uint32_t bytes, Access::Kind kind);

  Warp &warp;
  const Inst &inst;
  unsigned lane;
  BulkCopy copy;
  BlockChecker::BulkCompletion completion;
};

// Returns a warp's bulk groups; creates them on first use.
BulkGroups &bulkGroupsOf(Warp &warp);
// Checks that exiting threads have waited until their copies have read shared memory.
void checkBulkGroupsAtExit(Warp &warp, Mask lanes);

} // namespace tilecc::emu
#endif
