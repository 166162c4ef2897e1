//===-- Run.cpp - runs waves and workgroups, and schedules them; for the C interface ---------------------------===//
#include "emulator/amd/Machine.h"
#include "emulator/amd/Table.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <random>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

// The contents of uninitialized registers and LDS, which are an unlikely number in any type.
constexpr u32 pattern = 0xfff5fff5;

// The number of user SGPRs that each bit of kernel_code_properties enables.
constexpr unsigned userScalars[] = {4, 2, 2, 2, 2, 2, 1};
enum : unsigned { dispatchPointer = 1, kernargPointer = 3 };

std::string nameOf(const RegisterUse &use, const RegisterUse &loaded) {
  unsigned first = std::max(use.first, loaded.first);
  if (!use.isVector)
    return first >= scalarVcc && first < scalarVcc + 2 ? "vcc" : "s" + std::to_string(first);
  return first >= firstAccumulator ? "a" + std::to_string(first - firstAccumulator) : "v" + std::to_string(first);
}

} // namespace

//===-- waves --------------------------------------------------------------------------------------------------===//

Wave::Wave(Workgroup &group, unsigned index)
    : group(group), target(group.launch.program->target), index(index), lanes(target.lanes()),
      vectors(size_t(512) * maxLanes, pattern) {
  const Launch &launch = group.launch;
  const KernelObject &kernel = *launch.program->kernel;
  unsigned threads = std::min(lanes, group.threads - index * lanes);
  existing = threads == 64 ? ~LaneMask(0) : (LaneMask(1) << threads) - 1;
  pc = launch.program->entry;
  waits.configure(target.hasSeparateStores(), target.hasSeparateScalar());
  mode = kernel.rsrc1 >> 12 & 0xff;
  scratch.resize(size_t(lanes) * kernel.scratchBytes);

  scalars.fill(pattern);
  scalars[scalarExec] = scalars[scalarExec + 1] = 0;
  setMask(scalarExec, existing);
  auto setWindow = [&](unsigned base, unsigned limit, uint64_t window) {
    scalars[base] = 0;
    scalars[base + 1] = static_cast<u32>(window >> 32);
    scalars[limit] = ~0u;
    scalars[limit + 1] = static_cast<u32>(window >> 32);
  };
  setWindow(scalarSharedBase, scalarSharedLimit, sharedWindow);
  setWindow(scalarPrivateBase, scalarPrivateLimit, privateWindow);

  unsigned next = 0;
  for (unsigned which = 0; which < std::size(userScalars); ++which) {
    if (!(kernel.properties >> which & 1))
      continue;
    uint64_t value = which == kernargPointer ? launch.arguments : which == dispatchPointer ? launch.dispatch : 0;
    scalars[next] = static_cast<u32>(value);
    if (userScalars[which] > 1)
      scalars[next + 1] = static_cast<u32>(value >> 32);
    next += userScalars[which];
  }
  // Preloaded arguments have SGPRs reserved, but the code at the kernel's entry loads them.
  next = kernel.rsrc2 >> 1 & 31;
  if (target.major >= 12) {
    scalars[scalarTtmp + 9] = group.id[0];
    scalars[scalarTtmp + 7] = group.id[1] | group.id[2] << 16;
  } else {
    for (unsigned axis = 0; axis < 3; ++axis)
      if (kernel.rsrc2 >> (7 + axis) & 1)
        scalars[next++] = group.id[axis];
  }
  unsigned idsEnabled = kernel.rsrc2 >> 11 & 3;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    unsigned thread = index * lanes + lane, x = thread % launch.block[0],
             y = thread / launch.block[0] % launch.block[1], z = thread / launch.block[0] / launch.block[1];
    if (target.hasPackedIds()) {
      vector(0)[lane] = x | (idsEnabled > 0 ? y << 10 : 0) | (idsEnabled > 1 ? z << 20 : 0);
    } else {
      vector(0)[lane] = x;
      vector(1)[lane] = y;
      vector(2)[lane] = z;
    }
  }
}

Place Wave::place(const Inst &inst, unsigned lane) const { return {group.number, index * lanes + lane, inst.index}; }

