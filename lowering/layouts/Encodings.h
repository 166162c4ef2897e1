//===- Encodings.h - linear layouts of tile encodings ---------------------------------------------------*- C++ -*-===//
//
// Each function converts the parameters of one kind of encoding, for a tile of a given shape, to a linear layout, which
// all other code uses. Distributed encodings map (register, lane, warp) to coordinates; shared encodings map an offset
// in memory to coordinates. If a tile is distributed over the thread blocks of a program, the block is an additional
// input (overBlocks).
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_LAYOUTS_ENCODINGS_H
#define TILECC_LOWERING_LAYOUTS_ENCODINGS_H

#include "lowering/layouts/LinearLayout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilecc {

/// Repeats `tile` until it covers `shape`, or cuts it off if it is larger than `shape`, and puts the output axes in
/// their natural order. Input bits that would move beyond the shape are mapped to 0. If `tile` is repeated, the
/// additional elements are assigned to additional registers, along axis `order[0]` first.
LinearLayout coverShape(const LinearLayout &tile, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> order);

/// Returns the layout of a tile of `shape` that has the same elements, in row-major order, at the same locations as the
/// tile that `layout` describes.
LinearLayout reshapeRowMajor(const LinearLayout &layout, llvm::ArrayRef<int64_t> shape);

/// Returns the shape of the part of a tile of `shape` that one block holds. `blocks` maps the rank of a block to the
/// number of its part along each axis; it has no dimensions if one block holds the whole tile.
llvm::SmallVector<int64_t> getPartShape(const LinearLayout &blocks, llvm::ArrayRef<int64_t> shape);

/// Returns the layout of a tile of `shape` that is distributed over blocks. `blocks` assigns the parts, which are side
/// by side, to blocks, and `layoutOfPart` lays out each part. If a part would be beyond the shape, its block holds a
/// copy of another part.
LinearLayout overBlocks(const LinearLayout &blocks, llvm::ArrayRef<int64_t> shape,
                        llvm::function_ref<LinearLayout(llvm::ArrayRef<int64_t> part)> layoutOfPart);

/// Returns `blocks` without the distribution along axis `dim`: each block then has the whole extent of this axis.
LinearLayout copyAlong(const LinearLayout &blocks, unsigned dim);

/// Returns the layout of a blocked encoding for a tile of `shape`. Each thread has `sizePerThread` adjacent elements.
/// The lanes of a warp cover adjacent groups of such elements, and warps cover adjacent groups of those. `order[0]` is
/// the axis that varies fastest. If the tile is larger than this pattern, the pattern repeats in more registers. If the
/// tile is smaller, the pattern wraps, and several locations hold the same element.
LinearLayout blockedLayout(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> sizePerThread,
                           llvm::ArrayRef<unsigned> threadsPerWarp, llvm::ArrayRef<unsigned> warpsPerCTA,
                           llvm::ArrayRef<unsigned> order);

/// Returns the layout of a tile after axis `dim` is removed: locations that differ along this axis hold copies. The
/// outputs of `layout` are axis(0)…axis(rank-1); the axes after `dim` are renumbered.
LinearLayout sliceLayout(const LinearLayout &layout, unsigned dim);

/// Returns the layout of an operand of a dot that is computed by multiply and add. It matches the blocked layout of the
/// result, except that each thread holds the whole contracted axis (axis `kDim` of `shape`) in registers.
LinearLayout dotOperandLayout(llvm::ArrayRef<int64_t> shape, unsigned kDim, llvm::ArrayRef<unsigned> sizePerThread,
                              llvm::ArrayRef<unsigned> threadsPerWarp, llvm::ArrayRef<unsigned> warpsPerCTA,
                              llvm::ArrayRef<unsigned> order);

/// Returns the layout of the result of mma.sync, which is the same on every target from sm_80 on. One instruction
/// computes a tile of 16x8, of which each row is shared by four lanes with two adjacent elements each. `warpsPerCTA`
/// gives the number of such tiles side by side. The axes are an optional batch, then rows, then columns.
LinearLayout mmaResultLayout(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> warpsPerCTA);

/// Returns the layout of the result of wgmma. Each warp has 16 rows and all `columns` columns of an instruction,
/// arranged like tiles of mma.sync side by side. Warps are ordered along the rows first, like the four warps within a
/// warp group.
LinearLayout warpGroupResultLayout(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> warpsPerCTA,
                                   unsigned columns);

