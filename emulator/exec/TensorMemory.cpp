//===-- TensorMemory.cpp ---------------------------------------------------------------------------------------===//
#include "emulator/exec/TensorMemory.h"
#include "emulator/exec/Machine.h"

#include <algorithm>

using namespace tilecc::emu;

TensorMemory::TensorMemory() : cells(std::make_unique_for_overwrite<uint32_t[]>(lanes * columns)) {
  constexpr uint32_t nothing = 0xa5a5a5a5; // the same as in shared memory
  std::fill_n(cells.get(), size_t(lanes) * columns, nothing);
}

std::optional<uint32_t> TensorMemory::allocate(uint32_t count, const Place &where, uint32_t allocatingGroup) {
  uint32_t first = 0;
  auto next = taken.begin();
  for (; next != taken.end() && next->first - first < count; ++next)
    first = next->first + next->count;
  if (first + count > columns)
    return std::nullopt;
  taken.insert(next, {first, count, where, allocatingGroup});
  return first;
}

void TensorMemory::free(const Allocation &allocation) { taken.erase(taken.begin() + (&allocation - taken.data())); }

const TensorMemory::Allocation *TensorMemory::find(uint32_t number) const {
  for (const Allocation &allocation : taken)
    if (number - allocation.first < allocation.count)
      return &allocation;
  return nullptr;
}

void TensorWork::step(uint32_t which) {
  bool goesOn;
  do {
    Operation operation = std::move(queue.front());
    queue.pop_front();
    operation.perform();
    goesOn = which == 0 && !operation.isCommit && !queue.empty();
  } while (goesOn);
}

TensorMemory &tilecc::emu::tensorMemoryOf(Block &block) {
  if (!block.tensor)
    block.tensor = std::make_unique<TensorMemory>();
  return *block.tensor;
}

void tilecc::emu::checkTensorMemoryAtEnd(Block &block) {
  Reporter &reporter = *block.launch->reporter;
  auto executed = [&](const Place &place, const char *what) {
    return std::vector<std::string>{reporter.thread(place) + what, "  " + reporter.names().instruction(place.pc)};
  };
  if (const TensorWork::Operation *operation = block.tensorWork.first())
    reporter.report("tensor work", operation->issued,
                    operation->isCommit
                        ? "a block ends before a tcgen05.commit has arrived at its mbarrier"
                        : "a block ends while its tensor core is at work: nobody has waited for a commit of this",
                    executed(operation->issued, " has issued it"));
  if (!block.tensor)
    return;
  for (const TensorMemory::Allocation &allocation : block.tensor->allocations())
    reporter.report("tensor leak", allocation.where,
                    "a block ends without tcgen05.dealloc of " + std::to_string(allocation.count) +
                        " columns of tensor memory",
                    executed(allocation.where, " has allocated them"));
}