void Wave::fault(const Inst &inst, LaneMask which, int error, const std::string &what,
                 const std::string &detail) const {
  const Reporter &reporter = *group.launch.reporter;
  Place here = place(inst, which ? std::countr_zero(which) : 0);
  group.launch.reporter->fault(
      error, what, here, what,
      {reporter.thread(here) + ": " + detail, "  " + reporter.names().instruction(inst.index)});
}

//===-- workgroups ---------------------------------------------------------------------------------------------===//

Workgroup::Workgroup(Launch &launch, uint64_t number)
    : launch(launch), number(number), id{static_cast<uint32_t>(number % launch.grid[0]),
                                         static_cast<uint32_t>(number / launch.grid[0] % launch.grid[1]),
                                         static_cast<uint32_t>(number / launch.grid[0] / launch.grid[1])},
      threads(launch.block[0] * launch.block[1] * launch.block[2]), shared(launch.sharedBytes) {
  for (size_t i = 0; i + 4 <= shared.size(); i += 4)
    memcpy(&shared[i], &pattern, 4);
  unsigned lanes = launch.program->target.lanes();
  for (unsigned i = 0; i < (threads + lanes - 1) / lanes; ++i)
    waves.push_back(std::make_unique<Wave>(*this, i));
  if (launch.checker)
    checker = launch.checker->startBlock(number, (threads + warpLanes - 1) / warpLanes, shared.data(),
                                         static_cast<uint32_t>(shared.size()), launch.program->kernel->scratchBytes, 0,
                                         threads);
}

bool Workgroup::finished() const {
  return std::all_of(waves.begin(), waves.end(), [](const auto &wave) { return wave->state == Wave::ended; });
}

void Workgroup::reportInFlight(Wave &wave, const Inst &inst, const Waits::InFlight &entry) {
  const Reporter &reporter = *launch.reporter;
  RegisterUse used{};
  for (const RegisterUse &use : inst.uses)
    if (use.isVector == entry.registers.isVector && use.first < entry.registers.first + entry.registers.words &&
        entry.registers.first < use.first + use.words)
      used = use;
  LaneMask exec = wave.exec();
  Place here = wave.place(inst, exec ? std::countr_zero(exec) : 0);
  launch.reporter->report(
      "wait " + std::to_string(entry.inst), here, "a register is used before its load has been waited for",
      {reporter.thread(here) + " " + (used.isWritten ? "writes " : "reads ") + nameOf(used, entry.registers),
       "  " + reporter.names().instruction(inst.index), "which is loaded by",
       "  " + reporter.names().instruction(entry.inst)});
  wave.waits.forget(&entry);
}

void Workgroup::step(Wave &wave) {
  const Inst &inst = launch.program->code[wave.pc];
  ++wave.executed;
  wave.executedLanes += static_cast<uint64_t>(std::popcount(wave.exec()));
  while (const Waits::InFlight *entry = wave.waits.find(inst.uses, inst.issues))
    reportInFlight(wave, inst, *entry);
  ++wave.pc;
  inst.run(wave, inst);
}

void Workgroup::arriveAtBarrier(Wave &wave) {
  wave.state = Wave::atBarrier;
  wave.hasSignalled = true;
  wave.barrierPhase = barrierPhase;
  ++signalled;
  if (checker)
    eachWarp(wave, [&](unsigned warp) { checker->arrive(warp, barrierPhase); });
}

// Releases waves at a complete barrier. Barriers do not wait for waves that have ended.
bool Workgroup::release() {
  auto alive = static_cast<uint32_t>(
      std::count_if(waves.begin(), waves.end(), [](const auto &wave) { return wave->state != Wave::ended; }));
  if (signalled && signalled >= alive) {
    ++barrierPhase;
    signalled = 0;
  }
  bool some = false;
  for (auto &wave : waves)
    if (wave->state == Wave::atBarrier && wave->barrierPhase < barrierPhase) {
      wave->state = Wave::running;
      wave->hasSignalled = false;
      some = true;
      if (checker)
        eachWarp(*wave, [&](unsigned warp) { checker->pass(warp, wave->barrierPhase); });
    }
  return some;
}

// Synchronizes the checker's warps of a wave with each other, because the lanes of a wave run in lockstep.
void Workgroup::shareKnowledge(Wave &wave) {
  uint64_t token = tokens++;
  eachWarp(wave, [&](unsigned warp) { checker->arrive(warp, token); });
  eachWarp(wave, [&](unsigned warp) { checker->pass(warp, token); });
}

