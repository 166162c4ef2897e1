//===-- CheckerState.h - the state of the checks of a launch and of a block ------------------------------------===//
//
// The files that implement the Checker's functions share these structs.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_CHECKERSTATE_H
#define TILECC_EMULATOR_CHECKS_CHECKERSTATE_H

#include "emulator/checks/Findings.h"
#include "emulator/checks/Shadow.h"
#include "emulator/checks/Signals.h"

#include <deque>

namespace tilecc::emu {

struct LaunchChecker::State {
  Options options;
  DeviceMemory &memory;
  Reporter &reporter;
  GlobalShadow global;

  // Locked from before a strong access to global memory until the access has been performed.
  std::mutex strong;
  SyncTable sync; // guarded by it
  Signals signals; // guarded by it

  // Shadows of finished blocks, for reuse.
  std::mutex lock;
  std::vector<std::unique_ptr<SharedShadow>> shadows, tensorShadows;
};

struct BlockChecker::State {
  // Who makes an access: the threads themselves, with the clock of their warp, or an engine that acts for them, with a
  // clock of its own.
  struct Engine {
    Actor actor = Actor::threads;
    uint32_t clock = 0;
    uint64_t block = 0; // for transactions: the mbarrier's block
    uint32_t mbarrier = 0;
  };

  State(LaunchChecker::State &launch, uint64_t block, uint32_t warps, std::byte *shared, uint32_t sharedBytes,
        uint32_t localBytes, uint32_t paramBytes, uint32_t threads);
  ~State();

  // Performs all checks of an access by `engine`.
  void check(const Access &access, const Engine &engine);

  void checkAlignment(const Access &access);
  void checkRoom(const Access &access, uint64_t room);
  // Returns the state of the block whose shared memory is accessed.
  State &homeOf(const Access &access) { return access.home ? *access.home->state : *this; }
  // The shadow of a block's memory.
  SharedShadow &shadowOf(const Access &access) {
    State &home = homeOf(access);
    return access.where == Access::tensor ? home.tensor() : *home.shadow;
  }
  SharedShadow &tensor(); // created on first use
  // These use `pieces`.
  bool isThere(const Access &access);
  void checkBounds(const Access &access);
  void checkInitialized(const Access &access);
  void checkRaces(const Access &access, const Engine &engine);
  void storeAhead(const Access &access, const Piece &first, std::byte *memory);
  void checkStoresAgree(const Access &access);
  // Returns the lanes whose accesses to the block's shared memory are not ordered before the end of the block.
  Mask findUnorderedAtEnd(const Segment &segment) const;

  LaunchChecker::State &launch;
  const LaunchChecker::Options &options = launch.options;
  uint64_t block;
  std::byte *shared;
  uint32_t sharedBytes, localBytes, paramBytes;

  Findings findings;
  Scopes scopes;
  std::unique_ptr<SharedShadow> shadow; // of shared memory
  std::unique_ptr<SharedShadow> tensorShadow; // of tensor memory, once used
  GlobalShadow::Cache cache;
  std::vector<SyncState> warps;
  SyncTable sharedSync;
  std::unique_lock<std::mutex> strong; // locks launch.strong
  VectorClock atEnd; // what is known to precede the block's end, if there are clusters

  // The arrivals in one phase of a barrier. They are removed when all threads that have arrived have passed the
  // barrier. A thread that only arrives never passes, so if there are many barriers, the oldest are dropped.
  struct Barrier {
    VectorClock clock;
    uint32_t waiting = 0;
  };
  std::unordered_map<uint64_t, Barrier> barriers; // by token
  std::deque<uint64_t> barrierOrder;
  struct Mbarrier {
    VectorClock phases[2]; // each includes all previous phases
    VectorClock done[2]; // if there are clusters: what precedes the arrivals in their threads, released or not
    uint32_t phase = 0; // of the last arrival
  };
  std::unordered_map<uint32_t, Mbarrier> mbarriers; // by the offset of the object
  Mbarrier &mbarrierAt(uint32_t offset, uint32_t phase);

  Pieces pieces; // of the current access
  std::vector<Race> races; // of the current access
  std::vector<Signals::Lost> lost; // by the current access
  void reportLost();
};

} // namespace tilecc::emu
#endif
