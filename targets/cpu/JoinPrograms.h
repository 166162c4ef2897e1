//===- JoinPrograms.h - two programs in one function -------------------------------------------------------*- C++ -*-//
//
// A program over a row waits: for a sum, a division and a root, each made of the one before. The processor cannot begin the
// next program meanwhile, which is hundreds of instructions away. So a kernel whose programs are rows also gets a function
// that runs two of them, neighbours along x, side by side: their loops are one loop, which loads once what both read, such
// as weights. Programs know nothing of each other, so any order of what two of them do is a valid one.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_JOINPROGRAMS_H
#define TILECC_TARGETS_CPU_JOINPROGRAMS_H

#include "lowering/dialects/tt/TT.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tilecc::cpu {

/// Which operations of a joined function are the second program's; empty in one of a single program.
class Twins {
public:
  void add(mlir::Operation *first, mlir::Operation *second) {
    ofFirst[first] = second;
    seconds.insert(second);
  }
  /// What the second program does when the first does `op`; null if `op` is the second's, or both have it.
  mlir::Operation *of(mlir::Operation *op) const { return ofFirst.lookup(op); }
  bool isSecond(mlir::Operation *op) const { return seconds.contains(op); }
  /// Whether one is the first program's alone, and the other the second's.
  bool areApart(mlir::Operation *x, mlir::Operation *y) const {
    return (ofFirst.contains(x) && isSecond(y)) || (isSecond(x) && ofFirst.contains(y));
  }
  unsigned getProgramCount() const { return seconds.empty() ? 1 : 2; }

private:
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> ofFirst;
  llvm::DenseSet<mlir::Operation *> seconds;
};

/// Whether programs are rows of one tile that are reduced to scalars.
bool canJoinPrograms(tt::FuncOp func);
/// Puts behind each operation that depends on the program what the next program does.
Twins joinPrograms(tt::FuncOp func);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_JOINPROGRAMS_H
