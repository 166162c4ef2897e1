//===- BlockAccess.h - builds the pointers and the mask of a block of a tensor --------------------------*- C++ -*-===//
//
// Two passes rewrite accesses to blocks of tensors, through tensor descriptors and through block pointers, to pointers
// and masks. They share this class.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_PASSES_BLOCKACCESS_H
#define TILECC_LOWERING_PASSES_BLOCKACCESS_H

#include "lowering/dialects/tt/TT.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tilecc {

/// Builds the tile of pointers to a block of a tensor, and the mask of the elements that are inside the tensor. The
/// caller adds every axis once, in any order.
class BlockAccess {
public:
  /// The tensor begins at `base`. For each axis of the block's `shape`, `sizes` has the size of the tensor (i32 or
  /// i64), and `strides` has its stride (i64; null means 1).
  BlockAccess(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value base, mlir::ValueRange sizes,
              llvm::ArrayRef<mlir::Value> strides, llvm::ArrayRef<int64_t> shape)
      : builder(builder), loc(loc), sizes(sizes), strides(strides), shape(shape), base(base) {}

  /// Adds an axis along which the block begins at index `first`. If `isChecked`, elements outside the tensor are
  /// masked.
  void addAxis(unsigned axis, mlir::Value first, bool isChecked = true);
  /// Adds an axis along which `indices`, a tile, selects the rows (a gather).
  void addIndices(unsigned axis, mlir::Value indices);

  mlir::Value getPointers();
  /// Returns the mask, or null if no axis is checked.
  mlir::Value getMask() const { return mask; }

private:
  mlir::Value spread(unsigned axis, mlir::Value line) { return tt::createSpread(builder, loc, line, axis, shape); }
  void limit(unsigned axis, mlir::Value indices);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::ValueRange sizes;
  llvm::SmallVector<mlir::Value> strides;
  llvm::ArrayRef<int64_t> shape;
  mlir::Value base, offset, mask;
  llvm::SmallVector<std::pair<unsigned, mlir::Value>> steps;
};

/// Returns the tile that a load yields for elements outside the tensor: zeros or NaNs. Integers have no NaN, so they
/// get zeros.
mlir::Value createPadding(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                          tt::PaddingOption padding);

/// Adds a pattern for each arith.select whose type `types` converts to several values.
void populateSelectPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types);

} // namespace tilecc

#endif // TILECC_LOWERING_PASSES_BLOCKACCESS_H
