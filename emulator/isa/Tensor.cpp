//===-- Tensor.cpp - cp.async.bulk.tensor (PTX ISA 9.7.9.25.5, 9.7.9.26) -----------------------------===//
//
// A box of a tensor is copied to shared memory row by row; its pieces of 16 bytes are swizzled by their addresses.
// Elements outside the tensor become zeros in shared memory, and count as copied; in the other direction they are
// skipped. In im2col mode, which exists only for loads, the rows are pixels of images.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/exec/BulkAccess.h"
#include "emulator/isa/BulkReduce.h"
#include "emulator/isa/TensorMapOperands.h"
#include "emulator/memory/TensorMap.h"

#include <algorithm>

using namespace tilecc::emu;
using ptx::Space;

namespace {
constexpr uint32_t pieceBytes = 16;
// Tensor copies require this alignment for every swizzle.
constexpr uint32_t boxAlignment = 128;
} // namespace

static uint64_t firstAddress(Warp &warp, const Inst &inst, unsigned lane) {
  uint64_t addresses[warpSize];
  computeAddresses(warp, inst, Mask(1) << lane, inst.op[0], addresses);
  return addresses[lane];
}

namespace {

// The box of a lane's instruction. Its coordinates are the operands from `first` on.
struct Box {
  TensorMap map;
  int32_t at[TensorMap::maxDimensions];
  uint32_t offsets[TensorMap::maxDimensions - 2] = {}; // of an image's pixels

  Box(Warp &warp, const Inst &inst, unsigned lane, uint64_t mapAddress, unsigned first, bool isImage = false)
      : map(mapAt(warp, inst, lane, mapAddress)) {
    if (map.isImage != isImage)
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "tensor map",
                 isImage ? "a copy in im2col mode, and the tensor map is none of cuTensorMapEncodeIm2col"
                         : "a copy of tiles, and the tensor map is one of cuTensorMapEncodeIm2col");
    if (map.rank != inst.elementBytes)
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "tensor map",
                 "a copy with " + std::to_string(inst.elementBytes) + " coordinates, and the tensor has " +
                     std::to_string(map.rank) + " dimensions");
    for (unsigned d = 0; d < map.rank; ++d)
      at[d] = warp.row<s32>(inst.op[first + d])[lane];
    // PTX does not specify this; an H200 reports an illegal instruction.
    if (at[0] * int64_t(map.elementBytes()) % pieceBytes != 0)
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "tensor coordinate",
                 "a box that begins at element " + std::to_string(at[0]) + " of a row, of " +
                     std::to_string(map.elementBytes()) + " bytes each: that has to be a multiple of 16 bytes");
    for (unsigned d = 0; d < map.imageDimensions(); ++d)
      offsets[d] = readOffset(warp, inst, lane, warp.row<u16>(inst.op[first + map.rank + 1 + d])[lane], d + 1);
  }

private:
  // PTX does not specify the result if a copy begins outside the pixels that it visits, or if an offset has more bits
  // than the instruction supports.
  uint32_t readOffset(Warp &warp, const Inst &inst, unsigned lane, uint32_t offset, unsigned dimension) {
    uint32_t most = (1u << TensorMap::imageBits(map.imageDimensions())) - 1;
    std::string along = " along dimension " + std::to_string(dimension);
    if (offset > most)
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "im2col offset",
                 "an offset of " + std::to_string(offset) + along + ", which is at most " + std::to_string(most));
    int64_t from = map.lower[dimension - 1], last = map.lastPixel(dimension);
    if (at[dimension] < from || at[dimension] > last || (at[dimension] - from) % map.elementStrides[dimension] != 0)
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "im2col coordinate",
                 "a copy begins at " + std::to_string(at[dimension]) + along + ", which is no pixel of the box from " +
                     std::to_string(from) + " to " + std::to_string(last) + " by steps of " +
                     std::to_string(map.elementStrides[dimension]));
    return offset;
  }
};

// A row of a box, with the host memory behind the part in the tensor.
struct BoxRow {
  uint32_t offset, begin, end;
  std::byte *tensor;
};

} // namespace

// Calls use(offset of the piece in the box, its first and last byte in the tensor, address of the first) for each 16
// bytes.
template <class F> static void eachPiece(const TensorMap &map, const BoxRow &row, F use) {
  for (uint32_t piece = 0; piece < map.rowBytes(); piece += pieceBytes) {
    uint32_t begin = std::max(row.begin, piece), end = std::min(row.end, piece + pieceBytes);
    if (begin >= end)
      begin = end = piece;
    use(row.offset + piece, begin - piece, end - piece,
        row.tensor ? row.tensor + map.packed(begin - row.begin) : nullptr);
  }
}

// Fills 16 bytes of a box that are outside its tensor.
static void fillOutside(const TensorMap &map, std::byte *piece) {
  std::memset(piece, 0, pieceBytes);
  if (map.fillsWithNaN)
    for (uint32_t at = 0; at < pieceBytes; at += map.elementBytes())
      map.storeNaN(piece + at);
}

