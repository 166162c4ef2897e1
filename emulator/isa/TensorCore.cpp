//===-- TensorCore.cpp - tcgen05.mma, cp and commit (PTX ISA 9.7.16) ---------------------------------------------===//
//
// Single threads issue these instructions to the tensor core, which executes them later, in the order of issue
// (exec/TensorMemory.h). When a wait at the mbarrier of a tcgen05.commit succeeds, everything before the commit is
// complete.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/checks/VectorClock.h"
#include "emulator/exec/TensorCoreMma.h"
#include "emulator/isa/SharedMatrix.h"
#include "emulator/isa/Table.h"

#include <bit>

using namespace tilecc::emu;
using ptx::Space;

static u32 firstAddress(Warp &warp, const Inst &inst, unsigned lane) {
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, Mask(1) << lane, inst.op[0], addresses);
  return static_cast<u32>(addresses[lane]);
}

//===-- tcgen05.mma --------------------------------------------------------------------------------------------===//

// op: D, A (a descriptor or an address), B's descriptor, the instruction descriptor, the masks, the scales of A and of
// B, whether D is added, and its scale. Addresses except the first are 64-bit rows.
static void multiply(Warp &warp, const Inst &inst, Mask lanes) {
  MmaForm form = std::bit_cast<MmaForm>(inst.extra);
  needGroup(warp, inst, lanes, form.isPair ? 2 : 1);
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    const uint32_t *op = inst.op + 1;
    MmaOperands operands = {};
    operands.d = firstAddress(warp, inst, lane);
    operands.a = warp.row<u64>(*op++)[lane];
    operands.b = warp.row<u64>(*op++)[lane];
    operands.descriptor = warp.row<u32>(*op++)[lane];
    for (unsigned i = 0; i < form.masks; ++i)
      operands.masks[i] = warp.row<u32>(*op++)[lane];
    if (hasScales(MmaKind(form.kind))) {
      operands.scaleA = static_cast<u32>(warp.row<u64>(*op++)[lane]);
      operands.scaleB = static_cast<u32>(warp.row<u64>(*op++)[lane]);
    }
    operands.accumulates = warp.mask(*op++) >> lane & 1;
    if (form.scalesD)
      operands.scaleD = warp.row<u32>(*op++)[lane];
    TensorCoreAccess access(warp, inst, lane);
    if (operands.scaleD > 15)
      access.fault(errorIllegalInstruction,
                   "tcgen05.mma: scale-input-d is " + std::to_string(operands.scaleD) + ", and it must be at most 15");
    issueMma(access, form, operands);
  }
}

static void selectMma(const Match &match, Inst &inst) {
  static constexpr std::string_view kinds[] = {"kind::f16",      "kind::tf32", "kind::f8f6f4",  "kind::i8",
                                               "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"};
  MmaForm form = {};
  for (unsigned i = 0; i < std::size(kinds); ++i)
    if (match.has(kinds[i]))
      form.kind = i;
  MmaKind kind = MmaKind(form.kind);
  form.isPair = match.has("cta_group::2");
  form.leftInTensor = match.syntax.find("], [a]") != std::string_view::npos;
  form.masks = match.syntax.find("{m*8") != std::string_view::npos   ? 8
               : match.syntax.find("{m*4") != std::string_view::npos ? 4
                                                                     : 0;
  if (form.masks && form.masks != (form.isPair ? 8u : 4u))
    return;
  if (!hasScales(kind)) {
    // The last operand is optional.
    form.scalesD = match.instruction->operands.size() == syntax::operandCount(match.syntax);
    if (form.scalesD && kind != MmaKind::f16 && kind != MmaKind::tf32)
      return;
  } else {
    unsigned usual = kind == MmaKind::mxf8f6f4 ? 1 : kind == MmaKind::mxf4 ? 2 : 0;
    bool isBlock32 = match.has("block32"), isBlock16 = match.has("block16");
    form.scales = match.has("scale_vec::1X")   ? 1
                  : match.has("scale_vec::2X") ? 2
                  : match.has("scale_vec::4X") ? 4
                  : isBlock16                  ? 4
                  : isBlock32                  ? (usual ? usual : 2)
                                               : usual;
    if (kind == MmaKind::mxf4nvf4 ? form.scales != 2 && form.scales != 4 : form.scales != usual)
      return;
  }
  if (match.has("ashift"))
    return;
  inst.run = &multiply;
  inst.extra = std::bit_cast<uint32_t>(form);
}

