//===-- Bulk.cpp - cp.async.bulk (PTX ISA 9.7.9.25.4) ----------------------------------------------------------===//
#include "emulator/exec/BulkAccess.h"
#include "emulator/isa/BulkReduce.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;
using ptx::Space;

// Returns the address in `operand`, which must not be the first address of the instruction. The decoder has added the
// offset to every later address, so its row holds a full 64-bit address for each lane.
static uint64_t addressIn(Warp &warp, const Inst &inst, unsigned operand, unsigned lane) {
  return warp.row<u64>(inst.op[operand])[lane];
}

static uint64_t firstAddress(Warp &warp, const Inst &inst, unsigned lane) {
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, Mask(1) << lane, inst.op[0], addresses);
  return addresses[lane];
}

static uint32_t bytesIn(Warp &warp, const Inst &inst, unsigned operand, unsigned lane) {
  u32 bytes = warp.row<u32>(inst.op[operand])[lane];
  if (bytes % 16)
    warp.fault(inst, Mask(1) << lane, errorMisalignedAddress, "bulk copy",
               "a bulk copy of " + std::to_string(bytes) + " bytes: it must be a multiple of 16");
  return bytes;
}

static uint64_t alignedGlobal(Warp &warp, const Inst &inst, unsigned lane, uint64_t address) {
  if (address % 16)
    warp.fault(inst, Mask(1) << lane, errorMisalignedAddress, "bulk copy",
               "a bulk copy at the misaligned address " + std::to_string(address) + " of global memory: 16 bytes");
  return address;
}

static SharedPlace sharedOf(Warp &warp, const Inst &inst, unsigned lane, uint64_t address, Space space,
                            uint32_t bytes) {
  return findShared(warp, inst, lane, address, space, bytes, 16, "a bulk copy");
}

// Finds a copy's mbarrier, which must be in the shared memory that the copy writes.
static SharedPlace mbarrierFor(Warp &warp, const Inst &inst, unsigned operand, unsigned lane,
                               const SharedPlace &target) {
  SharedPlace object =
      findMbarrier(warp, inst, lane, addressIn(warp, inst, operand, lane), Space::cluster, Access::atomic);
  if (object.block != target.block)
    warp.fault(inst, Mask(1) << lane, errorIllegalAddress, "bulk copy",
               "a bulk copy writes to the shared memory of another block than the one that its mbarrier is in");
  return object;
}

// op: to, from, bytes, the mbarrier, the mask of a multicast
static void loadBulk(Warp &warp, const Inst &inst, Mask lanes) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    uint32_t bytes = bytesIn(warp, inst, 2, lane);
    uint64_t from = alignedGlobal(warp, inst, lane, addressIn(warp, inst, 1, lane));
    SharedPlace to = sharedOf(warp, inst, lane, firstAddress(warp, inst, lane), inst.space, bytes);
    SharedPlace mbarrier = mbarrierFor(warp, inst, 3, lane, to);
    eachTarget(warp, inst, lane, inst.extra ? &warp.row<u16>(inst.op[4])[lane] : nullptr, to, mbarrier,
               [&](SharedPlace target, SharedPlace object) {
                 BulkAccess access(warp, inst, lane, object);
                 const std::byte *source = access.global(from, bytes, Access::load);
                 std::byte *destination = access.shared(target, bytes, Access::store);
                 access.issue([=] { std::memcpy(destination, source, bytes); }, bytes);
               });
  }
}

// Copies from shared memory to another block of the cluster. op: to, from, bytes, the mbarrier
static void copyInCluster(Warp &warp, const Inst &inst, Mask lanes) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    uint32_t bytes = bytesIn(warp, inst, 2, lane);
    SharedPlace from = sharedOf(warp, inst, lane, addressIn(warp, inst, 1, lane), Space::shared, bytes);
    SharedPlace to = sharedOf(warp, inst, lane, firstAddress(warp, inst, lane), Space::cluster, bytes);
    BulkAccess access(warp, inst, lane, mbarrierFor(warp, inst, 3, lane, to));
    const std::byte *source = access.shared(from, bytes, Access::load);
    std::byte *destination = access.shared(to, bytes, inst.function ? Access::atomic : Access::store);
    auto reduce = reinterpret_cast<BulkReduce>(inst.function);
    access.issue(
        [=] {
          reduce ? reduce(destination, source, bytes) : static_cast<void>(std::memcpy(destination, source, bytes));
        },
        bytes);
  }
}

