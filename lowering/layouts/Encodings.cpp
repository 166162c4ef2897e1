//===- Encodings.cpp - linear layouts of tile encodings -----------------------------------------------------------===//
//
// The encodings of the ttg and ttng dialects call these functions, each for its own kind.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/layouts/Encodings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace tilecc {

static LinearLayout identityND(Dim in, ArrayRef<unsigned> sizes, ArrayRef<unsigned> order) {
  LinearLayout result;
  for (unsigned dim : order)
    result = result * LinearLayout::identity(Log2_32(sizes[dim]), in, axis(dim));
  return result;
}

LinearLayout coverShape(const LinearLayout &tile, ArrayRef<int64_t> shape, ArrayRef<unsigned> order) {
  LinearLayout::Extents ins(tile.getIns().begin(), tile.getIns().end()), outs;
  SmallVector<uint64_t> columns;
  for (unsigned dim : order)
    outs.push_back({axis(dim), std::min<unsigned>(tile.getOutBits(axis(dim)), Log2_64(shape[dim]))});
  for (LinearLayout::Extent e : ins)
    for (unsigned bit = 0; bit < e.bits; ++bit) {
      uint64_t column = 0;
      unsigned shift = 0;
      for (LinearLayout::Extent out : outs) {
        column |= (tile.getBasis(e.dim, bit, out.dim) & maskTrailingOnes<uint64_t>(out.bits)) << shift;
        shift += out.bits;
      }
      columns.push_back(column);
    }
  LinearLayout result(ins, outs, columns);
  for (unsigned dim : order)
    result =
        result * LinearLayout::identity(Log2_64(shape[dim]) - result.getOutBits(axis(dim)), Dim::Register, axis(dim));
  SmallVector<Dim> natural;
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    natural.push_back(axis(dim));
  return result.transposeOuts(natural);
}

//===--- blocks of a program --------------------------------------------------------------------------------------===//

SmallVector<int64_t> getPartShape(const LinearLayout &blocks, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> part;
  for (auto [d, size] : enumerate(shape))
    part.push_back(std::max<int64_t>(1, size >> blocks.getOutBits(axis(d))));
  return part;
}

LinearLayout overBlocks(const LinearLayout &blocks, ArrayRef<int64_t> shape,
                        function_ref<LinearLayout(ArrayRef<int64_t>)> layoutOfPart) {
  if (blocks.getIns().empty())
    return layoutOfPart(shape);
  LinearLayout::Extents ins(blocks.getIns().begin(), blocks.getIns().end()), outs;
  for (auto [d, size] : enumerate(shape))
    outs.push_back({axis(d), std::min<unsigned>(blocks.getOutBits(axis(d)), Log2_64(size))});
  SmallVector<uint64_t> columns;
  for (unsigned bit = 0; bit < blocks.getInBits(Dim::Block); ++bit) {
    uint64_t column = 0;
    unsigned shift = 0;
    for (LinearLayout::Extent out : outs) {
      column |= (blocks.getBasis(Dim::Block, bit, out.dim) & maskTrailingOnes<uint64_t>(out.bits)) << shift;
      shift += out.bits;
    }
    columns.push_back(column);
  }
  return layoutOfPart(getPartShape(blocks, shape)) * LinearLayout(ins, outs, columns);
}

LinearLayout copyAlong(const LinearLayout &blocks, unsigned dim) {
  if (blocks.getIns().empty())
    return blocks;
  SmallVector<Dim> others;
  for (LinearLayout::Extent out : blocks.getOuts())
    if (out.dim != axis(dim))
      others.push_back(out.dim);
  SmallVector<Dim> natural = map_to_vector(blocks.getOuts(), [](LinearLayout::Extent out) { return out.dim; });
  LinearLayout none({{Dim::Block, 0}}, {{axis(dim), 0}}, {});
  return (blocks.sublayout(others) * none).transposeOuts(natural);
}

//===--- distributed tiles ----------------------------------------------------------------------------------------===//

LinearLayout blockedLayout(ArrayRef<int64_t> shape, ArrayRef<unsigned> sizePerThread, ArrayRef<unsigned> threadsPerWarp,
                           ArrayRef<unsigned> warpsPerCTA, ArrayRef<unsigned> order) {
  LinearLayout tile = identityND(Dim::Register, sizePerThread, order) * identityND(Dim::Lane, threadsPerWarp, order) *
                      identityND(Dim::Warp, warpsPerCTA, order);
  return coverShape(tile, shape, order);
}

