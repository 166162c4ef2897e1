//===-- Interpreter.cpp ----------------------------------------------------------------------------------------===//
#include "emulator/exec/Interpreter.h"
#include "emulator/exec/Program.h"
#include "emulator/exec/Undefined.h"

#include <algorithm>

using namespace tilecc::emu;

//===-- Warps --------------------------------------------------------------------------------------------------===//

uint32_t Warp::pc(const Inst &inst) const { return &inst - block->launch->program->code.data(); }

Place Warp::place(const Inst &inst, Mask lanes) const {
  uint32_t lane = lanes ? __builtin_ctz(lanes) : 0;
  return {block->number, index * warpSize + lane, pc(inst)};
}

void Warp::fault(const Inst &inst, Mask lanes, int error, const std::string &key, const std::string &what,
                 const std::vector<std::string> &details) {
  Reporter &reporter = *block->launch->reporter;
  Place here = place(inst, lanes);
  std::vector<std::string> lines = {reporter.thread(here) + " executes", "  " + reporter.names().instruction(here.pc)};
  lines.insert(lines.end(), details.begin(), details.end());
  reporter.fault(error, key, here, what, lines);
}

uint32_t Block::aliveThreads() const {
  uint32_t count = 0;
  for (const Warp &warp : warps)
    count += __builtin_popcount(warp.alive);
  return count;
}

static uint64_t specialValue(const Block &block, const Warp &warp, uint32_t lane, Program::Special special) {
  const Launch &launch = *block.launch;
  uint32_t thread = warp.index * warpSize + lane;
  using Special = Program::Special;
  switch (special) {
  case Special::tidX:
    return thread % launch.block[0];
  case Special::tidY:
    return thread / launch.block[0] % launch.block[1];
  case Special::tidZ:
    return thread / launch.block[0] / launch.block[1];
  case Special::ntidX:
  case Special::ntidY:
  case Special::ntidZ:
    return launch.block[static_cast<int>(special) - static_cast<int>(Special::ntidX)];
  case Special::ctaidX:
  case Special::ctaidY:
  case Special::ctaidZ:
    return block.id[static_cast<int>(special) - static_cast<int>(Special::ctaidX)];
  case Special::nctaidX:
  case Special::nctaidY:
  case Special::nctaidZ:
    return launch.grid[static_cast<int>(special) - static_cast<int>(Special::nctaidX)];
  case Special::laneid:
    return lane;
  case Special::warpid:
    return warp.index;
  case Special::nwarpid:
    return block.warps.size();
  case Special::lanemaskEq:
    return 1u << lane;
  case Special::lanemaskLe:
    return (2ull << lane) - 1;
  case Special::lanemaskLt:
    return (1u << lane) - 1;
  case Special::lanemaskGe:
    return ~((1u << lane) - 1);
  case Special::lanemaskGt:
    return static_cast<u32>(~((2ull << lane) - 1));
  case Special::dynamicShared:
    return launch.dynamicShared;
  case Special::totalShared:
    return launch.program->sharedBytes + launch.dynamicShared;
  case Special::smid:
  case Special::gridid:
  case Special::zero:
    return 0;
  case Special::nsmid:
  case Special::one:
    return 1;
  }
  return 0;
}

std::unique_ptr<Block> tilecc::emu::startBlock(Launch &launch, uint64_t number) {
  const Program &program = *launch.program;
  auto block = std::make_unique<Block>();
  block->launch = &launch;
  block->number = number;
  block->id[0] = number % launch.grid[0];
  block->id[1] = number / launch.grid[0] % launch.grid[1];
  block->id[2] = number / launch.grid[0] / launch.grid[1];
  block->threads = launch.block[0] * launch.block[1] * launch.block[2];
  block->sharedBytes = program.sharedBytes + launch.dynamicShared;
  uint32_t warps = (block->threads + warpSize - 1) / warpSize;

  // One piece of memory: shared memory, then each warp's register file and local memory. 128 bytes are as much alignment
  // as any access can ask for (TMA's, in shared memory).
  constexpr size_t align = 128;
  auto round = [](size_t bytes) { return (bytes + align - 1) / align * align; };
  size_t fileBytes = round(program.initialFile.size()), localBytes = round(size_t(program.localBytes) * warpSize);
  block->storage = std::make_unique_for_overwrite<std::byte[]>(align + round(block->sharedBytes) +
                                                               warps * (fileBytes + localBytes));
  auto *at = reinterpret_cast<std::byte *>(round(reinterpret_cast<uintptr_t>(block->storage.get())));
  block->shared = at;
  std::memset(block->shared, 0xa5, block->sharedBytes);
  at += round(block->sharedBytes);
  block->warps.resize(warps);
  for (uint32_t w = 0; w < warps; ++w) {
    Warp &warp = block->warps[w];
    warp.block = block.get();
    warp.index = w;
    warp.file = at;
    warp.local = at + fileBytes;
    at += fileBytes + localBytes;
    std::memcpy(warp.file, program.initialFile.data(), program.initialFile.size());
    std::memset(warp.local, 0xa5, localBytes);
    uint32_t lanes = std::min<uint32_t>(warpSize, block->threads - w * warpSize);
    warp.alive = lanes == warpSize ? allLanes : (Mask(1) << lanes) - 1;
    Split all;
    all.lanes = warp.alive;
    warp.splits.push_back(all);
    for (const Program::SpecialRow &row : program.specials)
      for (uint32_t lane = 0; lane < warpSize; ++lane) {
        uint64_t value = specialValue(*block, warp, lane, row.special);
        if (row.wide)
          warp.row<u64>(row.row)[lane] = value;
        else
          warp.row<u32>(row.row)[lane] = static_cast<u32>(value);
      }
    if (program.tracksUndefined && launch.checksInitialized) {
      warp.undefined.assign(program.rowNumbers, {});
      for (uint32_t row : program.undefinedAtEntry)
        warp.undefined[row].fill(allLanes);
    }
  }
  if (launch.checker)
    block->checker = launch.checker->startBlock(number, warps, block->shared, block->sharedBytes, program.localBytes,
                                                program.paramBytes, block->threads);
  return block;
}