//===-- tcgen05.cp ---------------------------------------------------------------------------------------------===//

namespace {

// Copies `rows` rows of this many bytes from shared memory to consecutive lanes. inst.extra holds the form.
struct CopyForm {
  uint32_t rows : 8;
  uint32_t rowBytes : 8;
  uint32_t multicast : 2; // none; warpx4; warpx2::02_13; warpx2::01_23
  uint32_t isPair : 1;
  uint32_t unused : 13;
};
enum Multicast : uint32_t { toOne, toAll, to02And13, to01And23 };

struct CopiedPiece {
  uint32_t from;         // in shared memory
  uint32_t lane, column; // of its first copy, relative to the address
};

} // namespace

// Returns the destination lanes of a row. In a multicast to two, rows beyond the first 32 go to the other pair.
static TensorLanes lanesOfRow(CopyForm form, uint32_t row) {
  TensorLanes lanes;
  switch (form.multicast) {
  case toAll:
    for (uint32_t quarter = 0; quarter < 4; ++quarter)
      lanes.set(row + 32 * quarter);
    break;
  case to02And13: lanes.set(row).set(row + 64); break;
  case to01And23: lanes.set(row % 32 + row / 32 * 64).set(row % 32 + row / 32 * 64 + 32); break;
  default: lanes.set(row);
  }
  return lanes;
}

// op: to, the descriptor
static void copyToTensor(Warp &warp, const Inst &inst, Mask lanes) {
  CopyForm form = std::bit_cast<CopyForm>(inst.extra);
  needGroup(warp, inst, lanes, form.isPair ? 2 : 1);
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    TensorCoreAccess access(warp, inst, lane);
    TensorMemory::Address to(firstAddress(warp, inst, lane));
    uint64_t descriptor = warp.row<u64>(inst.op[1])[lane];
    if (const char *flaw = SharedMatrix::flawOf(descriptor))
      access.fault(errorIllegalInstruction, std::string("tcgen05.cp: ") + flaw);
    if (to.lane)
      access.fault(errorMisalignedAddress,
                   "tcgen05.cp begins at lane " + std::to_string(to.lane) + ", and it must begin at lane 0");
    SharedMatrix matrix = SharedMatrix::ofTensorCore(descriptor, /*alongK=*/true);
    std::vector<uint64_t> addresses;
    TensorLanes all;
    for (uint32_t row = 0; row < form.rows; ++row) {
      all |= lanesOfRow(form, row);
      for (uint32_t at = 0; at < form.rowBytes; at += SharedMatrix::pieceBytes)
        addresses.push_back(matrix.address(row, at, 1));
    }
    std::vector<Block *> blocks = blocksOfGroup(warp, inst, Mask(1) << lane, form.isPair ? 2 : 1);
    for (Block *block : blocks) {
      std::vector<uint64_t> sorted = addresses;
      access.shared(*block, sorted);
      needColumns(warp, inst, Mask(1) << lane, *block, to.column, form.rowBytes / 4, "tcgen05.cp");
      access.tensor(*block, all, to.column, form.rowBytes / 4, Access::store);
    }
    access.issue([=, addresses = std::move(addresses)] {
      unsigned perRow = form.rowBytes / SharedMatrix::pieceBytes, cells = SharedMatrix::pieceBytes / 4;
      for (Block *block : blocks)
        for (uint32_t row = 0; row < form.rows && !block->finished(); ++row) {
          TensorLanes targets = lanesOfRow(form, row);
          for (uint32_t target = 0; target < TensorMemory::lanes; ++target)
            for (uint32_t i = 0; targets[target] && i < perRow * cells; ++i)
              std::memcpy(&block->tensor->cell(target, to.column + i),
                          block->shared + addresses[row * perRow + i / cells] + i % cells * 4, 4);
        }
    });
  }
}

