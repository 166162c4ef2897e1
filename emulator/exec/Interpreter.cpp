//===-- Interpreter.cpp ----------------------------------------------------------------------------------------===//
#include "emulator/exec/Interpreter.h"
#include "emulator/exec/BlockBarriers.h"
#include "emulator/exec/BulkAccess.h"
#include "emulator/exec/InFlight.h"
#include "emulator/exec/Program.h"
#include "emulator/exec/Undefined.h"

#include <algorithm>

using namespace tilecc::emu;

//===-- Splits -------------------------------------------------------------------------------------------------===//

int tilecc::emu::splitBehind(const Warp &warp) {
  int best = -1;
  for (size_t i = 0; i < warp.splits.size(); ++i)
    if (warp.splits[i].state == Split::ready && (best < 0 || warp.splits[i].pc < warp.splits[best].pc))
      best = i;
  return best;
}

// Merges ready splits at the same instruction.
static void mergeSplits(Warp &warp) {
  std::vector<Split> &splits = warp.splits;
  for (size_t i = 0; i < splits.size(); ++i)
    for (size_t k = splits.size() - 1; k > i; --k)
      if (splits[i].state == Split::ready && splits[k].state == Split::ready && splits[i].pc == splits[k].pc) {
        splits[i].lanes |= splits[k].lanes;
        splits.erase(splits.begin() + k);
      }
}

static void addSplit(Warp &warp, uint32_t pc, Mask lanes) {
  Split split;
  split.pc = pc;
  split.lanes = lanes;
  warp.splits.push_back(split);
}

static std::string hex(uint32_t value) {
  char text[16];
  snprintf(text, sizeof(text), "0x%08x", value);
  return text;
}

// Returns the lanes that must execute this instruction together.
static Mask membersOf(Warp &warp, const Inst &inst, Mask lanes) {
  if (!inst.extra)
    return warp.alive; // .aligned: the whole warp
  uint32_t row = inst.op[inst.extra - 1];
  Mask members = warp.row<u32>(row)[__builtin_ctz(lanes)];
  if (Mask outside = lanes & ~members)
    warp.fault(inst, outside, errorLaunchFailure, "member mask",
               "the member mask " + hex(members) + " does not name the thread that executes this");
  return members & warp.alive;
}

// Returns the lanes of a split that have the same member mask as the first lane. The others become a separate split.
static Mask lanesOfOneMask(Warp &warp, const Inst &inst, uint32_t pc, Mask lanes) {
  if (!inst.extra)
    return lanes;
  const u32 *masks = warp.row<u32>(inst.op[inst.extra - 1]);
  Mask same = 0;
  for (Mask rest = lanes; rest; rest &= rest - 1)
    if (unsigned lane = __builtin_ctz(rest); masks[lane] == masks[__builtin_ctz(lanes)])
      same |= Mask(1) << lane;
  if (same != lanes)
    addSplit(warp, pc, lanes & ~same);
  return same;
}

static void runCollective(Warp &warp, Split &split, const Inst &inst, Mask lanes) {
  ++warp.warpInstructions;
  warp.threadInstructions += __builtin_popcount(lanes);
  warp.asksFor = {};
  if (!warp.inFlight.empty())
    checkInFlight(warp, inst, lanes);
  if (!warp.tensorLoads.empty())
    checkLoadsInFlight(warp, inst, lanes);
  if (!warp.fenceNeeded.empty())
    followFences(warp, inst, lanes);
  inst.run(warp, inst, lanes);
  if (BlockProfile *profile = warp.block->profile.get(); profile && !warp.paused())
    profile->execute(warp.index, warp.pc(inst), lanes);
  if (!warp.undefined.empty())
    followCollective(warp, inst, lanes);
  split.state = Split::ready;
  split.asksFor = warp.asksFor;
  if (warp.paused()) // setmaxnreg and warpgroup waits must be retried
    return;
  if (inst.flow == Flow::barrier)
    arrive(warp, split, inst, lanes);
  else if (inst.flow == Flow::cluster)
    inst.target ? waitForCluster(warp, split, inst, lanes) : arriveAtCluster(warp, split, inst, lanes);
  else
    ++split.pc;
}

