//===-- Barriers.cpp - barriers of a block, fences, mbarriers (PTX ISA 9.7.13) ---------------------------------===//
#include "emulator/exec/Mbarrier.h"
#include "emulator/exec/MemoryAccess.h"
#include "emulator/isa/MemoryModifiers.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;

//===-- bar, barrier -------------------------------------------------------------------------------------------===//

namespace {
// Of a barrier instruction, in inst.offset.
enum BarrierForm : int64_t { waitForAll, arriveOnly, redPopc, redAnd, redOr };
} // namespace

// op: the result, if any; the barrier; threads, if given; the predicate, if any. The interpreter does the rest.
static void enterBarrier(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned lane = __builtin_ctz(lanes);
  bool reduces = inst.offset >= redPopc;
  unsigned first = inst.dests, counts = inst.sources - 1 - reduces;
  u32 barrier = warp.row<u32>(inst.op[first])[lane];
  u32 count = counts ? warp.row<u32>(inst.op[first + 1])[lane] : 0;
  if (barrier >= 16)
    warp.fault(inst, lanes, errorIllegalInstruction, "barrier number",
               "barrier " + std::to_string(barrier) + ": a block has barriers 0 to 15");
  if (counts && (count == 0 || count % warpSize != 0))
    warp.fault(inst, lanes, errorLaunchFailure, "barrier count",
               "a barrier for " + std::to_string(count) + " threads: the number must be a multiple of 32");
  if (counts && inst.offset != arriveOnly && count > (warp.block->threads + warpSize - 1) / warpSize * warpSize)
    warp.fault(inst, lanes, errorLaunchFailure, "barrier count",
               "a barrier for " + std::to_string(count) + " threads in a block of " +
                   std::to_string(warp.block->threads));
  Arrival arrival;
  arrival.barrier = barrier;
  arrival.count = count;
  arrival.waits = inst.offset != arriveOnly;
  if (reduces) {
    arrival.reduction = inst.offset == redPopc  ? Arrival::popc
                        : inst.offset == redAnd ? Arrival::logicalAnd
                                                : Arrival::logicalOr;
    arrival.predicate = warp.mask(inst.op[first + 1 + counts]);
  }
  warp.arrival = arrival;
}

template <BarrierForm form> static void selectBarrier(const Match &match, Inst &inst) {
  inst.run = &enterBarrier;
  inst.offset = form;
  // `bar` is `barrier.aligned`: the whole warp comes together. Otherwise each thread comes for itself.
  inst.extra = match.instruction->opcode == "barrier" && !match.has("aligned");
}

//===-- Fences -------------------------------------------------------------------------------------------------===//

static void fence(Warp &warp, const Inst &inst, Mask lanes) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (warp.block->checker)
    warp.block->checker->fence(warp.index, inst.scope, lanes);
}

static void selectFence(const Match &match, Inst &inst) {
  inst.run = &fence;
  std::string_view scope = match["scope"];
  inst.scope = scope == "cta" || match.has("cta") ? Scope::cta
               : scope == "cluster"               ? Scope::cluster
               : scope == "gpu" || match.has("gl") ? Scope::gpu
                                                  : Scope::sys;
}

//===-- mbarrier -----------------------------------------------------------------------------------------------===//

// The object's bytes in shared memory, which are not an access that could race, and its offset there.
static std::byte *objectOf(Warp &warp, const Inst &inst, unsigned lane, unsigned operand, uint32_t &offset) {
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, Mask(1) << lane, inst.op[operand], addresses);
  uint64_t address = addresses[lane];
  if (inst.space == ptx::Space::generic && (address & windowMask) == sharedWindow)
    address -= sharedWindow;
  if (address + 8 > warp.block->sharedBytes || address & 7)
    warp.fault(inst, Mask(1) << lane, address & 7 ? errorMisalignedAddress : errorIllegalAddress, "mbarrier",
               "an mbarrier must be 8 bytes of shared memory, aligned to 8");
  offset = static_cast<uint32_t>(address);
  return warp.block->shared + address;
}

