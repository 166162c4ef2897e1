//===- WorkCost.h - the cost of computing or converting a tile ------------------------------------------*- C++ -*-===//
//
// All costs are in units of one addition per thread, so that passes can compare them. The costs are estimates: passes
// use them only to choose between programs that are all correct.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_WORKCOST_H
#define TILECC_LOWERING_ANALYSIS_WORKCOST_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Returns the cost of a conversion between two layouts, which is at least one unit.
unsigned getConversionCost(mlir::RankedTensorType from, mlir::RankedTensorType to);

/// Returns the encoding that each tile operand of `op` needs so that `op` can be computed with a result encoded as
/// `result`. Returns null if `op` cannot be recomputed in this layout.
mlir::Attribute getOperandEncodingForRecomputing(mlir::Operation *op, mlir::Attribute result);

/// Returns the cost of computing `op` with a result encoded as `result`, if its operands have the encoding that
/// getOperandEncodingForRecomputing() returns.
unsigned getWorkCost(mlir::Operation *op, mlir::Attribute result);

/// Returns the estimated number of executions of `block`, relative to the rest of the function.
double getFrequency(mlir::Block *block);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_WORKCOST_H