static std::vector<BoxRow> rowsOf(const Box &box, BulkAccess &access, Access::Kind kind) {
  std::vector<BoxRow> rows;
  // PTX does not specify this: for a box that begins outside the tensor, an H200 also accesses the start of the tensor,
  // and reports an illegal address if it does not exist.
  for (unsigned d = 0; d < box.map.rank; ++d)
    if (box.at[d] < 0 || uint64_t(box.at[d]) >= box.map.dims[d]) {
      access.lookAt(box.map.address);
      break;
    }
  auto add = [&](const TensorRow &row) {
    uint32_t bytes = box.map.packed(row.end - row.begin);
    std::byte *at = bytes ? access.global(row.address, bytes, kind) : nullptr;
    rows.push_back({row.offset, row.begin, row.end, at});
  };
  if (box.map.isImage)
    eachPixel(box.map, box.at, box.offsets, add);
  else
    eachRow(box.map, box.at, add);
  return rows;
}

// op: to, the map, the coordinates, the mbarrier, the offsets in im2col mode, the mask of a multicast
template <bool isImage> static void loadTensor(Warp &warp, const Inst &inst, Mask lanes) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes), dimensions = inst.elementBytes;
    Box box(warp, inst, lane, warp.row<u64>(inst.op[1])[lane], 2, isImage);
    uint32_t bytes = box.map.boxBytes();
    SharedPlace to = findShared(warp, inst, lane, firstAddress(warp, inst, lane), inst.space, bytes, boxAlignment,
                                "the box of a tensor copy");
    SharedPlace mbarrier =
        findMbarrier(warp, inst, lane, warp.row<u64>(inst.op[2 + dimensions])[lane], Space::cluster, Access::atomic);
    bool pairs = inst.target == 2; // cta_group::2: the mbarrier may be in either block of a pair
    if (pairs ? mbarrier.block->rank / 2 != to.block->rank / 2 : mbarrier.block != to.block)
      warp.fault(inst, Mask(1) << lane, errorIllegalAddress, "bulk copy",
                 std::string("a bulk copy writes to the shared memory of another ") +
                     (pairs ? "pair of blocks" : "block") + " than the one that its mbarrier is in");
    unsigned offsets = box.map.imageDimensions();
    eachTarget(
        warp, inst, lane, inst.extra ? &warp.row<u16>(inst.op[3 + dimensions + offsets])[lane] : nullptr, to, mbarrier,
        [&](SharedPlace target, SharedPlace object) {
          BulkAccess access(warp, inst, lane, object);
          std::vector<BoxRow> rows = rowsOf(box, access, Access::load);
          std::byte *shared = access.shared(target, bytes, Access::store) - target.offset;
          auto copy = [map = box.map, rows = std::move(rows), shared, start = target.offset] {
            for (const BoxRow &row : rows)
              eachPiece(map, row, [&](uint32_t offset, uint32_t begin, uint32_t end, std::byte *from) {
                std::byte *piece = shared + map.swizzled(start, offset);
                if (end - begin < pieceBytes)
                  fillOutside(map, piece);
                if (begin < end)
                  std::memcpy(piece + begin, from, map.packed(end - begin));
              });
          };
          access.issue(std::move(copy), box.map.packed(bytes));
        },
        pairs);
  }
}

// op: the map, the coordinates, from. inst.function: the reduction, if any
static void storeTensor(Warp &warp, const Inst &inst, Mask lanes) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes), dimensions = inst.elementBytes;
    Box box(warp, inst, lane, firstAddress(warp, inst, lane), 1);
    for (unsigned d = 0; d < dimensions; ++d)
      if (box.at[d] < 0) // as on an H200
        warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "tensor coordinate",
                   "a box that is written from " + std::to_string(box.at[d]) + " of dimension " + std::to_string(d) +
                       " on: only what is read may begin before the tensor");
    if (box.map.isPacked())
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "tensor map",
                 "a box of numbers of 4 or 6 bits cannot be written to a tensor");
    BulkReduce reduce = nullptr;
    if (auto *choose = reinterpret_cast<BulkReduce (*)(TensorMap::Type)>(inst.function))
      if (!(reduce = choose(box.map.type)))
        warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "tensor map",
                   "the tensor's elements are of a type that this reduction does not have");
    uint32_t bytes = box.map.boxBytes(), rowBytes = box.map.rowBytes();
    SharedPlace from = findShared(warp, inst, lane, warp.row<u64>(inst.op[1 + dimensions])[lane], Space::shared, bytes,
                                  boxAlignment, "the box of a tensor copy");
    BulkAccess access(warp, inst, lane);
    std::vector<BoxRow> rows = rowsOf(box, access, reduce ? Access::atomic : Access::store);
    // Only the part of shared memory that is copied counts as read.
    bool whole =
        std::all_of(rows.begin(), rows.end(), [&](const BoxRow &row) { return row.begin == 0 && row.end == rowBytes; });
    if (whole)
      access.shared(from, bytes, Access::load);
    else
      for (const BoxRow &row : rows)
        eachPiece(box.map, row, [&](uint32_t offset, uint32_t begin, uint32_t end, std::byte *) {
          if (begin < end)
            access.shared({from.block, box.map.swizzled(from.offset, offset) + begin}, end - begin, Access::load);
        });
    auto copy = [map = box.map, rows = std::move(rows), shared = from.block->shared, start = from.offset, reduce] {
      for (const BoxRow &row : rows)
        eachPiece(map, row, [&](uint32_t offset, uint32_t begin, uint32_t end, std::byte *to) {
          const std::byte *piece = shared + map.swizzled(start, offset) + begin;
          if (begin < end)
            reduce ? reduce(to, piece, end - begin) : static_cast<void>(std::memcpy(to, piece, end - begin));
        });
    };
    access.issue(std::move(copy), 0);
  }
}

