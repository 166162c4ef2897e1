//===- EarlyLoads.h - loads that start iterations before their use --------------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_PIPELINER_EARLYLOADS_H
#define TILECC_LOWERING_PIPELINER_EARLYLOADS_H

#include "lowering/analysis/AxisInfo.h"
#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilecc::pipeline {

/// Whether it loads from global memory, by threads (tt.load) or by the tensor memory accelerator (tt.descriptor_load).
inline bool isLoad(mlir::Operation *op) { return mlir::isa<tt::LoadOp, tt::DescriptorLoadOp>(op); }

/// A load of a pipelined loop, and where it waits for its iteration.
struct EarlyLoad {
  mlir::Operation *load;
  int64_t ahead;             ///< iterations
  mlir::Value tiles;         ///< shared memory for `ahead` + 1 tiles; null if it waits in registers
  ttg::MemDescType tile;     ///< one of these; null if it waits in registers
  unsigned contiguity = 1;   ///< elements that one copy may take at once
  bool isOperand = false;    ///< products read it from shared memory as it lies there
  bool isReadBack = false;   ///< its iteration reads it from shared memory as what was loaded

  bool isTensorCopy() const { return mlir::isa<tt::DescriptorLoadOp>(load); }
  mlir::Value getResult() const { return load->getResult(0); }
};

/// Whether what the load copies at once is wide enough for an asynchronous copy (4 bytes), or a scalar, which is carried in a
/// register.
bool isWide(mlir::Operation *load, const AxisInfoAnalysis &axisInfo);
/// Whether `op`, or what it holds, orders the load: a barrier, an atomic access that others may wait for, or a store to what it
/// reads. (No store orders a copy of a tensor.)
bool orders(mlir::Operation *op, mlir::Operation *load);
/// Whether nothing in the loop orders the load.
bool mayRunAhead(mlir::scf::ForOp loop, mlir::Operation *load);
/// Whether a store of the kernel may write what `load` reads.
bool mayBeWritten(tt::LoadOp load);
/// Whether `op` orders no accesses to global memory: it has no effects but on shared memory.
bool touchesSharedMemoryAlone(mlir::Operation *op);
/// Whether all that `op` does is to change memory, in no order with other accesses, and the argument that this memory is reached from;
/// null if that is not known.
std::optional<mlir::Value> getChangedRoot(mlir::Operation *op);
/// The type of what a loaded tile is put into, if that is all that is done with it: an operand of warpgroups' products. Null
/// otherwise.
ttg::MemDescType getAllocatedType(mlir::scf::ForOp loop, mlir::Operation *load);

/// Decides whether the load's tile goes to shared memory, and how it lies there: if operands of matrix units are made of it, as
/// these want it. What else is made of it, in loops with products, reads it back as it was loaded: tiles that wait in registers
/// would take those that the products need.
void chooseMemory(mlir::scf::ForOp loop, EarlyLoad &early, const AxisInfoAnalysis &axisInfo);

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_EARLYLOADS_H
