//===-- Checker.cpp - finds errors in kernels ------------------------------------------------------------------===//
#include "emulator/checks/CheckerState.h"

#include <bit>
#include <cassert>

using namespace tilecc::emu;

//===-- Launches and blocks ------------------------------------------------------------------------------------===//

LaunchChecker::LaunchChecker(Options options, DeviceMemory &memory, Reporter &reporter)
    : state(new State{std::move(options), memory, reporter, {}, {}, {}, {}, {}, {}, {}}) {}
LaunchChecker::~LaunchChecker() = default;

std::unique_ptr<BlockChecker> LaunchChecker::startBlock(uint64_t block, uint32_t warps, std::byte *shared,
                                                        uint32_t sharedBytes, uint32_t localBytesPerThread,
                                                        uint32_t paramBytes, uint32_t threads) {
  auto checker = std::make_unique<BlockChecker>();
  checker->state = std::make_unique<BlockChecker::State>(*state, block, warps, shared, sharedBytes, localBytesPerThread,
                                                         paramBytes, threads ? threads : warps * 32);
  return checker;
}

BlockChecker::State::State(LaunchChecker::State &launch, uint64_t block, uint32_t warpCount, std::byte *shared,
                           uint32_t sharedBytes, uint32_t localBytes, uint32_t paramBytes, uint32_t threads)
    : launch(launch), block(block), shared(shared), sharedBytes(sharedBytes), localBytes(localBytes),
      paramBytes(paramBytes), findings(launch.reporter, launch.memory, block),
      scopes(options.cluster, options.device, static_cast<uint32_t>(block)), strong(launch.strong, std::defer_lock),
      atEnd(static_cast<uint32_t>(block), warpCount) {
  assert(warpCount <= 32 && block < ~0u && "what actors are numbered by");
  uint32_t number = static_cast<uint32_t>(block);
  for (uint32_t warp = 0; warp < warpCount; ++warp) {
    uint32_t lanes = std::min(threads - warp * 32, 32u);
    warps.push_back({WarpClocks(number, warp, warpCount, everyLane >> (32 - lanes)), {}, {}});
  }
  uint32_t lines = (sharedBytes + lineBytes - 1) / lineBytes;
  std::lock_guard guard(launch.lock);
  if (!launch.shadows.empty() && launch.shadows.back()->lineCount() == lines) {
    shadow = std::move(launch.shadows.back());
    launch.shadows.pop_back();
  } else {
    shadow = std::make_unique<SharedShadow>(sharedBytes);
  }
}

BlockChecker::State::~State() {
  shadow->clear();
  if (tensorShadow)
    tensorShadow->clear();
  std::lock_guard guard(launch.lock);
  launch.shadows.push_back(std::move(shadow));
  if (tensorShadow)
    launch.tensorShadows.push_back(std::move(tensorShadow));
}

SharedShadow &BlockChecker::State::tensor() {
  if (tensorShadow)
    return *tensorShadow;
  std::lock_guard guard(launch.lock);
  if (launch.tensorShadows.empty()) {
    tensorShadow = std::make_unique<SharedShadow>(tensorAddress(0, tensorColumns));
  } else {
    tensorShadow = std::move(launch.tensorShadows.back());
    launch.tensorShadows.pop_back();
  }
  return *tensorShadow;
}

BlockChecker::BlockChecker() = default;
BlockChecker::~BlockChecker() = default;

void BlockChecker::access(const Access &access) { state->check(access, {}); }

void BlockChecker::performed() {
  if (!state->strong.owns_lock())
    return;
  state->launch.signals.performed(state->launch.memory, state->lost);
  state->strong.unlock();
  state->reportLost();
}

void BlockChecker::State::reportLost() {
  for (const Signals::Lost &both : lost)
    findings.lostSignal(both);
  lost.clear();
}