void Workgroup::fence(Wave &wave) {
  shareKnowledge(wave);
  eachWarp(wave, [&](unsigned warp) { checker->fence(warp, Scope::gpu); });
  shareKnowledge(wave);
}

//===-- schedules ----------------------------------------------------------------------------------------------===//

namespace {

// The instructions executed by all workgroups of a launch.
struct Totals {
  std::atomic<uint64_t> waves = 0, lanes = 0, bankCycles = 0, bankConflicts = 0;

  RunTotals get() const { return {waves, lanes, {bankCycles, bankConflicts}}; }
};

[[noreturn]] void reportEndless(Workgroup &group, Wave &wave) {
  wave.fault(group.launch.program->code[wave.pc], wave.exec(), errorLaunchTimeout, "endless launch",
             "is still running after " + std::to_string(group.launch.instructionLimit) + " instructions of all waves");
}

[[noreturn]] void reportDeadlock(Workgroup &group) {
  for (auto &wave : group.waves)
    if (wave->state != Wave::ended)
      wave->fault(group.launch.program->code[wave->pc - 1], wave->existing, errorLaunchTimeout, "deadlock",
                  "waits at a barrier that other waves do not reach");
  std::terminate(); // unreachable: some wave has not ended
}

// Runs the workgroup. `pick` chooses a runnable wave and how many instructions it executes next.
template <class Pick> void runGroup(Workgroup &group, Totals &totals, Pick pick) {
  std::vector<Wave *> ready;
  while (!group.finished()) {
    group.release();
    ready.clear();
    for (auto &wave : group.waves)
      if (wave->state == Wave::running)
        ready.push_back(wave.get());
    if (ready.empty()) {
      if (!group.finished())
        reportDeadlock(group);
      continue;
    }
    auto [wave, count] = pick(ready);
    uint64_t before = wave->executed, lanesBefore = wave->executedLanes;
    for (uint64_t i = 0; i < count && wave->state == Wave::running; ++i)
      group.step(*wave);
    totals.lanes += wave->executedLanes - lanesBefore;
    if ((totals.waves += wave->executed - before) > group.launch.instructionLimit)
      reportEndless(group, *wave);
  }
  for (auto &wave : group.waves) {
    totals.bankCycles += wave->banks.cycles;
    totals.bankConflicts += wave->banks.conflicts;
  }
}

uint64_t groupsOf(const Launch &launch) { return uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2]; }

} // namespace

RunTotals tilecc::emu::amd::runFast(Launch &launch, void (*parallel)(uint64_t, void (*)(void *, uint64_t), void *)) {

  struct Work {
    Launch &launch;
    Totals totals;
    std::mutex lock;
    std::exception_ptr failure;
    std::atomic<bool> failed = false;
  } work{launch, {}, {}, {}, false};
  auto body = [](void *context, uint64_t number) {
    Work &work = *static_cast<Work *>(context);
    if (work.failed)
      return;
    try {
      Workgroup group(work.launch, number);
      size_t next = 0;
      runGroup(group, work.totals, [&next](const std::vector<Wave *> &ready) {
        return std::pair(ready[next++ % ready.size()], uint64_t(4096));
      });
    } catch (...) {
      std::lock_guard guard(work.lock);
      if (!work.failed.exchange(true))
        work.failure = std::current_exception();
    }
  };
  uint64_t count = groupsOf(launch);
  if (parallel)
    parallel(count, body, &work);
  else
    for (uint64_t i = 0; i < count; ++i)
      body(&work, i);
  if (work.failure)
    std::rethrow_exception(work.failure);
  return work.totals.get();
}

RunTotals tilecc::emu::amd::runRandom(Launch &launch, uint64_t seed) {
  std::mt19937_64 bits(seed);
  Totals totals;
  std::vector<uint64_t> order(groupsOf(launch));
  for (uint64_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::shuffle(order.begin(), order.end(), bits);
  for (uint64_t number : order) {
    Workgroup group(launch, number);
    runGroup(group, totals, [&](const std::vector<Wave *> &ready) {
      return std::pair(ready[bits() % ready.size()], 1 + bits() % 16);
    });
  }
  return totals.get();
}
