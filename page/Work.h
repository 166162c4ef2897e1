//===- Work.h - counts the arithmetic and the memory traffic of a kernel --------------------------------*- C++ -*-===//

#ifndef TILECC_PAGE_WORK_H
#define TILECC_PAGE_WORK_H

#include "mlir/IR/BuiltinOps.h"
#include <cstdint>
#include <vector>

namespace tilecc::page {

/// The work of a program in one iteration of a loop, without inner loops, or outside all loops.
struct OpWork {
  mlir::Operation *loop = nullptr; ///< null: outside all loops
  uint64_t matrixFlops = 0; ///< floating-point operations of dots
  uint64_t otherFlops = 0;
  uint64_t bytes = 0; ///< of global memory, if no element is masked off

  uint64_t getFlops() const { return matrixFlops + otherFlops; }
};

/// Returns the bytes of global memory that `op` accesses in a program, if no element is masked off; 0 if it accesses
/// none.
uint64_t countBytes(mlir::Operation *op);

/// Returns the work of each loop, and of the code outside loops, of a kernel in TTIR. Omits parts without work.
std::vector<OpWork> countWork(mlir::ModuleOp module);

/// Returns the part with the most floating-point operations; of equal parts, the one with the most bytes.
OpWork getBusiestWork(mlir::ModuleOp module);

} // namespace tilecc::page

#endif // TILECC_PAGE_WORK_H
