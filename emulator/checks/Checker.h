//===-- Checker.h - what kernels do wrong ----------------------------------------------------------------------===//
//
// The interpreter tells a Checker of every memory access and every synchronization of a launch before it happens, and
// the Checker finds out-of-bounds and misaligned accesses, uninitialized reads, use after free and data races.
//
// Races are found by happens-before (FastTrack: Flanagan and Freund, PLDI 2009), independent of the order in which
// this run happened to do things. Every warp has a vector clock. Barriers, fences with atomics (the PTX memory model's
// release and acquire patterns) and mbarriers join clocks. For each byte of shared and global memory the last write
// and the reads since are remembered, with actor, clock, lane and instruction. Within a warp, lanes are ordered only
// by warp synchronization (bar.warp.sync, barriers): what a lane does is ordered with what itself did, not with its
// neighbours.
//
//   - Two accesses to a byte race if at least one writes, neither happens before the other, and they are not both
//     strong with scopes that include each other.
//   - Stores of the value that is there already do not race with each other: redundant threads do that. Nor do lanes
//     of one instruction that store the same.
//   - An asynchronous copy is an actor of its own, forked from the warp at its issue and joined at its wait. What it
//     reads and writes races with what the warp does in between. So is a bulk copy (TMA): who issued it knows of it by
//     waiting for its group; what completes at an mbarrier is an actor of that object, whose phases are its clock. And
//     so is what a wgmma reads until one of the warpgroup's warps has waited for it.
//   - What was written through the generic proxy is seen through the asynchronous one (bulk copies, the operands of
//     wgmma) only if a proxy fence is on the way that orders the two. In the other direction, completion is enough.
//   - Launches are ordered with each other; nothing is remembered from one to the next.
//
// Nothing is reported that is no race by these rules. Of the first race on a byte nothing is missed, except where
// Races.h and SyncTable.h say what is forgotten, and where the values that this run saw decide what synchronizes with
// what.
//
// One LaunchChecker per launch, which outlives its blocks; a BlockChecker per block, used by one thread at a time.
// What blocks share (the shadow of global memory, the clocks that atomics release) is locked inside.
//
// How it works, from below: VectorClock.h, WarpClocks.h (who knows what), Segment.h (what a line of memory remembers),
// Pieces.h (an access as segments), Races.h (an access against what is remembered), SyncTable.h (atomics and fences),
// Shadow.h (where segments are kept), Findings.h (words), CheckerState.h and what includes it (all together).
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_CHECKER_H
#define TILECC_EMULATOR_CHECKS_CHECKER_H

#include "emulator/checks/Reporter.h"
#include "emulator/memory/DeviceMemory.h"

#include <functional>
#include <memory>

namespace tilecc::emu {

using Mask = uint32_t; // of the lanes of a warp

enum class Order : uint8_t { weak, relaxed, acquire, release, acquireRelease }; // volatile counts as relaxed.sys
enum class Scope : uint8_t { cta, cluster, gpu, sys };

// What one instruction of one warp does to memory, all lanes at once.
struct Access {
  enum Kind : uint8_t { load, store, atomic };
  enum Where : uint8_t { global, shared, local, constant, param, tensor };
  Kind kind = load;
  Where where = global;
  Order order = Order::weak;
  Scope scope = Scope::gpu;
  uint32_t warp = 0, pc = 0;
  uint32_t bytes = 0; // per lane, consecutive; 128 at most
  Mask lanes = 0;
  const uint64_t *address = nullptr; // [32]: device addresses, or offsets in the block's (lane's) memory. Of tensor
                                     // memory: see tensorAddress
  uint32_t align = 1;                // that each address must have, bytes
  // Stores: the new bytes of lane i are at values + i * bytes.
  const std::byte *values = nullptr;
  bool asyncProxy = false; // through the asynchronous proxy
  bool readsToo = false;   // a store of a sum that contains what was there
  bool initializes = true; // of a store
  bool isMbarrier = false; // the object's own instructions: their order is told by mbarrierArrive and mbarrierPass
  // Of whose shared memory: another block of the cluster, or null for the own.
  class BlockChecker *home = nullptr;
};

// The address of a cell of tensor memory, for the checker. The lanes of a column follow each other, so what a warp
// accesses in one column is a line.
constexpr uint32_t tensorLanes = 128, tensorColumns = 512;
constexpr uint64_t tensorAddress(uint32_t lane, uint32_t column) { return (uint64_t(column) * tensorLanes + lane) * 4; }

class BlockChecker;
class VectorClock;

class LaunchChecker {
public:
  struct Options {
    bool memory = true, initialized = true, races = true;
    bool copyFences = false; // what cp.async has copied needs a proxy fence, as ordinary stores do
    bool tensorFences = false; // what orders work on tensor memory across threads needs tcgen05.fence on both sides
    std::function<uint64_t(uint64_t block)> cluster; // a block's cluster; null: clusters are single blocks
    uint32_t waveWarps = 0; // how many warps are a wave of an AMD GPU, whose lanes are in lockstep; 0: warps are a GPU's
                            // of NVIDIA, whose lanes are ordered by synchronization alone
  };
  LaunchChecker(Options options, DeviceMemory &memory, Reporter &reporter);
  ~LaunchChecker();

