//===- TensorMemoryAccess.h - plans accesses of a warp to tensor memory -------------------------------*- C++ -*-===//
//
// Tensor memory has 128 rows (lanes) and 512 columns of 32 bits. Warp w can access only the 32 rows that begin at row
// 32 * (w % 4). One instruction (tcgen05.ld or tcgen05.st) moves words of adjacent columns between these rows and the
// lanes of the warp. Given the location in tensor memory of each register of each lane, this class selects the
// instructions.
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
  /// nothing if no instruction can move the elements.
  static std::optional<TensorMemoryAccess> plan(const LinearLayout &places, unsigned elementBits);

  /// One instruction moves consecutive words, starting at `column`, which is relative to the warp's first column. Word
  /// i consists of the `perWord` registers from `registers[i * perWord]` on; the first is in the lowest bits.
  struct Instruction {
    unsigned column;
    llvm::SmallVector<unsigned> registers;
  };

  Shape shape = Shape::Rows32;
  unsigned secondHalf = 0; ///< for Rows16: the distance, in columns of 32 bits
  unsigned perWord = 1; ///< elements in a word
  llvm::SmallVector<Instruction> instructions;
  /// For each bit of the warp's number, from the third on: the number of 32-bit columns by which the bit moves the
  /// warp's columns.
  llvm::SmallVector<unsigned> warpColumns;
};

} // namespace tilecc

#endif // TILECC_LOWERING_LAYOUTS_TENSORMEMORYACCESS_H
