//===- MatrixUnit.h - dots on a processor's matrix unit -------------------------------------------------*- C++ -*-===//
//
// AMX has eight registers of 16 rows of 64 bytes. An instruction multiplies two of them and adds the result to a third.
// For bf16, it treats denormal inputs as zero and flushes denormal results to zero (Intel's manual, TDPBF16PS).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_MATRIXUNIT_H
#define TILECC_TARGETS_CPU_MATRIXUNIT_H

#include "targets/cpu/DotOperands.h"

namespace tilecc::cpu {

/// Returns true if the unit can compute the dot in whole registers. The operands must be bf16 with accumulation in f32,
/// or 8-bit integers with accumulation in 32 bits.
bool isUnitDot(tt::DotOp op);

/// Adds the product to `accumulator`, a row-major tile in memory of the compute type of `shape`.
void multiplyOnUnit(const RootParts &parts, tt::DotOp op, const DotShape &shape, llvm::Value *accumulator);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_MATRIXUNIT_H
