//===- DivideTiles.h - kernels with smaller tiles, for launches of few programs -------------------------*- C++ -*-===//
//
// A source uses one tile size for all launches. A tile of 128x128 results suits a matrix multiplication of 4096^3. But
// a multiplication of 1024^3 then leaves half of the multiprocessors idle, and for one of 16 rows the tile has 112 rows
// that do not exist. From a kernel with a single dot, these functions create another kernel that computes a part of the
// dot's result. They use the rules by which tiles are distributed over the blocks of a cluster (Distribution.h), but
// the parts are independent of each other.
//
// Used for variants of kernels (compile/Variants.h).
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_CLUSTERS_DIVIDETILES_H
#define TILECC_LOWERING_CLUSTERS_DIVIDETILES_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// Rewrites `kernel` so that 2^`bits` programs, adjacent along x, compute what one program computed: equal parts of
/// the dot's result, which is halved along its longer axis each time, and between its columns if both are equally long.
/// Returns false if that is impossible, or if such parts are too small to be fast. Then the kernel must not be used any
/// more.
bool dividePrograms(tt::FuncOp kernel, unsigned bits);

/// Rewrites `kernel`, whose loops have chains of dots, so that 2^`bits` programs, adjacent along x, compute equal
/// numbers of rows of the tile that one program computed. Returns false if that is impossible. The kernel must not be
/// used any more then.
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
/// row may be negative; `isNonNegativeArgument` says which integer arguments are not negative. Returns nothing if there
/// is no such argument, or if the tile has no more rows. The kernel must not be used any more then.
std::optional<FirstRows> keepFirstRows(tt::FuncOp kernel,
                                       llvm::function_ref<bool(mlir::BlockArgument)> isNonNegativeArgument);

} // namespace tilecc

#endif // TILECC_LOWERING_CLUSTERS_DIVIDETILES_H
