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

/// Creates the code that depends on the rank of a thread block within its program: the positions of its parts of tiles,
/// operations that only the first of the blocks with copies executes, and exchanges of parts between blocks.
class ProgramBlock {
public:
  /// Creates code in `func`, after the position of `builder`. If `hasLayouts`, the code is TTGIR, and otherwise TTIR.
  ProgramBlock(mlir::OpBuilder &builder, tt::FuncOp func, bool hasLayouts);

  /// Returns the position along `axis` at which this block's part begins; null means 0. `length` is the length of the
  /// part.
  mlir::Value getPartBegin(mlir::OpBuilder &builder, mlir::Location loc, const Distribution &distribution, int32_t axis,
                           int64_t length) const;

  /// Returns an i1 that is true in the first of the blocks that have copies under `distribution`; null if there are no
  /// copies.
  mlir::Value isFirst(mlir::OpBuilder &builder, mlir::Location loc, const Distribution &distribution) const;

  /// Creates code that executes the operations of `create`, whose results are parts of the results of `op`, only in the
  /// first of the blocks with copies. All of these blocks get its results.
  mlir::SmallVector<mlir::Value>
  createForFirst(mlir::OpBuilder &builder, mlir::Operation *op, const Distribution &distribution,
                 mlir::function_ref<mlir::SmallVector<mlir::Value>(mlir::OpBuilder &)> create) const;

  /// Makes only the first of the blocks with copies execute the store.
  void limitToFirst(tt::StoreOp part, const Distribution &distribution) const;

  /// Converts `part` of a tile from distribution `from` to distribution `to`.
  mlir::Value redistribute(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value part, const Distribution &from,
                           const Distribution &to) const;

  /// Distributes the value of the first of the blocks with copies to all of them. `part` may be a scalar.
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
