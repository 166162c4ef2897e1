//===-- BulkCopies.h - cp.async.bulk: copies by the copy unit --------------------------------------------------===//
//
// A bulk copy is issued by one thread. It may be performed at any time before a wait for it completes, either for the
// group of the thread, or for the mbarrier that counts its bytes. Here, a copy is put into a queue of its block, and is
// performed as late as possible or, if the schedule is random, at a random time and in any order relative to others.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_BULKCOPIES_H
#define TILECC_EMULATOR_EXEC_BULKCOPIES_H

#include "emulator/exec/AsyncCopies.h"

#include <functional>

namespace tilecc::emu {

struct BulkCopy {
  std::function<void()> perform;
  Place issued;
  // When the copy is complete, either this many bytes are complete at the mbarrier of this block ...
  Block *block = nullptr; // null: it belongs to a group
  uint32_t mbarrier = 0, bytes = 0;
  uint32_t phase = 0; // of the mbarrier at the time of issue
  // ... or this group of the issuing thread makes progress.
  uint32_t warp = 0, lane = 0, group = 0;
};

class BulkCopies final : public Agent {
public:
  void issue(BulkCopy copy) { queue.push_back(std::move(copy)); }
  // Performs the pending copies of a thread's groups up to `group`.
  void wait(uint32_t warp, uint32_t lane, uint32_t group);
  uint32_t pending() const override { return queue.size(); }
  void step(uint32_t which = 0) override;

private:
  std::deque<BulkCopy> queue;
};

// The groups of each lane of a warp.
struct BulkGroups {
  uint32_t committed[32] = {};
  uint32_t waited[32] = {}; // groups that have at least completed their reads
  struct Last {
    uint32_t group = 0; // of the last copy issued
    uint32_t pc = 0;
  } last[32];
};

} // namespace tilecc::emu
#endif
