//===-- AsyncCopies.h - cp.async: copies that happen later -----------------------------------------------------===//
//
// cp.async copies between its issue and the wait for its group, at any time. Here a copy waits in its warp's queue and
// happens as late as it may, or, under a random schedule, at a random time before: the device is a set of agents, warps and
// engines, each of which does a step whenever the scheduler lets it. Later engines (TMA, wgmma) queue the same way.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_ASYNCCOPIES_H
#define TILECC_EMULATOR_EXEC_ASYNCCOPIES_H

#include "emulator/checks/Checker.h"

#include <deque>

namespace tilecc::emu {

// Something that acts by itself: it has steps to do, which may happen at any time.
class Agent {
public:
  virtual ~Agent() = default;
  virtual bool pending() const = 0;
  virtual void step() = 0; // does the oldest one
};

class AsyncCopies final : public Agent {
public:
  struct Copy {
    Mask lanes = 0;
    uint32_t group[32] = {};        // of each lane
    const std::byte *from[32] = {}; // null: zeros only
    std::byte *to[32] = {};
    uint32_t bytes = 0, read[32] = {}; // the rest is filled with zeros
    // Instead of a copy: arrive at this mbarrier once all earlier copies of the lanes are done (cp.async.mbarrier.arrive).
    std::byte *mbarrier[32] = {};
  };

  void issue(const Copy &copy) { queue.push_back(copy); }
  void commit(Mask lanes);
  // Completes what the lanes must have done so that at most `groups` of their groups are left.
  void wait(Mask lanes, uint32_t groups);
  // cp.async.wait_all: also what is in no group yet.
  void waitAll();
  bool pending() const override { return !queue.empty(); }
  void step() override;
  uint32_t openGroup(unsigned lane) const { return committed[lane] + 1; }

private:
  std::deque<Copy> queue;
  uint32_t committed[32] = {};
};

} // namespace tilecc::emu
#endif