static void selectCopy(const Match &match, Inst &inst) {
  CopyForm form = {};
  form.isPair = match.has("cta_group::2");
  form.rows = match.has("32x128b") ? 32 : match.has("64x128b") ? 64 : 128;
  form.rowBytes = match.has("128x256b") ? 32 : 16;
  form.multicast = match.has("warpx4")          ? toAll
                   : match.has("warpx2::02_13") ? to02And13
                   : match.has("warpx2::01_23") ? to01And23
                                                : toOne;
  inst.run = &copyToTensor;
  inst.extra = std::bit_cast<uint32_t>(form);
}

//===-- tcgen05.commit -----------------------------------------------------------------------------------------===//

namespace {

// The arrival of a commit, executed by the tensor core.
struct CommitArrival {
  SharedPlace object;
  Place issued;
  std::shared_ptr<const VectorClock> clock; // null: no checks

  void perform() const {
    Block &block = *object.block;
    Reporter &reporter = *block.launch->reporter;
    bool hasEnded = block.finished();
    auto found = block.mbarriers.find(object.offset);
    if (hasEnded || found == block.mbarriers.end()) {
      reporter.report("tcgen05.commit", issued,
                      hasEnded ? "a tcgen05.commit arrives at an mbarrier of a block that has ended"
                               : "a tcgen05.commit arrives at what is no mbarrier any more",
                      {reporter.thread(issued) + " has issued it", "  " + reporter.names().instruction(issued.pc)});
      return;
    }
    if (clock && block.checker)
      block.checker->tensorArrive(*clock, object.offset, found->second.phase);
    arriveAtMbarrier(block, object.offset, {}, issued);
  }
};

} // namespace

// Generic addresses here are often shared memory addresses in a wider register: ptxas takes the low half.
static SharedPlace mbarrierOf(Warp &warp, const Inst &inst, unsigned lane, uint64_t address) {
  Space space = address >> 32 ? inst.space : Space::cluster;
  return findMbarrier(warp, inst, lane, address, space, Access::atomic);
}

// op: the mbarrier, the multicast mask. inst.extra: true if there is a mask
static void commit(Warp &warp, const Inst &inst, Mask lanes) {
  needGroup(warp, inst, lanes, inst.elementBytes);
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, lanes, inst.op[0], addresses);
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    Mask self = Mask(1) << lane;
    TensorCoreAccess access(warp, inst, lane);
    CommitArrival arrival;
    arrival.issued = access.place();
    arrival.object = mbarrierOf(warp, inst, lane, addresses[lane]);
    if (warp.block->checker)
      arrival.clock = warp.block->checker->tensorCommit(warp.index, self);
    std::vector<CommitArrival> arrivals;
    if (!inst.extra) {
      arrivals.push_back(arrival);
    } else {
      uint32_t mask = warp.row<u16>(inst.op[1])[lane];
      const auto &blocks = warp.block->cluster->blocks;
      if (mask >> blocks.size())
        access.fault(errorIllegalInstruction, "tcgen05.commit to blocks that the cluster does not have: it has " +
                                                  std::to_string(blocks.size()));
      for (; mask; mask &= mask - 1) {
        arrival.object.block = blocks[__builtin_ctz(mask)].get();
        arrivals.push_back(arrival);
      }
    }
    access.issue(
        [arrivals = std::move(arrivals)] {
          for (const CommitArrival &each : arrivals)
            each.perform();
        },
        /*isCommit=*/true);
  }
}

static void selectCommit(const Match &match, Inst &inst) {
  inst.run = &commit;
  inst.memory = true;
  inst.space = match.has("shared::cluster") ? Space::cluster : Space::generic;
  inst.elementBytes = match.has("cta_group::2") ? 2 : 1;
  inst.extra = match.has("multicast::cluster");
}

