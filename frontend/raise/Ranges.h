//===- Ranges.h - the loops of tt::range --------------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_RANGES_H
#define TILECC_FRONTEND_RAISE_RANGES_H

#include "frontend/Signature.h"
#include "mlir/IR/Operation.h"
#include "llvm/IR/Instructions.h"

namespace tilecc {

/// Makes comparisons of the conditions of tt::range's loops, but for those with a mistake.
void replaceRangeConditions(llvm::Function &function, const TileModule &tiles);
/// What is wrong with a condition: an option that is no constant or too small, or a step of 0. Nothing: it is a comparison.
std::string findRangeMistake(const llvm::CallInst &condition);
/// Gives `op`, raised from `compare`, the options of the loop whose condition that is, if any.
void copyRangeOptions(const llvm::CmpInst &compare, mlir::Operation *op);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_RANGES_H
