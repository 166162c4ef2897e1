//===-- TensorAccess.cpp ---------------------------------------------------------------------------------------===//
#include "emulator/exec/TensorAccess.h"
#include "emulator/isa/SharedMatrix.h"

#include <algorithm>

using namespace tilecc::emu;

void tilecc::emu::needColumns(Warp &warp, const Inst &inst, Mask lanes, Block &home, uint64_t first, uint32_t count,
                              const std::string &what) {
  std::string columns = count == 1 ? "column " + std::to_string(first)
                                   : "columns " + std::to_string(first) + " to " + std::to_string(first + count - 1);
  if (first + count > TensorMemory::columns)
    warp.fault(inst, lanes, errorIllegalAddress, "tensor memory",
               what + " accesses " + columns + " of tensor memory, which has 512");
  const TensorMemory &memory = tensorMemoryOf(home);
  for (uint64_t column = first; column < first + count;) {
    const TensorMemory::Allocation *allocation = memory.find(column);
    if (!allocation)
      warp.fault(inst, lanes, errorIllegalAddress, "tensor memory",
                 what + " accesses " + columns + " of tensor memory, of which column " + std::to_string(column) +
                     " is not allocated");
    column = allocation->first + allocation->count;
  }
}

void tilecc::emu::needGroup(Warp &warp, const Inst &inst, Mask lanes, uint32_t group) {
  TensorMemory &memory = tensorMemoryOf(*warp.block);
  if (memory.group == 0) {
    memory.group = group;
    memory.firstOfGroup = warp.place(inst, lanes);
  }
  if (memory.group == group)
    return;
  Reporter &reporter = *warp.block->launch->reporter;
  warp.fault(inst, lanes, errorIllegalInstruction, "cta_group",
             "a kernel must use one cta_group for all of its tcgen05 instructions, and this is cta_group::" +
                 std::to_string(group),
             {reporter.thread(memory.firstOfGroup) + " has used cta_group::" + std::to_string(memory.group),
              "  " + reporter.names().instruction(memory.firstOfGroup.pc)});
}

std::vector<Block *> tilecc::emu::blocksOfGroup(Warp &warp, const Inst &inst, Mask lanes, uint32_t group) {
  if (group == 1)
    return {warp.block};
  const auto &blocks = warp.block->cluster->blocks;
  uint32_t first = warp.block->rank & ~1u;
  if (first + 1 >= blocks.size())
    warp.fault(inst, lanes, errorIllegalInstruction, "cta_group",
               "cta_group::2 needs a cluster in which the block has a peer");
  std::vector<Block *> pair = {blocks[first].get(), blocks[first + 1].get()};
  for (Block *block : pair)
    if (block->finished())
      warp.fault(inst, lanes, errorIllegalAddress, "cta_group",
                 "the other block of the pair has ended: a barrier of the cluster must keep it");
  return pair;
}

void tilecc::emu::tellCells(Warp &warp, const Inst &inst, Mask lanes, const uint64_t (&addresses)[warpSize],
                            Access::Kind kind, bool isMove) {
  BlockChecker *checker = warp.block->checker.get();
  if (!checker)
    return;
  Access access;
  access.kind = kind;
  access.where = Access::tensor;
  access.warp = warp.index;
  access.pc = warp.pc(inst);
  access.bytes = sizeof(uint32_t);
  access.lanes = lanes;
  access.address = addresses;
  access.initializes = isMove;
  isMove ? checker->tensorMove(access) : checker->access(access);
}

void TensorCoreAccess::tell(Access::Where where, Block &home, uint64_t address, uint32_t bytes, Access::Kind kind,
                            bool readsToo) {
  uint64_t addresses[warpSize];
  addresses[lane] = address;
  Access access;
  access.kind = kind;
  access.where = where;
  access.warp = warp.index;
  access.pc = warp.pc(inst);
  access.bytes = bytes;
  access.lanes = Mask(1) << lane;
  access.address = addresses;
  access.asyncProxy = where == Access::shared;
  access.readsToo = readsToo;
  access.home = &home == warp.block ? nullptr : home.checker.get();
  warp.block->checker->tensorWork(access);
}

void TensorCoreAccess::tensor(Block &home, const TensorLanes &lanes, uint32_t firstColumn, uint32_t columns,
                              Access::Kind kind, bool readsToo) {
  if (!warp.block->checker)
    return;
  struct Run {
    uint32_t first, count;
  };
  std::vector<Run> runs; // limited to the quarters of the lanes, which are lines
  for (uint32_t i = 0; i < TensorMemory::lanes; ++i)
    if (lanes[i]) {
      if (i % TensorMemory::lanesOfWarp && lanes[i - 1])
        ++runs.back().count;
      else
        runs.push_back({i, 1});
    }
  for (uint32_t column = firstColumn; column < firstColumn + columns; ++column)
    for (Run run : runs)
      tell(Access::tensor, home, tensorAddress(run.first, column), run.count * sizeof(uint32_t), kind, readsToo);
}

void TensorCoreAccess::shared(Block &home, std::vector<uint64_t> &pieces) {
  constexpr uint32_t pieceBytes = SharedMatrix::pieceBytes;
  std::sort(pieces.begin(), pieces.end());
  if (!pieces.empty() && (pieces.back() + pieceBytes > home.sharedBytes)) {
    char text[160];
    snprintf(text, sizeof(text), "a matrix descriptor of tcgen05 leads to shared+0x%llx, and the block has 0x%x bytes",
             static_cast<unsigned long long>(pieces.back()), home.sharedBytes);
    fault(errorIllegalAddress, text);
  }
  if (!warp.block->checker)
    return;
  constexpr uint64_t line = 128;
  for (size_t i = 0, next; i < pieces.size(); i = next) {
    for (next = i + 1; next < pieces.size() && pieces[next] <= pieces[next - 1] + pieceBytes &&
                       pieces[next] / line == pieces[i] / line;)
      ++next;
    tell(Access::shared, home, pieces[i], pieces[next - 1] + pieceBytes - pieces[i], Access::load, false);
  }
}

void TensorCoreAccess::issue(std::function<void()> perform, bool isCommit) {
  warp.block->tensorWork.issue({std::move(perform), place(), isCommit});
  ++warp.changes;
  ++warp.progress;
}