void BlockChecker::awaited(const Access &poll, const uint32_t *seen, const uint32_t *wanted) {
  if (!state->options.races)
    return;
  {
    std::lock_guard guard(state->launch.strong);
    for (Mask rest = poll.lanes; rest; rest &= rest - 1) {
      unsigned lane = std::countr_zero(rest);
      state->launch.signals.awaited(poll, lane, seen[lane], wanted[lane], state->warps[poll.warp], state->scopes,
                                    state->lost);
    }
  }
  state->reportLost();
}

std::optional<Place> LaunchChecker::lastWriter(uint64_t address) {
  std::vector<Signals::Lost> lost;
  std::lock_guard guard(state->strong);
  state->signals.awaits(address, lost);
  for (const Signals::Lost &both : lost)
    Findings(state->reporter, state->memory, both.second.place.block).lostSignal(both);
  return state->signals.lastWriter(address);
}

//===-- Synchronization ----------------------------------------------------------------------------------------===//

void BlockChecker::syncWarp(uint32_t warp, Mask lanes) { state->warps[warp].clocks.syncLanes(lanes); }

void BlockChecker::exit(uint32_t warp, Mask lanes) {
  WarpClocks &clocks = state->warps[warp].clocks;
  if (state->options.races && state->options.cluster)
    clocks.releaseInto(state->atEnd, lanes);
  clocks.exit(lanes);
}

Mask BlockChecker::State::findUnorderedAtEnd(const Segment &segment) const {
  Mask lanes = 0, unordered = 0;
  for (uint32_t granules = granulesOf(segment.bytes); granules; granules &= granules - 1)
    lanes |= segment.lanesAt(std::countr_zero(granules));
  for (Mask rest = lanes; rest; rest &= rest - 1)
    if (unsigned lane = std::countr_zero(rest); atEnd.lane(segment.actor(), lane) < segment.clock)
      unordered |= Mask(1) << lane;
  // If the segment does not record which lanes made the access, any lane may have made it. Then report nothing unless
  // all lanes are unordered.
  return segment.anyLane && unordered != lanes ? 0 : unordered;
}

void BlockChecker::end() {
  if (!state->options.races || !state->options.cluster)
    return;
  for (uint64_t line = 0; line < state->sharedBytes; line += lineBytes)
    for (const Segment &segment : (*state->shadow)[line]) {
      bool isOthers = segment.block != state->block || segment.by == uint32_t(Actor::transactions);
      if (Mask lanes = isOthers ? state->findUnorderedAtEnd(segment) : 0)
        state->findings.afterEnd(segment, std::countr_zero(lanes), line + segment.bytes.first());
    }
}

void BlockChecker::fence(uint32_t warp, Scope scope, Mask lanes) {
  if (state->options.races)
    state->warps[warp].fence(lanes, scope, state->scopes);
}

void BlockChecker::arrive(uint32_t warp, uint64_t token, Mask lanes) {
  enum : size_t { maxBarriers = 4096 };
  if (!state->options.races)
    return;
  auto [at, isNew] = state->barriers.try_emplace(token, State::Barrier{VectorClock(state->block, state->warps.size())});
  if (isNew) {
    state->barrierOrder.push_back(token);
    if (state->barrierOrder.size() > maxBarriers) {
      state->barriers.erase(state->barrierOrder.front());
      state->barrierOrder.pop_front();
    }
  }
  WarpClocks &clocks = state->warps[warp].clocks;
  clocks.releaseInto(at->second.clock, lanes);
  clocks.advance();
  ++at->second.waiting;
}

void BlockChecker::pass(uint32_t warp, uint64_t token, Mask lanes) {
  if (!state->options.races)
    return;
  auto at = state->barriers.find(token);
  if (at == state->barriers.end()) // see `barriers`
    return;
  state->warps[warp].clocks.acquire(lanes, at->second.clock);
  if (--at->second.waiting == 0)
    state->barriers.erase(at);
}

