//===- RowMasks.h - ranges of a row in which a mask is true ------------------------------------------------*- C++ -*-//
//
// A comparison of an index with a bound determines how many leading elements of a row are in bounds. RowMasks splits a
// row's loop into an unmasked, unrolled part and a masked remainder. A comparison for equality leaves a single element.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_ROWMASKS_H
#define TILECC_TARGETS_CPU_ROWMASKS_H

#include "targets/cpu/Evaluator.h"

namespace tilecc::cpu {

class RowMasks {
public:
  RowMasks(EmitContext &ctx, const Buffers &buffers, Evaluator &evaluator)
      : ctx(ctx), b(ctx.b), buffers(buffers), evaluator(evaluator) {}

  struct Extent {
    llvm::Value *leading; ///< at least this many elements from the start are true; null: unknown
    llvm::Value *end; ///< all elements from here on are false
    llvm::Value *begin = nullptr; ///< all elements before this one are false; null: unknown
  };
  /// Returns the range in which a mask is true along a row of that size that starts at `c`.
  Extent extentOf(mlir::Value mask, const Chunk &c, int64_t size);

  struct Filling {
    mlir::TypedAttr value;
    llvm::Value *from; ///< all elements from here on equal the constant
    llvm::Value *before = nullptr; ///< all elements before this one equal it too; null: unknown
  };
  /// Returns the constant that a formula has after the end of the masks of its loads and selects, along a row that
  /// starts at `c`.
  std::optional<Filling> fillingOf(mlir::Value v, const Chunk &c, int64_t size);

private:
  Extent extentOf(mlir::arith::CmpIOp cmp, const Chunk &c, int64_t size);
  bool canBeRead(mlir::Value v) const;

  EmitContext &ctx;
  llvm::IRBuilder<> &b;
  const Buffers &buffers;
  Evaluator &evaluator;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_ROWMASKS_H
