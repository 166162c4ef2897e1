//===- Waits.h - loops that end when another program has written to memory ---------------------------------*- C++ -*-//
#ifndef TILECC_TARGETS_CPU_WAITS_H
#define TILECC_TARGETS_CPU_WAITS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilecc::cpu {

/// Whether each iteration does again what the first one did, as long as memory does not change: it reads, writes
/// nothing but what is there after the first time, and hands on nothing that it counts.
bool isWait(mlir::scf::WhileOp loop);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_WAITS_H
