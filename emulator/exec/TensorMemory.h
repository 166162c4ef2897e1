//===-- TensorMemory.h - tensor memory and the work of the tensor core (tcgen05) ---------------------------------===//
//
// A block of sm_100 has 128 lanes of 512 columns of 32 bits. Whole warps allocate and free columns, for all lanes
// together. An address is lane << 16 | column.
//
// Threads issue mmas, copies and commits to the tensor core, which executes them later. PTX orders only some of
// them. But hardware has a single queue, and kernels rely on that: they copy scales after an mma that still reads
// the previous ones. So here the tensor core works in the order of issue, as late as possible or, under a random
// schedule, at any time.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_TENSORMEMORY_H
#define TILECC_EMULATOR_EXEC_TENSORMEMORY_H

#include "emulator/checks/Reporter.h"
#include "emulator/exec/AsyncCopies.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tilecc::emu {

class VectorClock;

class TensorMemory {
public:
  enum : uint32_t {
    lanes = tensorLanes,
    columns = tensorColumns,
    leastColumns = 32,
    lanesOfWarp = 32,
  };
  struct Address {
    uint32_t lane, column;
    explicit Address(uint32_t bits) : lane(bits >> 16), column(bits & 0xffff) {}
  };
  struct Allocation {
    uint32_t first, count; // columns
    Place where;           // where it was allocated
    uint32_t group;        // blocks: 1, or 2 if both blocks of a pair allocated it together
  };

  TensorMemory();

  // Allocates `count` free columns and returns the first; nothing if there are none.
  std::optional<uint32_t> allocate(uint32_t count, const Place &where, uint32_t group);
  void free(const Allocation &allocation);
  const std::vector<Allocation> &allocations() const { return taken; }
  // Returns null if the column is free.
  const Allocation *find(uint32_t column) const;

  // Returns the cells of a column, indexed by lane.
  uint32_t *column(uint32_t number) { return &cells[number * lanes]; }
  uint32_t &cell(uint32_t lane, uint32_t number) { return cells[number * lanes + lane]; }

  // The thread that has given up the right to allocate by tcgen05.relinquish_alloc_permit, if any.
  std::optional<Place> relinquished;
  // The size of the previous allocation, which later ones must not exceed. 0: none.
  uint32_t sizeBefore = 0;
  // All instructions of a kernel are for a single block (1) or for pairs (2); 0: unknown.
  uint32_t group = 0;
  Place firstOfGroup; // the instruction that determined it
  // The number of pair allocations that this block has reached. The last one may be waiting for the other block.
  uint32_t pairAllocations = 0;
  bool waitsForPair = false;

private:
  std::unique_ptr<uint32_t[]> cells;
  std::vector<Allocation> taken; // by column
};

// Work that threads of a block have issued and the tensor core has not executed.
class TensorWork final : public Agent {
public:
  struct Operation {
    std::function<void()> perform;
    Place issued;
    bool isCommit = false;
  };
  void issue(Operation operation) { queue.push_back(std::move(operation)); }
  // A step executes everything up to the first commit, or only the first operation.
  uint32_t pending() const override { return queue.empty() ? 0 : queue.size() == 1 || queue.front().isCommit ? 1 : 2; }
  void step(uint32_t which = 0) override;
  // Null if the queue is empty.
  const Operation *first() const { return queue.empty() ? nullptr : &queue.front(); }

private:
  std::deque<Operation> queue;
};

// Returns the block's tensor memory; creates it on first use.
TensorMemory &tensorMemoryOf(Block &block);
// Checks that an ending block has freed its tensor memory and waited for its tensor core.
void checkTensorMemoryAtEnd(Block &block);

} // namespace tilecc::emu
#endif
