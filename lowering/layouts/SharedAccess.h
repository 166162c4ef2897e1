//===- SharedAccess.h - a warp's accesses to a tile in shared memory -----------------------------------*- C++ -*-----===//
//
// Given where in shared memory each register of each lane belongs, this decides which instructions move them: vectors of
// a lane's registers that are neighbours in memory, or matrices of 8 rows of 16 bytes (ldmatrix), of which a lane gets a
// word of one row, or two 16-bit elements of one column. Both are properties of the map's columns, so that one test
// serves every encoding: matrices need the two lowest bits of the lane to move by 4 and 8 bytes, and all others by rows.
//
// Lanes need not access the same register at a time. The result of a product (a lane has two columns, and four have 8) in rows of
// 32 floats, whose units of 16 bytes are swizzled: rows 0 and 1 meet in banks, since the swizzle exchanges the two units that four
// lanes have anyway. If lanes of odd rows store another eight of the columns first, all banks are used.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_LAYOUTS_SHAREDACCESS_H
#define TILECC_LOWERING_LAYOUTS_SHAREDACCESS_H

#include "lowering/layouts/LinearLayout.h"

namespace tilecc {

class SharedAccess {
public:
  enum class Kind {
    Vectors,           ///< of a lane's registers
    Matrices,          ///< of rows of 16 bytes, distributed over lanes by rows
    TransposedMatrices ///< the same, distributed by columns
  };
  /// `places` maps (register, lane, warp) to Dim::Offset, in elements; registers hold different elements. Accesses are
  /// aligned and take neighbours within runs of `contiguous` elements. `registerOrder` has the register bits in the order
  /// in which a matrix instruction should take them.
  SharedAccess(const LinearLayout &places, unsigned elementBytes, unsigned contiguous, bool mayUseMatrices,
               llvm::ArrayRef<unsigned> registerOrder = {});

  Kind kind = Kind::Vectors;
  /// (register, lane, warp) to the offset of the address that a lane gives for the access that begins at the register.
  LinearLayout addresses;
  /// Register bits that one access covers: within a word or vector, lowest offset first, and then those that number
  /// the matrices of an instruction.
  llvm::SmallVector<unsigned> within, matrices;

  unsigned getWidth() const { return 1u << within.size(); }
  unsigned getNumMatrices() const { return 1u << matrices.size(); }
  /// The registers of each access, in the order in which it has them.
  llvm::SmallVector<llvm::SmallVector<unsigned>> getRegisters() const;
  /// A lane that has the bit `lane` accesses, in place of a register, the one that differs in the bit `reg`.
  struct Exchange {
    unsigned lane, reg;
  };
  llvm::SmallVector<Exchange> exchanges;
  /// Has lanes that would meet in banks access different registers at a time, where that takes fewer wavefronts than selections are
  /// worth; for vectors of whole words. `addresses` are then those of the registers that each lane really accesses.
  void avoidConflicts(unsigned elementBytes);
  /// How often the banks are used for one access of a warp: once for each 128 bytes, if no two rows meet in a bank.
  unsigned countWavefronts(unsigned elementBytes) const;

private:
  bool useMatrices(const LinearLayout &places, unsigned elementBytes, llvm::ArrayRef<unsigned> registerOrder);
  bool useTransposedMatrices(const LinearLayout &places, llvm::ArrayRef<unsigned> registerOrder);
  void takeMatrices(const LinearLayout &places, llvm::ArrayRef<uint64_t> rowColumns,
                    llvm::ArrayRef<unsigned> registerOrder);
};

} // namespace tilecc

#endif // TILECC_LOWERING_LAYOUTS_SHAREDACCESS_H