//===-- Barriers -----------------------------------------------------------------------------------------------===//

static uint64_t tokenOf(const Barrier &barrier, const Block &block) {
  return (uint64_t(&barrier - block.barriers) << 32) + barrier.phase;
}

// Lets the barrier's threads go if all have come.
static void completeBarrier(Block &block, Barrier &barrier) {
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
        split.state = Split::ready;
        ++split.pc;
      }
  barrier = {.phase = barrier.phase + 1};
}

// With a count, barriers count whole warps: this one, once all of its lanes have come.
static void countWarp(Warp &warp, uint32_t barrier) {
  if (warp.alive & ~warp.arrived[barrier])
    return;
  warp.arrived[barrier] = 0;
  warp.block->barriers[barrier].arrived += warpSize;
}

static void arrive(Warp &warp, Split &split, const Inst &inst, Mask lanes) {
  Block &block = *warp.block;
  const Arrival &arrival = warp.arrival;
  Barrier &barrier = block.barriers[arrival.barrier];
  auto name = [&] { return "barrier " + std::to_string(arrival.barrier); }; // of messages only
  if (barrier.arrived == 0 && barrier.count == 0) {
    barrier.count = arrival.count;
    barrier.first = warp.place(inst, lanes);
  } else if (barrier.count != arrival.count) {
    auto threads = [](uint32_t count) { return count ? std::to_string(count) + " threads" : std::string("all threads"); };
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
  if (arrival.waits) {
    split.state = Split::atBarrier;
    split.barrier = arrival.barrier;
    split.reduction = arrival.reduction;
  } else {
    ++split.pc;
  }
  completeBarrier(block, barrier);
}

void tilecc::emu::checkBarriersAtEnd(Block &block) {
  for (Barrier &barrier : block.barriers)
    if (barrier.arrived)
      block.launch->reporter->report(
          "barrier left", barrier.first,
          "barrier " + std::to_string(&barrier - block.barriers) + " has " + std::to_string(barrier.arrived) + " of " +
              std::to_string(barrier.count) + " threads when the block ends");
}

//===-- Splits -------------------------------------------------------------------------------------------------===//

int tilecc::emu::splitBehind(const Warp &warp) {
  int best = -1;
  for (size_t i = 0; i < warp.splits.size(); ++i)
    if (warp.splits[i].state == Split::ready && (best < 0 || warp.splits[i].pc < warp.splits[best].pc))
      best = i;
  return best;
}

// Ready splits at the same instruction become one.
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

// The lanes that this instruction must run for at once.
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

// The lanes of a split whose member mask is the first one's; the others become a split of their own.
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
  inst.run(warp, inst, lanes);
  if (!warp.undefined.empty())
    followCollective(warp, inst, lanes);
  split.state = Split::ready;
  if (inst.flow == Flow::barrier)
    arrive(warp, split, inst, lanes);
  else
    ++split.pc;
}

