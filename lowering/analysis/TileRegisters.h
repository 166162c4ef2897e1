//===- TileRegisters.h - the registers that a thread needs for a tile -----------------------------------*- C++ -*-===//
#ifndef TILECC_LOWERING_ANALYSIS_TILEREGISTERS_H
#define TILECC_LOWERING_ANALYSIS_TILEREGISTERS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Returns the bits of an element in memory, at least a byte. The tile of a load has such elements.
unsigned getBitsInMemory(mlir::RankedTensorType type);

/// Returns the number of 32-bit registers in which a thread holds its elements of a tile as they are in memory.
int64_t getPackedRegisters(mlir::RankedTensorType type);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_TILEREGISTERS_H
