//===- Ranges.h - loops over tt::range ---------------------------------------------------------------------*- C++ -*-//
//
// `for (auto i : tt::range(n))` must become a counted loop with the options of the range.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_RAISE_RANGES_H
#define TILECC_FRONTEND_RAISE_RANGES_H

#include "frontend/Signature.h"
#include "mlir/IR/Operation.h"
#include "llvm/IR/Instructions.h"

namespace tilecc {

/// Replaces the conditions of loops over tt::range by comparisons, except those that contain a mistake.
void replaceRangeConditions(llvm::Function &function, const TileModule &tiles);
/// Returns a description of the mistake in a condition: an option that is not constant or is too small, or a step of 0.
/// Returns an empty string if there is none.
std::string findRangeMistake(const llvm::CallInst &condition);
/// Copies the loop options that are attached to `compare`, if any, to `op`, the operation to which `compare` was
/// raised.
void copyRangeOptions(const llvm::CmpInst &compare, mlir::Operation *op);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_RANGES_H
