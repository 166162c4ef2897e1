//===- ProgramBlock.h - code that depends on a block's rank in its program ------------------------------*- C++ -*-===//
//
// The pass tritongpu-plan-cta (PlanCTA.cpp) uses this class.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_CLUSTERS_PROGRAMBLOCK_H
#define TILECC_LOWERING_CLUSTERS_PROGRAMBLOCK_H

#include "lowering/clusters/Distribution.h"
#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// Creates code that depends on the rank of a thread block within its program. This code computes where the block's
/// parts of tiles begin, executes an operation in only one of the blocks that have copies, and exchanges parts between
/// blocks.
class ProgramBlock {
public:
  /// Creates code in `func`, after the position of `builder`. `hasLayouts` is true for TTGIR and false for TTIR.
  ProgramBlock(mlir::OpBuilder &builder, tt::FuncOp func, bool hasLayouts);

  /// Returns the position along `axis` at which this block's part begins; null means 0. `length` is the length of the
  /// part.
  mlir::Value getPartBegin(mlir::OpBuilder &builder, mlir::Location loc, const Distribution &distribution, int32_t axis,
                           int64_t length) const;

  /// Returns an i1 that is true in the first of the blocks that have copies under `distribution`; null if there are no
  /// copies.
  mlir::Value isFirst(mlir::OpBuilder &builder, mlir::Location loc, const Distribution &distribution) const;

  /// Calls `create` to emit operations that only the first of the blocks with copies executes, and that compute parts
  /// of the results of `op`. Returns these parts, which all of the blocks receive.
  mlir::SmallVector<mlir::Value>
  createForFirst(mlir::OpBuilder &builder, mlir::Operation *op, const Distribution &distribution,
                 mlir::function_ref<mlir::SmallVector<mlir::Value>(mlir::OpBuilder &)> create) const;

  /// Masks the store `part` so that only the first of the blocks with copies executes it.
  void limitToFirst(tt::StoreOp part, const Distribution &distribution) const;

  /// Converts `part` of a tile from distribution `from` to distribution `to`.
  mlir::Value redistribute(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value part, const Distribution &from,
                           const Distribution &to) const;

  /// Returns, in all blocks with copies, the value that `part` has in the first of them. `part` may be a scalar.
  mlir::Value takeFromFirst(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value part,
                            const Distribution &distribution) const;

  /// Returns the type of a tile of one element, in which blocks exchange a scalar.
  mlir::RankedTensorType getTileOfOne(mlir::Type type) const;

private:
  mlir::Value getPartNumber(mlir::OpBuilder &builder, mlir::Location loc, const Distribution &distribution,
                            int32_t axis) const;

  tt::FuncOp func;
  bool hasLayouts;
  mlir::Value rank;
};

} // namespace tilecc

#endif // TILECC_LOWERING_CLUSTERS_PROGRAMBLOCK_H
