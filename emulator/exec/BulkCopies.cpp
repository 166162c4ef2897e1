//===-- BulkCopies.cpp -----------------------------------------------------------------------------------------===//
#include "emulator/exec/BulkCopies.h"
#include "emulator/exec/Machine.h"

using namespace tilecc::emu;

void BulkCopies::wait(uint32_t warp, uint32_t lane, uint32_t group) {
  for (size_t i = 0; i < queue.size();)
    if (const BulkCopy &copy = queue[i]; !copy.block && copy.warp == warp && copy.lane == lane && copy.group <= group)
      step(i);
    else
      ++i;
}

void BulkCopies::step(uint32_t which) {
  BulkCopy copy = std::move(queue[which]);
  queue.erase(queue.begin() + which);
  if (!copy.block)
    return copy.perform();
  Block &block = *copy.block;
  if (block.finished()) {
    block.launch->reporter->report("bulk copy", copy.issued,
                                   "a block has ended while a bulk copy into its shared memory was in flight",
                                   {block.launch->reporter->thread(copy.issued) + " has issued it",
                                    "  " + block.launch->reporter->names().instruction(copy.issued.pc)});
    return;
  }
  copy.perform();
  uint32_t phase = mbarrierOf(block, copy.mbarrier, copy.issued).phase;
  if (block.checker)
    block.checker->bulkDone(copy.mbarrier, copy.phase, phase);
  completeTransactions(block, copy.mbarrier, copy.bytes, copy.issued);
}
