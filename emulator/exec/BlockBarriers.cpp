//===-- BlockBarriers.cpp - the 16 barriers of a block, and that of a cluster -----------------------------------===//
#include "emulator/exec/BlockBarriers.h"
#include "emulator/exec/Interpreter.h"
#include "emulator/exec/Program.h"

#include <algorithm>

using namespace tilecc::emu;

static uint64_t tokenOf(const Barrier &barrier, const Block &block) {
  return (uint64_t(&barrier - block.barriers) << 32) + barrier.phase;
}

// Releases the barrier's threads if all have arrived.
void tilecc::emu::completeBarrier(Block &block, Barrier &barrier) {
  uint32_t needed = barrier.count ? barrier.count : block.aliveThreads();
  if (barrier.arrived == 0 || barrier.arrived < needed)
    return;
  uint32_t number = &barrier - block.barriers;
  const Program &program = *block.launch->program;
  for (Warp &warp : block.warps)
    for (Split &split : warp.splits)
      if (split.state == Split::atBarrier && split.barrier == number) {
        const Inst &inst = program.code[split.pc];
        if (split.reduction == Arrival::popc)
          writeLanes<u32>(warp.file, inst.op[0], split.lanes, barrier.ones);
        else if (split.reduction != Arrival::none) {
          bool all = split.reduction == Arrival::logicalAnd;
          Mask &row = warp.mask(inst.op[0]);
          row = (row & ~split.lanes) | ((all ? barrier.ones == barrier.arrived : barrier.ones != 0) ? split.lanes : 0);
        }
        if (block.checker)
          block.checker->pass(warp.index, tokenOf(barrier, block), split.lanes);
        if (block.profile)
          block.profile->wait(warp.index, split.pc, split.since, barrier.latest);
        split.state = Split::ready;
        ++split.pc;
      }
  barrier = {.phase = barrier.phase + 1};
}

// Counts this warp if all of its lanes have arrived: barriers with a thread count count whole warps.
void tilecc::emu::countWarp(Warp &warp, uint32_t barrier) {
  if (warp.alive & ~warp.arrived[barrier])
    return;
  warp.arrived[barrier] = 0;
  warp.block->barriers[barrier].arrived += warpSize;
}

void tilecc::emu::arrive(Warp &warp, Split &split, const Inst &inst, Mask lanes) {
  Block &block = *warp.block;
  const Arrival &arrival = warp.arrival;
  Barrier &barrier = block.barriers[arrival.barrier];
  auto name = [&] { return "barrier " + std::to_string(arrival.barrier); }; // for messages only
  if (barrier.arrived == 0 && barrier.count == 0) {
    barrier.count = arrival.count;
    barrier.first = warp.place(inst, lanes);
  } else if (barrier.count != arrival.count) {
    auto threads = [](uint32_t count) {
      return count ? std::to_string(count) + " threads" : std::string("all threads");
    };
    const LaunchNames &names = block.launch->reporter->names();
    warp.fault(inst, lanes, errorLaunchFailure, "barrier count",
               name() + " is used with different counts at the same time: " + threads(arrival.count) + " here",
               {block.launch->reporter->thread(barrier.first) + " came first, for " + threads(barrier.count) + ", at " +
                names.source(barrier.first.pc) + ": " + names.instruction(barrier.first.pc)});
  }
  barrier.ones += __builtin_popcount(arrival.predicate & lanes);
  if (arrival.count) {
    warp.arrived[arrival.barrier] |= lanes;
    countWarp(warp, arrival.barrier);
  } else {
    barrier.arrived += __builtin_popcount(lanes);
  }
  if (barrier.count && barrier.arrived > barrier.count)
    warp.fault(inst, lanes, errorLaunchFailure, "barrier overflow",
               name() + " takes " + std::to_string(barrier.count) + " threads, and more have arrived");
  if (block.checker)
    block.checker->arrive(warp.index, tokenOf(barrier, block), lanes);
  ++warp.changes;
  split.since = warp.place(inst, lanes).time;
  barrier.latest = std::max(barrier.latest, split.since);
  if (arrival.waits) {
    split.state = Split::atBarrier;
    split.barrier = arrival.barrier;
    split.reduction = arrival.reduction;
  } else {
    ++split.pc;
  }
  completeBarrier(block, barrier);
}

