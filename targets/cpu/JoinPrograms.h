//===- JoinPrograms.h - two programs in one function -------------------------------------------------------*- C++ -*-//
//
// A program that works on one row has long dependency chains, for example a reduction, a division and a square root,
// each of which waits for the previous one. The instructions of the next program are hundreds of instructions away, too
// far for out-of-order execution to overlap the two. So if each program of a kernel works on one row, the kernel also
// gets a function that runs two programs, adjacent along x, side by side. The loops of the two programs become one
// loop, which loads data that both need, such as weights, only once. Programs are independent, so any interleaving is
// valid.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_JOINPROGRAMS_H
#define TILECC_TARGETS_CPU_JOINPROGRAMS_H

#include "lowering/dialects/tt/TT.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tilecc::cpu {

/// Describes a function that runs two programs: which operations belong to the second program, and which operation of
/// the first program each of them was copied from. It is empty in a function of a single program.
class Twins {
public:
  void add(mlir::Operation *first, mlir::Operation *second) {
    ofFirst[first] = second;
    seconds.insert(second);
  }
  /// Returns the copy of `op` that belongs to the second program. Returns null if `op` belongs to the second program or
  /// to both.
  mlir::Operation *of(mlir::Operation *op) const { return ofFirst.lookup(op); }
  bool isSecond(mlir::Operation *op) const { return seconds.contains(op); }
  /// Returns true if one of the two operations belongs only to the first program, and the other only to the second.
  bool areApart(mlir::Operation *x, mlir::Operation *y) const {
    return (ofFirst.contains(x) && isSecond(y)) || (isSecond(x) && ofFirst.contains(y));
  }
  unsigned getProgramCount() const { return seconds.empty() ? 1 : 2; }

private:
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> ofFirst;
  llvm::DenseSet<mlir::Operation *> seconds;
};

/// Returns true if each program works on one row, which it reduces to scalars, so that two programs can be joined.
bool canJoinPrograms(tt::FuncOp func);
/// Inserts a copy for the second program after each operation that depends on the program id.
Twins joinPrograms(tt::FuncOp func);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_JOINPROGRAMS_H