/// Returns the layout of operand `opIdx` of mma.sync. A lane has `kWidth` adjacent elements along the contracted axis:
/// as many as fit a 32-bit register, or more if the operand will be converted to a wider type. Four lanes cover one
/// group of such elements, and an instruction has two groups. If `rowsFirst` is true, warps are ordered as in
/// warpGroupResultLayout.
LinearLayout mmaOperandLayout(llvm::ArrayRef<int64_t> shape, unsigned opIdx, unsigned kWidth,
                              llvm::ArrayRef<unsigned> warpsPerCTA, bool rowsFirst = false);

/// The square of `size` rows and columns that one matrix instruction (MFMA, WMMA) of AMD's GPUs computes. A lane holds
/// elements of one column of the result. Of each operand, it holds elements of the row or column with the same number.
/// Several lanes share a column.
struct AmdMatrixTile {
  unsigned size, numLanes;
  unsigned rowRun; ///< number of adjacent elements of its column that a lane holds
  bool copiesOperands; ///< true: lanes with the same column hold copies of operands; false: different parts of k
  bool isTransposed; ///< the instruction computes the transposed product, so a lane holds a row of the result

  /// Returns the number of lanes over which the contracted axis of an operand is distributed.
  unsigned getLanesAlongK() const { return copiesOperands ? 1 : numLanes / size; }
  /// Returns the layout of the rows (axis 0) and columns (axis 1) over the registers and lanes of one wave.
  LinearLayout getResult() const;
};

/// Returns the layout of the results of AMD's matrix instructions: `warpsPerCTA` tiles side by side. The axes are an
/// optional batch, rows, and columns.
LinearLayout amdMatrixResultLayout(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> warpsPerCTA,
                                   const AmdMatrixTile &tile);

/// Returns the layout of operand `opIdx` of AMD's matrix instructions: each lane holds `kWidth` adjacent elements along
/// the contracted axis.
LinearLayout amdMatrixOperandLayout(llvm::ArrayRef<int64_t> shape, unsigned opIdx, unsigned kWidth,
                                    llvm::ArrayRef<unsigned> warpsPerCTA, const AmdMatrixTile &tile);

/// Returns the layout of a tile in shared memory in which runs of `vec` elements are permuted within each row: the
/// number of a run is XORed with the number of the row (divided by `perPhase`, modulo `maxPhase`). `order[0]` is the
/// axis along a row, and `order[1]` the axis along which rows are numbered.
LinearLayout swizzledLayout(llvm::ArrayRef<int64_t> shape, unsigned vec, unsigned perPhase, unsigned maxPhase,
                            llvm::ArrayRef<unsigned> order);

/// Returns the layout of a tile as the boxes of swizzled rows that Hopper's matrix and copy units read. A row has
/// `rowElements` elements along the axis `contiguous`, and runs of `vec` elements in it are permuted as in
/// swizzledLayout. A box has all rows of the tile, which all its other axes number consecutively.
LinearLayout boxedLayout(llvm::ArrayRef<int64_t> shape, unsigned contiguous, unsigned rowElements, unsigned vec,
                         unsigned perPhase, unsigned maxPhase);

/// Returns a map from a row (one of 128 lanes) and a column of tensor memory (tcgen05) to the element of a matrix of
/// `shape` that is stored there. Columns count elements; one in `stride` columns is used. The matrix consists of blocks
/// of `blockM` (64 or 128) by `blockN` elements, as dots write them. Blocks are side by side along the columns of
/// tensor memory, one column of blocks after the other. A block of 64 rows uses 16 of every 32 lanes; the other 16
/// lanes hold the next block, if there is one.
LinearLayout tensorMemoryLayout(llvm::ArrayRef<int64_t> shape, unsigned blockM, unsigned blockN, unsigned stride);

/// Returns a map from a row and a column of tensor memory to the scale that is stored there. The tile of `shape`
/// contains the scales of an operand of a scaled dot, one row for each row of the operand. Columns count bytes. Four
/// adjacent scales of a row are in one 32-bit column. The next 32 rows are in the next column, and the next four scales
/// in the columns after the last row. Each quarter of the rows of tensor memory holds a copy.
LinearLayout tensorMemoryScalesLayout(llvm::ArrayRef<int64_t> shape);

} // namespace tilecc

#endif