// Checks a block at its end. (Threads that have arrived at a barrier for which no thread waits are not an error:
// warpgroups that alternate leave some.)
void tilecc::emu::checkBlockAtEnd(Block &block) {
  // The warps of a warpgroup must execute the same setmaxnreg instructions.
  for (const Warp &warp : block.warps) {
    const Warp &first = block.warps[warp.index / 4 * 4];
    const Warp &more = warp.registerChanges.size() > first.registerChanges.size() ? warp : first;
    if (warp.registerChanges.size() != first.registerChanges.size())
      block.launch->reporter->report("setmaxnreg",
                                     {block.number, more.index * warpSize, more.registerChanges.back().pc},
                                     "a setmaxnreg that not all warps of the warpgroup have executed");
  }
  if (block.checker)
    block.checker->end();
}

//===-- The barrier of a cluster -------------------------------------------------------------------------------===//

static BlockChecker *clusterChecker(const Cluster &cluster) { return cluster.blocks[0]->checker.get(); }

// Completes the barrier if all threads have arrived. Threads that have exited count as arrived.
void tilecc::emu::completeClusterBarrier(Cluster &cluster) {
  uint32_t alive = 0;
  for (const auto &block : cluster.blocks)
    alive += block->aliveThreads();
  if (cluster.barrier.arrived == 0 || cluster.barrier.arrived < alive)
    return;
  cluster.barrier = {.phase = cluster.barrier.phase + 1, .latest = cluster.barrier.latest};
  for (const auto &block : cluster.blocks)
    for (Warp &warp : block->warps) {
      warp.clusterPending = 0;
      for (Split &split : warp.splits)
        if (split.state == Split::atClusterBarrier) {
          split.state = Split::ready;
          passClusterBarrier(warp, split);
        }
    }
}

void tilecc::emu::passClusterBarrier(Warp &warp, Split &split) {
  warp.clusterArrived &= ~split.lanes;
  Cluster &cluster = *warp.block->cluster;
  if (warp.block->checker)
    warp.block->checker->mbarrierPass(warp.index, BlockChecker::clusterBarrier, split.lanes, cluster.barrier.phase - 1,
                                      clusterChecker(cluster));
  if (BlockProfile *profile = warp.block->profile.get())
    profile->wait(warp.index, split.pc, split.since, cluster.barrier.latest);
  ++split.pc;
}

void tilecc::emu::arriveAtCluster(Warp &warp, Split &split, const Inst &inst, Mask lanes) {
  Cluster &cluster = *warp.block->cluster;
  if (Mask twice = lanes & warp.clusterArrived)
    warp.fault(inst, twice, errorLaunchFailure, "cluster barrier",
               "the thread has arrived at the barrier of the cluster already, and must wait before it arrives again");
  warp.clusterArrived |= lanes;
  warp.clusterPending |= lanes;
  if (cluster.barrier.arrived == 0)
    cluster.barrier.first = warp.place(inst, lanes);
  cluster.barrier.arrived += __builtin_popcount(lanes);
  cluster.barrier.latest = std::max(cluster.barrier.latest, warp.place(inst, lanes).time);
  ++warp.changes;
  if (warp.block->checker)
    warp.block->checker->mbarrierArrive(warp.index, BlockChecker::clusterBarrier, lanes, cluster.barrier.phase,
                                        clusterChecker(cluster), inst.order == Order::relaxed);
  ++split.pc;
  completeClusterBarrier(cluster);
}

void tilecc::emu::waitForCluster(Warp &warp, Split &split, const Inst &inst, Mask lanes) {
  if (Mask missing = lanes & ~warp.clusterArrived)
    warp.fault(inst, missing, errorLaunchFailure, "cluster barrier",
               "the thread waits at the barrier of the cluster and has not arrived there");
  split.since = warp.place(inst, lanes).time;
  if (lanes & warp.clusterPending)
    split.state = Split::atClusterBarrier;
  else
    passClusterBarrier(warp, split);
}
