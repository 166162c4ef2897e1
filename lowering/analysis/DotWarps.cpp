//===- DotWarps.cpp - distributes the warps of a program over a dot -----------------------------------------------===//
//
// Each vendor's pass that assigns dots to matrix units (AccelerateMatmul.cpp) calls these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DotWarps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

/// Returns true if the left operand of another dot in the same block depends on the result of `dot`.
static bool becomesLeftOperand(tt::DotOp dot) {
  SmallVector<Operation *> queue = {dot};
  DenseSet<Operation *> seen;
  while (!queue.empty())
    for (OpOperand &use : queue.pop_back_val()->getUses()) {
      Operation *user = use.getOwner();
      if (isa<tt::DotOp>(user)) {
        if (use.getOperandNumber() == 0)
          return true;
      } else if (user->getBlock() == dot->getBlock() && seen.insert(user).second) {
        queue.push_back(user);
      }
    }
  return false;
}

bool tilecc::hasDotAsLeftOperand(tt::DotOp dot) {
  SmallVector<Value> queue = {dot.getA()};
  DenseSet<Operation *> seen;
  while (!queue.empty()) {
    Operation *source = queue.pop_back_val().getDefiningOp();
    if (!source || source->getBlock() != dot->getBlock() || !seen.insert(source).second)
      continue;
    if (isa<tt::DotOp>(source))
      return true;
    llvm::append_range(queue, source->getOperands());
  }
  return false;
}

/// Returns `dot`, and the dots of its block whose results are combined elementwise with its result or that accumulate
/// into the same tile.
static llvm::SetVector<Operation *> getDotsOfSameTile(tt::DotOp dot) {
  llvm::SetVector<Operation *> dots, reached;
  auto reach = [&](Operation *op) {
    if (!op || op->getBlock() != dot->getBlock() || op->getNumResults() != 1 ||
        !isa<RankedTensorType>(op->getResult(0).getType()))
      return;
    if (!isa<tt::DotOp, ttg::ConvertLayoutOp>(op) && !op->hasTrait<OpTrait::Elementwise>())
      return;
    if (reached.insert(op) && isa<tt::DotOp>(op))
      dots.insert(op);
  };
  reach(dot);
  for (unsigned i = 0; i < reached.size(); ++i) {
    Operation *op = reached[i];
    for (Value operand : op->getOperands().drop_front(isa<tt::DotOp>(op) ? 2 : 0))
      reach(operand.getDefiningOp());
    for (OpOperand &use : op->getUses())
      if (!isa<tt::DotOp>(use.getOwner()) || use.getOperandNumber() == 2)
        reach(use.getOwner());
  }
  return dots;
}

bool tilecc::isDistributedByRows(tt::DotOp dot) {
  return cast<RankedTensorType>(dot.getType()).getRank() == 2 &&
         llvm::any_of(getDotsOfSameTile(dot), [](Operation *other) {
           return becomesLeftOperand(cast<tt::DotOp>(other)) || hasDotAsLeftOperand(cast<tt::DotOp>(other));
         });
}

SmallVector<unsigned> tilecc::distributeWarpsOfDot(tt::DotOp dot, unsigned numWarps, unsigned rowsOfInstruction,
                                                   unsigned columnsOfInstruction) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(dot.getType()).getShape();
  unsigned rank = shape.size();
  SmallVector<unsigned> warps(rank, 1);
  if (rank == 3)
    warps[0] = std::min<int64_t>(shape[0], numWarps);
  unsigned &rows = warps[rank - 2], &columns = warps[rank - 1], left = numWarps / warps[0];
  int64_t rowReps = llvm::divideCeil(shape[rank - 2], rowsOfInstruction),
          columnReps = llvm::divideCeil(shape[rank - 1], columnsOfInstruction);
  bool byRows = isDistributedByRows(dot);
  for (; left > 1; left /= 2) {
    bool splitRows = byRows ? rowReps > 1 || columnReps == 1 : rowReps >= columnReps;
    unsigned &split = splitRows ? rows : columns;
    int64_t &reps = splitRows ? rowReps : columnReps;
    split *= 2;
    reps = std::max<int64_t>(1, reps / 2);
  }
  return warps;
}
