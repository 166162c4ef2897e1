//===-- Scheduler.cpp ------------------------------------------------------------------------------------------===//
#include "emulator/exec/Scheduler.h"
#include "emulator/exec/Interpreter.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

using namespace tilecc::emu;

// A block may wait for another one's store in a loop, which must not keep that one from running: after this many
// instructions, its time slice, a warp gives way to the next one, and after a round of all its warps that changed nothing
// in memory the block to the next block, if need be a new one; also after very many rounds, since a loop that waits may
// count its iterations in memory. A block that changed nothing in its last round gets shorter slices.
enum : uint32_t { warpBudget = 1 << 12, waitingBudget = 1 << 7, roundsOfBlock = 1 << 12, residentBlocks = 256 };

static uint64_t blockCount(const Launch &launch) {
  return uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
}

[[noreturn]] static void reportLimit(const Launch &launch, const Block &block, const Warp &warp) {
  launch.reporter->fault(errorLaunchTimeout, "limit", {block.number, warp.index * warpSize, warp.splits[0].pc},
                         "the launch has run for " + std::to_string(launch.instructionLimit) +
                             " instructions of warps, which is the limit: is this loop endless?");
}

// Called when none of a block's warps got on. Those that only ask for something over and over may be given it by another
// block; those that wait at barriers and collectives are waiting for each other, and if there are no others, for ever.
static void checkProgress(Block &block) {
  for (const Warp &warp : block.warps)
    if (splitBehind(warp) >= 0)
      return;
  reportDeadlock(block);
}

namespace {

// What all threads of a launch share.
struct Progress {
  std::atomic<uint64_t> nextBlock{0}, instructions{0};
  std::atomic<bool> stopped{false};
  std::mutex lock;
  std::exception_ptr fault; // the first one
  RunTotals totals;
};

// One thread's part.
class Worker {
public:
  Worker(Launch &launch, Progress &progress) : launch(launch), progress(progress) {}

  void run() {
    try {
      while (!progress.stopped.load(std::memory_order_relaxed) && step()) {
      }
    } catch (...) {
      std::lock_guard guard(progress.lock);
      if (!progress.fault)
        progress.fault = std::current_exception();
      progress.stopped = true;
    }
    std::lock_guard guard(progress.lock);
    progress.totals.warpInstructions += totals.warpInstructions;
    progress.totals.threadInstructions += totals.threadInstructions;
  }

private:
  // One time slice of one block; false when there is nothing left for this thread.
  bool step() {
    // Another block joins when those that are here may be waiting for it.
    if (blocks.empty() || (idle && blocks.size() < residentBlocks))
      if (uint64_t number = progress.nextBlock.fetch_add(1); number < blockCount(launch)) {
        blocks.push_back(startBlock(launch, number));
        current = blocks.size() - 1;
        idleSlices = 0;
      }
    if (blocks.empty())
      return false;
    if (idleSlices >= 2 * blocks.size()) // all wait for what blocks of other threads do
      std::this_thread::yield();
    current %= blocks.size();
    if (runBlock(*blocks[current])) {
      checkBarriersAtEnd(*blocks[current]);
      blocks.erase(blocks.begin() + current);
      idle = false;
      idleSlices = 0;
    } else {
      idle = true;
      ++idleSlices;
      ++current;
    }
    return true;
  }

  void count(const Block &block, uint64_t instructions) {
    if (progress.instructions.fetch_add(instructions) + instructions <= launch.instructionLimit)
      return;
    for (const Warp &warp : block.warps)
      if (!warp.splits.empty())
        reportLimit(launch, block, warp);
  }

  static uint64_t changesOf(const Block &block) {
    uint64_t changes = 0;
    for (const Warp &warp : block.warps)
      changes += warp.changes + (warp.alive == 0);
    return changes;
  }

  // Runs a block until it ends (true) or has done a round of its warps without changing anything.
  bool runBlock(Block &block) {
    for (uint32_t round = 0; round < roundsOfBlock; ++round) {
      uint64_t changes = changesOf(block), before = totals.warpInstructions;
      bool ran = false, alive = false;
      for (Warp &warp : block.warps)
        if (!warp.splits.empty()) {
          alive = true;
          ran |= runWarp(warp);
        }
      count(block, totals.warpInstructions - before);
      if (!alive)
        return true;
      if (!ran) {
        // The copies that somebody waits for are done at the latest now.
        bool stepped = false;
        for (Warp &warp : block.warps)
          if (warp.copies.pending()) {
            warp.copies.step();
            stepped = true;
          }
        if (!stepped) {
          checkProgress(block);
          return false;
        }
      }
      block.changesNothing = ran && changesOf(block) == changes;
      if (block.changesNothing)
        return false;
    }
    return false;
  }

