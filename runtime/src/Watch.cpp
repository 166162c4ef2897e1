//===-- Watch.cpp - observers of launches, copies and loads ----------------------------------------------------===//
//
// Reads the environment at the first call that can be observed.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Watch.h"
#include "Device.h"
#include "Fork.h"
#include "Nvtx.h"
#include "Trace.h"
#include "Variant.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

using namespace tilecc::rt;

constinit std::atomic<unsigned> tilecc::rt::watching{watchUndecided};

static constinit Mutex decideLock;
static constinit std::atomic<bool> decided{false};

unsigned tilecc::rt::watchers() {
  if (!decided.load(std::memory_order_acquire)) {
    Lock lock(decideLock);
    if (!decided.load(std::memory_order_relaxed)) {
      bool profiles;
      unsigned asked = openNvtx() ? watchNvtx : 0u;
      if (openTrace(&profiles))
        asked |= watchTrace | (profiles ? watchProfile : 0u);
      watching.fetch_or(asked);
      watching.fetch_and(~static_cast<unsigned>(watchUndecided));
      decided.store(true, std::memory_order_release);
    }
  }
  return watching.load(std::memory_order_relaxed);
}

//===-- Hooks -----------------------------------------------------------------------------------------------------===//

namespace {
struct Hooks {
  ttLaunchHook_t before, after;
  void *data; // the user's pointer
};
} // namespace

static constinit Mutex hooksLock;
static constinit Hooks hooks = {}; // under the lock
static constinit std::atomic<unsigned> callsOfHooks{0}; // in progress, in all threads
static thread_local unsigned ownCalls = 0; // in this thread

// Calls a hook outside the lock, because it may be slow and may set other hooks.
static void callHook(ttLaunchHook_t Hooks::*which, const ttLaunchInfo &info) {
  Hooks now;
  {
    Lock lock(hooksLock);
    now = hooks;
    ++callsOfHooks;
  }
  ++ownCalls;
  if (now.*which)
    (now.*which)(&info, now.data);
  --ownCalls;
  --callsOfHooks;
}

ttError_t ttSetLaunchHooks(ttLaunchHook_t before, ttLaunchHook_t after, void *data) {
  watchers();
  {
    Lock lock(hooksLock);
    hooks = {before, after, data};
    if (before || after)
      watching.fetch_or(watchHooks);
    else
      watching.fetch_and(~static_cast<unsigned>(watchHooks));
  }
  while (callsOfHooks.load() > ownCalls)
    sched_yield();
  return ttSuccess;
}

void tilecc::rt::lockWatchersForFork() {
  decideLock.lock();
  hooksLock.lock();
}

void tilecc::rt::unlockWatchersAfterFork(bool inChild) {
  if (inChild)
    callsOfHooks = ownCalls; // those of other threads will not return
  hooksLock.unlock();
  decideLock.unlock();
}

//===-- Intervals -------------------------------------------------------------------------------------------------===//

WatchedWork::WatchedWork(const DeviceKind *device, Place place, const char *category, const char *name,
                         ttStream_t stream, unsigned long long bytes)
    : device(watchers() & watchTrace ? device : nullptr), category(category), name(name), stream(stream), bytes(bytes),
      begin(0), timer(nullptr) {
  if (!this->device)
    return;
  begin = traceNanoseconds();
  if (place == inStream && device->timers)
    timer = device->timers->start(stream);
}

WatchedWork::~WatchedWork() {
  if (!device)
    return;
  char details[64] = "";
  if (bytes)
    snprintf(details, sizeof(details), "\"bytes\":%llu", bytes);
  if (timer)
    device->timers->stop(timer, stream, category, name, details);
  traceEvent(category, name, begin, traceNanoseconds(), details);
}

//===-- Launches --------------------------------------------------------------------------------------------------===//

static const char *nameVariant(const DeviceKind &device, Kernel &kernel, ttDim3 grid, void *const *args) {
  if (&device == hostDevice)
    return "cpu";
  uint32_t number = 0;
  if (!asksForGrid(*kernel.abi) || !device.variant)
    number = chooseVariant(*kernel.abi, args);
  else if (device.variant(kernel, grid, args, &number))
    return "unknown"; // the launch will fail with the same error
  const tilecc_variant &variant = kernel.abi->variants[number];
  if (!variant.demands)
    return "generic";
  const char *suffix = strrchr(variant.symbol, '$'); // compile/Variants.h
  return suffix ? suffix + 1 : variant.symbol;
}

static ttError_t traceLaunch(const DeviceKind &device, Kernel &kernel, const ttLaunchConfig &config, void **args,
                             const ttLaunchInfo &info) {
  uint64_t begin = traceNanoseconds();
  void *timer = device.timers ? device.timers->start(config.stream) : nullptr;
  ttError_t error = device.launch(kernel, config, args);
  char details[160];
  snprintf(details, sizeof(details), "\"grid\":\"%u x %u x %u\",\"variant\":\"%s\",\"device\":%d,\"error\":%d",
           info.grid.x, info.grid.y, info.grid.z, info.variant, info.device, error);
  if (timer)
    device.timers->stop(timer, config.stream, "kernel", info.kernel, details);
  traceEvent(device.timers ? "launch" : "kernel", info.kernel, begin, traceNanoseconds(), details);
  return error;
}

ttError_t tilecc::rt::watchLaunch(const DeviceKind &device, Kernel &kernel, const ttLaunchConfig &config, void **args) {
  unsigned who = watchers();
  if (!who)
    return device.launch(kernel, config, args);
  ttLaunchInfo info = {kernel.abi->display_name,
                       kernel.abi->name,
                       nameVariant(device, kernel, config.grid, args),
                       config.grid,
                       config.stream,
                       0,
                       ttSuccess};
  if (ttError_t error = device.ordinal(&info.device))
    return error;
  if (who & watchHooks)
    callHook(&Hooks::before, info);
  if (who & watchNvtx)
    nvtxPush(info.kernel);
  info.error = who & watchTrace ? traceLaunch(device, kernel, config, args, info) : device.launch(kernel, config, args);
  if (who & watchNvtx)
    nvtxPop();
  if (who & watchHooks)
    callHook(&Hooks::after, info);
  return info.error;
}

//===-- Named ranges ----------------------------------------------------------------------------------------------===//

namespace {
// The open ranges of a thread, up to a limit.
struct Ranges {
  enum : unsigned { room = 32, longestName = 64 };
  struct {
    uint64_t begin;
    char name[longestName];
  } range[room];
  unsigned depth;
};
} // namespace

static thread_local Ranges ranges;

void ttRangePush(const char *name) {
  if (!isWatched())
    return;
  unsigned who = watchers();
  if (who & watchNvtx)
    nvtxPush(name);
  if (!(who & watchTrace))
    return;
  if (ranges.depth < Ranges::room) {
    auto &range = ranges.range[ranges.depth];
    range.begin = traceNanoseconds();
    snprintf(range.name, sizeof(range.name), "%s", name);
  }
  ++ranges.depth;
}

void ttRangePop() {
  if (!isWatched())
    return;
  unsigned who = watchers();
  if (who & watchNvtx)
    nvtxPop();
  if (!(who & watchTrace) || ranges.depth == 0)
    return;
  if (--ranges.depth < Ranges::room) {
    const auto &range = ranges.range[ranges.depth];
    traceEvent("range", range.name, range.begin, traceNanoseconds(), nullptr);
  }
}
