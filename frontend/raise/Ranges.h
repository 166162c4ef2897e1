//===- Ranges.h - loops over tt::range ---------------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_RANGES_H
#define TILECC_FRONTEND_RAISE_RANGES_H

#include "frontend/Signature.h"
#include "mlir/IR/Operation.h"
#include "llvm/IR/Instructions.h"

namespace tilecc {

/// Replaces the conditions of loops over tt::range by comparisons, except conditions with a mistake.
void replaceRangeConditions(llvm::Function &function, const TileModule &tiles);
/// Describes the mistake in a condition: an option that is not constant or too small, or a step of 0. Empty if there is
/// none.
std::string findRangeMistake(const llvm::CallInst &condition);
/// Copies the loop options attached to `compare`, if any, to `op`, which was raised from it.
void copyRangeOptions(const llvm::CmpInst &compare, mlir::Operation *op);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_RANGES_H