// Returns the mbarrier's clock for the phase with this parity, including arrivals in previous phases.
BlockChecker::State::Mbarrier &BlockChecker::State::mbarrierAt(uint32_t offset, uint32_t phase) {
  auto at = mbarriers.find(offset);
  if (at == mbarriers.end()) {
    VectorClock none(static_cast<uint32_t>(block), warps.size());
    at = mbarriers.emplace(offset, Mbarrier{{none, none}, {none, none}, phase & 1}).first;
  }
  Mbarrier &object = at->second;
  if (object.phase != (phase & 1)) {
    object.phases[phase & 1].join(object.phases[object.phase]);
    if (options.cluster)
      object.done[phase & 1].join(object.done[object.phase]);
    object.phase = phase & 1;
  }
  return object;
}

void BlockChecker::mbarrierInit(uint32_t, uint32_t offset) { state->mbarriers.erase(offset); }

void BlockChecker::mbarrierArrive(uint32_t warp, uint32_t offset, Mask lanes, uint32_t phase, BlockChecker *home,
                                  bool fencedOnly) {
  if (!state->options.races)
    return;
  SyncState &sync = state->warps[warp];
  State::Mbarrier &object = (home ? *home : *this).state->mbarrierAt(offset, phase);
  VectorClock &clock = object.phases[phase & 1];
  if (state->options.cluster)
    sync.clocks.releaseInto(object.done[phase & 1], lanes);
  if (fencedOnly) {
    for (const SyncState::Fence &fence : sync.fences)
      if (Mask both = fence.lanes & lanes; both && fence.release.scope >= Scope::cluster) {
        Release release = fence.release;
        if (both != fence.lanes)
          release.lanes = both;
        release.joinInto(clock);
      }
  } else {
    sync.clocks.releaseInto(clock, lanes);
  }
  sync.clocks.advance();
}

void BlockChecker::mbarrierPass(uint32_t warp, uint32_t offset, Mask lanes, uint32_t phase, BlockChecker *home) {
  State &owner = *(home ? *home : *this).state;
  if (auto at = owner.mbarriers.find(offset); at != owner.mbarriers.end()) {
    state->warps[warp].clocks.acquire(lanes, at->second.phases[phase & 1]);
    if (state->options.races && state->options.cluster)
      state->atEnd.join(at->second.done[phase & 1]);
  }
}

void BlockChecker::proxyFence(uint32_t warp, bool shared, bool global, Mask lanes) {
  if (state->options.races)
    state->warps[warp].clocks.fenceProxies(lanes, shared, global);
}

//===-- Asynchronous copies ------------------------------------------------------------------------------------===//

void BlockChecker::asyncCopy(const Access &read, const Access &write, uint32_t group) {
  assert(group > 0 && "groups have numbers from 1 on");
  state->check(read, {Actor::copies, group});
  state->check(write, {Actor::copies, group});
}

void BlockChecker::asyncAccess(const Access &access, uint32_t group) { state->check(access, {Actor::copies, group}); }

void BlockChecker::asyncWait(uint32_t warp, uint32_t group, Mask lanes) {
  state->warps[warp].clocks.waitForCopies(lanes, group);
}

void BlockChecker::asyncArrive(uint32_t warp, uint32_t group, uint32_t offset, Mask lanes, uint32_t phase) {
  if (!state->options.races)
    return;
  WarpClocks &clocks = state->warps[warp].clocks;
  clocks.releaseCopiesInto(state->mbarrierAt(offset, phase).phases[phase & 1], lanes, group);
  clocks.advance();
}

//===-- Bulk copies --------------------------------------------------------------------------------------------===//

// An mbarrier's phases count from 0, clocks from 1.
static uint32_t clockOf(uint32_t phase) { return phase + 1; }

void BlockChecker::bulkAccess(const Access &access, const BulkCompletion &completion) {
  if (completion.group)
    return state->check(access, {access.kind == Access::load ? Actor::bulkReads : Actor::bulkWrites, completion.group});
  uint64_t block = (completion.home ? *completion.home : *this).state->block;
  state->check(access, {Actor::transactions, clockOf(completion.phase), block, completion.mbarrier / 8});
}

