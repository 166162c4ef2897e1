//===-- Scheduler.cpp ------------------------------------------------------------------------------------------===//
#include "emulator/exec/Scheduler.h"
#include "emulator/exec/Deadlock.h"
#include "emulator/exec/Interpreter.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <thread>

using namespace tilecc::emu;

// The scheduler runs clusters, which in most kernels are single blocks. A cluster may poll for another cluster's store
// and must not block it. So after a time slice of this many instructions, a warp yields to the next one. After a round
// of all its warps that changed nothing in memory, or after very many rounds (a polling loop may count its iterations
// in memory), a cluster yields to the next one, which may be a new one. A cluster that changed nothing in its last
// round gets shorter slices.
//
// Threads that wait for an mbarrier also poll. If all threads do, no copy is in flight, and none reads what other
// clusters may change, then nothing can change any more. But a loop may count its polls and eventually do something
// else, so the scheduler waits for a number of rounds.
//
// Threads that wait for signals (checks/Signals.h) wait for other clusters. If all clusters of a launch have begun, and
// each has polled without success since the last change, then no signal will ever come.
enum : uint32_t {
  warpBudget = 1 << 12,
  waitingBudget = 1 << 7,
  roundsOfCluster = 1 << 12,
  residentClusters = 256,
  patience = 1 << 12,
  patientPasses = 4,
};

template <class F> static void eachWarp(const Cluster &cluster, F use) {
  for (const auto &block : cluster.blocks)
    for (Warp &warp : block->warps)
      use(warp);
}

// Calls `use` for each agent.
template <class F> static void eachAgent(const Cluster &cluster, F use) {
  eachWarp(cluster, [&](Warp &warp) { use(warp.copies); });
  for (const auto &block : cluster.blocks) {
    use(block->bulkCopies);
    use(block->tensorWork);
  }
}

[[noreturn]] static void reportLimit(const Launch &launch, const Block &block, const Warp &warp) {
  launch.reporter->fault(errorLaunchTimeout, "limit", {block.number, warp.index * warpSize, warp.splits[0].pc},
                         "the launch has run for " + std::to_string(launch.instructionLimit) +
                             " instructions of warps, which is the limit: is this loop endless?");
}

[[noreturn]] static void reportIdle(const Launch &launch, const Block &block, const Warp &warp) {
  launch.reporter->fault(
      errorLaunchTimeout, "idle", {block.number, warp.index * warpSize, warp.splits[0].pc},
      "the launch has run for " + std::to_string(launch.idleLimit) +
          " instructions of warps that changed nothing in memory: does this loop wait for what nobody "
          "writes? (TILECC_EMU_MAX_INSTRUCTIONS sets another limit)");
}

// Called when none of a cluster's warps made progress. Warps at barriers and collectives wait for each other; if there
// are no other warps, they wait forever.
static void checkProgress(const Cluster &cluster) {
  bool asks = false;
  eachWarp(cluster, [&](const Warp &warp) { asks |= splitBehind(warp) >= 0; });
  if (!asks || cluster.idleRounds > patience)
    reportDeadlock(cluster);
}

// Returns true if threads of the cluster wait for signals, and all others wait for threads of the cluster.
static bool waitsForSignals(const Cluster &cluster) {
  bool some = false, all = true;
  eachWarp(cluster, [&](const Warp &warp) {
    for (const Split &split : warp.splits)
      if (split.state == Split::ready)
        (split.asksFor.kind == Wait::signal ? some : all) = split.asksFor.kind == Wait::signal;
  });
  return some && all;
}

static void endCluster(Cluster &cluster) {
  for (const auto &block : cluster.blocks)
    while (block->bulkCopies.pending()) // stores for which no thread has to wait
      block->bulkCopies.step();
  for (const auto &block : cluster.blocks) {
    checkTensorMemoryAtEnd(*block);
    checkBlockAtEnd(*block);
  }
}

namespace {

// The progress of a launch, which all its threads share.
struct Progress {
  std::atomic<uint64_t> instructions{0};
  std::atomic<uint64_t> instructionsAtProgress{0};
  std::atomic<bool> stopped{false};
  std::mutex lock;
  std::exception_ptr fault; // the first one
  RunTotals totals;

