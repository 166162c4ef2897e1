//===- AccessWidth.h - how wide an access to global memory may be ---------------------------------------*- C++ -*-===//
//
// Used by coalescing, the pipeliner and the lowering, so that they agree on the width.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_ACCESSWIDTH_H
#define TILECC_LOWERING_ANALYSIS_ACCESSWIDTH_H

#include "lowering/analysis/AxisInfo.h"

namespace tilecc {

/// The most that one instruction of a thread moves, on every target.
inline constexpr unsigned widestAccessBits = 128;

/// Returns how many neighbours along the fastest axis one access through the tile of pointers `ptr` may cover,
/// regardless of which thread holds them. They must be contiguous, aligned to their size, and have the same bit in
/// `mask` (which may be null). `assumed` is a contiguity that holds regardless of what the analysis knows.
int64_t getAccessibleNeighbours(const AxisInfoAnalysis &axisInfo, mlir::Value ptr, mlir::Value mask = {},
                                int64_t assumed = 1);

/// Returns how many consecutive registers of a thread one access can cover: as many of these neighbours as the layout
/// of `ptr` gives to a thread in a row, up to the widest access. Returns 1 for a single pointer.
int64_t getAccessWidth(const AxisInfoAnalysis &axisInfo, mlir::Value ptr, mlir::Value mask = {}, int64_t assumed = 1);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_ACCESSWIDTH_H
