//===- StoreLayout.cpp - layouts in which warps store their own elements ------------------------------------------===//
//
// This implements the function that the header describes.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/StoreLayout.h"

using namespace mlir;
using namespace tilecc;

Attribute nvidia::alignWarps(RankedTensorType source, ArrayRef<unsigned> order, unsigned vector, unsigned bytesOfRow) {
  LinearLayout from = ttg::toLinearLayout(source);
  ArrayRef<uint64_t> warps = from.getColumns(Dim::Warp);
  uint64_t taken = 0;
  for (uint64_t column : warps) {
    if (!llvm::isPowerOf2_64(column))
      return {}; // several warps hold the same elements, or a warp's rows are a mixture
    taken |= column;
  }
  // Order the positions of the tile for the store: first along its fastest axis, as long as lanes share a cache line,
  // and then along the position bits that the source keeps in registers. If lanes differ in the latter bits, the
  // conversion can store matrices (stmatrix) instead of words of two rows.
  uint64_t inRegisters = 0;
  for (uint64_t column : from.getColumns(Dim::Register))
    inRegisters |= column;
  unsigned bitsOfLine = llvm::Log2_32(8 * bytesOfRow / tt::getElementBits(source.getElementType()));
  SmallVector<uint64_t> line, registers, others;
  for (unsigned axis : order) {
    unsigned first = 0;
    for (unsigned before = 0; before < axis; ++before)
      first += llvm::Log2_64(source.getDimSize(before));
    for (unsigned bit = 0; bit < llvm::Log2_64(source.getDimSize(axis)); ++bit) {
      uint64_t place = uint64_t(1) << (first + bit);
      if (taken & place)
        continue;
      bool isFastest = axis == order[0];
      (isFastest && line.size() < bitsOfLine ? line
       : !isFastest && (inRegisters & place) ? registers
                                             : others)
          .push_back(place);
    }
  }
  constexpr unsigned lanes = 5;
  unsigned ofVector = llvm::Log2_32(vector);
  SmallVector<uint64_t> free = line;
  llvm::append_range(free, registers);
  llvm::append_range(free, others);
  if (line.size() < bitsOfLine || ofVector > bitsOfLine || ofVector + lanes < bitsOfLine ||
      free.size() < ofVector + lanes)
    return {};
  SmallVector<uint64_t> columns(ArrayRef(free).take_front(ofVector));
  llvm::append_range(columns, ArrayRef(free).drop_front(ofVector + lanes));
  unsigned ofRegisters = columns.size();
  llvm::append_range(columns, ArrayRef(free).slice(ofVector, lanes));
  llvm::append_range(columns, warps);
  LinearLayout::Extents ins = {{Dim::Register, ofRegisters}, {Dim::Lane, lanes}, {Dim::Warp, unsigned(warps.size())}};
  return ttg::LinearEncodingAttr::get(source.getContext(),
                                      LinearLayout(ins, LinearLayout::Extents(from.getOuts()), columns));
}
