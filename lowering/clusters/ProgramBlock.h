//===- ProgramBlock.h - one of the thread blocks that run a program -------------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_CLUSTERS_PROGRAMBLOCK_H
#define TILECC_LOWERING_CLUSTERS_PROGRAMBLOCK_H

#include "lowering/clusters/Distribution.h"
#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// Writes what depends on which of its program's blocks a block is: where its parts of tiles begin, what the first of those with
/// copies does for all, and how blocks exchange what they have.
class ProgramBlock {
public:
  /// Of `func`, whose code is written behind where `builder` stands, in TTGIR or before there are layouts.
  ProgramBlock(mlir::OpBuilder &builder, tt::FuncOp func, bool hasLayouts);

  /// Where along `axis` this block's part begins; null: at 0. `length` is the part's.
  mlir::Value getPartBegin(mlir::OpBuilder &builder, mlir::Location loc, const Distribution &distribution, int32_t axis,
                           int64_t length) const;

  /// i1: of the blocks that have copies of what is distributed so, this is the first; null if nobody has copies.
  mlir::Value isFirst(mlir::OpBuilder &builder, mlir::Location loc, const Distribution &distribution) const;

  /// What `create` makes, of the types of `op`'s results, done by the first of those with copies alone; elsewhere results are 0.
  mlir::SmallVector<mlir::Value>
  createForFirst(mlir::OpBuilder &builder, mlir::Operation *op, const Distribution &distribution,
                 mlir::function_ref<mlir::SmallVector<mlir::Value>(mlir::OpBuilder &)> create) const;

  /// Has the first of those with copies store alone.
  void limitToFirst(tt::StoreOp part, const Distribution &distribution) const;

  /// `part` of a tile that is distributed as `from`, when it is distributed as `to`.
  mlir::Value redistribute(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value part, const Distribution &from,
                           const Distribution &to) const;

  /// What the first of the blocks with copies has, for all of them: of a scalar, too.
  mlir::Value takeFromFirst(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value part, const Distribution &distribution) const;

  /// The type of a tile of one element, for a scalar that blocks exchange.
  mlir::RankedTensorType getTileOfOne(mlir::Type type) const;

private:
  mlir::Value getPartNumber(mlir::OpBuilder &builder, mlir::Location loc, const Distribution &distribution, int32_t axis) const;

  tt::FuncOp func;
  bool hasLayouts;
  mlir::Value rank;
};

} // namespace tilecc

#endif // TILECC_LOWERING_CLUSTERS_PROGRAMBLOCK_H
