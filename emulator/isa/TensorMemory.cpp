//===-- TensorMemory.cpp - tensor memory: allocation, ld, st, waits, fences (PTX ISA 9.7.16) ---------------------===//
//
// Whole warps execute these instructions. TensorCore.cpp has those that single threads issue to the tensor core.
//
// Loads and stores are executed at once, although hardware may delay them until the wait. So no instruction may use a
// register of a load before the wait (exec/InFlight.h), and the checker considers the access to the cells incomplete
// until then.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/exec/InFlight.h"
#include "emulator/exec/TensorAccess.h"
#include "emulator/isa/Fragments.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;

//===-- Allocation ---------------------------------------------------------------------------------------------===//

static uint32_t groupOf(const Match &match) { return match.has("cta_group::2") ? 2 : 1; }

// Reads an operand that must be the same in all lanes.
static u32 uniform(Warp &warp, const Inst &inst, uint32_t row, const char *what) {
  const u32 *values = warp.row<u32>(row);
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if (values[lane] != values[0])
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "tcgen05 operand",
                 std::string(what) + " differs between the threads of a warp");
  return values[0];
}

static u32 columnCount(Warp &warp, const Inst &inst, uint32_t row, const char *what) {
  u32 count = uniform(warp, inst, row, "the number of columns");
  if (count < TensorMemory::leastColumns || count > TensorMemory::columns || count & (count - 1))
    warp.fault(inst, allLanes, errorIllegalInstruction, "tensor memory",
               std::string(what) + " of " + std::to_string(count) +
                   " columns: the number must be a power of two from 32 to 512");
  return count;
}

// Reports to the checker that the warp accesses all cells of these columns.
static void tellColumns(Warp &warp, const Inst &inst, uint32_t first, uint32_t count) {
  uint64_t addresses[warpSize];
  for (uint32_t column = first; column < first + count; ++column)
    for (uint32_t quarter = 0; quarter < TensorMemory::lanes; quarter += warpSize) {
      for (unsigned lane = 0; lane < warpSize; ++lane)
        addresses[lane] = tensorAddress(quarter + lane, column);
      tellCells(warp, inst, allLanes, addresses, Access::store, /*isMove=*/false);
    }
}

// Returns true if the other block of the pair has arrived, too: both blocks of a pair allocate together.
static bool isPeerThere(Warp &warp, const Inst &inst) {
  TensorMemory &own = tensorMemoryOf(*warp.block);
  if (!own.waitsForPair) {
    ++own.pairAllocations;
    own.waitsForPair = true;
    ++warp.changes;
    ++warp.progress;
  }
  for (Block *block : blocksOfGroup(warp, inst, allLanes, 2))
    if (tensorMemoryOf(*block).pairAllocations < own.pairAllocations) {
      warp.asksFor = {Wait::peer, warp.pc(inst)};
      return false;
    }
  return true;
}

// op: where to store the address, the number of columns. inst.extra is in use, so inst.elementBytes holds the group
// size
static void allocate(Warp &warp, const Inst &inst, Mask lanes) {
  needWholeWarp(warp, inst, lanes);
  needGroup(warp, inst, lanes, inst.elementBytes);
  TensorMemory &memory = tensorMemoryOf(*warp.block);
  u32 count = columnCount(warp, inst, inst.op[1], "tcgen05.alloc");
  Reporter &reporter = *warp.block->launch->reporter;
  if (memory.relinquished)
    warp.fault(inst, lanes, errorLaunchFailure, "tensor memory", "tcgen05.alloc behind tcgen05.relinquish_alloc_permit",
               {reporter.thread(*memory.relinquished) + " has executed",
                "  " + reporter.names().instruction(memory.relinquished->pc)});
  if (memory.sizeBefore && count > memory.sizeBefore)
    reporter.report("tensor memory", warp.place(inst, lanes),
                    "tcgen05.alloc of " + std::to_string(count) + " columns behind one of " +
                        std::to_string(memory.sizeBefore) + ": allocations of a block must not grow");
  if (inst.elementBytes == 2 && !isPeerThere(warp, inst))
    return;
  std::optional<uint32_t> first = memory.allocate(count, warp.place(inst, lanes), inst.elementBytes);
  if (!first) {
    warp.asksFor = {Wait::tensorMemory, warp.pc(inst)};
    return;
  }
  memory.waitsForPair = false;
  memory.sizeBefore = count;
  if (warp.block->checker)
    warp.block->checker->tensorAllocate(*first, count);
  tellColumns(warp, inst, *first, count);
  ++warp.changes;
  ++warp.progress;
  u32 address[warpSize];
  std::fill(std::begin(address), std::end(address), *first);
  Pointers to = access(warp, inst, lanes, 0, sizeof(u32), Access::store, reinterpret_cast<const std::byte *>(address));
  for (unsigned lane = 0; lane < warpSize; ++lane)
    std::memcpy(to.at[lane], &*first, sizeof(u32));
}

