//===- Waits.h - loops that wait for another program's write -----------------------------------------------*- C++ -*-//
//
// Each thread of the CPU device runs programs in order, so a program that waits for a later one may wait forever.
// ControlFlow.cpp finds the loops that wait by this function, and lets the runtime watch them.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_CPU_WAITS_H
#define TILECC_TARGETS_CPU_WAITS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilecc::cpu {

/// Returns true if every iteration repeats the first one as long as memory does not change. Such a loop loads, all its
/// stores are idempotent, and it carries no state, such as a counter, to the next iteration.
bool isWait(mlir::scf::WhileOp loop);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_WAITS_H
