//===- MatrixUnit.h - dots on a processor's matrix unit -------------------------------------------------*- C++ -*-===//
//
// AMX has eight registers of 16 rows of 64 bytes; an instruction multiplies two and adds the result to a third. For
// bf16 it treats denormal inputs as zero and flushes denormal results (Intel's manual, TDPBF16PS).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_MATRIXUNIT_H
#define TILECC_TARGETS_CPU_MATRIXUNIT_H

#include "targets/cpu/DotOperands.h"

namespace tilecc::cpu {

/// Returns true if the unit can compute the dot in whole registers: bf16 with accumulation in f32, or 8-bit integers to
/// 32 bits.
bool isUnitDot(tt::DotOp op);

/// Adds the product to the accumulator, which is row-major in memory and has the compute type of `shape`.
void multiplyOnUnit(const RootParts &parts, tt::DotOp op, const DotShape &shape, llvm::Value *accumulator);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_MATRIXUNIT_H