// op: the address, the number of columns
static void deallocate(Warp &warp, const Inst &inst, Mask lanes) {
  needWholeWarp(warp, inst, lanes);
  needGroup(warp, inst, lanes, inst.elementBytes);
  TensorMemory &memory = tensorMemoryOf(*warp.block);
  u32 address = uniform(warp, inst, inst.op[0], "an address of tensor memory");
  u32 count = columnCount(warp, inst, inst.op[1], "tcgen05.dealloc");
  TensorMemory::Address at(address);
  const TensorMemory::Allocation *allocation = memory.find(at.column);
  if (at.lane || !allocation || allocation->first != at.column || allocation->count != count) {
    std::string what = "tcgen05.dealloc of " + std::to_string(count) + " columns from " + std::to_string(at.column) +
                       " on, which are no allocation";
    if (at.lane)
      what += ": the address is that of lane " + std::to_string(at.lane);
    else if (allocation)
      what += ": one has " + std::to_string(allocation->count) + " columns from " + std::to_string(allocation->first) +
              " on";
    warp.fault(inst, lanes, errorLaunchFailure, "tensor memory", what);
  }
  tellColumns(warp, inst, allocation->first, count);
  memory.free(*allocation);
  ++warp.changes;
  ++warp.progress;
}

static void relinquish(Warp &warp, const Inst &inst, Mask lanes) {
  needWholeWarp(warp, inst, lanes);
  needGroup(warp, inst, lanes, inst.elementBytes);
  tensorMemoryOf(*warp.block).relinquished = warp.place(inst, lanes);
}

//===-- tcgen05.ld and tcgen05.st ------------------------------------------------------------------------------===//

namespace {

// The shape of the cells that an instruction moves. In inst.target, because `extra` of a collective is its member mask.
enum Shape : uint32_t { s32x32, s16x64, s16x128, s16x256, s16x32x2, shapeBits = 7, packs = 8 };

struct Cell {
  unsigned lane, column;
};

// Returns the cell of register `reg` of thread `thread`, relative to the address, as in the diagrams of PTX's data
// movement shapes, repeated side by side.
Cell cellOf(uint32_t shape, unsigned thread, unsigned reg, unsigned halfSplit) {
  unsigned row = thread / 4, quarter = thread % 4;
  switch (shape) {
  case s16x64: // two columns: even threads use the upper eight lanes
    return {row + 8 * (quarter & 1), (quarter >> 1) + 2 * reg};
  case s16x128: // four columns, two registers: upper and lower eight lanes
    return {row + 8 * (reg & 1), quarter + 4 * (reg >> 1)};
  case s16x256: // eight columns, four registers: the layout of mma accumulators
    return {row + 8 * (reg >> 1 & 1), 2 * quarter + (reg & 1) + 8 * (reg >> 2)};
  case s16x32x2: // the second half of the threads starts `halfSplit` columns later
    return {thread % 16, reg + (thread < 16 ? 0 : halfSplit)};
  default: return {thread, reg};
  }
}

} // namespace

// op: the registers, if a load; the address; the distance of the halves of 16x32bx2; the registers, if a store.
static void move(Warp &warp, const Inst &inst, Mask lanes) {
  needWholeWarp(warp, inst, lanes);
  bool isLoad = inst.dests != 0;
  const char *name = isLoad ? "tcgen05.ld" : "tcgen05.st";
  uint32_t shape = inst.target & shapeBits;
  unsigned registers = isLoad ? inst.dests : inst.sources - 1 - (shape == s16x32x2);
  const uint32_t *values = isLoad ? inst.op : inst.op + inst.sources - registers;
  unsigned halfSplit = shape == s16x32x2 ? warp.row<u32>(inst.op[inst.dests + 1])[0] : 0;
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, lanes, inst.op[inst.dests], addresses);
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if (addresses[lane] != addresses[0])
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "tcgen05 operand",
                 std::string("the address of ") + name + " differs between the threads of a warp");
  TensorMemory::Address at(static_cast<uint32_t>(addresses[0]));
  // A warp accesses the lanes of its quarter; shapes of 16 lanes access half of them.
  unsigned first = warp.index % 4 * TensorMemory::lanesOfWarp;
  if (at.lane != first && (shape == s32x32 || at.lane != first + 16))
    warp.fault(inst, lanes, errorIllegalAddress, "tensor memory",
               std::string(name) + " at lane " + std::to_string(at.lane) + ": warp " + std::to_string(warp.index) +
                   " accesses lanes " + std::to_string(first) + " to " + std::to_string(first + 31) + ", from lane " +
                   std::to_string(first) + (shape == s32x32 ? " on" : " or " + std::to_string(first + 16) + " on"));
  unsigned perRegister = inst.target & packs ? 2 : 1, width = 0;
  for (unsigned reg : {0u, registers - 1})
    for (unsigned thread : {0u, 15u, 31u})
      width = std::max(width, (cellOf(shape, thread, reg, 0).column + 1) * perRegister);
  for (unsigned half : {0u, halfSplit})
    needColumns(warp, inst, lanes, *warp.block, at.column + half, width, name);

  TensorMemory &memory = tensorMemoryOf(*warp.block);
  for (unsigned reg = 0; reg < registers; ++reg) {
    u32 *row = warp.row<u32>(values[reg]);
    for (unsigned part = 0; part < perRegister; ++part) {
      Cell cells[warpSize];
      for (unsigned thread = 0; thread < warpSize; ++thread) {
        Cell cell = cellOf(shape, thread, reg, 0);
        unsigned split = shape == s16x32x2 && thread >= 16 ? halfSplit : 0;
        cells[thread] = {at.lane + cell.lane, at.column + split + cell.column * perRegister + part};
        addresses[thread] = tensorAddress(cells[thread].lane, cells[thread].column);
      }
      tellCells(warp, inst, lanes, addresses, isLoad ? Access::load : Access::store, /*isMove=*/true);
      for (unsigned thread = 0; thread < warpSize; ++thread) {
        u32 &cell = memory.cell(cells[thread].lane, cells[thread].column);
        if (perRegister == 1)
          (isLoad ? row[thread] : cell) = isLoad ? cell : row[thread];
        else if (!isLoad)
          cell = row[thread] >> 16 * part & 0xffff;
        else
          row[thread] = part ? (row[thread] & 0xffff) | cell << 16 : cell & 0xffff;
      }
    }
  }
  if (isLoad) {
    takeOffLoad(warp, inst);
  } else {
    ++warp.changes;
    ++warp.progress;
  }
}

