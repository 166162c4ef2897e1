//===-- TensorMemory.h - tensor memory and the work of the tensor core (tcgen05) ---------------------------------===//
//
// A block on sm_100 has 128 lanes of tensor memory with 512 columns of 32 bits. Whole warps allocate and free columns,
// always for all lanes together. An address is lane << 16 | column.
//
// Threads issue mmas, copies and commits to the tensor core, which executes them later. PTX orders only some of them.
// But hardware has a single queue, and kernels rely on that: they copy scales after an mma that still reads the
// previous ones. So the emulated tensor core works in the order of issue. It executes an operation as late as possible
// or, if the schedule is random, at any time.
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

  // Allocates `count` free columns, and returns the first one. Returns nothing if there are not enough.
  std::optional<uint32_t> allocate(uint32_t count, const Place &where, uint32_t group);
  void free(const Allocation &allocation);
  const std::vector<Allocation> &allocations() const { return taken; }
  // Returns the allocation to which a column belongs, or null if the column is free.
  const Allocation *find(uint32_t column) const;

  // Returns the cells of a column, indexed by the lane.
  uint32_t *column(uint32_t number) { return &cells[number * lanes]; }
  uint32_t &cell(uint32_t lane, uint32_t number) { return cells[number * lanes + lane]; }

  // The thread that has given up the right to allocate by tcgen05.relinquish_alloc_permit, if any.
  std::optional<Place> relinquished;
  // The size of the previous allocation, which later ones must not exceed; 0 if there was none.
  uint32_t sizeBefore = 0;
  // The group size that all instructions of the kernel must have: 1 for single blocks, 2 for pairs; 0: not known yet.
  uint32_t group = 0;
  Place firstOfGroup; // the instruction that determined it
  // The number of allocations for pairs that this block has reached. The last one may still be waiting for the other
  // block.
  uint32_t pairAllocations = 0;
  bool waitsForPair = false;

private:
  std::unique_ptr<uint32_t[]> cells;
  std::vector<Allocation> taken; // by column
};

// Work that threads of a block have issued, and that the tensor core has not executed yet.
class TensorWork final : public Agent {
public:
  struct Operation {
    std::function<void()> perform;
    Place issued;
    bool isCommit = false;
  };
  void issue(Operation operation) { queue.push_back(std::move(operation)); }
  // A step executes everything up to the first commit (which = 1: only the first operation).
  uint32_t pending() const override { return queue.empty() ? 0 : queue.size() == 1 || queue.front().isCommit ? 1 : 2; }
  void step(uint32_t which = 0) override;
  // Null if the queue is empty.
  const Operation *first() const { return queue.empty() ? nullptr : &queue.front(); }

private:
  std::deque<Operation> queue;
};

// Returns the tensor memory of a block, and creates it on first use.
TensorMemory &tensorMemoryOf(Block &block);
// Checks that a block that ends has freed its tensor memory, and has waited for its tensor core.
void checkTensorMemoryAtEnd(Block &block);

} // namespace tilecc::emu
#endif