// op: to, from, bytes
static void storeBulk(Warp &warp, const Inst &inst, Mask lanes) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    uint32_t bytes = bytesIn(warp, inst, 2, lane);
    uint64_t to = alignedGlobal(warp, inst, lane, firstAddress(warp, inst, lane));
    SharedPlace from = sharedOf(warp, inst, lane, addressIn(warp, inst, 1, lane), Space::shared, bytes);
    BulkAccess access(warp, inst, lane);
    const std::byte *source = access.shared(from, bytes, Access::load);
    std::byte *destination = access.global(to, bytes, inst.function ? Access::atomic : Access::store);
    auto reduce = reinterpret_cast<BulkReduce>(inst.function);
    access.issue(
        [=] {
          reduce ? reduce(destination, source, bytes) : static_cast<void>(std::memcpy(destination, source, bytes));
        },
        bytes);
  }
}

static void commitGroup(Warp &warp, const Inst &, Mask lanes) {
  BulkGroups &groups = bulkGroupsOf(warp);
  for (; lanes; lanes &= lanes - 1)
    ++groups.committed[__builtin_ctz(lanes)];
}

// op: the number of groups that may be pending. inst.extra: wait only for their reads
static void waitGroup(Warp &warp, const Inst &inst, Mask lanes) {
  BulkGroups &groups = bulkGroupsOf(warp);
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    u32 left = warp.row<u32>(inst.op[0])[lane];
    if (left >= groups.committed[lane])
      continue;
    uint32_t group = groups.committed[lane] - left;
    warp.block->bulkCopies.wait(warp.index, lane, group);
    groups.waited[lane] = std::max(groups.waited[lane], group);
    if (warp.block->checker)
      warp.block->checker->bulkWait(warp.index, group, inst.extra, Mask(1) << lane);
  }
}

template <Space space, bool multicast> static void selectLoad(const Match &, Inst &inst) {
  inst.run = &loadBulk;
  inst.memory = true;
  inst.space = space;
  inst.extra = multicast;
}
template <Handler handler, Space space> static void select(const Match &match, Inst &inst) {
  inst.run = handler;
  inst.memory = true;
  inst.space = space;
  inst.function = reinterpret_cast<void (*)()>(bulkReduceOf(match, match.T));
  if (match.instruction->modifiers[0] == "reduce" && !inst.function)
    inst.run = nullptr;
}

static void nothing(Warp &, const Inst &, Mask) {}

Rows tilecc::emu::bulkRows() {
  return {
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{.$hint} [a], [b], n:u32, [m], p:b64?",
       selectLoad<Space::cluster, false>},
      {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes{.$hint} [a], [b], n:u32, [m], p:b64?",
       selectLoad<Space::shared, false>},
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster{.$hint} "
       "[a], [b], n:u32, [m], k:u16, p:b64?",
       selectLoad<Space::cluster, true>},
      {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [a], [b], n:u32, [m]",
       select<copyInCluster, Space::cluster>},
      {"cp.async.bulk.global.shared::cta.bulk_group{.$hint} [a], [b], n:u32, p:b64?", select<storeBulk, Space::global>},
      {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
       "(.add|.min|.max|.inc|.dec|.and|.or|.xor).T [a], [b], n:u32, [m]; T = b32 b64 u32 s32 u64 s64",
       select<copyInCluster, Space::cluster>},
      {"cp.reduce.async.bulk.global.shared::cta.bulk_group{.$hint}(.add|.min|.max|.inc|.dec|.and|.or|.xor){.noftz}.T "
       "[a], [b], n:u32, p:b64?; T = b32 b64 u32 s32 u64 s64 f16 bf16 f32 f64",
       select<storeBulk, Space::global>},
      {"cp.async.bulk.prefetch.L2.global{.$hint} [a], n:u32, p:b64?",
       [](const Match &, Inst &inst) {
         inst.run = &nothing;
         inst.space = Space::global;
       }},
      {"cp.async.bulk.commit_group", [](const Match &, Inst &inst) { inst.run = &commitGroup; }},
      {"cp.async.bulk.wait_group{.read} n:u32",
       [](const Match &match, Inst &inst) {
         inst.run = &waitGroup;
         inst.extra = match.has("read");
       }},
  };
}
