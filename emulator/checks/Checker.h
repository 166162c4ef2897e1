//===-- Checker.h - what kernels do wrong ----------------------------------------------------------------------===//
//
// The interpreter tells a Checker of every memory access and every synchronization of a launch before it happens, and the
// Checker finds out-of-bounds and misaligned accesses, uninitialized reads, use after free and data races.
//
// Races are found by happens-before (FastTrack: Flanagan and Freund, PLDI 2009), independent of the order in which this
// run happened to do things. Every warp has a vector clock. Barriers, fences with atomics (the PTX memory model's
// release and acquire patterns) and mbarriers join clocks. For each byte of shared and global memory the last write and the
// reads since are remembered as epochs: (actor, clock, lane, instruction). Within a warp, lanes are ordered only by warp
// synchronization (bar.warp.sync, barriers): the last writer's lane between two of them is compared.
//
//   - Two accesses to a byte race if at least one writes, neither happens before the other, and they are not both
//     strong with scopes that include each other.
//   - Stores of the value that is there already do not race with each other: redundant threads do that.
//   - An asynchronous copy is an actor of its own, forked from the warp at its issue and joined at its wait. What it
//     reads and writes races with what the warp does in between. (proxy: later engines, TMA and wgmma, are also only ordered
//     with generic accesses by a proxy fence.)
//   - Launches are ordered with each other; nothing is remembered from one to the next.
//
// One LaunchChecker per launch; a BlockChecker per block, used by one thread at a time. What blocks share (the shadow of
// global memory, the clocks that atomics release) is locked inside.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_CHECKER_H
#define TILECC_EMULATOR_CHECKS_CHECKER_H

#include "emulator/checks/Reporter.h"
#include "emulator/memory/DeviceMemory.h"

#include <memory>

namespace tilecc::emu {

using Mask = uint32_t; // of the lanes of a warp

enum class Order : uint8_t { weak, relaxed, acquire, release, acquireRelease }; // volatile counts as relaxed.sys
enum class Scope : uint8_t { cta, cluster, gpu, sys };

// What one instruction of one warp does to memory, all lanes at once.
struct Access {
  enum Kind : uint8_t { load, store, atomic };
  enum Where : uint8_t { global, shared, local, constant, param };
  Kind kind = load;
  Where where = global;
  Order order = Order::weak;
  Scope scope = Scope::gpu;
  uint32_t warp = 0, pc = 0;
  uint32_t bytes = 0; // per lane, consecutive
  Mask lanes = 0;
  const uint64_t *address = nullptr; // [32]: device addresses, or offsets in the block's (lane's) memory
  uint32_t align = 1;                // that each address must have, bytes
  // Stores: the new bytes of lane i are at values + i * bytes.
  const std::byte *values = nullptr;
};

class BlockChecker;

class LaunchChecker {
public:
  struct Options {
    bool memory = true, initialized = true, races = true;
  };
  LaunchChecker(Options options, DeviceMemory &memory, Reporter &reporter);
  ~LaunchChecker();

  // `shared`: the block's shared memory, which stays where it is; `warps` of 32 threads (the last may have fewer).
  std::unique_ptr<BlockChecker> startBlock(uint64_t block, uint32_t warps, std::byte *shared, uint32_t sharedBytes,
                                           uint32_t localBytesPerThread, uint32_t paramBytes);

private:
  friend class BlockChecker;
  struct State;
  std::unique_ptr<State> state;
};

class BlockChecker {
public:
  BlockChecker();
  ~BlockChecker();

  // Before an access. Throws Fault (after reporting) for what is fatal on a GPU: out of bounds, misaligned, freed. Reports
  // and goes on for uninitialized reads and races.
  void access(const Access &access);

  // bar.warp.sync of these lanes, after all have arrived.
  void syncWarp(uint32_t warp, Mask lanes);

  // Barriers (bar.sync, bar.arrive, bar.red, clusters later): `arrive` for each warp that arrives, `pass` for each warp
  // that waited, once the barrier is complete. What was arrived before it completed happens before what passes.
  // `token` names the barrier and its phase.
  void arrive(uint32_t warp, uint64_t token);
  void pass(uint32_t warp, uint64_t token);

  // fence.{acq_rel,sc}.scope, membar
  void fence(uint32_t warp, Scope scope);

  // mbarrier: arrivals release into the object at this shared offset, a test that succeeds acquires from it.
  void mbarrierArrive(uint32_t warp, uint32_t offset);
  void mbarrierPass(uint32_t warp, uint32_t offset);
  void mbarrierInit(uint32_t warp, uint32_t offset);

  // Asynchronous copies (cp.async): the reads and writes of one copy instruction at its issue, `group` numbering the
  // warp's groups from 1 on; then `asyncWait`: groups up to `group` are complete for this warp.
  void asyncCopy(const Access &read, const Access &write, uint32_t group);
  void asyncWait(uint32_t warp, uint32_t group);
  // cp.async.mbarrier.arrive: what the groups up to `group` did is released into the mbarrier.
  void asyncArrive(uint32_t warp, uint32_t group, uint32_t offset);

private:
  friend class LaunchChecker;
  struct State;
  std::unique_ptr<State> state;
};

} // namespace tilecc::emu
#endif
