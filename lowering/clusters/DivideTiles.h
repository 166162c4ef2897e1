//===- DivideTiles.h - kernels with smaller tiles, for launches of few programs -------------------------*- C++ -*-===//
//
// A source uses one tile size for all launches. A tile of 128x128 results suits a matrix multiplication of 4096^3. But
// a multiplication of 1024^3 then leaves half of the multiprocessors idle, and in one of 16 rows, 112 rows of the tile
// are outside the matrix. These functions turn a kernel with a single dot into one whose programs each compute a part
// of the dot's result. They use the rules by which tiles are distributed over the blocks of a cluster (Distribution.h),
// but the parts are independent of each other.
//
// The compiler creates variants of kernels in this way (compile/Variants.h).
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_CLUSTERS_DIVIDETILES_H
#define TILECC_LOWERING_CLUSTERS_DIVIDETILES_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// Rewrites `kernel` so that 2^`bits` programs, adjacent along x, each compute an equal part of the dot's result of one
/// original program. The result is repeatedly halved along its longer axis, or between its columns if both axes are
/// equally long. Returns false if that is impossible, or if such parts are too small to be fast. The kernel must then
/// not be used any more.
bool dividePrograms(tt::FuncOp kernel, unsigned bits);

/// Rewrites `kernel`, whose loops have chains of dots, so that 2^`bits` programs, adjacent along x, compute equal
/// numbers of rows of the tile that one program computed. Returns false if that is impossible. The kernel must then not
/// be used any more.
bool divideRows(tt::FuncOp kernel, unsigned bits);

/// A kernel that computes only the first rows of tiles.
struct FirstRows {
  unsigned argument; ///< the number of an integer argument, which must not be above `most`
  int64_t most;
  unsigned bits; ///< 2^bits programs compute what one program computed, as with dividePrograms()
};

/// Rewrites `kernel` so that it computes only the first rows of the dot's result, as many as matrix instructions need,
/// and divides wide tiles along columns. Returns the condition under which it stores the same elements as before. For
/// this, the mask of each store must compare the row with the argument, the kernel must not contain assertions, and no
/// row may be negative; `isNonNegativeArgument` returns true for integer arguments that are not negative. Returns
/// nothing if there is no such argument, or if the tile already has only so many rows. The kernel must then not be used
/// any more.
std::optional<FirstRows> keepFirstRows(tt::FuncOp kernel,
                                       llvm::function_ref<bool(mlir::BlockArgument)> isNonNegativeArgument);

} // namespace tilecc

#endif // TILECC_LOWERING_CLUSTERS_DIVIDETILES_H
