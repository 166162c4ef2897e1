//===-- Deadlock.cpp - reports what threads wait for -----------------------------------------------------------===//
#include "emulator/exec/Deadlock.h"
#include "emulator/checks/Signals.h"
#include "emulator/exec/MemoryAccess.h"
#include "emulator/exec/Program.h"

#include <algorithm>

using namespace tilecc::emu;

// Describes the awaited mbarrier: "phase 3, which lacks 1 of 2 arrivals and 4096 bytes".
static std::string stateOf(const Wait &wait) {
  auto found = wait.block->mbarriers.find(wait.offset);
  if (found == wait.block->mbarriers.end())
    return "which is not initialized any more";
  const Mbarrier &object = found->second;
  std::string text = "whose phase " + std::to_string(object.phase) + " lacks " + std::to_string(object.pending) +
                     " of " + std::to_string(object.expected) + " arrivals";
  if (object.transactions)
    text += " and " + std::to_string(object.transactions) + " bytes";
  return text;
}

static std::string whatFor(const Launch &launch, const Split &split, const Inst &inst) {
  char offset[24];
  switch (split.state) {
  case Split::atBarrier: return "at barrier " + std::to_string(split.barrier);
  case Split::atClusterBarrier: return "at the barrier of the cluster";
  case Split::atCollective:
    return inst.flow == Flow::barrier || inst.flow == Flow::cluster ? "for the rest of their warp"
                                                                    : "for the threads of their member mask";
  case Split::ready: break;
  }
  if (split.asksFor.kind == Wait::registers)
    return "for registers that other warps have to give back";
  if (split.asksFor.kind == Wait::warpGroup)
    return "for the other warps of their warpgroup to issue the same wgmma";
  if (split.asksFor.kind == Wait::tensorMemory)
    return "for columns of tensor memory that other warps have to free";
  if (split.asksFor.kind == Wait::signal)
    return "for signals";
  if (split.asksFor.kind == Wait::peer)
    return "for the other block of its pair to allocate tensor memory, too";
  snprintf(offset, sizeof(offset), "shared+0x%x", split.asksFor.offset);
  std::string owner =
      launch.clusterBlocks() > 1 ? " of block " + std::to_string(split.asksFor.block->rank) + " of the cluster" : "";
  return std::string("for the mbarrier at ") + offset + owner + ", " + stateOf(split.asksFor) + ",";
}

void tilecc::emu::reportDeadlock(const Cluster &cluster) {
  enum : size_t { maxDetails = 16 };
  const Launch &launch = *cluster.launch;
  const LaunchNames &names = launch.reporter->names();
  std::vector<std::string> details;
  Place place;
  size_t splits = 0;
  bool diverged = false;
  for (const auto &block : cluster.blocks)
    for (const Warp &warp : block->warps) {
      bool asks = std::any_of(warp.splits.begin(), warp.splits.end(),
                              [](const Split &split) { return split.state == Split::ready; });
      for (const Split &split : warp.splits) {
        uint32_t pc = split.state == Split::ready ? split.asksFor.pc : split.pc;
        const Inst &inst = launch.program->code[pc];
        Place here = warp.place(inst, split.lanes);
        if (splits++ == 0)
          place = here;
        diverged |= split.state == Split::atCollective && inst.flow == Flow::barrier && !asks;
        if (splits <= maxDetails)
          details.push_back(std::to_string(__builtin_popcount(split.lanes)) + " threads from " +
                            launch.reporter->thread(here) + " of " + launch.reporter->block(here) + " wait " +
                            whatFor(launch, split, inst) + " at " + names.source(pc) + ": " + names.instruction(pc));
      }
    }
  if (splits > maxDetails)
    details.push_back("... and " + std::to_string(splits - maxDetails) + " more");
  launch.reporter->fault(errorLaunchTimeout, "deadlock", place,
                         diverged ? "barrier divergence: threads of a warp wait at different instructions, for ever"
                                  : "deadlock: no thread can go on",
                         details);
}

//===-- Signals --------------------------------------------------------------------------------------------------===//

void DeadlockReport::add(const Cluster &cluster) {
  const Launch &launch = *cluster.launch;
  const LaunchNames &names = launch.reporter->names();
  for (const auto &block : cluster.blocks)
    for (Warp &warp : block->warps)
      for (const Split &split : warp.splits) {
        if (split.state != Split::ready || split.asksFor.kind != Wait::signal) {
          others += __builtin_popcount(split.lanes);
          continue;
        }
        const Inst &inst = launch.program->code[split.asksFor.pc];
        uint64_t addresses[warpSize];
        computeAddresses(warp, inst, split.lanes, inst.op[0], addresses);
        const u32 *seen = warp.row<u32>(inst.op[1]), *wanted = warp.row<u32>(inst.op[2]);
        for (Mask rest = split.lanes; rest; rest &= rest - 1) {
          unsigned lane = __builtin_ctz(rest);
          if (Signals::suffices(seen[lane], wanted[lane]))
            continue;
          Waiting waiting{warp.place(inst, Mask(1) << lane), {}};
          std::string source = names.source(waiting.place.pc);
          waiting.lines.push_back(launch.reporter->thread(waiting.place) + " of " +
                                  launch.reporter->block(waiting.place) + " waits for " + std::to_string(wanted[lane]) +
                                  (source.empty() ? "" : " at " + source));
          std::string value = "  the value is " + std::to_string(seen[lane]) + ", ";
          if (auto writer = launch.checker ? launch.checker->lastWriter(addresses[lane]) : std::nullopt) {
            std::string line = names.source(writer->pc);
            value += "which " + launch.reporter->thread(*writer) + " of " + launch.reporter->block(*writer) + " wrote" +
                     (line.empty() ? "" : " at " + line) + "; it is ";
          } else {
            value += launch.checker ? "which no signal of this launch has changed; it is " : "";
          }
          waiting.lines.push_back(value + launch.memory->describe(addresses[lane]));
          forSignals.emplace(std::pair(waiting.place.block, waiting.place.thread), std::move(waiting));
        }
      }
}

void DeadlockReport::print(const Launch &launch) const {
  enum : size_t { maxDetails = 16 };
  std::vector<std::string> details;
  size_t count = 0;
  for (const auto &[where, waiting] : forSignals)
    if (count++ < maxDetails)
      details.insert(details.end(), waiting.lines.begin(), waiting.lines.end());
  if (count > maxDetails)
    details.push_back("... and " + std::to_string(count - maxDetails) + " more threads wait for signals");
  if (others)
    details.push_back(std::to_string(others) + " threads wait for other threads of their blocks");
  launch.reporter->fault(errorLaunchTimeout, "deadlock", forSignals.begin()->second.place,
                         "deadlock: all threads wait for signals that no thread will send", details);
}
