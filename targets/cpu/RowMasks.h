//===- RowMasks.h - ranges of a row in which a mask is true ------------------------------------------------*- C++ -*-//
//
// A comparison of an index with a bound determines how many of the first elements of a row are in bounds. With this
// number, the loop over a row is split into an unmasked, unrolled part and a masked remainder. A comparison for
// equality leaves a single element.
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
    llvm::Value *leading; ///< at least this many elements from the start are true; null: not known
    llvm::Value *end; ///< all elements from this one on are false
    llvm::Value *begin = nullptr; ///< all elements before this one are false; null: not known
  };
  /// Returns where `mask` is true in a row of `size` elements that starts at `c`.
  Extent extentOf(mlir::Value mask, const Chunk &c, int64_t size);

  struct Filling {
    mlir::TypedAttr value;
    llvm::Value *from; ///< all elements from this one on equal the constant
    llvm::Value *before = nullptr; ///< all elements before this one also do; null: not known
  };
  /// Returns the constant that a formula equals in the part of the row at `c` where the masks of its loads and selects
  /// are false.
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
