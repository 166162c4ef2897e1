//===-- Fragments.h - the layout of matrix elements in a warp's registers ---------------------------------------===//
//
// The manual has a diagram for each shape and type of mma, but all of them follow one rule. The lanes form 8 groups of
// 4. A tile of A has 8 rows, one per group. Each row has 4 registers, one per lane of the group, and each register
// holds as many adjacent columns as fit. B is the same with rows and columns exchanged. For C and D, each lane has two
// adjacent columns. A larger matrix consists of several tiles, all rows of one column of tiles first: register r of A
// belongs to tile r.
//
// wgmma uses the same layout for A in registers and for its accumulators, with 16 rows per warp.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_FRAGMENTS_H
#define TILECC_EMULATOR_ISA_FRAGMENTS_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// Checks that the whole warp executes an instruction. Every thread holds a part of the matrices, so all threads must
// participate. The interpreter waits for those that have not exited.
void needWholeWarp(Warp &warp, const Inst &inst, Mask lanes);

} // namespace tilecc::emu

namespace tilecc::emu::fragment {

struct Element {
  unsigned row, column;
};

// Returns the first element of a register of A, which has `rows` rows; the register's other elements follow in the row.
constexpr Element ofA(unsigned lane, unsigned reg, unsigned rows, unsigned perRegister) {
  unsigned tiles = rows / 8;
  return {lane / 4 + 8 * (reg % tiles), perRegister * (lane % 4 + 4 * (reg / tiles))};
}

// Returns the first element of a register of B, which has 8 columns; the register's other elements follow in the
// column.
constexpr Element ofB(unsigned lane, unsigned reg, unsigned perRegister) {
  return {perRegister * (lane % 4 + 4 * reg), lane / 4};
}

// Returns element i of a lane's part of C or D.
constexpr Element ofC(unsigned lane, unsigned i, unsigned rows) {
  unsigned tiles = rows / 8, tile = i / 2;
  return {lane / 4 + 8 * (tile % tiles), lane % 4 * 2 + i % 2 + 8 * (tile / tiles)};
}

} // namespace tilecc::emu::fragment
#endif