  // One time slice of a warp; false if it could not do anything, or only ask again for what it waits for.
  bool runWarp(Warp &warp) {
    warp.paused = false;
    int split = splitBehind(warp);
    if (split < 0)
      return false;
    uint64_t before = warp.warpInstructions, threadsBefore = warp.threadInstructions;
    uint32_t budget = warp.block->changesNothing ? waitingBudget : warpBudget;
    bool spins;
    do { // lanes that go apart and meet again take one run after the other, which may be without an end, too
      spins = runSplit(warp, split, budget) || warp.warpInstructions - before >= budget;
      split = splitBehind(warp);
    } while (!spins && split >= 0 && !warp.paused);
    // Lanes that wait in a loop for others of their warp are behind those for ever: all get a slice.
    if (spins)
      for (size_t i = 0; i < warp.splits.size() && warp.splits.size() > 1; ++i)
        if (warp.splits[i].state == Split::ready)
          runSplit(warp, i, warpBudget / 16);
    totals.warpInstructions += warp.warpInstructions - before;
    totals.threadInstructions += warp.threadInstructions - threadsBefore;
    return !warp.paused;
  }

  Launch &launch;
  Progress &progress;
  std::vector<std::unique_ptr<Block>> blocks;
  size_t current = 0;    // the block that runs next
  bool idle = false;     // the block before did not end
  size_t idleSlices = 0; // so many in a row
  RunTotals totals;
};

} // namespace

RunTotals tilecc::emu::runFast(Launch &launch, tilecc_emu_parallel parallel) {
  Progress progress;
  struct Context {
    Launch &launch;
    Progress &progress;
  } context{launch, progress};
  auto work = [](void *data, uint64_t) {
    auto &context = *static_cast<Context *>(data);
    Worker(context.launch, context.progress).run();
  };
  if (parallel && blockCount(launch) > 1)
    parallel(std::min<uint64_t>(blockCount(launch), std::max(1u, std::thread::hardware_concurrency())), work, &context);
  else
    work(&context, 0);
  if (progress.fault)
    std::rethrow_exception(progress.fault);
  return progress.totals;
}

//===-- The random schedule ------------------------------------------------------------------------------------===//

namespace {

// SplitMix64 (Steele, Lea and Flood, 2014): a few lines that are the same everywhere, for ever.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint32_t below(uint32_t bound) {
    uint64_t x = state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return static_cast<uint32_t>((x ^ x >> 31) >> 32) % bound;
  }

private:
  uint64_t state;
};

struct Choice {
  Warp *warp;
  int split; // -1: a step of the warp's copies
};

} // namespace

RunTotals tilecc::emu::runRandom(Launch &launch, uint64_t seed) {
  enum : uint32_t { residents = 6, longestRun = 24 };
  Random random(seed);
  RunTotals totals;
  std::vector<std::unique_ptr<Block>> blocks;
  uint64_t next = 0;
  std::vector<Choice> choices;
  for (;;) {
    while (blocks.size() < residents && next < blockCount(launch))
      blocks.push_back(startBlock(launch, next++));
    if (blocks.empty())
      return totals;
    size_t chosen = random.below(blocks.size());
    Block &block = *blocks[chosen];
    choices.clear();
    for (Warp &warp : block.warps) {
      for (size_t i = 0; i < warp.splits.size(); ++i)
        if (warp.splits[i].state == Split::ready)
          choices.push_back({&warp, static_cast<int>(i)});
      if (warp.copies.pending())
        choices.push_back({&warp, -1});
    }
    if (choices.empty()) {
      if (block.finished()) {
        checkBarriersAtEnd(block);
        blocks.erase(blocks.begin() + chosen);
      } else {
        reportDeadlock(block);
      }
      continue;
    }
    Choice choice = choices[random.below(choices.size())];
    if (choice.split < 0) {
      choice.warp->copies.step();
      continue;
    }
    uint64_t before = choice.warp->warpInstructions, threadsBefore = choice.warp->threadInstructions;
    choice.warp->paused = false;
    runSplit(*choice.warp, choice.split, 1 + random.below(longestRun));
    totals.warpInstructions += choice.warp->warpInstructions - before;
    totals.threadInstructions += choice.warp->threadInstructions - threadsBefore;
    if (totals.warpInstructions > launch.instructionLimit && !choice.warp->splits.empty())
      reportLimit(launch, block, *choice.warp);
  }
}