// Runs a collective if all of its members have arrived. Its lanes are then one split, the last.
static bool runIfComplete(Warp &warp, size_t index) {
  uint32_t pc = warp.splits[index].pc;
  Mask members = warp.splits[index].members;
  const Inst *code = warp.block->launch->program->code.data();
  auto isThere = [&](const Split &split) {
    return split.state == Split::atCollective && split.members == members &&
           (split.pc == pc || (code[pc].anywhere && code[split.pc].anywhere));
  };
  Mask together = 0;
  for (const Split &split : warp.splits)
    if (isThere(split))
      together |= split.lanes;
  if (members & ~together)
    return false;
  if (code[pc].anywhere) { // each continues from its own position
    code[pc].run(warp, code[pc], together);
    for (Split &split : warp.splits)
      if (isThere(split)) {
        ++warp.warpInstructions;
        warp.threadInstructions += __builtin_popcount(split.lanes);
        if (BlockProfile *profile = warp.block->profile.get())
          profile->execute(warp.index, split.pc, split.lanes);
        split.state = Split::ready;
        ++split.pc;
      }
    return true;
  }
  std::erase_if(warp.splits, isThere);
  addSplit(warp, pc, together);
  runCollective(warp, warp.splits.back(), code[pc], together);
  return true;
}

// Called when lanes have exited: barriers and collectives no longer wait for them.
static void afterExit(Warp &warp) {
  for (Split &split : warp.splits)
    split.members &= warp.alive;
  for (size_t i = 0; i < warp.splits.size();)
    i = warp.splits[i].state == Split::atCollective && runIfComplete(warp, i) ? 0 : i + 1;
  for (uint32_t number = 0; number < 16; ++number) {
    if (warp.arrived[number])
      countWarp(warp, number);
    if (BlockProfile *profile = warp.block->profile.get(); profile && warp.block->barriers[number].arrived)
      warp.block->barriers[number].latest = std::max(warp.block->barriers[number].latest, profile->now(warp.index));
    completeBarrier(*warp.block, warp.block->barriers[number]);
  }
  completeClusterBarrier(*warp.block->cluster);
}

//===-- The loop -----------------------------------------------------------------------------------------------===//

static void watch(Warp &warp, const Inst &inst, Mask lanes) {
  if (!warp.inFlight.empty())
    checkInFlight(warp, inst, lanes);
  if (!warp.tensorLoads.empty())
    checkLoadsInFlight(warp, inst, lanes);
  if (!warp.fenceNeeded.empty())
    followFences(warp, inst, lanes);
  if (!warp.undefined.empty())
    followUndefined(warp, inst, lanes);
}

// Counts unsuccessful polls of an mbarrier as waiting; `before` was the previous poll of this split.
static void followPoll(Warp &warp, uint32_t pc, const Wait &before) {
  BlockProfile &profile = *warp.block->profile;
  bool isRepeated = before.kind == Wait::mbarrier && before.pc == pc;
  uint64_t since = isRepeated ? before.since : profile.now(warp.index);
  if (warp.paused())
    warp.asksFor.since = since;
  else
    profile.wait(warp.index, pc, since, profile.released(warp.index), isRepeated && warp.splits.size() == 1);
  profile.setReleased(warp.index, 0);
}

