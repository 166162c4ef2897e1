//===- Distributor.h - rewrites a kernel with parts in place of whole tiles -----------------------------*- C++ -*-===//
//
// The pass tritongpu-plan-cta uses this once it has a DistributionPlan; DivideTiles.cpp uses it to make programs
// smaller.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_CLUSTERS_DISTRIBUTOR_H
#define TILECC_LOWERING_CLUSTERS_DISTRIBUTOR_H

#include "lowering/clusters/DistributionPlan.h"

namespace tilecc {

/// Turns `func` into the code that each of 2^`bits` blocks executes on its own parts of tiles, according to `plan`. The
/// code gets the rank of its block from ttng.block_rank. Reports operations that cannot be distributed; `func` is then
/// unchanged.
mlir::LogicalResult distributeTiles(tt::FuncOp func, DistributionPlan plan, unsigned bits);

} // namespace tilecc

#endif // TILECC_LOWERING_CLUSTERS_DISTRIBUTOR_H