static std::byte *validObject(Warp &warp, const Inst &inst, unsigned lane, unsigned operand, uint32_t &offset) {
  std::byte *at = objectOf(warp, inst, lane, operand, offset);
  if (!mbarrier::isValid(mbarrier::load(at)))
    warp.fault(inst, Mask(1) << lane, errorLaunchFailure, "mbarrier", "the mbarrier is not initialized");
  return at;
}

static void initBarrier(Warp &warp, const Inst &inst, Mask lanes) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    uint32_t offset;
    std::byte *at = objectOf(warp, inst, lane, 0, offset);
    u32 count = warp.row<u32>(inst.op[1])[lane];
    if (count == 0 || count > mbarrier::mostArrivals)
      warp.fault(inst, Mask(1) << lane, errorLaunchFailure, "mbarrier",
                 "an mbarrier for " + std::to_string(count) + " arrivals: it takes 1 to 1048575");
    mbarrier::init(at, count);
    if (warp.block->checker)
      warp.block->checker->mbarrierInit(warp.index, offset);
  }
}

static void invalidate(Warp &warp, const Inst &inst, Mask lanes) {
  for (; lanes; lanes &= lanes - 1) {
    uint32_t offset;
    std::memset(validObject(warp, inst, __builtin_ctz(lanes), 0, offset), 0, 8);
  }
}

namespace {
// Of mbarrier.arrive and its kin, in inst.extra.
enum ArriveForm : uint32_t { hasState = 1, hasCount = 2, drops = 4, expects = 8, onlyExpects = 16, completes = 32 };
} // namespace

// op: the state, if there is one; the address; the count, or bytes.
static void arriveAt(Warp &warp, const Inst &inst, Mask lanes) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes), first = inst.dests;
    uint32_t offset;
    std::byte *at = validObject(warp, inst, lane, first, offset);
    u32 operand = inst.sources > 1 ? warp.row<u32>(inst.op[first + 1])[lane] : 1;
    if (inst.dests) {
      u64 state;
      std::memcpy(&state, at, sizeof(state));
      warp.row<u64>(inst.op[0])[lane] = state;
    }
    if (warp.block->checker && !(inst.extra & onlyExpects))
      warp.block->checker->mbarrierArrive(warp.index, offset, Mask(1) << lane, mbarrier::load(at).phase);
    if (inst.extra & (expects | onlyExpects))
      mbarrier::expect(at, operand);
    if (inst.extra & completes)
      mbarrier::complete(at, operand);
    if (inst.extra & (onlyExpects | completes))
      continue;
    u32 count = inst.extra & expects ? 1 : operand;
    if (count > mbarrier::load(at).pending)
      warp.fault(inst, Mask(1) << lane, errorLaunchFailure, "mbarrier",
                 "more arrivals than the mbarrier's phase takes");
    mbarrier::arrive(at, count, inst.extra & drops);
  }
}

static void selectArrive(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  inst.run = &arriveAt;
  inst.memory = true;
  bool expect = match.has("expect_tx");
  inst.extra = (match.has("arrive_drop") ? drops : 0) |
               (expect ? match.has("arrive") || match.has("arrive_drop") ? expects : onlyExpects : 0) |
               (match.has("complete_tx") ? completes : 0);
}

// op: p, address, state or parity. True once the phase that the state (or parity) is of has completed.
template <bool byParity> static void testWait(Warp &warp, const Inst &inst, Mask lanes) {
  Mask &p = warp.mask(inst.op[0]);
  for (Mask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    uint32_t offset;
    std::byte *at = validObject(warp, inst, lane, 1, offset);
    bool phase;
    if constexpr (byParity) {
      phase = warp.row<u32>(inst.op[2])[lane] & 1;
    } else {
      mbarrier::Object then = mbarrier::load(reinterpret_cast<const std::byte *>(warp.row<u64>(inst.op[2]) + lane));
      phase = then.phase;
    }
    bool done = mbarrier::load(at).phase != phase;
    p = done ? p | Mask(1) << lane : p & ~(Mask(1) << lane);
    if (done && warp.block->checker)
      warp.block->checker->mbarrierPass(warp.index, offset, Mask(1) << lane, phase);
    if (!done)
      warp.paused = true;
  }
}

