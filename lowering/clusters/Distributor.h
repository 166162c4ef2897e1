//===- Distributor.h - rewrites a kernel with parts in place of whole tiles -----------------------------*- C++ -*-===//
#ifndef TILECC_LOWERING_CLUSTERS_DISTRIBUTOR_H
#define TILECC_LOWERING_CLUSTERS_DISTRIBUTOR_H

#include "lowering/clusters/DistributionPlan.h"

namespace tilecc {

/// Turns `func` into the code of one of 2^`bits` blocks, which have the parts of tiles that `plan` says. The block's
/// number is the result of a ttng.block_rank. Reports operations that cannot be distributed; then `func` is unchanged.
mlir::LogicalResult distributeTiles(tt::FuncOp func, DistributionPlan plan, unsigned bits);

} // namespace tilecc

#endif // TILECC_LOWERING_CLUSTERS_DISTRIBUTOR_H
