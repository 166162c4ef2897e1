//===- DotOperands.h - dot operands in the layout that the loops read -----------------------------------*- C++ -*-===//
//
// A dot reads its left operand row by row, and its right operand in panels, which are as wide as a register block so
// that the innermost loop reads memory sequentially. An operand that already has this layout in memory is read in
// place. All others are packed: the loop that fills the buffer also computes the elements, as for any other tile, so
// masks, casts and computed operands cost nothing extra.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_DOTOPERANDS_H
#define TILECC_TARGETS_CPU_DOTOPERANDS_H

#include "targets/cpu/Roots.h"

namespace tilecc::cpu {

/// The shape of a dot, and how its loops are blocked.
struct DotShape {
  int rank;
  int64_t batch, m, n, k;
  mlir::Type compute; // the element type of the accumulator and of packed operands
  llvm::Type *element; // its LLVM type
  unsigned bytes; // per element
  unsigned lanes, vectors; // per row of a register block
  int64_t unroll; // the steps along k that one iteration of the loop executes
  int64_t panel() const { return static_cast<int64_t>(lanes) * vectors; }
};

/// Where the left operand is in memory. The elements of a row are contiguous.
struct Rows {
  llvm::Value *address;
  llvm::Value *stride; // between rows, in bytes
};

/// Where the right operand is in memory, as panels of columns. In each row of a panel, the elements are contiguous.
struct Panels {
  llvm::Value *address;
  llvm::Value *rowStride, *stride; // between rows and between panels, in bytes
};

class DotOperands : RootParts {
public:
  DotOperands(const RootParts &parts, tt::DotOp op, const DotShape &shape) : RootParts(parts), op(op), s(shape) {}

  /// Makes the left operand available as rows. If `isReadAgain` is true, the dot reads the rows again for every few
  /// columns, so they should stay in the first-level cache.
  Rows placeLeft(bool isReadAgain = false);
  Panels placeRight();
  /// Packs the right operand into consecutive panels of 16 columns. Each row of a panel has 64 bytes: for each column,
  /// as many elements, adjacent along k, as fit in 32 bits.
  llvm::Value *packGroups();

private:
  using StoreChunk = llvm::function_ref<void(const Chunk &, llvm::Value *)>;
  std::optional<Nests::InMemory> findInMemory(mlir::Value operand);
  void pack(mlir::Value operand, StoreChunk store);
  void packTransposed(mlir::Value operand, StoreChunk store);
  void packPanels(llvm::Value *panels);
  /// Returns the number of elements that fit in 32 bits.
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
