//===-- BulkAccess.h - what a bulk copy reads and writes -------------------------------------------------------===//
//
// A bulk copy accesses much memory on behalf of one lane. It is looked at when it is issued: that it is there, and by
// the checker, a line at a time, as done by the copy unit; the copy itself comes later.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_BULKACCESS_H
#define TILECC_EMULATOR_EXEC_BULKACCESS_H

#include "emulator/exec/MemoryAccess.h"

namespace tilecc::emu {

class BulkAccess {
public:
  // Of a copy that completes at an mbarrier, or by the lane's open group.
  BulkAccess(Warp &warp, const Inst &inst, unsigned lane, SharedPlace mbarrier);
  BulkAccess(Warp &warp, const Inst &inst, unsigned lane);

  // Pointers to the memory, which stays where it is. Faults if it is not there.
  std::byte *global(uint64_t address, uint32_t bytes, Access::Kind kind);
  // Faults if there is no memory at `address`, of which nothing is copied.
  void lookAt(uint64_t address);
  std::byte *shared(SharedPlace place, uint32_t bytes, Access::Kind kind);

  // The copy, to be issued with what it does. `bytes`: that complete at the mbarrier.
  void issue(std::function<void()> perform, uint32_t bytes);

private:
  void tell(Access::Where where, BlockChecker *home, uint64_t address, uint32_t bytes, Access::Kind kind);

  Warp &warp;
  const Inst &inst;
  unsigned lane;
  BulkCopy copy;
  BlockChecker::BulkCompletion completion;
};

// What a lane's bulk groups are; makes them at the first use.
BulkGroups &bulkGroupsOf(Warp &warp);
// A thread that ends must have waited for its copies to have read shared memory.
void checkBulkGroupsAtExit(Warp &warp, Mask lanes);

} // namespace tilecc::emu
#endif
