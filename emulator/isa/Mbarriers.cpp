//===-- Mbarriers.cpp - mbarrier objects (PTX ISA 9.7.13.15) ---------------------------------------------------===//
//
// exec/Mbarrier.h defines the objects. This file defines the instructions, which threads of other blocks in the cluster
// may also execute.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/exec/Mbarrier.h"
#include "emulator/exec/MemoryAccess.h"
#include "emulator/isa/MemoryModifiers.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;

namespace {

struct Objects {
  SharedPlace at[warpSize];
};

} // namespace

// Finds the objects of the lanes.
static Objects findObjects(Warp &warp, const Inst &inst, Mask lanes, unsigned operand, Access::Kind kind) {
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, lanes, inst.op[operand], addresses);
  Objects objects;
  for (Mask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    objects.at[lane] = findMbarrier(warp, inst, lane, addresses[lane], inst.space, kind);
  }
  return objects;
}

static BlockChecker *homeOf(const Warp &warp, const SharedPlace &object) {
  return object.block == warp.block ? nullptr : object.block->checker.get();
}

static void initialize(Warp &warp, const Inst &inst, Mask lanes) {
  Objects objects = findObjects(warp, inst, lanes, 0, Access::store);
  ++warp.changes;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    const SharedPlace &object = objects.at[lane];
    initMbarrier(*object.block, object.offset, warp.row<u32>(inst.op[1])[lane], warp.place(inst, Mask(1) << lane));
    if (warp.block->checker)
      warp.block->checker->mbarrierInit(warp.index, object.offset);
  }
}

static void invalidate(Warp &warp, const Inst &inst, Mask lanes) {
  Objects objects = findObjects(warp, inst, lanes, 0, Access::store);
  ++warp.changes;
  for (; lanes; lanes &= lanes - 1) {
    const SharedPlace &object = objects.at[__builtin_ctz(lanes)];
    invalidateMbarrier(*object.block, object.offset, warp.place(inst, lanes & -lanes));
  }
}

namespace {
// The form of mbarrier.arrive and related instructions, in inst.extra.
enum ArriveForm : uint32_t { drops = 1, expects = 2, onlyExpects = 4, onlyCompletes = 8, leavesOpen = 16 };
} // namespace

// op: the state, if requested; the address; the count, or bytes.
static void arriveAt(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned first = inst.dests;
  Objects objects = findObjects(warp, inst, lanes, first, Access::atomic);
  ++warp.changes;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    Mask self = Mask(1) << lane;
    auto [block, offset] = objects.at[lane];
    Place place = warp.place(inst, self);
    u32 operand = inst.sources > 1 ? warp.row<u32>(inst.op[first + 1])[lane] : 1;
    const Mbarrier &object = mbarrierOf(*block, offset, place);
    if (inst.dests)
      warp.row<u64>(inst.op[0])[lane] = std::bit_cast<u64>(object.image());
    if (warp.block->checker && !(inst.extra & (onlyExpects | onlyCompletes)))
      warp.block->checker->mbarrierArrive(warp.index, offset, self, object.phase, homeOf(warp, objects.at[lane]),
                                          inst.order == Order::relaxed);
    if (inst.extra & (expects | onlyExpects))
      expectTransactions(*block, offset, operand, place);
    if (inst.extra & onlyCompletes)
      completeTransactions(*block, offset, operand, place);
    if (inst.extra & (onlyExpects | onlyCompletes))
      continue;
    MbarrierArrival arrival;
    arrival.count = inst.extra & expects ? 1 : operand;
    arrival.drops = inst.extra & drops;
    arrival.completes = !(inst.extra & leavesOpen);
    arriveAtMbarrier(*block, offset, arrival, place);
  }
}

static void selectArrive(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  inst.run = &arriveAt;
  bool arrives = match.has("arrive") || match.has("arrive_drop");
  inst.extra = (match.has("arrive_drop") ? drops : 0) | (match.has("noComplete") ? leavesOpen : 0) |
               (match.has("expect_tx") ? arrives ? expects : onlyExpects : 0) |
               (match.has("complete_tx") ? onlyCompletes : 0);
}

// op: p, address, state or parity. p is true once the phase of the state (or parity) has completed.
template <bool byParity> static void testWait(Warp &warp, const Inst &inst, Mask lanes) {
  Objects objects = findObjects(warp, inst, lanes, 1, Access::atomic);
  Mask &p = warp.mask(inst.op[0]);
  warp.asksFor = {};
  uint64_t released = 0;
  for (Mask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    Mask self = Mask(1) << lane;
    auto [block, offset] = objects.at[lane];
    const Mbarrier &object = mbarrierOf(*block, offset, warp.place(inst, self));
    uint32_t parity = byParity ? warp.row<u32>(inst.op[2])[lane] & 1
                               : std::bit_cast<Mbarrier::Image>(warp.row<u64>(inst.op[2])[lane]).parity;
    bool done = (object.phase & 1) != parity;
    p = done ? p | self : p & ~self;
    if (done)
      released = std::max(released, object.completed);
    if (!done)
      warp.asksFor = {Wait::mbarrier, warp.pc(inst), block, offset};
    else if (warp.block->checker && inst.order != Order::relaxed)
      warp.block->checker->mbarrierPass(warp.index, offset, self, parity, homeOf(warp, objects.at[lane]));
  }
  if (BlockProfile *profile = warp.block->profile.get())
    profile->setReleased(warp.index, released);
}

template <bool byParity> static void selectTestWait(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  inst.run = &testWait<byParity>;
}

static void pendingCount(Warp &warp, const Inst &inst, Mask lanes) {
  const u64 *states = warp.row<u64>(inst.op[1]);
  writeRow<u32>(warp, inst.op[0], lanes,
                [&](unsigned lane) -> u32 { return std::bit_cast<Mbarrier::Image>(states[lane]).pending; });
}

Rows tilecc::emu::mbarrierRows() {
  return {
      {"mbarrier.init{.$space}.b64 [a], b:u32",
       [](const Match &match, Inst &inst) {
         setMemoryModifiers(match, inst);
         inst.run = &initialize;
       }},
      {"mbarrier.inval{.$space}.b64 [a]",
       [](const Match &match, Inst &inst) {
         setMemoryModifiers(match, inst);
         inst.run = &invalidate;
       }},
      {"mbarrier(.arrive|.arrive_drop){.$sem}{.$scope}{.$space}.b64 d:b64, [a], b:u32?", selectArrive},
      {"mbarrier(.arrive|.arrive_drop).expect_tx{.$sem}{.$scope}{.$space}.b64 d:b64, [a], b:u32", selectArrive},
      {"mbarrier(.arrive|.arrive_drop).noComplete{.$sem}{.$scope}{.$space}.b64 d:b64, [a], b:u32", selectArrive},
      {"mbarrier(.expect_tx|.complete_tx){.$sem}{.$scope}{.$space}.b64 [a], b:u32", selectArrive},
      {"mbarrier(.test_wait|.try_wait){.$sem}{.$scope}{.$space}.b64 d:pred, [a], b:b64, c:u32?", selectTestWait<false>,
       Flow::pause},
      {"mbarrier(.test_wait|.try_wait).parity{.$sem}{.$scope}{.$space}.b64 d:pred, [a], b:u32, c:u32?",
       selectTestWait<true>, Flow::pause},
      {"mbarrier.pending_count.b64 d:u32, a:b64", [](const Match &, Inst &inst) { inst.run = &pendingCount; }},
  };
}
