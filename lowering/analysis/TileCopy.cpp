//===- TileCopy.cpp - plans copies of register tiles to memory in parts -------------------------------------------===//
//
// In the result of a warp-group dot, a warp holds groups of 16 consecutive whole rows. In the transpose of such a
// result, a warp holds columns, and the warps of a warp group share the rows. Both cases follow from the linear layout:
// the coordinate bits that only registers determine number the parts of the copy.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/TileCopy.h"

using namespace mlir;
using namespace tilecc;

/// The number of bytes of a row in shared memory for which the swizzle maps eight rows to different banks.
static constexpr int64_t rowBytes = 128;
/// The number of rows after which the swizzle repeats, and the rows of a part that all warps share.
static constexpr int64_t swizzledRows = 8, sharedRows = 64;

/// Returns the plan with parts of `rows` x `columns`.
static std::optional<TileCopyPlan> getPlan(RankedTensorType tile, int64_t rows, int64_t columns, bool isOfWarps) {
  LinearLayout layout = ttg::toLinearLayout(tile);
  int64_t ofPart[] = {rows, columns};
  // Find the bits of a position that form the number of a part. A bit of the register number must determine either
  // exactly one of these bits and nothing else, or none of them. Lanes and warps must determine none of them.
  uint64_t numbers = 0;
  unsigned first = 0;
  for (unsigned axis : {0, 1}) {
    if (tile.getDimSize(axis) < ofPart[axis])
      return std::nullopt;
    unsigned bits = llvm::Log2_64(tile.getDimSize(axis));
    numbers |= llvm::maskTrailingOnes<uint64_t>(first + bits) &
               ~llvm::maskTrailingOnes<uint64_t>(first + llvm::Log2_64(ofPart[axis]));
    first += bits;
  }
  TileCopyPlan plan;
  plan.registers = {{0}};
  plan.begins = {{0, 0}};
  SmallVector<unsigned> within;
  for (auto [bit, column] : llvm::enumerate(layout.getColumns(Dim::Register))) {
    if (!(column & numbers)) {
      within.push_back(bit);
      continue;
    }
    if (!llvm::isPowerOf2_64(column))
      return std::nullopt;
    for (unsigned number = 0, count = plan.registers.size(); number < count; ++number) {
      plan.registers.push_back({plan.registers[number][0] | 1u << bit});
      plan.begins.push_back({plan.begins[number][0] + layout.getBasis(Dim::Register, bit, axis(0)),
                             plan.begins[number][1] + layout.getBasis(Dim::Register, bit, axis(1))});
    }
  }
  for (Dim dim : {Dim::Lane, Dim::Warp})
    if (llvm::any_of(layout.getColumns(dim), [&](uint64_t column) { return column & numbers; }))
      return std::nullopt;
  for (SmallVector<unsigned> &registers : plan.registers)
    for (unsigned bit : within)
      for (unsigned number = 0, count = registers.size(); number < count; ++number)
        registers.push_back(registers[number] | 1u << bit);

  plan.isOfWarps = isOfWarps;
  plan.boxRows = rows;
  if (isOfWarps)
    for (unsigned bit = 0; bit < layout.getInBits(Dim::Warp); ++bit) {
      uint32_t row = layout.getBasis(Dim::Warp, bit, axis(0));
      if (!llvm::isPowerOf2_32(row) || layout.getBasis(Dim::Warp, bit, axis(1)))
        return std::nullopt;
      plan.boxRows = std::min<int64_t>(plan.boxRows, row);
    }
  if (plan.boxRows < swizzledRows)
    return std::nullopt;

  LinearLayout::Extents ins, outs = {{axis(0), llvm::Log2_64(rows)}, {axis(1), llvm::Log2_64(columns)}};
  SmallVector<uint64_t> kept;
  auto add = [&](Dim dim, unsigned bit) {
    kept.push_back(layout.getBasis(dim, bit, axis(0)) | uint64_t(layout.getBasis(dim, bit, axis(1))) << outs[0].bits);
  };
  for (unsigned bit : within)
    add(Dim::Register, bit);
  ins.push_back({Dim::Register, unsigned(within.size())});
  for (Dim dim : {Dim::Lane, Dim::Warp}) {
    for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit)
      add(dim, bit);
    ins.push_back({dim, layout.getInBits(dim)});
  }
  LinearLayout ofThreads(ins, outs, kept);
  if (!ofThreads.isInvertible())
    return std::nullopt; // several threads hold an element, so it is not determined which of them stores it
  plan.part =
      RankedTensorType::get(ofPart, tile.getElementType(), ttg::LinearEncodingAttr::get(tile.getContext(), ofThreads));
  return plan;
}

std::optional<TileCopyPlan> TileCopyPlan::get(RankedTensorType tile) {
  if (tile.getRank() != 2)
    return std::nullopt;
  unsigned bits = tt::getElementBits(tile.getElementType());
  if (bits != 16 && bits != 32)
    return std::nullopt;
  int64_t columns = 8 * rowBytes / bits;
  if (tile.getDimSize(1) < columns)
    return std::nullopt;
  if (auto plan = getPlan(tile, tile.getDimSize(0), columns, /*isOfWarps=*/true))
    return plan;
  return getPlan(tile, std::min(tile.getDimSize(0), sharedRows), tile.getDimSize(1), /*isOfWarps=*/false);
}

ttg::MemDescType TileCopyPlan::getSlots(unsigned slots) const {
  MLIRContext *context = part.getContext();
  auto encoding = ttg::NVMMASharedEncodingAttr::get(context, rowBytes, /*transposed=*/false,
                                                    tt::getElementBits(part.getElementType()),
                                                    /*rank=*/2);
  return ttg::MemDescType::get({slots, part.getDimSize(0), part.getDimSize(1)}, part.getElementType(), encoding,
                               ttg::SharedMemorySpaceAttr::get(context), /*mutableMemory=*/true);
}

SmallVector<uint64_t> TileCopyPlan::getRowsOfWarps() const {
  LinearLayout layout = ttg::toLinearLayout(part);
  SmallVector<uint64_t> rows;
  for (unsigned bit = 0; bit < layout.getInBits(Dim::Warp); ++bit)
    rows.push_back(layout.getBasis(Dim::Warp, bit, axis(0)));
  return rows;
}

SmallVector<int64_t> TileCopyPlan::getBoxesOfWarp() const {
  int64_t ofWarps = 0;
  for (uint64_t row : getRowsOfWarps())
    ofWarps |= row;
  SmallVector<int64_t> boxes;
  for (int64_t row = 0; row < part.getDimSize(0); row += boxRows)
    if (!(row & ofWarps))
      boxes.push_back(row);
  return boxes;
}
