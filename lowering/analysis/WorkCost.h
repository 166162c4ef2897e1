//===- WorkCost.h - what computing a tile costs, and what moving it does ------------------------------*- C++ -*-----===//
//
// In one unit, an addition of every thread, so that passes can weigh one against the other. Estimates: they decide which
// of two right programs is made.
//
//===---------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_WORKCOST_H
#define TILECC_LOWERING_ANALYSIS_WORKCOST_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// What the conversion from one layout to another costs; at least one unit.
unsigned getConversionCost(mlir::RankedTensorType from, mlir::RankedTensorType to);

/// The encoding that each tile operand of `op` needs for `op` to be computed with a result encoded `result`. Null where
/// it cannot be computed once more, or not in that layout.
mlir::Attribute getOperandEncodingForRecomputing(mlir::Operation *op, mlir::Attribute result);

/// What it costs to compute `op` with a result encoded `result`, its operands being there in what the above says.
unsigned getWorkCost(mlir::Operation *op, mlir::Attribute result);

/// How often the operations of `block` run, next to others of their function.
double getFrequency(mlir::Block *block);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_WORKCOST_H