//===-- The rows -----------------------------------------------------------------------------------------------===//

static void unsupported(const Match &, Inst &) {}

#define GROUP "(.cta_group::1|.cta_group::2)"
#define KINDS "(.kind::f16|.kind::tf32|.kind::f8f6f4|.kind::i8)"
#define MMA "tcgen05.mma" GROUP KINDS "{.ashift}{.$collector} [d], "
#define SCALED                                                                                                         \
  "tcgen05.mma" GROUP "(.kind::mxf8f6f4|.kind::mxf4|.kind::mxf4nvf4).block_scale"                                      \
  "{.scale_vec::1X|.scale_vec::2X|.scale_vec::4X|.block16|.block32}{.$collector} [d], "

Rows tilecc::emu::tensorCoreRows() {
  return {
      {MMA "a:b64, b:b64, i:b32, p:pred, n:u32?", selectMma},
      {MMA "a:b64, b:b64, i:b32, {m*4:b32}, p:pred, n:u32?", selectMma},
      {MMA "a:b64, b:b64, i:b32, {m*8:b32}, p:pred, n:u32?", selectMma},
      {MMA "[a], b:b64, i:b32, p:pred, n:u32?", selectMma},
      {MMA "[a], b:b64, i:b32, {m*4:b32}, p:pred, n:u32?", selectMma},
      {MMA "[a], b:b64, i:b32, {m*8:b32}, p:pred, n:u32?", selectMma},
      {SCALED "a:b64, b:b64, i:b32, [s], [t], p:pred", selectMma},
      {SCALED "[a], b:b64, i:b32, [s], [t], p:pred", selectMma},
      // A multicast is written after the shape or before it.
      {"tcgen05.cp" GROUP "(.128x256b|.128x128b) [a], b:b64", selectCopy},
      {"tcgen05.cp" GROUP ".64x128b(.warpx2::02_13|.warpx2::01_23) [a], b:b64", selectCopy},
      {"tcgen05.cp" GROUP "(.warpx2::02_13|.warpx2::01_23).64x128b [a], b:b64", selectCopy},
      {"tcgen05.cp" GROUP ".32x128b.warpx4 [a], b:b64", selectCopy},
      {"tcgen05.cp" GROUP ".warpx4.32x128b [a], b:b64", selectCopy},
      {"tcgen05.commit" GROUP ".mbarrier::arrive::one{.shared::cluster}.b64 [a]", selectCommit},
      {"tcgen05.commit" GROUP ".mbarrier::arrive::one{.shared::cluster}.multicast::cluster.b64 [a], k:u16",
       selectCommit},
      // It is not known with certainty to which lanes these instructions copy.
      {"tcgen05.cp" GROUP ".4x256b [a], b:b64", unsupported},
      {"tcgen05.cp" GROUP "(.128x256b|.128x128b|.4x256b).b8x16(.b6x16_p32|.b4x16_p64) [a], b:b64", unsupported},
      {"tcgen05.cp" GROUP ".64x128b(.warpx2::02_13|.warpx2::01_23).b8x16(.b6x16_p32|.b4x16_p64) [a], b:b64",
       unsupported},
      {"tcgen05.cp" GROUP ".32x128b.warpx4.b8x16(.b6x16_p32|.b4x16_p64) [a], b:b64", unsupported},
      {"tcgen05.shift" GROUP ".down [a]", unsupported},
      // Weight-stationary and sparse mma.
      {"tcgen05.mma.ws" GROUP KINDS " [d], a:b64, b:b64, i:b32, p:pred, z:b64?", unsupported},
      {"tcgen05.mma.ws" GROUP KINDS " [d], [a], b:b64, i:b32, p:pred, z:b64?", unsupported},
      {"tcgen05.mma.sp" GROUP KINDS "{.$collector} [d], a:b64, b:b64, [s], i:b32, p:pred, n:u32?", unsupported},
      {"tcgen05.mma.sp" GROUP KINDS "{.$collector} [d], [a], b:b64, [s], i:b32, p:pred, n:u32?", unsupported},
  };
}
