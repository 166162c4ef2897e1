//===-- Affine.h - tiles with a base and strides --------------------------------------------------------*- C++ -*-===//
//
// Analyzes tiles of integers and pointers that consist of a base plus a stride along each dimension.
//
// The evaluator follows strides only within a chunk (Lane in Chunk.h); this file analyzes whole tiles. First, it
// computes the range of addresses that a tile covers, to find out whether a loop nest may alternate loads and stores.
// Second, it checks whether `index % bound` leaves an index unchanged: a tile that would wrap around at the end of a
// matrix rarely does so, and is then read as a contiguous tile.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_CPU_AFFINE_H
#define TILECC_TARGETS_CPU_AFFINE_H

#include "lowering/dialects/tt/TT.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace tilecc::cpu {

/// Recognizes tiles that have this form, and caches what it finds.
class AffineAnalysis {
public:
  bool isAffine(mlir::Value tile) { return varyingDims(tile).has_value(); }
  /// Returns a mask with one bit for each dimension along which an affine tile varies.
  std::optional<unsigned> varyingDims(mlir::Value tile);

private:
  std::optional<unsigned> compute(mlir::Operation *op);
  llvm::DenseMap<mlir::Value, std::optional<unsigned>> known;
};

/// Returns true if `op` leaves an affine index unchanged as long as the index is in [0, bound). Such operations are
/// remainders, and extensions of an unsigned index whose sign bit is 0.
bool isIdentityInBounds(mlir::Operation *op);

/// Computes bases and strides as LLVM scalars, at the insertion point of the builder.
class AffineEmitter {
public:
  AffineEmitter(llvm::IRBuilder<> &b, AffineAnalysis &analysis, std::function<llvm::Value *(mlir::Value)> scalar)
      : b(b), analysis(analysis), scalar(std::move(scalar)) {}

  /// Emits an i1 that is true if `op`, for which isIdentityInBounds() is true, leaves all elements of its operand
  /// unchanged. Returns null if that is not known.
  llvm::Value *isUnchanged(mlir::Operation *op);
  /// Emits an i1 that is true if a loop nest may load and store element by element. This is the case if the address
  /// tiles are disjoint, or if they are equal and no two elements share an address. If `inOrder` is true, the element
  /// stored at an address is computed from the element loaded there; otherwise the tiles must be disjoint.
  llvm::Value *canAlternate(mlir::Value loadPtr, mlir::Value storePtr, bool inOrder);

private:
  struct Form {
    llvm::Value *base = nullptr; // i64, also for addresses
    llvm::SmallVector<llvm::Value *, 4> strides; // i64; null: the tile does not vary along this dimension
  };
  struct Range {
    llvm::Value *low, *span; // the lowest value or first byte of any element, and the distance to the highest
  };
  const Form &form(mlir::Value tile);
  Form compute(mlir::Value tile);
  Range range(mlir::Value tile);
  llvm::Value *extend(llvm::Value *v) { return b.CreateSExt(v, b.getInt64Ty()); }
  llvm::Value *sum(llvm::Value *x, llvm::Value *y) { return !x ? y : !y ? x : b.CreateAdd(x, y); }

  llvm::IRBuilder<> &b;
  AffineAnalysis &analysis;
  std::function<llvm::Value *(mlir::Value)> scalar;
  llvm::DenseMap<mlir::Value, Form> forms; // results for the current query
  llvm::SmallVector<llvm::Value *> conditions; // conditions under which the forms hold
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_AFFINE_H
