//===-- MemoryAccess.cpp ---------------------------------------------------------------------------------------===//
#include "emulator/exec/MemoryAccess.h"
#include "emulator/exec/Program.h"

using namespace tilecc::emu;
using ptx::Space;

void tilecc::emu::computeAddresses(Warp &warp, const Inst &inst, Mask lanes, uint32_t row,
                                   uint64_t (&addresses)[warpSize]) {
  if (inst.wideAddress) {
    const u64 *base = warp.row<u64>(row);
    TILECC_LANES
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = base[lane] + inst.offset;
  } else {
    const u32 *base = warp.row<u32>(row);
    TILECC_LANES
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = static_cast<u32>(base[lane] + inst.offset);
  }
  (void)lanes;
}

// Returns the space of a generic address.
static Space spaceOf(uint64_t address) {
  switch (address & windowMask) {
  case sharedWindow: return Space::shared;
  case localWindow: return Space::local;
  case paramWindow: return Space::param;
  default: return Space::global;
  }
}

static Access::Where whereOf(Space space) {
  switch (space) {
  case Space::shared: return Access::shared;
  case Space::local: return Access::local;
  case Space::param: return Access::param;
  case Space::constant: return Access::constant;
  default: return Access::global;
  }
}

static const char *nameOf(Space space) {
  switch (space) {
  case Space::shared: return "shared";
  case Space::local: return "local";
  case Space::param: return "parameter";
  case Space::constant: return "constant";
  default: return "global";
  }
}