LinearLayout sliceLayout(const LinearLayout &layout, unsigned dim) {
  unsigned rank = layout.getOuts().size();
  SmallVector<Dim> kept;
  for (unsigned i = 0; i < rank; ++i)
    if (i != dim)
      kept.push_back(axis(i));
  LinearLayout part = layout.sublayout(kept);
  LinearLayout::Extents renamed;
  for (auto [i, e] : enumerate(part.getOuts()))
    renamed.push_back({axis(i), e.bits});
  return part.reshapeOuts(renamed).removeZeroBases(Dim::Register);
}

LinearLayout dotOperandLayout(ArrayRef<int64_t> shape, unsigned kDim, ArrayRef<unsigned> sizePerThread,
                              ArrayRef<unsigned> threadsPerWarp, ArrayRef<unsigned> warpsPerCTA,
                              ArrayRef<unsigned> order) {
  SmallVector<unsigned> perThread(sizePerThread);
  perThread[kDim] = shape[kDim];
  LinearLayout tile = identityND(Dim::Register, perThread, order);
  // Threads that share a row (or column) of the result hold the same part of the operand.
  auto distribute = [&](Dim in, ArrayRef<unsigned> sizes) {
    LinearLayout result;
    for (unsigned dim : order)
      result = result * (dim == kDim ? LinearLayout::zeros(Log2_32(sizes[dim]), in, axis(dim))
                                     : LinearLayout::identity(Log2_32(sizes[dim]), in, axis(dim)));
    return result;
  };
  return coverShape(tile * distribute(Dim::Lane, threadsPerWarp) * distribute(Dim::Warp, warpsPerCTA), shape, order);
}

//===--- matrix units ---------------------------------------------------------------------------------------------===//

/// Returns the axes with the last one first.
static SmallVector<unsigned> rowMajor(unsigned rank) {
  SmallVector<unsigned> order;
  for (unsigned d = rank; d-- > 0;)
    order.push_back(d);
  return order;
}

/// Returns the axes in the order rows, columns, batch.
static SmallVector<unsigned> columnMajor(unsigned rank) {
  SmallVector<unsigned> order = rowMajor(rank);
  std::swap(order[0], order[1]);
  return order;
}

/// Returns the distribution of an operand over warps. Warps that share rows (or columns) of the product hold the same
/// part of the operand.
static LinearLayout operandWarps(ArrayRef<unsigned> warpsPerCTA, unsigned kDim, ArrayRef<unsigned> order) {
  LinearLayout warps;
  for (unsigned dim : order)
    warps = warps * (dim == kDim ? LinearLayout::zeros(Log2_32(warpsPerCTA[dim]), Dim::Warp, axis(dim))
                                 : LinearLayout::identity(Log2_32(warpsPerCTA[dim]), Dim::Warp, axis(dim)));
  return warps;
}

/// Returns the order in which the remaining parts of an operand are assigned to additional registers.
static SmallVector<unsigned> operandOrder(unsigned kDim, unsigned other, unsigned rank) {
  SmallVector<unsigned> order = {kDim, other};
  if (rank == 3)
    order.push_back(0);
  return order;
}

LinearLayout mmaResultLayout(ArrayRef<int64_t> shape, ArrayRef<unsigned> warpsPerCTA) {
  unsigned rank = shape.size();
  Dim rows = axis(rank - 2), columns = axis(rank - 1);
  LinearLayout tile = LinearLayout::identity(1, Dim::Register, columns) *
                      LinearLayout::identity(2, Dim::Lane, columns) * LinearLayout::identity(3, Dim::Lane, rows) *
                      LinearLayout::identity(1, Dim::Register, rows);
  return coverShape(tile * identityND(Dim::Warp, warpsPerCTA, rowMajor(rank)), shape, rowMajor(rank));
}

LinearLayout reshapeRowMajor(const LinearLayout &layout, ArrayRef<int64_t> shape) {
  // In a linear layout, the first output has the lowest bits. In a row-major index, the last axis does.
  SmallVector<Dim> before, after;
  LinearLayout::Extents outs;
  for (unsigned d = layout.getOuts().size(); d-- > 0;)
    before.push_back(axis(d));
  for (unsigned d = 0; d < shape.size(); ++d)
    after.push_back(axis(d));
  for (unsigned d = shape.size(); d-- > 0;)
    outs.push_back({axis(d), Log2_64(shape[d])});
  return layout.transposeOuts(before).reshapeOuts(outs).transposeOuts(after);
}

