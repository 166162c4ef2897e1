//===-- TensorMapOperands.cpp - tensormap.replace and its fences (PTX ISA 9.7.9.26) -----------------------------===//
//
// A kernel may build a tensor map field by field, in shared memory or in place. Copies may use such a map once it has
// been released, and acquired by the block that copies (MadeMaps.h).
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/isa/TensorMapOperands.h"
#include "emulator/isa/Table.h"

#include <iterator>

using namespace tilecc::emu;
using ptx::Space;

static bool isGlobal(uint64_t address) { return (address & windowMask) == 0; }

// Reports a map built in this launch that the copying block has not acquired.
static void checkAcquired(Warp &warp, const Inst &inst, unsigned lane, uint64_t address) {
  Launch &launch = *warp.block->launch;
  std::optional<MadeMaps::Map> made = launch.madeMaps.find(address);
  if (!made || !launch.checker)
    return;
  auto acquired = warp.block->acquiredMaps.find(address);
  bool isAcquired = acquired != warp.block->acquiredMaps.end() && acquired->second == made->version;
  if (made->isReleased && isAcquired)
    return;
  Reporter &reporter = *launch.reporter;
  Place place = warp.place(inst, Mask(1) << lane);
  std::string fence = made->isReleased ? "its block with no fence.proxy.tensormap::generic.acquire since"
                                       : "no fence.proxy.tensormap::generic.release has followed";
  reporter.report("tensor map fence", place, "a copy by a tensor map that was made in this launch, and " + fence,
                  {reporter.thread(place) + " issues it", "  " + reporter.names().instruction(place.pc),
                   reporter.thread(made->writer) + " has written the map",
                   "  " + reporter.names().instruction(made->writer.pc)});
}

static std::byte *bytesOfMap(Warp &warp, const Inst &inst, unsigned lane, uint64_t address) {
  Launch &launch = *warp.block->launch;
  std::byte *at = nullptr;
  if ((address & windowMask) == paramWindow) {
    if (uint64_t offset = address - paramWindow; offset + TensorMap::bytes <= launch.params.size())
      at = launch.params.data() + offset;
  } else if (isGlobal(address)) {
    at = launch.memory->backing(address, TensorMap::bytes);
  }
  if (!at)
    warp.fault(inst, Mask(1) << lane, errorIllegalAddress, "tensor map",
               "the tensor map is not in parameter, constant or global memory");
  if (address % TensorMap::alignment)
    warp.fault(inst, Mask(1) << lane, errorMisalignedAddress, "tensor map",
               "the tensor map is not aligned to 64 bytes");
  return at;
}

TensorMap tilecc::emu::mapAt(Warp &warp, const Inst &inst, unsigned lane, uint64_t address) {
  TensorMap map;
  if (!map.load(bytesOfMap(warp, inst, lane, address)))
    warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "tensor map",
               "these 128 bytes are no tensor map that cuTensorMapEncodeTiled or tensormap.replace has made");
  if (std::string why = map.check(); !why.empty())
    warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "tensor map", "a tensor map that is not right: " + why);
  if (isGlobal(address))
    checkAcquired(warp, inst, lane, address);
  return map;
}

//===-- tensormap.replace --------------------------------------------------------------------------------------===//

static uint64_t addressIn(Warp &warp, const Inst &inst, unsigned operand, unsigned lane) {
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, Mask(1) << lane, inst.op[operand], addresses);
  return addresses[lane];
}

// Accesses a map as memory, for a lane.
static Pointers accessMap(Warp &warp, const Inst &inst, unsigned lane, uint64_t address, Space space, Access::Kind kind,
                          const std::byte *values = nullptr) {
  uint64_t addresses[warpSize];
  addresses[lane] = address;
  return access(warp, inst, Mask(1) << lane, addresses, space, TensorMap::bytes, kind, values);
}

