//===- JoinPrograms.cpp - two programs in one function ------------------------------------------------------------===//
//
// This file rewrites the IR of the kernel, so that later stages see an ordinary kernel. CpuLowering.cpp calls
// joinPrograms().
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/JoinPrograms.h"
#include "targets/cpu/Schedule.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

// Above this size, the loops over a row are so long that the latency between them does not matter, and two rows and the
// values computed from them no longer fit the first-level cache.
static constexpr int64_t maxElements = 2048;

/// Returns the operations that differ between programs that are adjacent along x, in order.
static llvm::SetVector<Operation *> findOpsOfProgram(tt::FuncOp func) {
  llvm::SetVector<Operation *> ops;
  for (Operation &op : func.getBody().front()) {
    auto id = dyn_cast<tt::GetProgramIdOp>(op);
    auto isOfProgram = [&](Value v) { return v.getDefiningOp() && ops.contains(v.getDefiningOp()); };
    if ((id && id.getAxis() == tt::ProgramIDDim::X) || llvm::any_of(op.getOperands(), isOfProgram))
      ops.insert(&op);
  }
  return ops;
}

bool cpu::canJoinPrograms(tt::FuncOp func) {
  if (!func.getBody().hasOneBlock())
    return false;
  auto isRow = [](Value v) {
    return !isTile(v) || (tileType(v).getRank() == 1 && tileType(v).getNumElements() <= maxElements);
  };
  for (Operation &op : func.getBody().front()) {
    auto load = dyn_cast<tt::LoadOp>(op);
    if (load && load.getIsVolatile())
      return false;
    if (!isFormula(&op) &&
        !isa<tt::GetProgramIdOp, tt::GetNumProgramsOp, LLVM::AssumeOp, tt::StoreOp, tt::ReduceOp, tt::ReturnOp>(op))
      return false;
    if (!llvm::all_of(op.getOperands(), isRow) || !llvm::all_of(op.getResults(), isRow))
      return false;
  }
  return llvm::any_of(findOpsOfProgram(func), [](Operation *op) { return isa<tt::ReduceOp>(op); });
}

Twins cpu::joinPrograms(tt::FuncOp func) {
  Twins twins;
  IRMapping second;
  for (Operation *op : findOpsOfProgram(func)) {
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    if (isa<tt::GetProgramIdOp>(op)) {
      Value id = op->getResult(0), one = arith::ConstantOp::create(builder, op->getLoc(), builder.getI32IntegerAttr(1));
      second.map(id, arith::AddIOp::create(builder, op->getLoc(), id, one));
    } else {
      twins.add(op, builder.clone(*op, second));
    }
  }
  return twins;
}
