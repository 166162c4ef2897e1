//===- TileCopy.h - plans copies of register tiles to memory in parts -----------------------------------*- C++ -*-===//
//
// Passes use these plans for tiles that the tensor memory accelerator stores to global memory.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_TILECOPY_H
#define TILECC_LOWERING_ANALYSIS_TILECOPY_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// A plan for storing a tile in registers to global memory part by part: threads write a part to shared memory, and the
/// tensor memory accelerator copies it from there. If possible, a part consists of whole rows of one warp and is as
/// wide as the swizzle, so that warps need not wait for each other. If warps share rows, a part consists of some rows
/// of the tile. Each thread's elements of a part are a subset of its registers.
struct TileCopyPlan {
  /// Returns the plan for a tile. Returns nothing if the elements of a part are not in the same registers of all
  /// threads, or if elements are not 32 or 16 bits wide.
  static std::optional<TileCopyPlan> get(mlir::RankedTensorType tile);

  mlir::RankedTensorType part; ///< the type of a part, with its layout
  llvm::SmallVector<llvm::SmallVector<unsigned>> registers; ///< for each part: its registers in every thread
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>> begins; ///< the position at which each part begins in the tile
  bool isOfWarps; ///< true if each warp has its own rows
  int64_t boxRows; ///< the number of consecutive rows that one copy covers

  /// Returns the type of an allocation for `slots` parts.
  ttg::MemDescType getSlots(unsigned slots) const;
  /// Returns the rows at which the boxes of a warp begin, relative to its first row.
  llvm::SmallVector<int64_t> getBoxesOfWarp() const;
  /// Returns the number of rows that each bit of a warp's number adds to the row of its first box.
  llvm::SmallVector<uint64_t> getRowsOfWarps() const;
};

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_TILECOPY_H
