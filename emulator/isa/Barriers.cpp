//===-- Barriers.cpp - barriers of a block and of a cluster, fences (PTX ISA 9.7.13) ----------------------------===//
#include "emulator/isa/MemoryModifiers.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;

//===-- bar, barrier -------------------------------------------------------------------------------------------===//

namespace {
// The form of a barrier instruction, in inst.offset.
enum BarrierForm : int64_t { waitForAll, arriveOnly, redPopc, redAnd, redOr };
} // namespace

// op: the result, if any; the barrier; the thread count, if given; the predicate, if any. The interpreter does the
// rest.
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
  // `bar` is `barrier.aligned`: the whole warp arrives together. Otherwise each thread arrives separately.
  inst.extra = match.instruction->opcode == "barrier" && !match.has("aligned");
}

//===-- Fences -------------------------------------------------------------------------------------------------===//

static void fence(Warp &warp, const Inst &inst, Mask lanes) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (warp.block->checker)
    warp.block->checker->fence(warp.index, inst.scope, lanes);
}

// Executes fence.mbarrier_init, which applies to the mbarriers that the warp itself has initialized.
static void initFence(Warp &warp, const Inst &inst, Mask lanes) {
  for (auto &[offset, mbarrier] : warp.block->mbarriers)
    mbarrier.isFenced |= mbarrier.initialized.thread / warpSize == warp.index;
  fence(warp, inst, lanes);
}

static void selectFence(const Match &match, Inst &inst) {
  inst.run = &fence;
  std::string_view scope = match["scope"];
  inst.scope = scope == "cta" || match.has("cta")           ? Scope::cta
               : scope == "cluster" || match.has("cluster") ? Scope::cluster
               : scope == "gpu" || match.has("gl")          ? Scope::gpu
                                                            : Scope::sys;
}

// Makes ordinary stores visible to the copy and matrix units. inst.extra selects the memory.
enum : uint32_t { sharedMemory = 1, globalMemory = 2 };

static void proxyFence(Warp &warp, const Inst &inst, Mask lanes) {
  if (inst.extra & sharedMemory)
    for (auto &[offset, mbarrier] : warp.block->mbarriers)
      mbarrier.isFenced = true;
  if (warp.block->checker)
    warp.block->checker->proxyFence(warp.index, inst.extra & sharedMemory, inst.extra & globalMemory, lanes);
}

static void selectProxyFence(const Match &match, Inst &inst) {
  inst.run = &proxyFence;
  inst.extra = match.has("global")                                        ? globalMemory
               : match.has("shared::cta") || match.has("shared::cluster") ? sharedMemory
                                                                          : sharedMemory | globalMemory;
}

//===-- barrier.cluster ----------------------------------------------------------------------------------------===//

// Executed by the interpreter: inst.target selects arrive or wait; inst.extra means that each thread arrives
// separately.
template <bool waits> static void selectClusterBarrier(const Match &match, Inst &inst) {
  inst.run = [](Warp &, const Inst &, Mask) {};
  inst.target = waits;
  inst.extra = !match.has("aligned");
  inst.order = match.has("relaxed") ? Order::relaxed : waits ? Order::acquire : Order::release;
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
      {"fence.mbarrier_init.release.cluster",
       [](const Match &match, Inst &inst) {
         selectFence(match, inst);
         inst.run = &initFence;
       }},
      {"fence.proxy.async{.shared::cta|.shared::cluster|.global}", selectProxyFence},
      {"barrier.cluster.arrive{.release|.relaxed}{.aligned}", selectClusterBarrier<false>, Flow::cluster},
      {"barrier.cluster.wait{.acquire}{.aligned}", selectClusterBarrier<true>, Flow::cluster},
  };
}
