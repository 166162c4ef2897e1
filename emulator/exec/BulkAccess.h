//===-- BulkAccess.h - the memory that a bulk copy accesses ----------------------------------------------------===//
//
// A bulk copy accesses a large amount of memory on behalf of one lane. It is checked when it is issued: its memory must
// exist, and the checker examines it, line by line, as an access of the copy unit. The copy itself is performed later.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_BULKACCESS_H
#define TILECC_EMULATOR_EXEC_BULKACCESS_H

#include "emulator/exec/MemoryAccess.h"

namespace tilecc::emu {

class BulkAccess {
public:
  // The copy completes at `mbarrier`. Without an mbarrier, it belongs to the open group of the lane.
  BulkAccess(Warp &warp, const Inst &inst, unsigned lane, SharedPlace mbarrier);
  BulkAccess(Warp &warp, const Inst &inst, unsigned lane);

  // Returns pointers to the memory, which will not move. Faults if the memory does not exist.
  std::byte *global(uint64_t address, uint32_t bytes, Access::Kind kind);
  // Faults if there is no memory at `address`, even if nothing is copied from it.
  void lookAt(uint64_t address);
  std::byte *shared(SharedPlace place, uint32_t bytes, Access::Kind kind);

  // Issues the copy; `perform` will execute it. `bytes` bytes complete at the mbarrier.
  void issue(std::function<void()> perform, uint32_t bytes);

private:
  void tell(Access::Where where, BlockChecker *home, uint64_t address, uint32_t bytes, Access::Kind kind);

  Warp &warp;
  const Inst &inst;
  unsigned lane;
  BulkCopy copy;
  BlockChecker::BulkCompletion completion;
};

// Returns the bulk groups of a warp, and creates them on first use.
BulkGroups &bulkGroupsOf(Warp &warp);
// Checks that threads that exit have waited until their copies have read shared memory.
void checkBulkGroupsAtExit(Warp &warp, Mask lanes);

} // namespace tilecc::emu
#endif
