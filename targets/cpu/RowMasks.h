//===- RowMasks.h - how far a mask is true along a row -----------------------------------------------------*- C++ -*-//
//
// A comparison of an index with a bound determines how many leading elements of a row are in bounds. This splits a
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
    llvm::Value *leading; ///< so many elements from the first on are true for certain; null: cannot tell
    llvm::Value *end;     ///< from here on all are false
    llvm::Value *begin = nullptr; ///< before it all are false, as it is the only one; null: cannot tell
  };
  /// Where a mask is true along a row of that size, which starts at `c`.
  Extent extentOf(mlir::Value mask, const Chunk &c, int64_t size);

  struct Filling {
    mlir::TypedAttr value;
    llvm::Value *from; ///< all elements from here on are that constant
    llvm::Value *before = nullptr; ///< and all before this one, so that one element is left; null: cannot tell
  };
  /// What masks of loads and selections leave behind their end, along the same row of a formula.
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
