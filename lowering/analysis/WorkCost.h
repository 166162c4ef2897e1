//===- WorkCost.h - what it costs to compute or convert a tile ------------------------------------------*- C++ -*-===//
//
// All costs are in units of one addition per thread, so that passes can compare them. They are estimates: they choose
// between two correct programs.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_WORKCOST_H
#define TILECC_LOWERING_ANALYSIS_WORKCOST_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Returns the cost of a conversion between two layouts; at least one unit.
unsigned getConversionCost(mlir::RankedTensorType from, mlir::RankedTensorType to);

/// Returns the encoding that each tile operand of `op` needs for `op` to be computed with a result encoded as `result`.
/// Returns null if it cannot be recomputed, or not in that layout.
mlir::Attribute getOperandEncodingForRecomputing(mlir::Operation *op, mlir::Attribute result);

/// Returns the cost of computing `op` with a result encoded as `result`, if its operands have the encoding above.
unsigned getWorkCost(mlir::Operation *op, mlir::Attribute result);

/// Returns how often the operations of `block` run, relative to others of their function.
double getFrequency(mlir::Block *block);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_WORKCOST_H