LinearLayout warpGroupResultLayout(ArrayRef<int64_t> shape, ArrayRef<unsigned> warpsPerCTA, unsigned columns) {
  unsigned rank = shape.size();
  Dim row = axis(rank - 2), column = axis(rank - 1);
  LinearLayout tile = LinearLayout::identity(1, Dim::Register, column) * LinearLayout::identity(2, Dim::Lane, column) *
                      LinearLayout::identity(3, Dim::Lane, row) * LinearLayout::identity(1, Dim::Register, row) *
                      LinearLayout::identity(Log2_32(columns / 8), Dim::Register, column);
  return coverShape(tile * identityND(Dim::Warp, warpsPerCTA, columnMajor(rank)), shape, rowMajor(rank));
}

LinearLayout mmaOperandLayout(ArrayRef<int64_t> shape, unsigned opIdx, unsigned kWidth, ArrayRef<unsigned> warpsPerCTA,
                              bool rowsFirst) {
  unsigned rank = shape.size(), kDim = opIdx == 0 ? rank - 1 : rank - 2, other = opIdx == 0 ? rank - 2 : rank - 1;
  LinearLayout tile = LinearLayout::identity(Log2_32(kWidth), Dim::Register, axis(kDim)) *
                      LinearLayout::identity(2, Dim::Lane, axis(kDim)) *
                      LinearLayout::identity(3, Dim::Lane, axis(other));
  if (opIdx == 0)
    tile = tile * LinearLayout::identity(1, Dim::Register, axis(other));
  tile = tile * LinearLayout::identity(1, Dim::Register, axis(kDim));
  tile = tile * operandWarps(warpsPerCTA, kDim, rowsFirst ? columnMajor(rank) : rowMajor(rank));
  return coverShape(tile, shape, operandOrder(kDim, other, rank));
}

LinearLayout AmdMatrixTile::getResult() const {
  unsigned sizeBits = Log2_32(size), laneBits = Log2_32(numLanes / size), runBits = Log2_32(rowRun);
  Dim row = axis(isTransposed ? 1 : 0), column = axis(isTransposed ? 0 : 1);
  LinearLayout tile = LinearLayout::identity(runBits, Dim::Register, row) *
                      LinearLayout::identity(sizeBits, Dim::Lane, column) *
                      LinearLayout::identity(laneBits, Dim::Lane, row) *
                      LinearLayout::identity(sizeBits - laneBits - runBits, Dim::Register, row);
  return tile.transposeOuts({axis(0), axis(1)});
}

LinearLayout amdMatrixResultLayout(ArrayRef<int64_t> shape, ArrayRef<unsigned> warpsPerCTA, const AmdMatrixTile &tile) {
  unsigned rank = shape.size();
  LinearLayout result = tile.getResult();
  result =
      result.reshapeOuts({{axis(rank - 2), result.getOutBits(axis(0))}, {axis(rank - 1), result.getOutBits(axis(1))}});
  return coverShape(result * identityND(Dim::Warp, warpsPerCTA, rowMajor(rank)), shape, rowMajor(rank));
}

LinearLayout amdMatrixOperandLayout(ArrayRef<int64_t> shape, unsigned opIdx, unsigned kWidth,
                                    ArrayRef<unsigned> warpsPerCTA, const AmdMatrixTile &tile) {
  unsigned rank = shape.size(), kDim = opIdx == 0 ? rank - 1 : rank - 2, other = opIdx == 0 ? rank - 2 : rank - 1;
  unsigned laneBits = Log2_32(tile.numLanes / tile.size);
  LinearLayout layout = LinearLayout::identity(Log2_32(kWidth), Dim::Register, axis(kDim)) *
                        LinearLayout::identity(Log2_32(tile.size), Dim::Lane, axis(other));
  layout = layout * (tile.copiesOperands ? LinearLayout::zeros(laneBits, Dim::Lane, axis(kDim))
                                         : LinearLayout::identity(laneBits, Dim::Lane, axis(kDim)));
  return coverShape(layout * operandWarps(warpsPerCTA, kDim, rowMajor(rank)), shape, operandOrder(kDim, other, rank));
}

//===--- shared memory --------------------------------------------------------------------------------------------===//

LinearLayout swizzledLayout(ArrayRef<int64_t> shape, unsigned vec, unsigned perPhase, unsigned maxPhase,
                            ArrayRef<unsigned> order) {
  LinearLayout::Extents outs;
  SmallVector<uint64_t> columns;
  unsigned shift = 0;
  for (unsigned dim : order) {
    unsigned bits = Log2_64(shape[dim]);
    for (unsigned bit = 0; bit < bits; ++bit) {
      uint64_t column = uint64_t(1) << (shift + bit);
      if (order.size() > 1 && dim == order[1])
        column |= (vec * ((uint64_t(1) << bit) / perPhase % maxPhase)) % shape[order[0]];
      columns.push_back(column);
    }
    outs.push_back({axis(dim), bits});
    shift += bits;
  }
  SmallVector<Dim> natural;
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    natural.push_back(axis(dim));
  return LinearLayout({{Dim::Offset, shift}}, outs, columns).transposeOuts(natural);
}

