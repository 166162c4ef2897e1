//===- TileCopy.h - how a tile that threads hold goes to memory through a part of it ----------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_ANALYSIS_TILECOPY_H
#define TILECC_LOWERING_ANALYSIS_TILECOPY_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// How a tile is put into shared memory part by part, for the tensor memory accelerator to copy it from there: parts are whole rows of a
/// warp as wide as the swizzle, so that no warp waits for another; or, where warps share rows, some of the tile's rows. What a
/// thread has of a part is some of its registers.
struct TileCopyPlan {
  /// Nothing where parts are no registers, or elements no words or halves of words.
  static std::optional<TileCopyPlan> get(mlir::RankedTensorType tile);

  mlir::RankedTensorType part;                                     ///< with the layout of what threads have of one
  llvm::SmallVector<llvm::SmallVector<unsigned>> registers;        ///< of each part
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>> begins;         ///< where each part begins in the tile
  bool isOfWarps;                                                  ///< each warp has rows for itself
  int64_t boxRows;                                                 ///< that lie one behind the other: what one copy takes

  /// Memory for as many parts as `slots`.
  ttg::MemDescType getSlots(unsigned slots) const;
  /// Where a warp's boxes begin, in rows from its first one.
  llvm::SmallVector<int64_t> getBoxesOfWarp() const;
  /// What the bits of a warp's number add to the row where its first box begins.
  llvm::SmallVector<uint64_t> getRowsOfWarps() const;
};

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_TILECOPY_H