  // `shared`: the block's shared memory, which stays where it is; `warps` of 32 threads (the last may have fewer: say
  // so by `threads`, or lanes that do not exist are waited for by nobody, which costs time).
  std::unique_ptr<BlockChecker> startBlock(uint64_t block, uint32_t warps, std::byte *shared, uint32_t sharedBytes,
                                           uint32_t localBytesPerThread, uint32_t paramBytes, uint32_t threads = 0);

private:
  friend class BlockChecker;
  struct State;
  std::unique_ptr<State> state;
};

class BlockChecker {
public:
  BlockChecker();
  ~BlockChecker();

  // Before an access. Throws Fault (after reporting) for what is fatal on a GPU: out of bounds, misaligned, freed, a
  // store to constant memory. Reports and goes on for uninitialized reads and races. May do a weak store itself; the
  // caller does it all the same.
  void access(const Access &access);
  // After an access that is not weak, once memory has been accessed: until then those of other blocks wait, so that who
  // reads a value also sees what its writer released. Does nothing after others.
  void performed();

  // `lanes`, here and below: who does it. Lanes that do not exist may be among them.

  // bar.warp.sync of these lanes, after all have arrived.
  void syncWarp(uint32_t warp, Mask lanes);
  // These lanes have exited. Without it, what the rest of a warp does together counts as done by a part of it, which is
  // right and costs time. With it, what they did counts as done by a warp that goes on.
  void exit(uint32_t warp, Mask lanes);
  // The block's cluster has ended. Reports what others did to the block's shared memory where nothing tells its threads of it
  // before they exit: from then on the memory may be another block's. (An arrival that is relaxed will do: what its thread
  // has loaded before is there. It tells of no values.)
  void end();

  // Barriers (bar.sync, bar.arrive, bar.red): `arrive` for each warp (or part of one) that arrives,
  // `pass` for each that waited, once the barrier is complete. What was arrived before it completed happens before
  // what passes. `token` names the barrier and its phase.
  void arrive(uint32_t warp, uint64_t token, Mask lanes = ~Mask(0));
  void pass(uint32_t warp, uint64_t token, Mask lanes = ~Mask(0));

  // fence.{acq_rel,sc}.scope, membar
  void fence(uint32_t warp, Scope scope, Mask lanes = ~Mask(0));

  // fence.proxy.async for shared memory, global memory or both.
  void proxyFence(uint32_t warp, bool shared, bool global, Mask lanes = ~Mask(0));