LinearLayout boxedLayout(ArrayRef<int64_t> shape, unsigned contiguous, unsigned rowElements, unsigned vec,
                         unsigned perPhase, unsigned maxPhase) {
  unsigned rank = shape.size();
  int64_t columns = std::min<int64_t>(rowElements, shape[contiguous]), rows = 1;
  LinearLayout::Extents outs;
  SmallVector<Dim> natural;
  for (unsigned d = rank; d-- > 0;)
    if (d != contiguous) {
      outs.push_back({axis(d), Log2_64(shape[d])});
      rows *= shape[d];
    }
  outs.push_back({axis(contiguous), Log2_64(shape[contiguous])});
  for (unsigned d = 0; d < rank; ++d)
    natural.push_back(axis(d));
  LinearLayout boxes = swizzledLayout({rows, columns}, vec, perPhase, maxPhase, {1, 0}) *
                       LinearLayout::identity(Log2_64(shape[contiguous] / columns), Dim::Offset, axis(1));
  return boxes.reshapeOuts(outs).transposeOuts(natural);
}

LinearLayout tensorMemoryLayout(ArrayRef<int64_t> shape, unsigned blockM, unsigned blockN, unsigned stride) {
  assert(shape.size() == 2 && (blockM == 64 || blockM == 128));
  Dim m = axis(0), n = axis(1);
  unsigned columnBits = Log2_64(std::min<int64_t>(blockN, shape[1]));
  constexpr unsigned laneBits = 7;
  LinearLayout tile = LinearLayout::identity(laneBits, Dim::Row, m) *
                      LinearLayout::zeros(Log2_32(stride), Dim::Column, n) *
                      LinearLayout::identity(columnBits, Dim::Column, n);
  if (blockM == 64) {
    // A block uses lanes 0 to 15 of each warp. Bit 4 of the lane selects the next block along the rows, or along the
    // columns if there is no next block along the rows. If there is no other block at all, the bit selects nothing.
    bool hasRows = shape[0] > blockM, hasColumns = !hasRows && shape[1] >> columnBits > 1;
    LinearLayout::Extents outs = {{m, 6u + hasRows}, {n, columnBits + hasColumns}};
    uint64_t nextRows = uint64_t(1) << 6, nextColumns = uint64_t(1) << (outs[0].bits + columnBits);
    SmallVector<uint64_t> bases = {1, 2, 4, 8, hasRows ? nextRows : hasColumns ? nextColumns : 0, 16, 32};
    bases.append(Log2_32(stride), 0);
    for (unsigned bit = 0; bit < columnBits; ++bit)
      bases.push_back(uint64_t(1) << (outs[0].bits + bit));
    tile = LinearLayout({{Dim::Row, laneBits}, {Dim::Column, Log2_32(stride) + columnBits}}, outs, bases);
  }
  auto moreBits = [&](unsigned d) { return Log2_64(shape[d]) - tile.getOutBits(axis(d)); };
  tile =
      tile * LinearLayout::identity(moreBits(0), Dim::Column, m) * LinearLayout::identity(moreBits(1), Dim::Column, n);
  return tile.transposeOuts({m, n});
}

LinearLayout tensorMemoryScalesLayout(ArrayRef<int64_t> shape) {
  assert(shape.size() == 2);
  constexpr unsigned rowBits = 7, rowsOfQuarterBits = 5, wordBits = 2;
  Dim row = axis(0), k = axis(1);
  unsigned all = Log2_64(shape[0]), scales = Log2_64(shape[1]);
  unsigned inQuarter = std::min(all, rowsOfQuarterBits), inWord = std::min(scales, wordBits);
  LinearLayout layout =
      LinearLayout::identity(inQuarter, Dim::Row, row) * LinearLayout::zeros(rowBits - inQuarter, Dim::Row, row) *
      LinearLayout::identity(inWord, Dim::Column, k) * LinearLayout::zeros(wordBits - inWord, Dim::Column, k) *
      LinearLayout::identity(all - inQuarter, Dim::Column, row) *
      LinearLayout::identity(scales - inWord, Dim::Column, k);
  return layout.transposeOuts({row, k});
}

} // namespace tilecc
