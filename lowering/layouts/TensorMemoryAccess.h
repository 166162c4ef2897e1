//===- TensorMemoryAccess.h - plans accesses of a warp to tensor memory -------------------------------*- C++ -*-===//
//
// Tensor memory has 128 rows (lanes) and 512 columns of 32 bits. A warp can access the 32 rows that begin at 32 times
// its number modulo 4. One instruction moves words of adjacent columns between these rows and the warp's lanes
// (tcgen05.ld and tcgen05.st). Given the location in tensor memory of each register of each lane, this class selects
// the instructions that move them.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_LAYOUTS_TENSORMEMORYACCESS_H
#define TILECC_LOWERING_LAYOUTS_TENSORMEMORYACCESS_H

#include "lowering/layouts/LinearLayout.h"

namespace tilecc {

class TensorMemoryAccess {
public:
  static constexpr unsigned numRows = 128, numColumns = 512;
  /// The assignment of lanes to rows.
  enum class Shape {
    Rows32, ///< 32x32b: each lane has a row
    Rows16, ///< 16x32bx2: lanes 0 to 15 have a row each, and lanes 16 to 31 the same rows `secondHalf` columns further
  };
  /// `places` maps (register, lane, warp) to (row, column), where columns count elements of `elementBits`. Returns
  /// nothing if no instruction can move them.
  static std::optional<TensorMemoryAccess> plan(const LinearLayout &places, unsigned elementBits);

  /// One instruction moves consecutive words from `column` on, relative to the warp's first column. Word i consists of
  /// the registers from `registers[i * perWord]` on, the first in the lowest bits.
  struct Instruction {
    unsigned column;
    llvm::SmallVector<unsigned> registers;
  };

  Shape shape = Shape::Rows32;
  unsigned secondHalf = 0; ///< in columns of 32 bits
  unsigned perWord = 1; ///< elements in a word
  llvm::SmallVector<Instruction> instructions;
  /// The distance, in columns of 32 bits, by which each bit of the warp's number, from the third on, moves its columns.
  llvm::SmallVector<unsigned> warpColumns;
};

} // namespace tilecc

#endif // TILECC_LOWERING_LAYOUTS_TENSORMEMORYACCESS_H
