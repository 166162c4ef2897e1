//===-- AsyncCopies.h - cp.async: asynchronous copies ----------------------------------------------------------===//
//
// A cp.async may copy at any time between its issue and the wait for its group. Here, a copy is put into a queue of its
// warp, and is performed as late as possible or, if the schedule is random, at a random earlier time. The device is a
// set of agents, which are warps and engines. Each makes a step when the scheduler selects it. Bulk copies
// (BulkCopies.h) are queued in the same way.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_ASYNCCOPIES_H
#define TILECC_EMULATOR_EXEC_ASYNCCOPIES_H

#include "emulator/checks/Checker.h"

#include <deque>

namespace tilecc::emu {

// An agent that has pending steps, which may be executed at any time.
class Agent {
public:
  virtual ~Agent() = default;
  virtual uint32_t pending() const = 0; // number of steps that may be executed next
  virtual void step(uint32_t which = 0) = 0; // 0: the oldest
};

struct Block;

class AsyncCopies final : public Agent {
public:
  struct Copy {
    Mask lanes = 0;
    uint32_t group[32] = {}; // of each lane
    const std::byte *from[32] = {}; // null: writes only zeros
    std::byte *to[32] = {};
    uint32_t bytes = 0, read[32] = {}; // read: the rest is filled with zeros
    // If `block` is set, the entry is not a copy but an arrival at that block's mbarrier at this offset, which happens
    // once all earlier copies of the lanes are complete (cp.async.mbarrier.arrive).
    Block *block = nullptr;
    uint32_t mbarrier[32] = {};
    Place issued[32] = {};
  };

  void issue(const Copy &copy) { queue.push_back(copy); }
  void commit(Mask lanes);
  // Performs copies of the lanes until at most `groups` of their groups are pending.
  void wait(Mask lanes, uint32_t groups);
  // Implements cp.async.wait_all, which includes copies that are in no group yet.
  void waitAll();
  uint32_t pending() const override { return queue.empty() ? 0 : 1; }
  void step(uint32_t which = 0) override;
  uint32_t openGroup(unsigned lane) const { return committed[lane] + 1; }

private:
  std::deque<Copy> queue;
  uint32_t committed[32] = {};
};

} // namespace tilecc::emu
#endif
