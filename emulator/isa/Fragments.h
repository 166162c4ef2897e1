//===-- Fragments.h - where the elements of a matrix are in a warp's registers ----------------------------------===//
//
// The manual draws a picture for each shape and type of mma; all of them are one rule. The lanes are 8 groups of 4. A
// tile of A is 8 rows, a group each, and of 4 registers in a row, one per lane of the group, that hold as many
// neighbouring columns as fit. B is the same with columns for rows; of C and D each lane has two neighbouring columns.
// A larger matrix is tiles side by side, first all rows of one column of tiles: register r of A belongs to tile r.
//
// This is also what wgmma has for A in registers and for its accumulators, by warps of 16 rows.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_FRAGMENTS_H
#define TILECC_EMULATOR_ISA_FRAGMENTS_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// All threads have a part of the matrices, so that all must be there. The interpreter waits for those that have not
// exited.
void needWholeWarp(Warp &warp, const Inst &inst, Mask lanes);

} // namespace tilecc::emu

namespace tilecc::emu::fragment {

struct Element {
  unsigned row, column;
};

// The first element of a register of A, which has `rows` rows; the register's others follow in the row.
constexpr Element ofA(unsigned lane, unsigned reg, unsigned rows, unsigned perRegister) {
  unsigned tiles = rows / 8;
  return {lane / 4 + 8 * (reg % tiles), perRegister * (lane % 4 + 4 * (reg / tiles))};
}

// The first element of a register of B, which has 8 columns; the register's others follow in the column.
constexpr Element ofB(unsigned lane, unsigned reg, unsigned perRegister) {
  return {perRegister * (lane % 4 + 4 * reg), lane / 4};
}

// Element i of a lane's part of C or D.
constexpr Element ofC(unsigned lane, unsigned i, unsigned rows) {
  unsigned tiles = rows / 8, tile = i / 2;
  return {lane / 4 + 8 * (tile % tiles), lane % 4 * 2 + i % 2 + 8 * (tile / tiles)};
}

} // namespace tilecc::emu::fragment
#endif
