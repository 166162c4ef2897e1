//===-- Checker.h - finds errors in kernels --------------------------------------------------------------------===//
//
// Before each memory access and each synchronization of a launch, the interpreter calls a Checker. The Checker finds
// accesses that are out of bounds or misaligned, reads of uninitialized memory, uses after free, and data races.
//
// Races are found by the happens-before relation (FastTrack: Flanagan and Freund, PLDI 2009), so the result does not
// depend on the order of events in this run. Every warp has a vector clock. Barriers, fences with atomics (the release
// and acquire patterns of the PTX memory model) and mbarriers join clocks. For each byte of shared and global memory,
// the last write and the reads since then are recorded, with actor, clock, lane and instruction. Within a warp, only
// warp synchronization (bar.warp.sync, barriers) orders lanes: an access of a lane is ordered with earlier accesses of
// the same lane, and not with those of other lanes.
//
//   - Two accesses to a byte race if at least one is a write, neither happens before the other, and they are not both
//     strong with scopes that include each other.
//   - A store of the value that is already in memory does not race with other stores, because redundant threads do
//     that. Neither do lanes of one instruction that store the same value.
//   - An asynchronous copy is a separate actor, forked from the warp at its issue and joined at its wait. Its reads and
//     writes race with what the warp does in between. The same holds for a bulk copy (TMA): its issuer learns of its
//     completion by waiting for its group. A copy that completes at an mbarrier is an actor of that object, whose
//     phases are its clock. The reads of a wgmma are also a separate actor, until one of the warpgroup's warps has
//     waited for it.
//   - Writes through the generic proxy are visible through the asynchronous proxy (bulk copies, the operands of wgmma)
//     only if a proxy fence orders the two. In the other direction, completion is enough.
//   - Launches are ordered with each other; nothing is recorded from one launch to the next.
//
// Only races by these rules are reported. The first race on a byte is always found, except if Races.h or SyncTable.h
// has dropped information, or if the values of this run determine which operations synchronize.
//
// There is one LaunchChecker for each launch, which outlives its blocks, and one BlockChecker for each block, which one
// thread at a time uses. State that blocks share (the shadow of global memory, and the clocks that atomics release) is
// locked internally.
//
// The parts, bottom-up: VectorClock.h; WarpClocks.h (what each lane knows); Segment.h (an access as recorded for a line
// of memory); Pieces.h (splits an access into segments); Races.h (compares an access with the recorded ones);
// SyncTable.h (atomics and fences); Signals.h (words for which threads wait); Shadow.h (stores segments); Findings.h
// (messages); and CheckerState.h with the files that include it (combine everything).
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_CHECKER_H
#define TILECC_EMULATOR_CHECKS_CHECKER_H

#include "emulator/checks/Reporter.h"
#include "emulator/memory/DeviceMemory.h"

#include <functional>
#include <memory>
#include <optional>