static Type elementType(TensorMap::Type type) {
  switch (type) {
  case TensorMap::u32: return Type::u32;
  case TensorMap::s32: return Type::s32;
  case TensorMap::u64: return Type::u64;
  case TensorMap::s64: return Type::s64;
  case TensorMap::f16: return Type::f16;
  case TensorMap::bf16: return Type::bf16;
  case TensorMap::f32:
  case TensorMap::f32Ftz: return Type::f32;
  case TensorMap::f64: return Type::f64;
  default: return Type::none;
  }
}

// Returns the reduction of an operation for an element type.
template <size_t n> static BulkReduce reductionFor(TensorMap::Type type) {
  static constexpr std::string_view names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
  Match match;
  match.modifiers = {names[n]};
  return bulkReduceOf(match, elementType(type));
}

template <size_t... n> static auto chooserOf(const Match &match, std::index_sequence<n...>) {
  static constexpr std::string_view names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
  void (*found)() = nullptr;
  ((match.has(names[n]) ? found = reinterpret_cast<void (*)()>(&reductionFor<n>) : nullptr), ...);
  return found;
}

template <Space space, bool multicast, bool isImage = false> static void selectLoad(const Match &match, Inst &inst) {
  inst.run = &loadTensor<isImage>;
  inst.memory = true;
  inst.space = space;
  inst.elementBytes = match.vector; // number of coordinates
  inst.extra = multicast;
  inst.target = match.has("cta_group::2") ? 2 : 1;
}

static void selectStore(const Match &match, Inst &inst) {
  inst.run = &storeTensor;
  inst.memory = true;
  inst.space = Space::shared;
  inst.elementBytes = match.vector;
  inst.function = chooserOf(match, std::make_index_sequence<8>());
}

static void nothing(Warp &, const Inst &, Mask) {}

// The modifier for which blocks may own the mbarrier comes after the dimensions or after the completion modifiers.
#define GROUP "{.cta_group::1|.cta_group::2}"

Rows tilecc::emu::tensorRows() {
  return {
      {"cp.async.bulk.tensor.$dim" GROUP ".shared::cluster.global{.tile}.mbarrier::complete_tx::bytes" GROUP "{.$hint} "
       "[a], [b, {c}], [m], p:b64?",
       selectLoad<Space::cluster, false>},
      {"cp.async.bulk.tensor.$dim" GROUP ".shared::cta.global{.tile}.mbarrier::complete_tx::bytes" GROUP "{.$hint} "
       "[a], [b, {c}], [m], p:b64?",
       selectLoad<Space::shared, false>},
      {"cp.async.bulk.tensor.$dim" GROUP
       ".shared::cluster.global{.tile}.mbarrier::complete_tx::bytes.multicast::cluster" GROUP "{.$hint} "
       "[a], [b, {c}], [m], k:u16, p:b64?",
       selectLoad<Space::cluster, true>},
      {"cp.async.bulk.tensor.$dim" GROUP ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes" GROUP "{.$hint} "
       "[a], [b, {c}], [m], {o*D}:u16, p:b64?",
       selectLoad<Space::cluster, false, true>},
      {"cp.async.bulk.tensor.$dim" GROUP ".shared::cta.global.im2col.mbarrier::complete_tx::bytes" GROUP "{.$hint} "
       "[a], [b, {c}], [m], {o*D}:u16, p:b64?",
       selectLoad<Space::shared, false, true>},
      {"cp.async.bulk.tensor.$dim" GROUP
       ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster" GROUP "{.$hint} "
       "[a], [b, {c}], [m], {o*D}:u16, k:u16, p:b64?",
       selectLoad<Space::cluster, true, true>},
      {"cp.async.bulk.tensor.$dim.global.shared::cta{.tile}.bulk_group{.$hint} [a, {c}], [b], p:b64?", selectStore},
      {"cp.reduce.async.bulk.tensor.$dim.global.shared::cta(.add|.min|.max|.inc|.dec|.and|.or|.xor){.tile}.bulk_group"
       "{.$hint} [a, {c}], [b], p:b64?",
       selectStore},
      {"cp.async.bulk.prefetch.tensor.$dim.L2.global{.tile}{.$hint} [a, {c}], p:b64?",
       [](const Match &, Inst &inst) { inst.run = &nothing; }},
  };
}
