// Tiles of integers and pointers that are a base plus a step per dimension.
//
// The evaluator follows steps by itself, chunk by chunk (Lane in Chunk.h). What needs the whole tile is here: which
// addresses it covers, so that a nest may load and store alternately, and whether `index % bound` leaves an index as it
// is, so that a tile wrapped at the end of a matrix is read as the contiguous one that it nearly always is.
#ifndef TILECC_TARGETS_CPU_AFFINE_H
#define TILECC_TARGETS_CPU_AFFINE_H

#include "lowering/dialects/tt/TT.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace tilecc::cpu {

/// Which tiles have the form; remembers its answers.
class AffineAnalysis {
public:
  bool isAffine(mlir::Value tile) { return varyingDims(tile).has_value(); }
  /// A bit per dimension along which an affine tile varies.
  std::optional<unsigned> varyingDims(mlir::Value tile);

private:
  std::optional<unsigned> compute(mlir::Operation *op);
  llvm::DenseMap<mlir::Value, std::optional<unsigned>> known;
};

/// `op` maps an affine index to itself while the index is in [0, bound): a remainder, or a widening of an unsigned
/// index whose sign bit is clear.
bool isIdentityInBounds(mlir::Operation *op);

/// Computes the forms, as LLVM scalars at the builder's insertion point.
class AffineEmitter {
public:
  AffineEmitter(llvm::IRBuilder<> &b, AffineAnalysis &analysis,
                std::function<llvm::Value *(mlir::Value)> scalar)
      : b(b), analysis(analysis), scalar(std::move(scalar)) {}

  /// Whether `op` (isIdentityInBounds) leaves all its operand's elements as they are. Null if that cannot be told.
  llvm::Value *isUnchanged(mlir::Operation *op);
  /// Whether a nest may load and store element by element: the tiles of addresses are disjoint, or they are the same
  /// and no two elements share an address.
  /// With `inOrder`, the element stored at a place is made of the one loaded there; without, the tiles must be
  /// disjoint.
  llvm::Value *canAlternate(mlir::Value loadPtr, mlir::Value storePtr, bool inOrder);

private:
  struct Form {
    llvm::Value *base = nullptr;                // i64; addresses too
    llvm::SmallVector<llvm::Value *, 4> strides; // i64; null: does not vary
  };
  struct Range {
    llvm::Value *low, *span; // the least of elements' values or first bytes, and how far the largest is above it
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
  llvm::SmallVector<llvm::Value *> conditions; // under which they hold
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_AFFINE_H