namespace tilecc::emu {

using Mask = uint32_t; // the lanes of a warp

enum class Order : uint8_t { weak, relaxed, acquire, release, acquireRelease }; // volatile counts as relaxed.sys
enum class Scope : uint8_t { cta, cluster, gpu, sys };

// The memory access of one instruction of one warp, for all lanes.
struct Access {
  enum Kind : uint8_t { load, store, atomic };
  enum Where : uint8_t { global, shared, local, constant, param, tensor };
  Kind kind = load;
  Where where = global;
  Order order = Order::weak;
  Scope scope = Scope::gpu;
  uint32_t warp = 0, pc = 0;
  uint32_t bytes = 0; // per lane, consecutive; at most 128
  Mask lanes = 0;
  const uint64_t *address = nullptr; // [32]: device addresses, or offsets in the block's (lane's) memory. Of tensor
  // memory: see tensorAddress
  uint32_t align = 1; // required alignment of each address, in bytes
  // For stores: the new bytes of lane i are at values + i * bytes.
  const std::byte *values = nullptr;
  bool asyncProxy = false; // through the asynchronous proxy
  bool readsToo = false; // a store of a sum that includes the old value
  bool initializes = true; // for stores
  bool replaces = false; // for atomic operations: the new value does not depend on the old one
  bool polls = false; // a load of a wait: it acquires nothing, and `awaited` follows
  bool isMbarrier = false; // an mbarrier instruction: mbarrierArrive and mbarrierPass report its order
  // The block whose shared memory is accessed: another block of the cluster, or null for this one.
  class BlockChecker *home = nullptr;
};

// Returns the address that the checker uses for a cell of tensor memory. The lanes of a column are adjacent, so the
// access of a warp to one column covers one line.
constexpr uint32_t tensorLanes = 128, tensorColumns = 512;
constexpr uint64_t tensorAddress(uint32_t lane, uint32_t column) { return (uint64_t(column) * tensorLanes + lane) * 4; }

class BlockChecker;
class VectorClock;

class LaunchChecker {
public:
  struct Options {
    bool memory = true, initialized = true, races = true;
    bool copyFences = false; // data copied by cp.async needs a proxy fence, like ordinary stores
    bool tensorFences = false; // ordering work on tensor memory across threads needs tcgen05.fence on both sides
    std::function<uint64_t(uint64_t block)> cluster; // maps a block to its cluster; null: each block is a cluster
    std::function<uint64_t(uint64_t block)> device; // maps a block to its GPU; null: there is one
    bool signals = false; // the kernel waits for signals and says for which (Signals.h)
    uint32_t waveWarps = 0; // warps per wave of an AMD GPU, whose lanes run in lockstep; 0: an NVIDIA GPU, whose lanes
    // only synchronization orders
  };
  LaunchChecker(Options options, DeviceMemory &memory, Reporter &reporter);
  ~LaunchChecker();

  // `shared` is the shared memory of the block, which must not move. The block has `warps` warps of 32 threads. If the
  // last warp has fewer threads, `threads` must be set, because waiting for lanes that do not exist costs time.
  std::unique_ptr<BlockChecker> startBlock(uint64_t block, uint32_t warps, std::byte *shared, uint32_t sharedBytes,
                                           uint32_t localBytesPerThread, uint32_t paramBytes, uint32_t threads = 0);

  // Called for a thread that waits for a signal for ever. Reports signals that were lost, and returns who wrote the
  // value that the word has; nothing if no strong access of the launch did.
  std::optional<Place> lastWriter(uint64_t address);

private:
  friend class BlockChecker;
  struct State;
  std::unique_ptr<State> state;
};

class BlockChecker {
public:
  BlockChecker();
  ~BlockChecker();

  // Called before an access is performed. Reports errors that are fatal on a GPU (out of bounds, misaligned, freed, a
  // store to constant memory), and throws Fault for them. Reports reads of uninitialized memory and races, and
  // continues. May perform a weak store itself; the caller performs it in any case.
  void access(const Access &access);
  // Called after a strong access has been performed in memory. Until then, strong accesses of other blocks wait, so
  // that a thread that reads a value also sees everything that the writer released. Does nothing after other accesses.
  void performed();

  // Here and below, `lanes` are the lanes that execute the operation. They may include lanes that do not exist.

  // Called for a bar.warp.sync of these lanes, after all of them have arrived.
  void syncWarp(uint32_t warp, Mask lanes);
  // Called when these lanes have exited. Without this call, an operation of the remaining lanes would count as one of a
  // part of the warp, which is correct but slow.
  void exit(uint32_t warp, Mask lanes);
  // Called when the cluster of the block has ended. Reports accesses of other blocks to the shared memory of this block
  // that are not ordered before the exit of its threads, because the memory may belong to another block afterwards. (A
  // relaxed arrival is sufficient: earlier loads of its thread have completed. It does not order values.)
  void end();

  // Barriers (bar.sync, bar.arrive, bar.red): `arrive` is called for each warp (or part of one) that arrives, `pass`
  // for each that waited, once the barrier is complete. Everything before the arrivals happens before everything after
  // the passes. `token` identifies the barrier and its phase.
  void arrive(uint32_t warp, uint64_t token, Mask lanes = ~Mask(0));
  void pass(uint32_t warp, uint64_t token, Mask lanes = ~Mask(0));

  // Called for the load of a wait, after it has been performed, for lanes whose wait is over: lane i has loaded
  // seen[i], which is at least wanted[i] (Signals.h).
  void awaited(const Access &poll, const uint32_t *seen, const uint32_t *wanted);

