//===- BlockAccess.h - pointers to a block of a tensor, and which of them are inside -----------------------*- C++ -*-//
//
// Used by the passes that make pointers and masks of descriptors and block pointers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_PASSES_BLOCKACCESS_H
#define TILECC_LOWERING_PASSES_BLOCKACCESS_H

#include "lowering/dialects/tt/TT.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tilecc {

/// The tile of pointers to a block of a tensor, and the mask of those within the tensor. Add every axis, in any order.
class BlockAccess {
public:
  /// The tensor lies at `base` and has a size (i32 or i64) and a stride (i64; null: 1) for each axis of the block's
  /// `shape`.
  BlockAccess(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value base, mlir::ValueRange sizes,
              llvm::ArrayRef<mlir::Value> strides, llvm::ArrayRef<int64_t> shape)
      : builder(builder), loc(loc), sizes(sizes), strides(strides), shape(shape), base(base) {}

  /// The block begins at `first` along the axis. What lies outside the tensor is masked if `isChecked`.
  void addAxis(unsigned axis, mlir::Value first, bool isChecked = true);
  /// The block has the places in `indices`, a tile, along the axis.
  void addPlaces(unsigned axis, mlir::Value indices);

  mlir::Value getPointers();
  /// Null if no axis is checked.
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

/// What a load gives outside the tensor: zeros or NaNs. Integers have no NaN.
mlir::Value createPadding(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                          tt::PaddingOption padding);

/// arith.select of what `types` makes several values of.
void populateSelectPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types);

} // namespace tilecc

#endif // TILECC_LOWERING_PASSES_BLOCKACCESS_H
