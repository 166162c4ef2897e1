//===- Distributor.h - rewrites a kernel with parts in place of whole tiles -----------------------------*- C++ -*-===//
#ifndef TILECC_LOWERING_CLUSTERS_DISTRIBUTOR_H
#define TILECC_LOWERING_CLUSTERS_DISTRIBUTOR_H

#include "lowering/clusters/DistributionPlan.h"

namespace tilecc {

/// Turns `func` into the code that each of 2^`bits` blocks executes on its parts of tiles, according to `plan`. The
/// block's number is the result of a ttng.block_rank. Reports operations that cannot be distributed; `func` is then
/// unchanged.
mlir::LogicalResult distributeTiles(tt::FuncOp func, DistributionPlan plan, unsigned bits);

} // namespace tilecc

#endif // TILECC_LOWERING_CLUSTERS_DISTRIBUTOR_H