template <bool byParity> static void selectTestWait(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  inst.run = &testWait<byParity>;
}

static void pendingCount(Warp &warp, const Inst &inst, Mask lanes) {
  const u64 *states = warp.row<u64>(inst.op[1]);
  writeRow<u32>(warp, inst.op[0], lanes, [&](unsigned lane) -> u32 {
    return mbarrier::load(reinterpret_cast<const std::byte *>(states + lane)).pending;
  });
}

Rows tilecc::emu::barrierRows() {
  return {
      {"bar{.cta}.sync a:b32, b:b32?", selectBarrier<waitForAll>, Flow::barrier},
      {"bar{.cta}.arrive a:b32, b:b32", selectBarrier<arriveOnly>, Flow::barrier},
      {"bar{.cta}.red.popc.u32 d:u32, a:b32, b:b32, c:pred", selectBarrier<redPopc>, Flow::barrier},
      {"bar{.cta}.red.popc.u32 d:u32, a:b32, c:pred", selectBarrier<redPopc>, Flow::barrier},
      {"bar{.cta}.red.and.pred d:pred, a:b32, b:b32, c:pred", selectBarrier<redAnd>, Flow::barrier},
      {"bar{.cta}.red.and.pred d:pred, a:b32, c:pred", selectBarrier<redAnd>, Flow::barrier},
      {"bar{.cta}.red.or.pred d:pred, a:b32, b:b32, c:pred", selectBarrier<redOr>, Flow::barrier},
      {"bar{.cta}.red.or.pred d:pred, a:b32, c:pred", selectBarrier<redOr>, Flow::barrier},
      {"barrier{.cta}.sync{.aligned} a:b32, b:b32?", selectBarrier<waitForAll>, Flow::barrier},
      {"barrier{.cta}.arrive{.aligned} a:b32, b:b32", selectBarrier<arriveOnly>, Flow::barrier},
      {"barrier{.cta}.red.popc{.aligned}.u32 d:u32, a:b32, b:b32, c:pred", selectBarrier<redPopc>, Flow::barrier},
      {"barrier{.cta}.red.popc{.aligned}.u32 d:u32, a:b32, c:pred", selectBarrier<redPopc>, Flow::barrier},
      {"barrier{.cta}.red.and{.aligned}.pred d:pred, a:b32, b:b32, c:pred", selectBarrier<redAnd>, Flow::barrier},
      {"barrier{.cta}.red.and{.aligned}.pred d:pred, a:b32, c:pred", selectBarrier<redAnd>, Flow::barrier},
      {"barrier{.cta}.red.or{.aligned}.pred d:pred, a:b32, b:b32, c:pred", selectBarrier<redOr>, Flow::barrier},
      {"barrier{.cta}.red.or{.aligned}.pred d:pred, a:b32, c:pred", selectBarrier<redOr>, Flow::barrier},
      {"membar(.cta|.gl|.sys)", selectFence},
      {"fence{.sc|.acq_rel|.acquire|.release}.$scope", selectFence},
      {"fence.mbarrier_init.release.cluster", selectFence},
      // Between ordinary accesses and those of matrix and copy units, which are all alike here.
      {"fence.proxy.async{.shared::cta|.shared::cluster|.global}", [](const Match &, Inst &inst) {
         inst.run = [](Warp &, const Inst &, Mask) {};
       }},
      {"mbarrier.init{.$space}.b64 [a], b:u32",
       [](const Match &match, Inst &inst) {
         setMemoryModifiers(match, inst);
         inst.run = &initBarrier;
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
      {"mbarrier(.test_wait|.try_wait){.$sem}{.$scope}{.$space}.b64 d:pred, [a], b:b64, c:u32?",
       selectTestWait<false>, Flow::pause},
      {"mbarrier(.test_wait|.try_wait).parity{.$sem}{.$scope}{.$space}.b64 d:pred, [a], b:u32, c:u32?",
       selectTestWait<true>, Flow::pause},
      {"mbarrier.pending_count.b64 d:u32, a:b64", [](const Match &, Inst &inst) { inst.run = &pendingCount; }},
  };
}
