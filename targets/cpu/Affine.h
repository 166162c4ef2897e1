//===-- Affine.h - tiles with a base and strides --------------------------------------------------------*- C++ -*-===//
//
// Analyzes tiles of integers and pointers that consist of a base plus one stride per dimension.
//
// The evaluator itself follows strides within a chunk (Lane in Chunk.h). This file analyzes whole tiles. It computes
// the range of addresses that a tile covers, so that a nest may alternate loads and stores. It also checks whether
// `index % bound` leaves an index unchanged, so that a tile that wraps around at the end of a matrix is read as the
// contiguous tile that it nearly always is.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_CPU_AFFINE_H
#define TILECC_TARGETS_CPU_AFFINE_H

#include "lowering/dialects/tt/TT.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace tilecc::cpu {

/// Recognizes tiles that have this form, and caches the results.
class AffineAnalysis {
public:
  bool isAffine(mlir::Value tile) { return varyingDims(tile).has_value(); }
  /// Returns a mask with one bit per dimension along which an affine tile varies.
  std::optional<unsigned> varyingDims(mlir::Value tile);

private:
  std::optional<unsigned> compute(mlir::Operation *op);
  llvm::DenseMap<mlir::Value, std::optional<unsigned>> known;
};

/// Returns true if `op` maps an affine index to itself while the index is in [0, bound): a remainder, or a widening of
/// an unsigned index whose sign bit is clear.
bool isIdentityInBounds(mlir::Operation *op);

/// Computes the forms as LLVM scalars at the builder's insertion point.
class AffineEmitter {
public:
  AffineEmitter(llvm::IRBuilder<> &b, AffineAnalysis &analysis, std::function<llvm::Value *(mlir::Value)> scalar)
      : b(b), analysis(analysis), scalar(std::move(scalar)) {}

  /// Emits an i1 that is true if `op` (isIdentityInBounds) leaves all elements of its operand unchanged. Null if
  /// unknown.
  llvm::Value *isUnchanged(mlir::Operation *op);
  /// Emits an i1 that is true if a nest may load and store element by element: the address tiles are disjoint, or they
  /// are equal and no two elements share an address. With `inOrder`, the element stored at an address is computed from
  /// the one loaded there; without it, the tiles must be disjoint.
  llvm::Value *canAlternate(mlir::Value loadPtr, mlir::Value storePtr, bool inOrder);

private:
  struct Form {
    llvm::Value *base = nullptr; // i64; addresses too
    llvm::SmallVector<llvm::Value *, 4> strides; // i64; null: does not vary
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
  llvm::DenseMap<mlir::Value, Form> forms; // of the current query
  llvm::SmallVector<llvm::Value *> conditions; // under which the forms hold
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_AFFINE_H
