//===- ProgramBlock.h - code that depends on a block's rank in its program ------------------------------*- C++ -*-===//
//
// Used by tritongpu-plan-cta.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_CLUSTERS_PROGRAMBLOCK_H
#define TILECC_LOWERING_CLUSTERS_PROGRAMBLOCK_H

#include "lowering/clusters/Distribution.h"
#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// Creates the code that depends on the rank of a thread block within its program: where its parts of tiles begin, what
/// the first of the blocks with copies does for all of them, and how blocks exchange parts.
class ProgramBlock {
public:
  /// For `func`, whose code is created after the position of `builder`, as TTGIR or before layouts exist.
  ProgramBlock(mlir::OpBuilder &builder, tt::FuncOp func, bool hasLayouts);

  /// Returns where this block's part begins along `axis`; null stands for 0. `length` is the length of the part.
  mlir::Value getPartBegin(mlir::OpBuilder &builder, mlir::Location loc, const Distribution &distribution, int32_t axis,
                           int64_t length) const;

  /// Returns an i1 that is true in the first of the blocks that have copies under `distribution`; null if there are no
  /// copies.
  mlir::Value isFirst(mlir::OpBuilder &builder, mlir::Location loc, const Distribution &distribution) const;

  /// Executes `create`, whose results have the types of `op`'s results, only in the first of the blocks with copies.
  /// The results are 0 in the others.
  mlir::SmallVector<mlir::Value>
  createForFirst(mlir::OpBuilder &builder, mlir::Operation *op, const Distribution &distribution,
                 mlir::function_ref<mlir::SmallVector<mlir::Value>(mlir::OpBuilder &)> create) const;

  /// Makes only the first of the blocks with copies execute the store.
  void limitToFirst(tt::StoreOp part, const Distribution &distribution) const;

  /// Converts `part` of a tile from distribution `from` to distribution `to`.
  mlir::Value redistribute(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value part, const Distribution &from,
                           const Distribution &to) const;

  /// Gives all blocks with copies the value of the first one. `part` may be a scalar.
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
