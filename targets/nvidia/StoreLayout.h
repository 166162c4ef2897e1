//===- StoreLayout.h - layouts in which warps store their own elements ----------------------------------*- C++ -*-===//
//
// Passes use this function for the results of dots, which have layouts in which stores would be narrow.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_STORELAYOUT_H
#define TILECC_TARGETS_NVIDIA_STORELAYOUT_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc::nvidia {

/// Returns a layout in which each warp has the elements that it has in `source`, but each thread has `vector` of them
/// that are adjacent along the axis order[0], and lanes next to each other have adjacent vectors, up to `bytesOfRow`
/// bytes. `order` lists the axes, the one along which elements are adjacent in memory first. Returns null if warps hold
/// copies or fewer bytes of a row.
mlir::Attribute alignWarps(mlir::RankedTensorType source, llvm::ArrayRef<unsigned> order, unsigned vector,
                           unsigned bytesOfRow);

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_STORELAYOUT_H
