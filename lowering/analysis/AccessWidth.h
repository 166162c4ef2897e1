//===- AccessWidth.h - the width of accesses to global memory -------------------------------------------*- C++ -*-===//
//
// Decides how many elements one load or store may access at once. Layout coalescing, the pipeliner and the lowering all
// call these functions, so that they agree on the width.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_ACCESSWIDTH_H
#define TILECC_LOWERING_ANALYSIS_ACCESSWIDTH_H

#include "lowering/analysis/AxisInfo.h"

namespace tilecc {

/// The largest number of bits that one instruction of a thread moves, on every target.
inline constexpr unsigned widestAccessBits = 128;

/// Returns the number of adjacent elements along the fastest axis that one access through the tile of pointers `ptr`
/// may cover, regardless of which threads hold them. These elements are contiguous in memory, the first is aligned to
/// the size of the group, and all have the same bit in `mask` (which may be null). The caller may know a larger
/// contiguity than the analysis proves, and passes it as `assumed`.
int64_t getAccessibleNeighbours(const AxisInfoAnalysis &axisInfo, mlir::Value ptr, mlir::Value mask = {},
                                int64_t assumed = 1);

/// Returns the number of elements that one access of one thread can cover. This is the result of
/// getAccessibleNeighbours(), limited to the elements that the layout of `ptr` assigns to consecutive registers of a
/// thread, and to widestAccessBits. Returns 1 for a single pointer.
int64_t getAccessWidth(const AxisInfoAnalysis &axisInfo, mlir::Value ptr, mlir::Value mask = {}, int64_t assumed = 1);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_ACCESSWIDTH_H