  // The number of time slices that may have changed what a wait for a signal sees, and of clusters that have ended.
  std::atomic<uint64_t> changes{0}, ended{0};
  // Of each thread all of whose clusters wait for signals: the value of `changes` for which that is so, and the number
  // of its clusters. When all clusters wait, each thread adds its clusters to the report. `lock` guards these members.
  std::map<const void *, std::pair<uint64_t, uint64_t>> waiting;
  bool isDeadlock = false;
  DeadlockReport report;
  uint64_t reported = 0; // clusters
};

// The work of one thread.
class Worker {
public:
  Worker(Launch &launch, Progress &progress) : launch(launch), progress(progress) {}

  void run() {
    try {
      while (!progress.stopped.load(std::memory_order_relaxed) && step()) {}
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
  // Runs one time slice of one cluster. Returns false if nothing is left for this thread.
  bool step() {
    // Start another cluster if the current ones may be waiting for it.
    if (clusters.empty() || (idle && (clusters.size() < residentClusters || launch.gridWorkspace)))
      if (uint64_t number = launch.nextCluster.fetch_add(1); number < launch.clusterCount()) {
        clusters.push_back(startCluster(launch, number));
        current = clusters.size() - 1;
        idleSlices = waitingSlices = 0;
      }
    if (clusters.empty())
      return false;
    if (idleSlices >= 2 * clusters.size()) // all wait for clusters of other threads
      std::this_thread::yield();
    current %= clusters.size();
    uint64_t changes = progress.changes;
    Slice slice = runCluster(*clusters[current]);
    if (slice != Slice::waited)
      ++progress.changes;
    if (slice == Slice::ended) {
      endCluster(*clusters[current]);
      clusters.erase(clusters.begin() + current);
      ++progress.ended;
      idle = false;
      idleSlices = waitingSlices = 0;
    } else {
      idle = true;
      ++idleSlices;
      ++current;
      if (slice == Slice::stopped || changes != waitingSince)
        waitingSlices = 0;
      waitingSince = changes;
      waitingSlices += slice == Slice::waited;
      if (waitingSlices >= patientPasses * clusters.size())
        checkSignals();
    }
    return true;
  }

  // Called when all clusters of this thread have waited for signals since `waitingSince`. Ends the launch if the
  // clusters of all other threads have, too.
  void checkSignals() {
    waitingSlices = 0;
    if (launch.nextCluster < launch.clusterCount())
      return;
    std::lock_guard guard(progress.lock);
    progress.waiting[this] = {waitingSince, clusters.size()};
    uint64_t alive = launch.clusterCount() - progress.ended, waiting = 0;
    for (const auto &[worker, entry] : progress.waiting)
      waiting += entry.first == progress.changes ? entry.second : 0;
    progress.isDeadlock |= waiting == alive;
    if (!progress.isDeadlock || hasReported)
      return;
    for (const auto &cluster : clusters)
      progress.report.add(*cluster);
    hasReported = true;
    progress.reported += clusters.size();
    if (progress.reported == alive)
      progress.report.print(launch);
  }

  void count(const Cluster &cluster, uint64_t instructions, bool progressed) {
    uint64_t all = progress.instructions.fetch_add(instructions) + instructions;
    if (progressed)
      progress.instructionsAtProgress.store(all, std::memory_order_relaxed);
    // Another thread may have recorded progress meanwhile, at a larger count.
    int64_t idle = all - progress.instructionsAtProgress.load(std::memory_order_relaxed);
    bool isIdle = idle > static_cast<int64_t>(launch.idleLimit);
    if (all <= launch.instructionLimit && !isIdle)
      return;
    eachWarp(cluster, [&](const Warp &warp) {
      if (!warp.splits.empty() && all > launch.instructionLimit)
        reportLimit(launch, *warp.block, warp);
      else if (!warp.splits.empty())
        reportIdle(launch, *warp.block, warp);
    });
  }

  struct Activity {
    uint64_t changes = 0, looks = 0, progress = 0;
  };
  static Activity activityOf(const Cluster &cluster) {
    Activity sum;
    eachWarp(cluster, [&](const Warp &warp) {
      sum.changes += warp.changes;
      sum.looks += warp.looks;
      sum.progress += warp.progress;
    });
    return sum;
  }

  static bool stepAgents(const Cluster &cluster) {
    bool stepped = false;
    eachAgent(cluster, [&](Agent &agent) {
      if (agent.pending()) {
        agent.step();
        stepped = true;
      }
    });
    return stepped;
  }

  // What a cluster has done in a time slice. `waited`: its threads have only polled signals without success, or waited
  // for each other.
  enum class Slice { ended, stopped, waited };
  // Runs a cluster until it ends, or has completed a round of its warps without changing anything.
  Slice runCluster(Cluster &cluster) {
    for (uint32_t round = 0; round < roundsOfCluster; ++round) {
      Activity activity = activityOf(cluster);
      uint64_t before = totals.warpInstructions;
      bool ran = false, alive = false;
      eachWarp(cluster, [&](Warp &warp) {
        if (!warp.splits.empty()) {
          alive = true;
          ran |= runWarp(warp);
        }
      });
      Activity now = activityOf(cluster);
      count(cluster, totals.warpInstructions - before, now.progress != activity.progress);
      if (!alive)
        return Slice::ended;
      if (ran) {
        cluster.idleRounds = 0;
        cluster.changesNothing = now.changes == activity.changes;
        if (cluster.changesNothing)
          return Slice::stopped;
        continue;
      }
      cluster.changesNothing = false;
      bool looked = now.looks != activity.looks;
      // Perform the copies that a thread waits for.
      bool stepped = stepAgents(cluster);
      cluster.idleRounds = stepped || looked ? 0 : cluster.idleRounds + 1;
      if (looked)
        return round == 0 && !stepped && waitsForSignals(cluster) ? Slice::waited : Slice::stopped;
      if (cluster.idleRounds)
        checkProgress(cluster);
    }
    return Slice::stopped;
  }

  // Runs one time slice of a warp. Returns false if it could do nothing, or only polled.
  bool runWarp(Warp &warp) {
    int split = splitBehind(warp);
    if (split < 0)
      return false;
    uint64_t before = warp.warpInstructions, threadsBefore = warp.threadInstructions, changes = warp.changes;
    uint32_t budget = warp.block->cluster->changesNothing ? waitingBudget : warpBudget;
    bool spins;
    do { // lanes that diverge and reconverge may run one after another, possibly forever
      spins = runSplit(warp, split, budget) || warp.warpInstructions - before >= budget;
      split = splitBehind(warp);
    } while (!spins && split >= 0 && !warp.paused());
    bool asksOnly = warp.paused();
    // Lanes that poll, perhaps for other lanes of their warp, always stay furthest behind, so every split gets a slice.
    if (spins || asksOnly)
      for (size_t i = 0; i < warp.splits.size() && warp.splits.size() > 1; ++i)
        if (warp.splits[i].state == Split::ready) {
          runSplit(warp, i, warpBudget / 16);
          asksOnly &= warp.paused();
        }
    totals.warpInstructions += warp.warpInstructions - before;
    totals.threadInstructions += warp.threadInstructions - threadsBefore;
    return !asksOnly || warp.changes != changes;
  }

  Launch &launch;
  Progress &progress;
  std::vector<std::unique_ptr<Cluster>> clusters;
  size_t current = 0; // the cluster to run next
  bool idle = false; // the previous cluster did not end
  size_t idleSlices = 0; // in a row
  size_t waitingSlices = 0; // in a row, without a change in between
  uint64_t waitingSince = 0; // the value of progress.changes before the first of them
  bool hasReported = false; // a deadlock
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
  if (parallel && launch.clusterCount() > 1)
    parallel(std::min<uint64_t>(launch.clusterCount(), std::max(1u, std::thread::hardware_concurrency())), work,
             &context);
  else
    work(&context, 0);
  if (progress.fault)
    std::rethrow_exception(progress.fault);
  return progress.totals;
}

//===-- The random schedule ------------------------------------------------------------------------------------===//

namespace {

// SplitMix64 (Steele, Lea and Flood, 2014): short, and the same on every platform.
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
  Warp *warp; // the warp of a split, or null
  size_t split;
  Agent *agent; // or an agent's step
  uint32_t step;
};

} // namespace

static void findChoices(const Cluster &cluster, std::vector<Choice> &choices) {
  choices.clear();
  eachWarp(cluster, [&](Warp &warp) {
    for (size_t i = 0; i < warp.splits.size(); ++i)
      if (warp.splits[i].state == Split::ready)
        choices.push_back({&warp, i, nullptr, 0});
  });
  eachAgent(cluster, [&](Agent &agent) {
    for (uint32_t step = 0, count = agent.pending(); step < count; ++step)
      choices.push_back({nullptr, 0, &agent, step});
  });
}

// Returns true if no thread of the clusters can do more than poll for signals that have not come.
static bool allWaitForSignals(const std::vector<std::unique_ptr<Cluster>> &clusters) {
  bool waits = true;
  for (const auto &cluster : clusters) {
    eachAgent(*cluster, [&](Agent &agent) { waits &= !agent.pending(); });
    eachWarp(*cluster, [&](Warp &warp) {
      for (size_t i = 0; i < warp.splits.size() && waits; ++i)
        if (warp.splits[i].state == Split::ready) {
          uint64_t changes = warp.changes;
          runSplit(warp, i, warpBudget);
          waits = warp.asksFor.kind == Wait::signal && warp.changes == changes;
        }
    });
  }
  return waits;
}

RunTotals tilecc::emu::runRandom(Launch &launch, uint64_t seed) {
  enum : uint32_t { residents = 6, longestRun = 24 };
  Random random(seed);
  RunTotals totals;
  std::vector<std::unique_ptr<Cluster>> clusters;
  uint64_t instructionsAtProgress = 0, signalPolls = 0;
  std::vector<Choice> choices;
  for (;;) {
    while ((clusters.size() < residents || launch.gridWorkspace) && launch.nextCluster < launch.clusterCount())
      clusters.push_back(startCluster(launch, launch.nextCluster++));
    if (clusters.empty())
      return totals;
    size_t chosen = random.below(clusters.size());
    Cluster &cluster = *clusters[chosen];
    findChoices(cluster, choices);
    if (choices.empty()) {
      if (!cluster.finished())
        reportDeadlock(cluster);
      endCluster(cluster);
      clusters.erase(clusters.begin() + chosen);
      continue;
    }
    Choice choice = choices[random.below(choices.size())];
    if (choice.agent) {
      choice.agent->step(choice.step);
      cluster.idleRounds = 0;
      signalPolls = 0;
      continue;
    }
    Warp &warp = *choice.warp;
    uint64_t before = warp.warpInstructions, threadsBefore = warp.threadInstructions;
    uint64_t activity = warp.changes + warp.looks, progress = warp.progress, changes = warp.changes;
    runSplit(warp, choice.split, 1 + random.below(longestRun));
    totals.warpInstructions += warp.warpInstructions - before;
    totals.threadInstructions += warp.threadInstructions - threadsBefore;
    // Consider only splits that have polled without success, and for so long that each split has run.
    bool asksOnly = warp.paused() && warp.changes + warp.looks == activity;
    cluster.idleRounds = asksOnly ? cluster.idleRounds + 1 : 0;
    if (cluster.idleRounds > patience + 64 * choices.size())
      reportDeadlock(cluster);
    signalPolls = warp.asksFor.kind == Wait::signal && warp.changes == changes ? signalPolls + 1 : 0;
    if (signalPolls > patience && launch.nextCluster == launch.clusterCount()) {
      signalPolls = 0;
      if (allWaitForSignals(clusters)) {
        DeadlockReport report;
        for (const auto &waiting : clusters)
          report.add(*waiting);
        report.print(launch);
      }
    }
    if (totals.warpInstructions > launch.instructionLimit && !warp.splits.empty())
      reportLimit(launch, *warp.block, warp);
    if (warp.progress != progress)
      instructionsAtProgress = totals.warpInstructions;
    else if (totals.warpInstructions - instructionsAtProgress > launch.idleLimit && !warp.splits.empty())
      reportIdle(launch, *warp.block, warp);
  }
}