// Runs a collective if all of its members are there; its lanes are then one split, the last.
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
  if (code[pc].anywhere) { // each goes on from where it is
    code[pc].run(warp, code[pc], together);
    for (Split &split : warp.splits)
      if (isThere(split)) {
        ++warp.warpInstructions;
        warp.threadInstructions += __builtin_popcount(split.lanes);
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

// Lanes have ended: nobody waits for them any longer.
static void afterExit(Warp &warp) {
  for (Split &split : warp.splits)
    split.members &= warp.alive;
  for (size_t i = 0; i < warp.splits.size();)
    i = warp.splits[i].state == Split::atCollective && runIfComplete(warp, i) ? 0 : i + 1;
  for (uint32_t number = 0; number < 16; ++number) {
    if (warp.arrived[number])
      countWarp(warp, number);
    completeBarrier(*warp.block, warp.block->barriers[number]);
  }
}

//===-- The loop -----------------------------------------------------------------------------------------------===//

template <bool followsUndefined> static bool runLoop(Warp &warp, size_t index, uint32_t budget) {
  const Program &program = *warp.block->launch->program;
  const Inst *code = program.code.data();
  uint32_t pc = warp.splits[index].pc;
  Mask lanes = warp.splits[index].lanes;
  // Where another split waits for this one to come by.
  uint32_t meeting = ~0u;
  for (size_t i = 0; i < warp.splits.size(); ++i)
    if (i != index && warp.splits[i].state == Split::ready && warp.splits[i].pc > pc)
      meeting = std::min(meeting, warp.splits[i].pc);

  auto save = [&] {
    warp.splits[index].pc = pc;
    warp.splits[index].lanes = lanes;
  };
  uint64_t instructions = 0, threads = 0;
  struct Counter { // also when a fault ends this
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
      if constexpr (followsUndefined)
        checkGuard(warp, inst, lanes);
    }
    if (inst.flow == Flow::next) {
      if (active) {
        if constexpr (followsUndefined)
          followUndefined(warp, inst, active);
        inst.run(warp, inst, active);
        ++instructions;
        threads += __builtin_popcount(active);
      }
      ++pc;
      continue;
    }
    ++instructions;
    threads += __builtin_popcount(active);
    switch (inst.flow) {
    case Flow::next:
      break;
    case Flow::branch:
      if (active == lanes) {
        pc = inst.target;
        if (warp.splits.size() > 1 && pc < meeting) // backwards: others may be behind the target now
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
                     "brx.idx with index " + std::to_string(entry) + " of a table of " + std::to_string(targets.size()));
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
      if (warp.block->checker)
        warp.block->checker->exit(warp.index, active);
      if (!lanes)
        warp.splits.erase(warp.splits.begin() + index);
      afterExit(warp);
      return false;
    case Flow::pause:
      if (active)
        inst.run(warp, inst, active);
      if constexpr (followsUndefined)
        followUndefined(warp, inst, active);
      ++pc;
      save();
      mergeSplits(warp);
      return false;
    case Flow::collective:
    case Flow::barrier: {
      --instructions; // counted where it runs
      threads -= __builtin_popcount(active);
      if (!active) {
        ++pc;
        continue;
      }
      Mask group = lanesOfOneMask(warp, inst, pc, active);
      if (active != lanes) // whose guard does not hold, goes on
        addSplit(warp, pc + 1, lanes & ~active);
      lanes = group;
      save();
      bool aligned = inst.flow == Flow::collective || inst.extra == 0;
      if (aligned) {
        warp.splits[index].state = Split::atCollective;
        warp.splits[index].members = membersOf(warp, inst, group);
        runIfComplete(warp, index);
      } else
        runCollective(warp, warp.splits[index], inst, group);
      mergeSplits(warp);
      // The usual case goes on without a detour through the scheduler.
      if (warp.splits.size() == 1 && warp.splits[0].state == Split::ready && !warp.paused) {
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
  return warp.undefined.empty() ? runLoop<false>(warp, split, budget) : runLoop<true>(warp, split, budget);
}

//===-- Deadlock -----------------------------------------------------------------------------------------------===//

void tilecc::emu::reportDeadlock(const Block &block) {
  enum : size_t { mostDetails = 16 };
  const Launch &launch = *block.launch;
  const LaunchNames &names = launch.reporter->names();
  std::vector<std::string> details;
  Place place;
  size_t splits = 0;
  bool diverged = false;
  for (const Warp &warp : block.warps)
    for (const Split &split : warp.splits) {
      const Inst &inst = launch.program->code[split.pc];
      Place here = warp.place(inst, split.lanes);
      if (splits++ == 0)
        place = here;
      diverged |= split.state == Split::atCollective && inst.flow == Flow::barrier;
      if (splits <= mostDetails)
        details.push_back(std::to_string(__builtin_popcount(split.lanes)) + " threads from " +
                          launch.reporter->thread(here) + " of " + launch.reporter->block(here) + " wait " +
                          (split.state == Split::atBarrier ? "at barrier " + std::to_string(split.barrier)
                           : inst.flow == Flow::barrier    ? std::string("for the rest of their warp")
                                                           : std::string("for the threads of their member mask")) +
                          " at " + names.source(split.pc) + ": " + names.instruction(split.pc));
    }
  if (splits > mostDetails)
    details.push_back("... and " + std::to_string(splits - mostDetails) + " more");
  launch.reporter->fault(errorLaunchTimeout, "deadlock", place,
                         diverged ? "barrier divergence: threads of a warp wait at different instructions, for ever"
                                  : "deadlock: no thread can go on",
                         details);
}
