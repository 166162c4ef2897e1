//===- AccessWidth.h - the width of accesses to global memory -------------------------------------------*- C++ -*-===//
//
// Coalescing, the pipeliner and the lowering share these functions, so that they agree on the width.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_ACCESSWIDTH_H
#define TILECC_LOWERING_ANALYSIS_ACCESSWIDTH_H

#include "lowering/analysis/AxisInfo.h"

namespace tilecc {

/// The largest number of bits that one instruction of a thread moves, on every target.
inline constexpr unsigned widestAccessBits = 128;

/// Returns the number of adjacent elements along the fastest axis that one access through the tile of pointers `ptr`
/// may cover, regardless of which thread holds them. They must be contiguous, aligned to their size, and have the same
/// bit in `mask` (which may be null). `assumed` is a contiguity that holds in addition to the results of the analysis.
int64_t getAccessibleNeighbours(const AxisInfoAnalysis &axisInfo, mlir::Value ptr, mlir::Value mask = {},
                                int64_t assumed = 1);

/// Returns the number of consecutive registers of a thread that one access can cover: as many of these elements as the
/// layout of `ptr` assigns to consecutive registers of a thread, up to the widest access. Returns 1 for a single
/// pointer.
int64_t getAccessWidth(const AxisInfoAnalysis &axisInfo, mlir::Value ptr, mlir::Value mask = {}, int64_t assumed = 1);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_ACCESSWIDTH_H
