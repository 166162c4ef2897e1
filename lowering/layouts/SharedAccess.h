//===- SharedAccess.h - plans accesses of a warp to shared memory ---------------------------------------*- C++ -*-===//
//
// Given the location in shared memory of each register of each lane, this class selects the instructions that load or
// store these registers. Either a lane accesses vectors of registers that are adjacent in memory, or a warp accesses
// matrices of 8 rows of 16 bytes (ldmatrix), of which a lane gets a word of one row, or two 16-bit elements of one
// column. Both are properties of the columns of the linear map, so the same test works for every encoding: matrices
// require that the two lowest bits of the lane add 4 and 8 bytes, and that all other bits select rows.
//
// Lanes need not access the same register at the same time. Consider the result of a dot (a lane has two columns, four
// lanes have 8) in rows of 32 floats with swizzled units of 16 bytes. The accesses to rows 0 and 1 conflict, because
// the swizzle only exchanges the two units that four lanes access anyway. If the lanes of odd rows first store another
// group of eight columns, all banks are used.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_LAYOUTS_SHAREDACCESS_H
#define TILECC_LOWERING_LAYOUTS_SHAREDACCESS_H

#include "lowering/layouts/LinearLayout.h"

namespace tilecc {

class SharedAccess {
public:
  enum class Kind {
    Vectors, ///< vectors of a lane's registers
    Matrices, ///< matrices with rows of 16 bytes, distributed over lanes by rows
    TransposedMatrices ///< the same, distributed over lanes by columns
  };
  /// `places` maps (register, lane, warp) to Dim::Offset, in elements; different registers hold different elements.
  /// Each access is aligned, and covers adjacent elements within a run of `contiguous` elements. `registerOrder` lists
  /// the register bits in the order in which a matrix instruction should use them.
  SharedAccess(const LinearLayout &places, unsigned elementBytes, unsigned contiguous, bool mayUseMatrices,
               llvm::ArrayRef<unsigned> registerOrder = {});

  Kind kind = Kind::Vectors;
  /// Maps (register, lane, warp) to the address that the lane supplies for the access that starts at this register.
  LinearLayout addresses;
  /// The register bits that one access covers. `within` has those within a word or vector, lowest offset first;
  /// `matrices` has those that number the matrices of one instruction.
  llvm::SmallVector<unsigned> within, matrices;

  unsigned getWidth() const { return 1u << within.size(); }
  unsigned getNumMatrices() const { return 1u << matrices.size(); }
  /// Returns the registers of each access, in the order in which the instruction lists them.
  llvm::SmallVector<llvm::SmallVector<unsigned>> getRegisters() const;
  /// In lanes whose bit `lane` is set, each access uses the register whose number differs in bit `reg`.
  struct Exchange {
    unsigned lane, reg;
  };
  llvm::SmallVector<Exchange> exchanges;
  /// Makes lanes that would conflict access different registers at the same time, if this saves more wavefronts than
  /// the selects cost. It applies only to vectors of whole words. Afterwards, `addresses` refers to the registers that
  /// each lane actually accesses.
  void avoidConflicts(unsigned elementBytes);
  /// Returns the wavefronts of one access of a warp: one for each 128 bytes if there are no bank conflicts.
  unsigned countWavefronts(unsigned elementBytes) const;

private:
  bool useMatrices(const LinearLayout &places, unsigned elementBytes, llvm::ArrayRef<unsigned> registerOrder);
  bool useTransposedMatrices(const LinearLayout &places, llvm::ArrayRef<unsigned> registerOrder);
  void takeMatrices(const LinearLayout &places, llvm::ArrayRef<uint64_t> rowColumns,
                    llvm::ArrayRef<unsigned> registerOrder);
};

} // namespace tilecc

#endif // TILECC_LOWERING_LAYOUTS_SHAREDACCESS_H