// op: the map, the value (inst.elementBytes wide), or the dimension and the value. inst.extra: the field
static void replace(Warp &warp, const Inst &inst, Mask lanes) {
  auto field = TensorMap::Field(inst.extra);
  bool isOfDimension = inst.sources == 3;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    uint64_t address = addressIn(warp, inst, 0, lane);
    uint32_t dimension = isOfDimension ? warp.row<u32>(inst.op[1])[lane] : 0, operand = inst.op[isOfDimension ? 2 : 1];
    uint64_t value = inst.elementBytes == 8 ? warp.row<u64>(operand)[lane] : warp.row<u32>(operand)[lane];
    std::byte bytes[TensorMap::bytes];
    std::memcpy(bytes, accessMap(warp, inst, lane, address, inst.space, Access::load).at[lane], sizeof(bytes));
    std::string why = dimension < TensorMap::maxDimensions - (field == TensorMap::Field::globalStride)
                          ? TensorMap::replace(bytes, field, dimension, value)
                          : "a tensor map has no dimension " + std::to_string(dimension) + " of this field";
    if (!why.empty())
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "tensor map", why);
    Pointers to = accessMap(warp, inst, lane, address, inst.space, Access::store);
    std::memcpy(to.at[lane], bytes, sizeof(bytes));
    if (inst.space != Space::shared && isGlobal(address))
      warp.block->launch->madeMaps.write(address, /*isReleased=*/false, warp.place(inst, Mask(1) << lane));
  }
  ++warp.changes;
  ++warp.progress;
}

static void selectReplace(const Match &match, Inst &inst) {
  static constexpr std::string_view names[] = {"global_address", "rank",           "box_dim",  "global_dim",
                                               "global_stride",  "element_stride", "elemtype", "interleave_layout",
                                               "swizzle_mode",   "fill_mode"};
  static_assert(std::size(names) == size_t(TensorMap::Field::count));
  inst.run = &replace;
  inst.memory = true;
  inst.space = match.has("global") ? Space::global : match.has("shared::cta") ? Space::shared : Space::generic;
  inst.elementBytes = match.has("b64") ? 8 : 4;
  for (uint32_t field = 0; field < std::size(names); ++field)
    if (match.has(names[field]))
      inst.extra = field;
}

//===-- Fences -------------------------------------------------------------------------------------------------===//

// op: to, from, 128. The whole warp executes the instruction with equal operands. PTX does not specify which lane
// copies. Here it is the last one, so a kernel that writes the map with another lane must synchronize the warp first.
static void copyAndRelease(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned lane = warpSize - 1 - __builtin_clz(lanes);
  uint64_t to = addressIn(warp, inst, 0, lane), from = warp.row<u64>(inst.op[1])[lane];
  std::byte bytes[TensorMap::bytes];
  std::memcpy(bytes, accessMap(warp, inst, lane, from, Space::shared, Access::load).at[lane], sizeof(bytes));
  std::memcpy(accessMap(warp, inst, lane, to, Space::global, Access::store, bytes).at[lane], bytes, sizeof(bytes));
  warp.block->launch->madeMaps.write(to, /*isReleased=*/true, warp.place(inst, Mask(1) << lane));
  ++warp.changes;
  ++warp.progress;
}

static void release(Warp &warp, const Inst &, Mask) { warp.block->launch->madeMaps.release(warp.block->number); }

// op: the map, 128
static void acquire(Warp &warp, const Inst &inst, Mask lanes) {
  for (; lanes; lanes &= lanes - 1) {
    uint64_t address = addressIn(warp, inst, 0, __builtin_ctz(lanes));
    if (std::optional<MadeMaps::Map> made = warp.block->launch->madeMaps.find(address); made && made->isReleased)
      warp.block->acquiredMaps[address] = made->version;
  }
}

Rows tilecc::emu::tensorMapRows() {
  Rows rows = {
      {"tensormap.replace.tile.global_address{.global|.shared::cta}.b1024.b64 [a], b:b64", selectReplace},
      {"tensormap.replace.tile(.rank|.elemtype|.interleave_layout|.swizzle_mode|.fill_mode){.global|.shared::cta}."
       "b1024.b32"
       " [a], b:b32",
       selectReplace},
      {"tensormap.replace.tile(.box_dim|.global_dim|.element_stride){.global|.shared::cta}.b1024.b32 [a], b:b32, c:b32",
       selectReplace},
      {"tensormap.replace.tile.global_stride{.global|.shared::cta}.b1024.b64 [a], b:b32, c:b64", selectReplace},
      {"fence.proxy.tensormap::generic.release.$scope", [](const Match &, Inst &inst) { inst.run = &release; }},
      {"fence.proxy.tensormap::generic.acquire.$scope [a], 128",
       [](const Match &, Inst &inst) {
         inst.run = &acquire;
         inst.memory = true;
         inst.space = Space::generic;
       }},
      {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.$scope.sync.aligned [a], [b], 128",
       [](const Match &, Inst &inst) {
         inst.run = &copyAndRelease;
         inst.memory = true;
         inst.space = Space::global;
       },
       Flow::collective}, // for the whole warp: inst.extra is 0
  };
  return rows;
}
