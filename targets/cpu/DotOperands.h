//===- DotOperands.h - what a matrix product multiplies, where its loops want it ------------------------*- C++ -*-===//
//
// The left operand is read row by row, the right one in panels as wide as a register block, so that the innermost loop
// reads it in order. An operand already laid out like that in memory is read in place. All others are packed: evaluated
// into buffers like any formula, so masks, casts and computed operands cost nothing extra.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_DOTOPERANDS_H
#define TILECC_TARGETS_CPU_DOTOPERANDS_H

#include "targets/cpu/Roots.h"

namespace tilecc::cpu {

/// What is multiplied.
struct DotShape {
  int rank;
  int64_t batch, m, n, k;
  mlir::Type compute;      // of the accumulator and the packed operands
  llvm::Type *element;     // the same in LLVM
  unsigned bytes;          // of an element
  unsigned lanes, vectors; // of a register block's row
  int64_t unroll;          // how many of k an iteration takes
  int64_t panel() const { return static_cast<int64_t>(lanes) * vectors; }
};

/// Where the left operand is; elements of a row are neighbours.
struct Rows {
  llvm::Value *address;
  llvm::Value *stride; // from a row to the next, in bytes
};

/// Where the right operand is, in panels of some columns; elements of a panel's row are neighbours.
struct Panels {
  llvm::Value *address;
  llvm::Value *rowStride, *stride; // from a row to the next, and from a panel to the next, in bytes
};

class DotOperands : RootParts {
public:
  DotOperands(const RootParts &parts, tt::DotOp op, const DotShape &shape) : RootParts(parts), op(op), s(shape) {}

  /// `isReadAgain`: by every few columns, so that rows should stay in the first-level cache.
  Rows placeLeft(bool isReadAgain = false);
  Panels placeRight();
  /// The right operand in panels of 16 columns, each row of which is 64 bytes: of each column as many neighbours along k as 32
  /// bits hold. Panels follow each other.
  llvm::Value *packGroups();

private:
  using StoreChunk = llvm::function_ref<void(const Chunk &, llvm::Value *)>;
  std::optional<Nests::InMemory> findInMemory(mlir::Value operand);
  void pack(mlir::Value operand, StoreChunk store);
  void packTransposed(mlir::Value operand, StoreChunk store);
  void packPanels(llvm::Value *panels);
  /// Elements that 32 bits hold.
  int64_t groupSize() const { return 4 / s.bytes; }
  void packSquares(llvm::Value *packed);
  void packInterleaved(llvm::Value *packed);
  void storeGroups(llvm::Value *packed, llvm::Value *batch, llvm::Value *row, llvm::Value *column, llvm::Value *v);
  Chunk rightChunk(llvm::Value *batch, llvm::Value *k, llvm::Value *column, int vecDim, int64_t lanes);
  llvm::Value *spreads(llvm::Value *stride, int64_t rows, int64_t rowBytes);
  Values placeEither(llvm::Value *stays, llvm::function_ref<Values()> leave,
                     llvm::function_ref<Values(llvm::Value *packed)> pack, int64_t elements);
  llvm::Value *widened(mlir::Value operand, const Chunk &c);

  tt::DotOp op;
  const DotShape &s;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_DOTOPERANDS_H