// The interpreter loop. `profiles` is true if the block has a profile.
template <bool watchesRegisters, bool profiles> static bool runLoop(Warp &warp, size_t index, uint32_t budget) {
  const Program &program = *warp.block->launch->program;
  const Inst *code = program.code.data();
  uint32_t pc = warp.splits[index].pc;
  Mask lanes = warp.splits[index].lanes;
  // The next instruction at which another split waits to be merged.
  uint32_t meeting = ~0u;
  for (size_t i = 0; i < warp.splits.size(); ++i)
    if (i != index && warp.splits[i].state == Split::ready && warp.splits[i].pc > pc)
      meeting = std::min(meeting, warp.splits[i].pc);

  auto save = [&] {
    warp.splits[index].pc = pc;
    warp.splits[index].lanes = lanes;
    warp.splits[index].asksFor = warp.asksFor;
  };
  warp.asksFor = warp.splits[index].asksFor;
  uint64_t instructions = 0, threads = 0;
  struct Counter { // counts even if a fault ends the loop
    Warp &warp;
    uint64_t &instructions, &threads;
    ~Counter() {
      warp.warpInstructions += instructions;
      warp.threadInstructions += threads;
    }
  } counter{warp, instructions, threads};

  for (; budget; --budget) {
    if (pc >= meeting) {
      save();
      mergeSplits(warp);
      return false;
    }
    const Inst &inst = code[pc];
    Mask active = lanes;
    if (inst.guarded) {
      Mask guard = warp.mask(inst.guard);
      active &= inst.guardNegated ? ~guard : guard;
      if constexpr (watchesRegisters)
        if (!warp.undefined.empty())
          checkGuard(warp, inst, lanes);
    }
    if (inst.flow == Flow::next) {
      if (active) {
        if constexpr (watchesRegisters)
          watch(warp, inst, active);
        if constexpr (profiles)
          warp.block->profile->execute(warp.index, pc, active);
        inst.run(warp, inst, active);
        ++instructions;
        threads += __builtin_popcount(active);
      }
      ++pc;
      continue;
    }
    ++instructions;
    threads += __builtin_popcount(active);
    bool isCollective = inst.flow == Flow::collective || inst.flow == Flow::barrier || inst.flow == Flow::cluster;
    if (profiles && !isCollective) // collectives are counted where they are executed
      warp.block->profile->execute(warp.index, pc, active);
    switch (inst.flow) {
    case Flow::next: break;
    case Flow::branch:
      if (active == lanes) {
        pc = inst.target;
        if (warp.splits.size() > 1 && pc < meeting) // backward branch: other splits may now be after the target
          for (size_t i = 0; i < warp.splits.size(); ++i)
            if (i != index && warp.splits[i].state == Split::ready && warp.splits[i].pc >= pc)
              meeting = std::min(meeting, warp.splits[i].pc);
        if (pc >= meeting) {
          save();
          mergeSplits(warp);
          return false;
        }
        continue;
      }
      if (profiles && active)
        warp.block->profile->diverge(pc);
      ++pc;
      if (active) {
        lanes &= ~active;
        save();
        addSplit(warp, inst.target, active);
        mergeSplits(warp);
        return false;
      }
      continue;
    case Flow::indexed: {
      const std::vector<uint32_t> &targets = program.jumpTables[inst.target];
      const u32 *indices = warp.row<u32>(inst.op[0]);
      Mask rest = active;
      lanes &= ~active;
      ++pc;
      save();
      while (rest) {
        u32 entry = indices[__builtin_ctz(rest)];
        if (entry >= targets.size())
          warp.fault(inst, rest, errorIllegalInstruction, "jump table",
                     "brx.idx with index " + std::to_string(entry) + " of a table of " +
                         std::to_string(targets.size()));
        Mask same = 0;
        for (Mask scan = rest; scan; scan &= scan - 1)
          if (indices[__builtin_ctz(scan)] == entry)
            same |= Mask(1) << __builtin_ctz(scan);
        addSplit(warp, targets[entry], same);
        rest &= ~same;
      }
      if (!lanes)
        warp.splits.erase(warp.splits.begin() + index);
      mergeSplits(warp);
      return false;
    }
    case Flow::exit:
      lanes &= ~active;
      ++pc;
      if (!active)
        continue;
      save();
      warp.alive &= ~active;
      ++warp.changes;
      ++warp.progress;
      checkBulkGroupsAtExit(warp, active);
      if (warp.block->checker)
        warp.block->checker->exit(warp.index, active);
      if (!lanes)
        warp.splits.erase(warp.splits.begin() + index);
      afterExit(warp);
      return false;
    case Flow::pause: {
      Wait before = warp.asksFor;
      if (active)
        inst.run(warp, inst, active);
      if (profiles && active)
        followPoll(warp, pc, before);
      if constexpr (watchesRegisters)
        watch(warp, inst, active);
      ++pc;
      save();
      mergeSplits(warp);
      return false;
    }
    case Flow::collective:
    case Flow::barrier:
    case Flow::cluster: {
      --instructions; // counted where it is executed
      threads -= __builtin_popcount(active);
      if (!active) {
        ++pc;
        continue;
      }
      Mask group = inst.flow == Flow::cluster ? active : lanesOfOneMask(warp, inst, pc, active);
      if (active != lanes) // lanes whose guard is false continue
        addSplit(warp, pc + 1, lanes & ~active);
      lanes = group;
      save();
      bool aligned = inst.flow == Flow::collective || inst.extra == 0; // of a barrier: .aligned
      if (aligned) {
        warp.splits[index].state = Split::atCollective;
        warp.splits[index].members = membersOf(warp, inst, group);
        runIfComplete(warp, index);
      } else
        runCollective(warp, warp.splits[index], inst, group);
      mergeSplits(warp);
      // The common case continues without returning to the scheduler.
      if (warp.splits.size() == 1 && warp.splits[0].state == Split::ready && !warp.paused() &&
          watchesRegisters == warp.watchesRegisters()) {
        index = 0;
        pc = warp.splits[0].pc;
        lanes = warp.splits[0].lanes;
        meeting = ~0u;
        continue;
      }
      return false;
    }
    }
  }
  save();
  return true;
}

bool tilecc::emu::runSplit(Warp &warp, size_t split, uint32_t budget) {
  if (warp.block->profile)
    return warp.watchesRegisters() ? runLoop<true, true>(warp, split, budget)
                                   : runLoop<false, true>(warp, split, budget);
  return warp.watchesRegisters() ? runLoop<true, false>(warp, split, budget)
                                 : runLoop<false, false>(warp, split, budget);
}
