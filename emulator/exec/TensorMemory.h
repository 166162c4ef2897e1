//===-- TensorMemory.h - tensor memory and the work of the tensor core (tcgen05) ---------------------------------===//
//
// A block of sm_100 has 128 lanes of 512 columns of 32 bits. Columns are allocated and freed, in all lanes together, by
// whole warps. An address is lane << 16 | column.
//
// Threads issue products, copies and commits to the tensor core, which executes them later. PTX orders only some of
// them. Hardware has one queue, and kernels rely on it: they copy scales behind a product that still reads the ones
// before. So the tensor core works in the order of issue here, as late as it may or, under a random schedule, at any
// time.
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
    Place where;           // who has allocated them
    uint32_t group;        // of blocks: 1, or 2 if both blocks of a pair have done so together
  };

  TensorMemory();

  // The first column of `count` free ones, which are taken; nothing if there are none.
  std::optional<uint32_t> allocate(uint32_t count, const Place &where, uint32_t group);
  void free(const Allocation &allocation);
  const std::vector<Allocation> &allocations() const { return taken; }
  // Null if the column is free.
  const Allocation *find(uint32_t column) const;

  // A column's cells, by lane.
  uint32_t *column(uint32_t number) { return &cells[number * lanes]; }
  uint32_t &cell(uint32_t lane, uint32_t number) { return cells[number * lanes + lane]; }

  // tcgen05.relinquish_alloc_permit: who has given up the right to allocate, if anyone.
  std::optional<Place> relinquished;
  // The size of the allocation before, which later ones must not exceed. 0: there was none.
  uint32_t sizeBefore = 0;
  // All of a kernel's instructions are for the block alone (1) or for pairs (2); 0: not known yet.
  uint32_t group = 0;
  Place firstOfGroup; // that said so
  // Allocations by pairs that this block has come to, of which the last may be waiting for the other block's.
  uint32_t pairAllocations = 0;
  bool waitsForPair = false;

private:
  std::unique_ptr<uint32_t[]> cells;
  std::vector<Allocation> taken; // by column
};

// What threads of a block have issued and the tensor core has not done.
class TensorWork final : public Agent {
public:
  struct Operation {
    std::function<void()> perform;
    Place issued;
    bool isCommit = false;
  };
  void issue(Operation operation) { queue.push_back(std::move(operation)); }
  // Which step may be next: everything up to the first commit, or only the first operation.
  uint32_t pending() const override { return queue.empty() ? 0 : queue.size() == 1 || queue.front().isCommit ? 1 : 2; }
  void step(uint32_t which = 0) override;
  // Null if there is none.
  const Operation *first() const { return queue.empty() ? nullptr : &queue.front(); }

private:
  std::deque<Operation> queue;
};

// The block's tensor memory; makes it at the first use.
TensorMemory &tensorMemoryOf(Block &block);
// A block that ends must have freed its tensor memory and waited for its tensor core.
void checkTensorMemoryAtEnd(Block &block);

} // namespace tilecc::emu
#endif
