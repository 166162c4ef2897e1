//===-- RowAllocation.h - assigns registers to rows of the register file ---------------------------------------===//
//
// PTX has an unlimited number of registers. A register file with a row for each register would not fit into the caches.
// So rows are assigned by linear scan over live ranges (Poletto and Sarkar, 1999). A range that crosses basic blocks is
// widened to whole blocks. Divergence needs no special handling, because lanes write only their own part of a row.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_ROWALLOCATION_H
#define TILECC_EMULATOR_EXEC_ROWALLOCATION_H

#include "emulator/exec/Machine.h"

namespace tilecc::emu {

// A register, a constant or a special register, to which no row has been assigned yet.
struct VirtualRow {
  unsigned bits = 32; // per lane; 1: a predicate
  bool fixed = false; // constants and special registers: not shared
  uint64_t value = 0; // for a fixed row: its value in all lanes
};

// The rows that an instruction uses.
struct RowUse {
  Flow flow = Flow::next;
  uint32_t target = 0;
  uint32_t dests = 0; // the first rows are written, the others read
  bool partial = false; // some lanes may keep their values
  const std::vector<uint32_t> *rows = nullptr;
};

struct RowAllocation {
  std::vector<uint32_t> offsets; // in the file, by virtual row
  std::vector<std::byte> initialFile;
  std::vector<uint32_t> readBeforeWritten; // rows that some path from the entry reads before writing
};

RowAllocation allocateRows(const std::vector<VirtualRow> &rows, const std::vector<RowUse> &code,
                           const std::vector<std::vector<uint32_t>> &jumpTables);

} // namespace tilecc::emu
#endif
