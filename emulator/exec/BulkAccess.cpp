//===-- BulkAccess.cpp -----------------------------------------------------------------------------------------===//
#include "emulator/exec/BulkAccess.h"

using namespace tilecc::emu;

BulkAccess::BulkAccess(Warp &warp, const Inst &inst, unsigned lane, SharedPlace mbarrier)
    : warp(warp), inst(inst), lane(lane) {
  copy.issued = warp.place(inst, Mask(1) << lane);
  copy.block = mbarrier.block;
  copy.mbarrier = mbarrier.offset;
  const Mbarrier &object = mbarrierOf(*mbarrier.block, mbarrier.offset, copy.issued);
  copy.phase = object.phase;
  if (Launch &launch = *warp.block->launch; launch.checksInitialized && !object.isFenced)
    launch.reporter->report("mbarrier fence", copy.issued,
                            "the asynchronous proxy has not been told of an mbarrier's initialization",
                            {launch.reporter->thread(copy.issued) + " issues a copy that completes there",
                             "  " + launch.reporter->names().instruction(copy.issued.pc),
                             launch.reporter->thread(object.initialized) +
                                 " initialized it with no fence.mbarrier_init or fence.proxy.async in between",
                             "  " + launch.reporter->names().instruction(object.initialized.pc)});
  completion.home = mbarrier.block->checker.get();
  completion.mbarrier = mbarrier.offset;
  completion.phase = copy.phase;
}

BulkAccess::BulkAccess(Warp &warp, const Inst &inst, unsigned lane) : warp(warp), inst(inst), lane(lane) {
  BulkGroups &groups = bulkGroupsOf(warp);
  copy.issued = warp.place(inst, Mask(1) << lane);
  copy.warp = warp.index;
  copy.lane = lane;
  copy.group = completion.group = groups.committed[lane] + 1;
  groups.last[lane] = {copy.group, warp.pc(inst)};
}

void BulkAccess::tell(Access::Where where, BlockChecker *home, uint64_t address, uint32_t bytes, Access::Kind kind) {
  BlockChecker *checker = warp.block->checker.get();
  if (!checker)
    return;
  uint64_t addresses[warpSize];
  Access access;
  access.kind = kind;
  access.where = where;
  access.order = kind == Access::atomic ? Order::relaxed : Order::weak;
  access.warp = warp.index;
  access.pc = warp.pc(inst);
  access.lanes = Mask(1) << lane;
  access.address = addresses;
  access.asyncProxy = true;
  access.home = home;
  for (uint64_t end = address + bytes; address < end; address += access.bytes) {
    addresses[lane] = address;
    access.bytes = std::min<uint64_t>(end, (address | (lineBytes - 1)) + 1) - address;
    checker->bulkAccess(access, completion);
  }
}

std::byte *BulkAccess::global(uint64_t address, uint32_t bytes, Access::Kind kind) {
  tell(Access::global, nullptr, address, bytes, kind);
  if (BlockProfile *profile = warp.block->profile.get())
    profile->copyGlobal(warp.pc(inst), address, bytes);
  std::byte *at = warp.block->launch->memory->backing(address, bytes);
  if (!at) {
    char text[96];
    snprintf(text, sizeof(text), "a bulk copy %s %u bytes at 0x%llx, which is not in global memory",
             kind == Access::load ? "reads" : "writes", bytes, static_cast<unsigned long long>(address));
    warp.fault(inst, Mask(1) << lane, errorIllegalAddress, "bounds", text);
  }
  return at;
}

void BulkAccess::lookAt(uint64_t address) {
  if (warp.block->launch->memory->backing(address, 1))
    return;
  char text[128];
  snprintf(text, sizeof(text), "a box begins outside of its tensor, which begins at 0x%llx, where no memory is",
           static_cast<unsigned long long>(address));
  warp.fault(inst, Mask(1) << lane, errorIllegalAddress, "bounds", text);
}

std::byte *BulkAccess::shared(SharedPlace place, uint32_t bytes, Access::Kind kind) {
  Block &block = *place.block;
  tell(Access::shared, &block == warp.block ? nullptr : block.checker.get(), place.offset, bytes, kind);
  return block.shared + place.offset;
}

void BulkAccess::issue(std::function<void()> perform, uint32_t bytes) {
  copy.perform = std::move(perform);
  copy.bytes = bytes;
  warp.block->bulkCopies.issue(std::move(copy));
  ++warp.changes;
  ++warp.progress;
}

BulkGroups &tilecc::emu::bulkGroupsOf(Warp &warp) {
  if (!warp.bulkGroups)
    warp.bulkGroups = std::make_unique<BulkGroups>();
  return *warp.bulkGroups;
}

void tilecc::emu::checkBulkGroupsAtExit(Warp &warp, Mask lanes) {
  if (!warp.bulkGroups)
    return;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    BulkGroups::Last last = warp.bulkGroups->last[lane];
    if (last.group <= warp.bulkGroups->waited[lane])
      continue;
    Reporter &reporter = *warp.block->launch->reporter;
    Place place{warp.block->number, warp.index * warpSize + lane, last.pc};
    reporter.report("bulk group", place,
                    "a thread ends without a wait for its bulk copy to have read shared memory "
                    "(cp.async.bulk.wait_group.read)",
                    {reporter.thread(place) + " has issued it", "  " + reporter.names().instruction(last.pc)});
  }
}
