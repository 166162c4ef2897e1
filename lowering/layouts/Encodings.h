//===- Encodings.h - linear layouts of the encodings that tiles have -------------------------------------*- C++ -*-----===//
//
// Each function turns the parameters of one kind of encoding, on a tile of some shape, into the one form that everything
// else computes with. Distributed encodings map (register, lane, warp) to coordinates, shared ones an offset in memory. Where
// the blocks of a program have a part of the tile each, the block is one more input of both: overBlocks.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_LAYOUTS_ENCODINGS_H
#define TILECC_LOWERING_LAYOUTS_ENCODINGS_H

#include "lowering/layouts/LinearLayout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilecc {

/// Wraps or repeats `tile` until it covers `shape` exactly, and puts the output axes in their natural order. Bits beyond
/// the shape select nothing; what the tile does not reach goes to more registers, axis `order[0]` first.
LinearLayout coverShape(const LinearLayout &tile, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> order);

/// A block's part of a tile of `shape`. `blocks` maps the rank of a block to the number of its part along each axis; it has no
/// dimensions where one block has the whole tile.
llvm::SmallVector<int64_t> getPartShape(const LinearLayout &blocks, llvm::ArrayRef<int64_t> shape);

/// The layout of a tile of `shape` whose parts, side by side, are the blocks' as `blocks` says, and each is laid out by
/// `layoutOfPart`. Blocks whose parts would lie beyond the shape have copies.
LinearLayout overBlocks(const LinearLayout &blocks, llvm::ArrayRef<int64_t> shape,
                        llvm::function_ref<LinearLayout(llvm::ArrayRef<int64_t> part)> layoutOfPart);

/// `blocks`, but what lies along `dim` is whole in each.
LinearLayout copyAlong(const LinearLayout &blocks, unsigned dim);

/// How a blocked encoding distributes a tile of `shape`: `sizePerThread` neighbours to each thread, threads and then
/// warps side by side, `order[0]` being the axis that varies fastest. Where the tile is larger than that, the pattern
/// repeats over more registers; where it is smaller, it wraps and several places hold the same element.
LinearLayout blockedLayout(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> sizePerThread,
                           llvm::ArrayRef<unsigned> threadsPerWarp, llvm::ArrayRef<unsigned> warpsPerCTA,
                           llvm::ArrayRef<unsigned> order);

/// The layout of what is left of a tile when axis `dim` is removed: places that differ along it hold copies.
/// `layout`'s outputs are axis(0)…axis(rank-1); those after `dim` move down by one.
LinearLayout sliceLayout(const LinearLayout &layout, unsigned dim);

/// How a thread that computes its part of a matrix product by multiply and add sees an operand: as in the blocked
/// layout of the product, but holding all of the contracted axis (`kDim` of `shape`) in registers.
LinearLayout dotOperandLayout(llvm::ArrayRef<int64_t> shape, unsigned kDim, llvm::ArrayRef<unsigned> sizePerThread,
                              llvm::ArrayRef<unsigned> threadsPerWarp, llvm::ArrayRef<unsigned> warpsPerCTA,
                              llvm::ArrayRef<unsigned> order);

/// How mma.sync leaves its results, on every target from sm_80 on: in tiles of 16x8 with the rows of eight lanes and two
/// neighbours per lane; `warpsPerCTA` tiles side by side. Axes are a batch, if there is one, then rows, then columns.
LinearLayout mmaResultLayout(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> warpsPerCTA);

/// How wgmma leaves its results: each warp has 16 rows and all `columns` of an instruction as mma.sync's tiles side by side.
/// Warps follow each other along the rows first, since the four of a warpgroup do.
LinearLayout warpGroupResultLayout(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> warpsPerCTA,
                                   unsigned columns);

/// How mma.sync takes operand `opIdx`: `kWidth` neighbours along the contracted axis per lane (those of a 32-bit register,
/// or more where the operand is to be converted to a wider type), four lanes, twice.
/// `rowsFirst`: warps follow each other as in warpGroupResultLayout.
LinearLayout mmaOperandLayout(llvm::ArrayRef<int64_t> shape, unsigned opIdx, unsigned kWidth,
                              llvm::ArrayRef<unsigned> warpsPerCTA, bool rowsFirst = false);

/// Where elements lie in shared memory whose runs of `vec` elements are permuted within a row: by XOR with the row's
/// number (divided by `perPhase`, modulo `maxPhase`). `order[0]` is the axis of a row, `order[1]` the rows.
LinearLayout swizzledLayout(llvm::ArrayRef<int64_t> shape, unsigned vec, unsigned perPhase, unsigned maxPhase,
                            llvm::ArrayRef<unsigned> order);

/// Where elements lie in the boxes of swizzled rows that Hopper's units take: rows of `rowElements` along `contiguous`,
/// whose runs of `vec` elements are permuted as in swizzledLayout. A box has all rows of the tile.
LinearLayout boxedLayout(llvm::ArrayRef<int64_t> shape, unsigned contiguous, unsigned rowElements, unsigned vec,
                         unsigned perPhase, unsigned maxPhase);

/// Maps a row (one of 128 lanes) and a column of tensor memory (tcgen05) to the element of a matrix of `shape` that lies
/// there. Columns count elements, of which one in `stride` is used. The matrix consists of blocks of `blockM` (64 or 128) by
/// `blockN` elements, as products leave them. Blocks lie side by side along the columns of tensor memory, one column of blocks
/// after the other. A block of 64 rows uses 16 of each 32 lanes; the other 16 hold the next block, if there is one.
LinearLayout tensorMemoryLayout(llvm::ArrayRef<int64_t> shape, unsigned blockM, unsigned blockN, unsigned stride);

} // namespace tilecc

#endif