template <uint32_t shape> static void selectMove(const Match &match, Inst &inst) {
  inst.run = &move;
  inst.memory = true;
  inst.target = shape | (match.has("pack::16b") || match.has("unpack::16b") ? uint32_t(packs) : 0);
  inst.landsLater = match.has("ld");
}

static void waitForMoves(Warp &warp, const Inst &inst, Mask lanes) {
  needWholeWarp(warp, inst, lanes);
  bool stores = inst.target;
  if (!stores)
    landLoads(warp);
  if (warp.block->checker)
    warp.block->checker->tensorWait(warp.index, stores);
}

static void fence(Warp &warp, const Inst &inst, Mask lanes) {
  if (warp.block->checker)
    warp.block->checker->tensorFence(warp.index, inst.target, lanes);
}

//===-- The rows -----------------------------------------------------------------------------------------------===//

template <Handler handler> static void selectColumns(const Match &match, Inst &inst) {
  inst.run = handler;
  inst.space = ptx::Space::shared;
  if (handler == &allocate && !match.has("shared::cta"))
    inst.space = ptx::Space::generic;
  inst.memory = handler == &allocate;
  inst.elementBytes = groupOf(match);
}

#define LOAD "tcgen05.ld.sync.aligned"
#define STORE "tcgen05.st.sync.aligned"

Rows tilecc::emu::tensorMemoryRows() {
  Rows rows = {
      {"tcgen05.alloc(.cta_group::1|.cta_group::2).sync.aligned{.shared::cta}.b32 [a], n:u32",
       selectColumns<&allocate>},
      {"tcgen05.dealloc(.cta_group::1|.cta_group::2).sync.aligned.b32 a:u32, n:u32", selectColumns<&deallocate>},
      {"tcgen05.relinquish_alloc_permit(.cta_group::1|.cta_group::2).sync.aligned", selectColumns<&relinquish>},
      {LOAD ".32x32b.$x128{.pack::16b}.b32 {d*R1:b32}, [a]", selectMove<s32x32>},
      {LOAD ".16x64b.$x128{.pack::16b}.b32 {d*R1:b32}, [a]", selectMove<s16x64>},
      {LOAD ".16x128b.$x64{.pack::16b}.b32 {d*R2:b32}, [a]", selectMove<s16x128>},
      {LOAD ".16x256b.$x32{.pack::16b}.b32 {d*R4:b32}, [a]", selectMove<s16x256>},
      {LOAD ".16x32bx2.$x128{.pack::16b}.b32 {d*R1:b32}, [a], n:u32", selectMove<s16x32x2>},
      {STORE ".32x32b.$x128{.unpack::16b}.b32 [a], {b*R1:b32}", selectMove<s32x32>},
      {STORE ".16x64b.$x128{.unpack::16b}.b32 [a], {b*R1:b32}", selectMove<s16x64>},
      {STORE ".16x128b.$x64{.unpack::16b}.b32 [a], {b*R2:b32}", selectMove<s16x128>},
      {STORE ".16x256b.$x32{.unpack::16b}.b32 [a], {b*R4:b32}", selectMove<s16x256>},
      {STORE ".16x32bx2.$x128{.unpack::16b}.b32 [a], n:u32, {b*R1:b32}", selectMove<s16x32x2>},
      {"tcgen05(.wait::ld|.wait::st).sync.aligned",
       [](const Match &match, Inst &inst) {
         inst.run = &waitForMoves;
         inst.target = match.has("wait::st");
       }},
  };
  for (Row &row : rows)
    row.flow = Flow::collective; // for the whole warp: inst.extra is 0
  rows.push_back({"tcgen05(.fence::before_thread_sync|.fence::after_thread_sync)", [](const Match &match, Inst &inst) {
                    inst.run = &fence;
                    inst.target = match.has("fence::before_thread_sync");
                  }});
  return rows;
}