static std::string hex(uint64_t value) {
  char text[24];
  snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

Access tilecc::emu::describe(const Warp &warp, const Inst &inst, Mask lanes, const uint64_t *addresses, Space space,
                             uint32_t bytes, Access::Kind kind, const std::byte *values) {
  Access access;
  access.kind = kind;
  access.where = whereOf(space);
  access.order = inst.order;
  access.scope = inst.scope;
  access.warp = warp.index;
  access.pc = warp.pc(inst);
  access.bytes = bytes;
  access.lanes = lanes;
  access.address = addresses;
  access.align = bytes;
  access.values = values;
  access.replaces = inst.replaces;
  access.polls = inst.polls;
  return access;
}

Block &tilecc::emu::ownerOf(Warp &warp, const Inst &inst, unsigned lane, uint64_t &address) {
  uint64_t rank = address >> clusterRankShift;
  if (rank == 0)
    return *warp.block;
  const Cluster &cluster = *warp.block->cluster;
  if (rank > cluster.blocks.size())
    warp.fault(inst, Mask(1) << lane, errorIllegalAddress, "cluster address",
               hex(address) + " is an address of shared memory of no block of the cluster");
  address &= (uint64_t(1) << clusterRankShift) - 1;
  Block &owner = *cluster.blocks[rank - 1];
  if (&owner != warp.block && owner.finished())
    warp.fault(inst, Mask(1) << lane, errorIllegalAddress, "cluster address",
               "the shared memory is that of block " + std::to_string(rank - 1) +
                   " of the cluster, which has ended: a barrier of the cluster must keep it");
  return owner;
}

SharedPlace tilecc::emu::findShared(Warp &warp, const Inst &inst, unsigned lane, uint64_t address, Space space,
                                    uint32_t bytes, uint32_t align, const char *what) {
  Block *block = warp.block;
  bool inWindow = (address & windowMask) == sharedWindow;
  if (space == Space::generic && inWindow)
    address -= sharedWindow;
  if (space == Space::cluster || (space == Space::generic && inWindow))
    block = &ownerOf(warp, inst, lane, address);
  if ((space == Space::generic && !inWindow) || address > block->sharedBytes || bytes > block->sharedBytes - address)
    warp.fault(inst, Mask(1) << lane, errorIllegalAddress, what,
               std::string(what) + " must be " + std::to_string(bytes) + " bytes of shared memory, and " +
                   hex(address) + " is not");
  if (address & (align - 1))
    warp.fault(inst, Mask(1) << lane, errorMisalignedAddress, what,
               std::string(what) + " must be aligned to " + std::to_string(align) + " bytes, and shared+" +
                   hex(address) + " is not");
  return {block, static_cast<uint32_t>(address)};
}

SharedPlace tilecc::emu::findMbarrier(Warp &warp, const Inst &inst, unsigned lane, uint64_t address, Space space,
                                      Access::Kind kind) {
  constexpr uint32_t bytes = sizeof(Mbarrier::Image);
  SharedPlace object = findShared(warp, inst, lane, address, space, bytes, bytes, "an mbarrier");
  if (BlockChecker *checker = warp.block->checker.get()) {
    uint64_t addresses[warpSize];
    addresses[lane] = object.offset;
    Access access = describe(warp, inst, Mask(1) << lane, addresses, Space::shared, bytes, kind, nullptr);
    access.isMbarrier = true;
    access.order = kind == Access::atomic ? Order::relaxed : Order::weak;
    access.scope = Scope::cluster;
    access.home = object.block == warp.block ? nullptr : object.block->checker.get();
    checker->access(access);
  }
  return object;
}

Pointers tilecc::emu::translate(Warp &warp, const Inst &inst, Mask lanes, const uint64_t *addresses, Space space,
                                uint32_t bytes, Access::Kind kind, Block *home) {
  Block &block = home ? *home : *warp.block;
  Launch &launch = *block.launch;
  Pointers pointers;
  uint64_t misaligned = 0;
  for (Mask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    uint64_t address = addresses[lane];
    misaligned |= address & (bytes - 1);
    std::byte *at = nullptr;
    switch (space) {
    case Space::shared:
      if (address <= block.sharedBytes && bytes <= block.sharedBytes - address)
        at = block.shared + address;
      break;
    case Space::local:
      if (uint32_t size = launch.program->localBytes; address <= size && bytes <= size - address)
        at = warp.local + size_t(lane) * size + address;
      break;
    case Space::param:
      if (address <= launch.params.size() && bytes <= launch.params.size() - address && kind == Access::load)
        at = launch.params.data() + address;
      break;
    default: at = launch.memory->backing(address, bytes);
    }
    if (!at)
      warp.fault(inst, Mask(1) << lane, errorIllegalAddress, "bounds",
                 std::string(kind == Access::load ? "a read of " : "a write of ") + std::to_string(bytes) +
                     " bytes at " + hex(address) + ", which is not in " + nameOf(space) + " memory");
    pointers.at[lane] = at;
  }
  if (misaligned)
    for (Mask rest = lanes; rest; rest &= rest - 1)
      if (unsigned lane = __builtin_ctz(rest); addresses[lane] & (bytes - 1))
        warp.fault(inst, Mask(1) << lane, errorMisalignedAddress, "alignment",
                   std::string(kind == Access::load ? "a read of " : "a write of ") + std::to_string(bytes) +
                       " bytes at the misaligned address " + hex(addresses[lane]) + " of " + nameOf(space) + " memory");
  return pointers;
}

Pointers tilecc::emu::access(Warp &warp, const Inst &inst, Mask lanes, const uint64_t (&addresses)[warpSize],
                             Space space, uint32_t bytes, Access::Kind kind, const std::byte *values) {
  auto checkedAccess = [&](Mask lanes, const uint64_t *addresses, Space space, Block *home) {
    BlockChecker *checker = warp.block->checker.get();
    if (checker) {
      Access access = describe(warp, inst, lanes, addresses, space, bytes, kind, values);
      access.home = home ? home->checker.get() : nullptr;
      checker->access(access);
    }
    if (BlockProfile *profile = warp.block->profile.get()) {
      if (space == Space::shared)
        profile->accessShared(warp.pc(inst), lanes, addresses, bytes);
      else if (space == Space::global)
        profile->accessGlobal(warp.pc(inst), lanes, addresses, bytes);
    }
    if (inst.order != Order::weak)
      warp.looks += space == Space::global;
    std::unique_ptr<BlockChecker, Pointers::Performed> performed(inst.order != Order::weak ? checker : nullptr);
    Pointers pointers = translate(warp, inst, lanes, addresses, space, bytes, kind, home);
    pointers.checker = std::move(performed);
    return pointers;
  };
  if (space != Space::generic && space != Space::cluster)
    return checkedAccess(lanes, addresses, space, nullptr);
  Pointers pointers;
  // The lanes of a generic access may be in several spaces and in the shared memory of several blocks, but rarely are.
  for (Mask rest = lanes; rest;) {
    Space first = space == Space::cluster ? Space::shared : spaceOf(addresses[__builtin_ctz(rest)]);
    uint64_t window =
        space == Space::cluster || first == Space::global ? 0 : addresses[__builtin_ctz(rest)] & windowMask;
    Block *home = nullptr;
    Mask same = 0;
    uint64_t inSpace[warpSize];
    for (Mask scan = rest; scan; scan &= scan - 1) {
      unsigned lane = __builtin_ctz(scan);
      if (space == Space::generic && spaceOf(addresses[lane]) != first)
        continue;
      inSpace[lane] = addresses[lane] - window;
      if (first == Space::shared) {
        Block *owner = &ownerOf(warp, inst, lane, inSpace[lane]);
        if (same && owner != home)
          continue;
        home = owner;
      }
      same |= Mask(1) << lane;
    }
    Pointers found = checkedAccess(same, inSpace, first, home == warp.block ? nullptr : home);
    if (found.checker) {
      pointers.checker.release(); // it is the same one
      pointers.checker = std::move(found.checker);
    }
    for (rest &= ~same; same; same &= same - 1)
      pointers.at[__builtin_ctz(same)] = found.at[__builtin_ctz(same)];
  }
  return pointers;
}
