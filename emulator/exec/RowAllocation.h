//===-- RowAllocation.h - which registers share a row of the register file -------------------------------------===//
//
// PTX has as many registers as its compiler pleased; a warp's file with a row for each would not fit the caches. Rows are
// given out by a linear scan over live ranges (Poletto and Sarkar, 1999), with ranges widened to whole blocks where a
// register lives across them. Divergence needs no care: lanes write only their own part of a row.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_ROWALLOCATION_H
#define TILECC_EMULATOR_EXEC_ROWALLOCATION_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// A register, a constant or a special register before it has a place.
struct VirtualRow {
  unsigned bits = 32; // of a lane; 1: a predicate
  bool fixed = false; // constants and special registers: keeps its row for itself
  uint64_t value = 0; // of a fixed row, in all lanes
};

// What an instruction does to rows.
struct RowUse {
  Flow flow = Flow::next;
  uint32_t target = 0;
  uint32_t dests = 0;   // the first rows are written, the others read
  bool partial = false; // some lanes may keep what they had
  const std::vector<uint32_t> *rows = nullptr;
};

struct RowAllocation {
  std::vector<uint32_t> offsets;       // in the file, by virtual row
  std::vector<std::byte> initialFile;
  std::vector<uint32_t> readBeforeWritten; // rows that some path from the entry reads before it writes them
};

RowAllocation allocateRows(const std::vector<VirtualRow> &rows, const std::vector<RowUse> &code,
                           const std::vector<std::vector<uint32_t>> &jumpTables);

} // namespace tilecc::emu
#endif
