//===-- Async.cpp - cp.async (PTX ISA 9.7.9.25) ----------------------------------------------------------------===//
#include "emulator/exec/Mbarrier.h"
#include "emulator/exec/MemoryAccess.h"
#include "emulator/isa/MemoryModifiers.h"
#include "emulator/isa/Table.h"

#include <algorithm>

using namespace tilecc::emu;
using ptx::Space;

namespace {
// Determines the number of bytes that a copy reads, in inst.extra: all, a number in an operand, or none if a predicate
// is true.
enum ReadForm : uint32_t { readAll, readSome, readUnless };
} // namespace

// Groups lanes whose next copies belong to the same group of theirs; nearly always all lanes.
template <class F> static void eachGroup(Warp &warp, Mask lanes, F use) {
  while (lanes) {
    uint32_t group = warp.copies.openGroup(__builtin_ctz(lanes));
    Mask same = 0;
    for (Mask rest = lanes; rest; rest &= rest - 1)
      if (unsigned lane = __builtin_ctz(rest); warp.copies.openGroup(lane) == group)
        same |= Mask(1) << lane;
    use(same, group);
    lanes &= ~same;
  }
}

// op: the address in shared memory, the address in global memory, the bytes to read or the predicate.
static void copyAsync(Warp &warp, const Inst &inst, Mask lanes) {
  uint64_t to[warpSize], from[warpSize];
  computeAddresses(warp, inst, lanes, inst.op[0], to);
  std::memcpy(from, warp.row<u64>(inst.op[1]), sizeof(from));
  AsyncCopies::Copy copy;
  copy.lanes = lanes;
  copy.bytes = inst.elementBytes;
  Mask readers = 0;
  for (Mask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    uint32_t bytes = copy.bytes;
    if (inst.extra == readSome)
      bytes = warp.row<u32>(inst.op[2])[lane];
    else if (inst.extra == readUnless && warp.mask(inst.op[2]) >> lane & 1)
      bytes = 0;
    if (bytes > copy.bytes)
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "cp.async",
                 "cp.async of " + std::to_string(copy.bytes) + " bytes is to read " + std::to_string(bytes));
    copy.read[lane] = bytes;
    copy.group[lane] = warp.copies.openGroup(lane);
    readers |= Mask(bytes != 0) << lane;
  }
  if (BlockChecker *checker = warp.block->checker.get())
    eachGroup(warp, lanes, [&](Mask same, uint32_t group) {
      Access read = describe(warp, inst, readers & same, from, Space::global, copy.bytes, Access::load, nullptr);
      Access write = describe(warp, inst, same, to, Space::shared, copy.bytes, Access::store, nullptr);
      checker->asyncCopy(read, write, group);
    });
  if (BlockProfile *profile = warp.block->profile.get()) {
    profile->accessGlobal(warp.pc(inst), readers, from, copy.bytes);
    profile->accessShared(warp.pc(inst), lanes, to, copy.bytes);
  }
  Pointers destination = translate(warp, inst, lanes, to, Space::shared, copy.bytes, Access::store);
  Pointers source = translate(warp, inst, readers, from, Space::global, copy.bytes, Access::load);
  for (Mask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    copy.to[lane] = destination.at[lane];
    copy.from[lane] = readers >> lane & 1 ? source.at[lane] : nullptr;
  }
  warp.copies.issue(copy);
}

template <uint8_t bytes> static void selectCopy(const Match &match, Inst &inst) {
  inst.run = &copyAsync;
  inst.memory = true;
  inst.space = Space::shared;
  inst.elementBytes = bytes;
  const auto &operands = match.instruction->operands;
  size_t given = operands.size() - match.has("L2::cache_hint");
  inst.extra = given <= 3 ? readAll : match.syntax.find("p:pred") != std::string_view::npos ? readUnless : readSome;
}

static void commitGroup(Warp &warp, const Inst &, Mask lanes) { warp.copies.commit(lanes); }