void BlockChecker::bulkWait(uint32_t warp, uint32_t group, bool readsOnly, Mask lane) {
  if (!state->options.races)
    return;
  uint32_t block = static_cast<uint32_t>(state->block);
  state->warps[warp].clocks.learn(lane, actorId(block, warp, Actor::bulkReads), lane, group);
  if (!readsOnly)
    state->warps[warp].clocks.learn(lane, actorId(block, warp, Actor::bulkWrites), lane, group);
}

void BlockChecker::bulkDone(uint32_t mbarrier, uint32_t issuedIn, uint32_t phase) {
  if (state->options.races)
    state->mbarrierAt(mbarrier, phase)
        .phases[phase & 1]
        .raise(transactionsOf(static_cast<uint32_t>(state->block), mbarrier / 8), everyLane, clockOf(issuedIn));
}

//===-- wgmma --------------------------------------------------------------------------------------------------===//

void BlockChecker::wgmmaRead(const Access &read, uint32_t group) { state->check(read, {Actor::wgmmas, group}); }

void BlockChecker::wgmmaWait(uint32_t warp, uint32_t firstOfGroup, uint32_t warps, uint32_t group) {
  if (!state->options.races)
    return;
  for (uint32_t w = firstOfGroup; w < firstOfGroup + warps; ++w)
    state->warps[warp].clocks.learn(everyLane, actorId(static_cast<uint32_t>(state->block), w, Actor::wgmmas),
                                    everyLane, group);
}

//===-- Tensor memory ------------------------------------------------------------------------------------------===//

void BlockChecker::tensorAllocate(uint32_t firstColumn, uint32_t columns) {
  SharedShadow &shadow = state->tensor();
  const uint64_t end = tensorAddress(0, firstColumn + columns);
  for (uint64_t line = tensorAddress(0, firstColumn); line < end; line += lineBytes) {
    shadow[line].clear();
    shadow.initializedIn(line) = {};
  }
}

void BlockChecker::tensorMove(const Access &access) {
  Actor actor = access.kind == Access::load ? Actor::tensorLoads : Actor::tensorStores;
  state->check(access, {actor, state->warps[access.warp].clocks.clock()});
}

void BlockChecker::tensorWait(uint32_t warp, bool stores) {
  if (!state->options.races)
    return;
  WarpClocks &clocks = state->warps[warp].clocks;
  Actor actor = stores ? Actor::tensorStores : Actor::tensorLoads;
  clocks.learn(everyLane, actorId(static_cast<uint32_t>(state->block), warp, actor), everyLane, clocks.clock());
}

void BlockChecker::tensorWork(const Access &access) {
  state->check(access, {Actor::tensorCore, state->warps[access.warp].clocks.clock()});
}

std::shared_ptr<const VectorClock> BlockChecker::tensorCommit(uint32_t warp, Mask lane) {
  auto committed = std::make_shared<VectorClock>(static_cast<uint32_t>(state->block), state->warps.size());
  if (!state->options.races)
    return committed;
  WarpClocks &clocks = state->warps[warp].clocks;
  uint32_t block = static_cast<uint32_t>(state->block);
  clocks.releaseInto(*committed, lane);
  committed->raise(actorId(block, warp, Actor::tensorCore), lane, clocks.clock());
  // A commit also acts as tcgen05.fence::before_thread_sync.
  committed->raise(tensorFencedOf(clocks.actor, TensorFenced::before), lane, clocks.clock());
  clocks.advance();
  return committed;
}

void BlockChecker::tensorArrive(const VectorClock &committed, uint32_t mbarrier, uint32_t phase) {
  if (!state->options.races)
    return;
  State::Mbarrier &object = state->mbarrierAt(mbarrier, phase);
  object.phases[phase & 1].join(committed);
  if (state->options.cluster)
    object.done[phase & 1].join(committed);
}

void BlockChecker::tensorFence(uint32_t warp, bool before, Mask lanes) {
  if (state->options.races && state->options.tensorFences)
    state->warps[warp].clocks.fenceTensor(lanes, before);
}