  // mbarrier: arrivals release into the object at this shared offset, a test that succeeds acquires from it. `phase`:
  // the phase that is arrived at or has been waited for, or its parity. `home`: whose object it is, of a block of the
  // cluster; null for the own. The barrier of a cluster is such an object, too, at clusterBarrier of its first block.
  // `fencedOnly`: an arrival that is relaxed, so it releases what a fence of the cluster's scope lies behind.
  enum : uint32_t { clusterBarrier = ~0u };
  void mbarrierArrive(uint32_t warp, uint32_t offset, Mask lanes = ~Mask(0), uint32_t phase = 0,
                      BlockChecker *home = nullptr, bool fencedOnly = false);
  void mbarrierPass(uint32_t warp, uint32_t offset, Mask lanes = ~Mask(0), uint32_t phase = 0,
                    BlockChecker *home = nullptr);
  void mbarrierInit(uint32_t warp, uint32_t offset);

  // Asynchronous copies (cp.async): the reads and writes of one copy instruction at its issue, `group` numbering the
  // warp's groups from 1 on; then `asyncWait`: groups up to `group` are complete for these lanes.
  void asyncCopy(const Access &read, const Access &write, uint32_t group);
  void asyncWait(uint32_t warp, uint32_t group, Mask lanes = ~Mask(0));
  // One access that is done when its group has been waited for: an instruction on LDS of an AMD GPU.
  void asyncAccess(const Access &access, uint32_t group);
  // cp.async.mbarrier.arrive: what the groups up to `group` did is released into the mbarrier. (So is what the lanes
  // did until now, of which PTX promises only what came before the copies.)
  void asyncArrive(uint32_t warp, uint32_t group, uint32_t offset, Mask lanes = ~Mask(0), uint32_t phase = 0);

  // Bulk copies (cp.async.bulk): what a copy that one lane issues reads and writes, in parts of at most a line, at its
  // issue; and what tells that it is done, the lane's groups (from 1 on) or an mbarrier in its phase.
  struct BulkCompletion {
    uint32_t group = 0;            // 0: an mbarrier
    BlockChecker *home = nullptr;  // whose object; null for the own
    uint32_t mbarrier = 0, phase = 0;
  };
  void bulkAccess(const Access &access, const BulkCompletion &completion);
  // cp.async.bulk.wait_group: the lane's groups up to this one are done, or have read what they read.
  void bulkWait(uint32_t warp, uint32_t group, bool readsOnly, Mask lane);
  // A copy that completes at this block's mbarrier and was issued in one of its phases is done now.
  void bulkDone(uint32_t mbarrier, uint32_t issuedIn, uint32_t phase);

  // wgmma: what a warp's product reads in shared memory, at its issue, `group` numbering the warp's groups from 1 on;
  // and that a warp has waited for a group of its warpgroup, which then is complete for all warps of it.
  void productRead(const Access &read, uint32_t group);
  void productWait(uint32_t warp, uint32_t firstOfGroup, uint32_t warps, uint32_t group);

  // Tensor memory (tcgen05). Columns that are allocated anew are not initialized, and what was done to them before is
  // over: to free them has been a store by a warp, and so is to allocate them, from here on.
  void tensorAllocate(uint32_t firstColumn, uint32_t columns);
  // tcgen05.ld or .st, at its issue. The warp knows that its loads, or stores, are done once it has waited for them.
  void tensorMove(const Access &access);
  void tensorWait(uint32_t warp, bool stores);
  // The tensor core accesses tensor memory or shared memory on behalf of one lane: told at the issue, in parts of at
  // most a line. Its accesses for the same lane are in order.
  void tensorWork(const Access &access);
  // tcgen05.commit: returns what the lane knows, with its work so far. `tensorArrive` releases that into an mbarrier of
  // this block, when the work is done.
  std::shared_ptr<const VectorClock> tensorCommit(uint32_t warp, Mask lane);
  void tensorArrive(const VectorClock &committed, uint32_t mbarrier, uint32_t phase);
  // tcgen05.fence::before_thread_sync or after_thread_sync
  void tensorFence(uint32_t warp, bool before, Mask lanes = ~Mask(0));

private:
  friend class LaunchChecker;
  struct State;
  std::unique_ptr<State> state;
};

} // namespace tilecc::emu
#endif
