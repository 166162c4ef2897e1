//===-- ClusterLaunch.cpp - clusterlaunchcontrol: cancels blocks to take over their work (PTX ISA 9.7.13.17) -----===//
//
// A persistent kernel is launched with one block per tile. A block that has finished its own tile cancels a cluster
// that has not started, and does its work. The asynchronous proxy writes the response, 16 bytes in shared memory. PTX
// does not specify its format: here it contains the position of the cluster's first block, and a flag that is set if a
// cluster was canceled.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/exec/BulkAccess.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;
using ptx::Space;

namespace {

struct Answer {
  uint32_t first[3], isCanceled;
};
constexpr uint32_t answerBytes = sizeof(Answer);
static_assert(answerBytes == sizeof(u128));

} // namespace

// op: the address of the response, the mbarrier. inst.extra: multicast to all blocks of the cluster
static void tryCancel(Warp &warp, const Inst &inst, Mask lanes) {
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, lanes, inst.op[0], addresses);
  Launch &launch = *warp.block->launch;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    Mask self = Mask(1) << lane;
    if (warp.block->knowsLastCancel)
      launch.reporter->report("clusterlaunchcontrol", warp.place(inst, self),
                              "a clusterlaunchcontrol.try_cancel behind one that the block knows to have canceled "
                              "nothing",
                              {launch.reporter->thread(warp.place(inst, self)) + " executes",
                               "  " + launch.reporter->names().instruction(warp.pc(inst))});
    SharedPlace to = findShared(warp, inst, lane, addresses[lane], inst.space, answerBytes, answerBytes,
                                "the answer of clusterlaunchcontrol.try_cancel");
    SharedPlace mbarrier = findMbarrier(warp, inst, lane, warp.row<u64>(inst.op[1])[lane], inst.space, Access::atomic);
    Answer answer = {};
    uint64_t number = launch.nextCluster.fetch_add(1);
    answer.isCanceled = number < launch.clusterCount();
    if (answer.isCanceled)
      launch.firstBlock(number, answer.first);
    auto write = [&](SharedPlace target, SharedPlace object) {
      BulkAccess access(warp, inst, lane, object);
      std::byte *destination = access.shared(target, answerBytes, Access::store);
      access.issue([=] { std::memcpy(destination, &answer, answerBytes); }, answerBytes);
    };
    if (!inst.extra) {
      write(to, mbarrier);
      continue;
    }
    for (const auto &block : warp.block->cluster->blocks) {
      uint64_t address = uint64_t(block->rank + 1) << clusterRankShift | mbarrier.offset;
      write({block.get(), to.offset}, findMbarrier(warp, inst, lane, address, Space::cluster, Access::atomic));
    }
  }
}

static Answer answerIn(Warp &warp, uint32_t row, unsigned lane) {
  return std::bit_cast<Answer>(warp.row<u128>(row)[lane]);
}

// op: p, the response
static void isCanceled(Warp &warp, const Inst &inst, Mask lanes) {
  Mask &p = warp.mask(inst.op[0]);
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    Mask self = Mask(1) << lane;
    bool yes = answerIn(warp, inst.op[1], lane).isCanceled;
    p = yes ? p | self : p & ~self;
    warp.block->knowsLastCancel |= !yes;
  }
}

// op: the requested coordinates, the response. inst.extra: the first coordinate
static void firstBlock(Warp &warp, const Inst &inst, Mask lanes) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    Answer answer = answerIn(warp, inst.op[inst.dests], lane);
    if (!answer.isCanceled)
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "clusterlaunchcontrol",
                 "the first block of a cluster is asked for, and none was canceled");
    for (unsigned i = 0; i < inst.dests; ++i)
      warp.row<u32>(inst.op[i])[lane] = inst.extra + i < 3 ? answer.first[inst.extra + i] : 0;
  }
}

static void selectTryCancel(const Match &match, Inst &inst) {
  inst.run = &tryCancel;
  inst.memory = true;
  inst.space = match.has("shared::cta") ? Space::shared : Space::generic;
  inst.extra = match.has("multicast::cluster::all");
}

static void selectFirstBlock(const Match &match, Inst &inst) {
  inst.run = &firstBlock;
  inst.extra = match.has("get_first_ctaid::y") ? 1 : match.has("get_first_ctaid::z") ? 2 : 0;
}

Rows tilecc::emu::clusterLaunchRows() {
  return {
      {"clusterlaunchcontrol.try_cancel.async{.shared::cta}.mbarrier::complete_tx::bytes{.multicast::cluster::all}.b128"
       " [a], [m]",
       selectTryCancel},
      {"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 d:pred, a:b128",
       [](const Match &, Inst &inst) { inst.run = &isCanceled; }},
      {"clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {d*4:b32}, a:b128", selectFirstBlock},
      {"clusterlaunchcontrol.query_cancel(.get_first_ctaid::x|.get_first_ctaid::y|.get_first_ctaid::z).b32.b128 d:b32, "
       "a:b128",
       selectFirstBlock},
  };
}
