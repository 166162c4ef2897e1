//===- TileRegisters.h - the registers that a thread needs for a tile -----------------------------------*- C++ -*-===//
//
// Registers are estimated in several places, at different stages of compilation. Each place asks another question, and
// knows other things, so they share only the limits (GpuFacts::getThreadRegisters(), maxRaisedRegisters):
//
//  - compile/Warps.cpp chooses the number of warps from TTIR, where tiles have no layouts. It counts the elements of a
//    kernel's accumulators, carried tiles and largest tile. The choice holds for all variants, and its thresholds come
//    from measured spills. If code spills, builder/SpillRetry.cpp and compile/MoreWarps.cpp correct the choice.
//  - Passes that start loads early (tritongpu-assign-latencies, tritongpu-reorder-instructions) ask whether the results
//    fit besides the accumulators. A loaded tile waits as it is in memory: getPackedRegisters().
//  - The pass that delays loads from shared memory asks at which operation of a block the live tiles exceed the limit.
//    It follows live ranges after the passes that move operations, and counts computed tiles, whose bools take no byte.
//  - Hopper's SpecializedLoop states what a thread of producer warps needs, which is a property of the code that it
//    writes; Partitions.cpp gives the rest to the program's warps.
//  - lowering/gpu/Limits.cpp rejects kernels whose code would take too long to compile. It counts elements, because the
//    number of instructions depends on them.
//
//===--------------------------------------------------------------------------------------------------------------===//
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
