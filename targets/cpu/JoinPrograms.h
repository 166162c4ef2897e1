//===- JoinPrograms.h - two programs in one function -------------------------------------------------------*- C++ -*-//
//
// A program that works on one row has long dependency chains: a reduction, a division and a square root, each waiting
// for the previous one. The next program is hundreds of instructions away, too far for out-of-order execution. So a
// kernel whose programs are rows also gets a function that runs two adjacent programs (along x) side by side. Their
// loops become one loop, which loads shared data, such as weights, once. Programs are independent, so any interleaving
// is valid.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_JOINPROGRAMS_H
#define TILECC_TARGETS_CPU_JOINPROGRAMS_H

#include "lowering/dialects/tt/TT.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tilecc::cpu {

/// The operations of a joined function that belong to the second program. Empty in a function of a single program.
class Twins {
public:
  void add(mlir::Operation *first, mlir::Operation *second) {
    ofFirst[first] = second;
    seconds.insert(second);
  }
  /// Returns the second program's copy of `op`, or null if `op` belongs to the second program or to both.
  mlir::Operation *of(mlir::Operation *op) const { return ofFirst.lookup(op); }
  bool isSecond(mlir::Operation *op) const { return seconds.contains(op); }
  /// Returns true if one operation belongs only to the first program and the other only to the second.
  bool areApart(mlir::Operation *x, mlir::Operation *y) const {
    return (ofFirst.contains(x) && isSecond(y)) || (isSecond(x) && ofFirst.contains(y));
  }
  unsigned getProgramCount() const { return seconds.empty() ? 1 : 2; }

private:
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> ofFirst;
  llvm::DenseSet<mlir::Operation *> seconds;
};

/// Returns true if programs are rows of one tile that are reduced to scalars.
bool canJoinPrograms(tt::FuncOp func);
/// Inserts, after each operation that depends on the program id, a copy for the next program.
Twins joinPrograms(tt::FuncOp func);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_JOINPROGRAMS_H
