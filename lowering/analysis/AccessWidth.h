//===- AccessWidth.h - how wide an access to global memory may be --------------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_ANALYSIS_ACCESSWIDTH_H
#define TILECC_LOWERING_ANALYSIS_ACCESSWIDTH_H

#include "lowering/analysis/AxisInfo.h"

namespace tilecc {

/// What one instruction of a thread moves at most, on every target.
inline constexpr unsigned widestAccessBits = 128;

/// How many neighbours along their fastest axis the tile of pointers `ptr` lets one access take, whoever holds them:
/// contiguous, aligned to their size, and under one bit of `mask` (which may be null). `assumed` is a contiguity that
/// holds whatever the analysis knows.
int64_t getAccessibleNeighbours(const AxisInfoAnalysis &axisInfo, mlir::Value ptr, mlir::Value mask = {},
                                int64_t assumed = 1);

/// How many of a thread's registers, one after the other, one access can take: as many of these neighbours as the layout
/// of `ptr` gives to a thread in a row, up to the widest access. 1 through a single pointer.
int64_t getAccessWidth(const AxisInfoAnalysis &axisInfo, mlir::Value ptr, mlir::Value mask = {}, int64_t assumed = 1);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_ACCESSWIDTH_H
