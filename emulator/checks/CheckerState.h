//===-- CheckerState.h - what the checks of a launch and of a block know ---------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_CHECKERSTATE_H
#define TILECC_EMULATOR_CHECKS_CHECKERSTATE_H

#include "emulator/checks/Findings.h"
#include "emulator/checks/Shadow.h"
#include "emulator/checks/SyncTable.h"

#include <deque>

namespace tilecc::emu {

struct LaunchChecker::State {
  Options options;
  DeviceMemory &memory;
  Reporter &reporter;
  GlobalShadow global;

  // Held from before a strong access to global memory until it has happened.
  std::mutex strong;
  SyncTable sync; // under it

  // Shadows of blocks that are done, for the next ones.
  std::mutex lock;
  std::vector<std::unique_ptr<SharedShadow>> shadows, tensorShadows;
};

struct BlockChecker::State {
  // Who makes an access: the threads themselves, at their warp's clock, or an engine on their behalf, at its own.
  struct Engine {
    Actor actor = Actor::threads;
    uint32_t clock = 0;
    uint64_t block = 0; // transactions: of the mbarrier
    uint32_t mbarrier = 0;
  };

  State(LaunchChecker::State &launch, uint64_t block, uint32_t warps, std::byte *shared, uint32_t sharedBytes,
        uint32_t localBytes, uint32_t paramBytes, uint32_t threads);
  ~State();

  // All checks of an access.
  void check(const Access &access, const Engine &engine);

  void checkAlignment(const Access &access);
  void checkRoom(const Access &access, uint64_t room);
  // Whose shared memory an access is to.
  State &homeOf(const Access &access) { return access.home ? *access.home->state : *this; }
  // Of memory that is a block's.
  SharedShadow &shadowOf(const Access &access) {
    State &home = homeOf(access);
    return access.where == Access::tensor ? home.tensor() : *home.shadow;
  }
  SharedShadow &tensor(); // made at the first use
  // These look at `pieces`.
  bool isThere(const Access &access);
  void checkBounds(const Access &access);
  void checkInitialized(const Access &access);
  void checkRaces(const Access &access, const Engine &engine);
  void storeAhead(const Access &access, const Piece &first, std::byte *memory);
  void checkStoresAgree(const Access &access);
  // The lanes that did it to the block's memory with nothing that orders it before its end.
  Mask findUnorderedAtEnd(const Segment &segment) const;

  LaunchChecker::State &launch;
  const LaunchChecker::Options &options = launch.options;
  uint64_t block;
  std::byte *shared;
  uint32_t sharedBytes, localBytes, paramBytes;

  Findings findings;
  Scopes scopes;
  std::unique_ptr<SharedShadow> shadow; // of shared memory
  std::unique_ptr<SharedShadow> tensorShadow; // of tensor memory, once it is used
  GlobalShadow::Cache cache;
  std::vector<SyncState> warps;
  SyncTable sharedSync;
  std::unique_lock<std::mutex> strong; // of launch.strong
  VectorClock atEnd;                   // what is known to have come before the block's end, where there are clusters

  // A barrier's phase: what has arrived. Gone when all who arrived have passed; but who only arrives never passes, so
  // the oldest go when there are many.
  struct Barrier {
    VectorClock clock;
    uint32_t waiting = 0;
  };
  std::unordered_map<uint64_t, Barrier> barriers; // by token
  std::deque<uint64_t> barrierOrder;
  struct Mbarrier {
    VectorClock phases[2]; // with all before, each
    VectorClock done[2];   // what came before the arrivals in their threads, if that releases nothing, too; where there are clusters
    uint32_t phase = 0;    // of the last arrival
  };
  std::unordered_map<uint32_t, Mbarrier> mbarriers; // by offset
  Mbarrier &mbarrierAt(uint32_t offset, uint32_t phase);

  Pieces pieces;           // of the access that is looked at
  std::vector<Race> races; // that it has
};

} // namespace tilecc::emu
#endif