// op: the number of groups that may be pending
static void waitGroup(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned lane = __builtin_ctz(lanes);
  u32 left = warp.row<u32>(inst.op[0])[lane];
  warp.copies.wait(lanes, left);
  if (BlockChecker *checker = warp.block->checker.get())
    eachGroup(warp, lanes, [&](Mask same, uint32_t group) {
      if (group > left + 1)
        checker->asyncWait(warp.index, group - 1 - left, same);
    });
}

static void waitAll(Warp &warp, const Inst &, Mask lanes) {
  warp.copies.commit(lanes); // cp.async.wait_all is commit_group and wait_group 0
  warp.copies.wait(lanes, 0);
  if (BlockChecker *checker = warp.block->checker.get())
    eachGroup(warp, lanes, [&](Mask same, uint32_t group) { checker->asyncWait(warp.index, group - 1, same); });
}

// op: the mbarrier. `extra`: .noinc
static void arriveAfterCopies(Warp &warp, const Inst &inst, Mask lanes) {
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, lanes, inst.op[0], addresses);
  AsyncCopies::Copy arrival;
  arrival.lanes = lanes;
  arrival.block = warp.block;
  for (Mask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    Mask self = Mask(1) << lane;
    SharedPlace object = findShared(warp, inst, lane, addresses[lane], inst.space, sizeof(Mbarrier::Image),
                                    sizeof(Mbarrier::Image), "an mbarrier");
    arrival.issued[lane] = warp.place(inst, self);
    arrival.mbarrier[lane] = object.offset;
    arrival.group[lane] = warp.copies.openGroup(lane);
    if (!inst.extra) // the phase expects one more arrival, which comes later
      expectArrival(*object.block, object.offset, arrival.issued[lane]);
    if (warp.block->checker)
      warp.block->checker->asyncArrive(warp.index, arrival.group[lane], object.offset, self,
                                       mbarrierOf(*object.block, object.offset, arrival.issued[lane]).phase);
  }
  warp.copies.issue(arrival);
}

// The number of bytes to read, or the predicate to ignore the source, is optional; so is a cache policy, which
// .L2::cache_hint announces.
#define COPY(CACHE, SIZE)                                                                                              \
  {"cp.async." CACHE "(.shared|.shared::cta).global{.$prefetch} [a], [b], " #SIZE ", n:u32?", selectCopy<SIZE>},       \
      {"cp.async." CACHE "(.shared|.shared::cta).global.L2::cache_hint{.$prefetch} [a], [b], " #SIZE ", c:b64",        \
       selectCopy<SIZE>},                                                                                              \
      {"cp.async." CACHE "(.shared|.shared::cta).global.L2::cache_hint{.$prefetch} [a], [b], " #SIZE ", n:u32, c:b64", \
       selectCopy<SIZE>},                                                                                              \
  {                                                                                                                    \
    "cp.async." CACHE "(.shared|.shared::cta).global{.$hint}{.$prefetch} [a], [b], " #SIZE ", p:pred, c:b64?",         \
        selectCopy<SIZE>                                                                                               \
  }

Rows tilecc::emu::asyncRows() {
  return {
      COPY("ca", 4),
      COPY("ca", 8),
      COPY("ca", 16),
      COPY("cg", 16),
      {"cp.async.commit_group", [](const Match &, Inst &inst) { inst.run = &commitGroup; }},
      {"cp.async.wait_group n:u32", [](const Match &, Inst &inst) { inst.run = &waitGroup; }},
      {"cp.async.wait_all", [](const Match &, Inst &inst) { inst.run = &waitAll; }},
      {"cp.async.mbarrier.arrive{.noinc}{.$space}.b64 [a]",
       [](const Match &match, Inst &inst) {
         setMemoryModifiers(match, inst);
         inst.extra = match.has("noinc");
         inst.run = &arriveAfterCopies;
       }},
  };
}