  // fence.{acq_rel,sc}.scope, membar
  void fence(uint32_t warp, Scope scope, Mask lanes = ~Mask(0));

  // fence.proxy.async for shared memory, global memory or both.
  void proxyFence(uint32_t warp, bool shared, bool global, Mask lanes = ~Mask(0));

  // mbarrier: an arrival releases into the object at this offset in shared memory; a successful test acquires from it.
  // `phase`: the phase of the arrival or of the wait, or its parity. `home`: the block of the cluster that owns the
  // object; null for this one. A cluster barrier is also such an object, at clusterBarrier of the cluster's first
  // block. `fencedOnly`: the arrival is relaxed, so it releases only what a fence of cluster scope covers.
  enum : uint32_t { clusterBarrier = ~0u };
  void mbarrierArrive(uint32_t warp, uint32_t offset, Mask lanes = ~Mask(0), uint32_t phase = 0,
                      BlockChecker *home = nullptr, bool fencedOnly = false);
  void mbarrierPass(uint32_t warp, uint32_t offset, Mask lanes = ~Mask(0), uint32_t phase = 0,
                    BlockChecker *home = nullptr);
  void mbarrierInit(uint32_t warp, uint32_t offset);

  // Asynchronous copies (cp.async): `asyncCopy` reports the reads and writes of a copy instruction at its issue;
  // `group` numbers the warp's groups from 1. `asyncWait`: groups up to `group` are complete for these lanes.
  void asyncCopy(const Access &read, const Access &write, uint32_t group);
  void asyncWait(uint32_t warp, uint32_t group, Mask lanes = ~Mask(0));
  // A single access that completes when its group has been waited for: an LDS instruction of an AMD GPU.
  void asyncAccess(const Access &access, uint32_t group);
  // cp.async.mbarrier.arrive: releases the accesses of groups up to `group` into the mbarrier. (Also releases what the
  // lanes did until now, although PTX guarantees that only for what precedes the copies.)
  void asyncArrive(uint32_t warp, uint32_t group, uint32_t offset, Mask lanes = ~Mask(0), uint32_t phase = 0);

  // Bulk copies (cp.async.bulk): reports the reads and writes of a copy issued by one lane, in parts of at most a line,
  // at its issue. Its completion is signaled by the lane's group (numbered from 1) or by an mbarrier in its phase.
  struct BulkCompletion {
    uint32_t group = 0; // 0: uses an mbarrier
    BlockChecker *home = nullptr; // owner of the mbarrier; null for this block
    uint32_t mbarrier = 0, phase = 0;
  };
  void bulkAccess(const Access &access, const BulkCompletion &completion);
  // cp.async.bulk.wait_group: the lane's groups up to this one are complete, or have completed their reads.
  void bulkWait(uint32_t warp, uint32_t group, bool readsOnly, Mask lane);
  // Records that a copy that completes at this block's mbarrier, and was issued in one of its phases, is complete.
  void bulkDone(uint32_t mbarrier, uint32_t issuedIn, uint32_t phase);

  // wgmma: reports the shared memory that a wgmma reads when it is issued; `group` numbers the warp's groups from
  // 1. The second function reports that a warp has waited for a group of its warpgroup, which completes it for all
  // warps of the warpgroup.
  void wgmmaRead(const Access &read, uint32_t group);
  void wgmmaWait(uint32_t warp, uint32_t firstOfGroup, uint32_t warps, uint32_t group);

  // Tensor memory (tcgen05). Newly allocated columns are uninitialized, and earlier accesses to them are forgotten.
  // Allocating and freeing count as stores by a warp.
  void tensorAllocate(uint32_t firstColumn, uint32_t columns);
  // Reports a tcgen05.ld or .st at its issue. It is complete when the warp has waited for it.
  void tensorMove(const Access &access);
  void tensorWait(uint32_t warp, bool stores);
  // Reports an access of the tensor core to tensor memory or shared memory on behalf of one lane, at its issue, in
  // parts of at most a line. Its accesses for the same lane are in order.
  void tensorWork(const Access &access);
  // tcgen05.commit: returns a clock of everything that the lane knows and of its work so far. `tensorArrive` releases
  // that clock into an mbarrier of this block when the work is complete.
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
