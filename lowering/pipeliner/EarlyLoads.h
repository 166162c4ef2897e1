//===- EarlyLoads.h - loads that start iterations before their use --------------------------------------*- C++ -*-===//
//
// Used by the passes of software pipelining to classify loads and to choose where their results wait.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PIPELINER_EARLYLOADS_H
#define TILECC_LOWERING_PIPELINER_EARLYLOADS_H

#include "lowering/analysis/AxisInfo.h"
#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilecc::pipeline {

/// Returns true if `op` loads from global memory, either by threads (tt.load) or by the tensor memory accelerator
/// (tt.descriptor_load).
inline bool isLoad(mlir::Operation *op) { return mlir::isa<tt::LoadOp, tt::DescriptorLoadOp>(op); }

/// What brings a loaded tile to its slot in shared memory.
enum class Copier {
  Threads, ///< asynchronous copies by threads, committed and awaited in groups
  TensorUnit, ///< a copy by the tensor memory accelerator, which signals a barrier in memory
  Registers, ///< a load to registers, which are stored to the slot one iteration before the use
};

/// A load of a pipelined loop, and where its result waits.
struct EarlyLoad {
  mlir::Operation *load;
  int64_t ahead; ///< iterations
  Copier copier; ///< if the result goes to shared memory
  mlir::Value tiles = {}; ///< shared memory for the slots; null if the result waits in registers
  ttg::MemDescType tile = {}; ///< the type of one slot; null if the result waits in registers
  unsigned contiguity = 1; ///< elements that one copy may take at once
  bool isOperand = false; ///< dots read it directly from shared memory
  bool isReadBack = false; ///< its iteration reads it back from shared memory in the layout of the load

  bool isTensorCopy() const { return copier == Copier::TensorUnit; }
  bool passesRegisters() const { return copier == Copier::Registers; }
  /// Returns the number of iterations that the result waits in registers, before it goes to its slot or is used.
  int64_t getAheadInRegisters() const { return !tile ? ahead : passesRegisters() ? ahead - 1 : 0; }
  mlir::Value getResult() const { return load->getResult(0); }
};

/// Returns what brings a tile of `load` to shared memory on the target.
Copier getCopier(mlir::Operation *load);
/// Returns true if one access is wide enough for the copier (4 bytes for an asynchronous copy), or if the load is a
/// scalar, which is carried in a register.
bool isWide(mlir::Operation *load, const AxisInfoAnalysis &axisInfo);
/// Returns true if `op`, or an operation nested in it, orders the load: a barrier, an atomic access that others may
/// wait for, or a store that may alias. (No store orders a tensor copy.)
bool orders(mlir::Operation *op, mlir::Operation *load);
/// Returns true if nothing in the loop orders the load.
bool mayRunAhead(mlir::scf::ForOp loop, mlir::Operation *load);
/// Returns true if a store of the kernel may write the memory that `load` reads.
bool mayBeWritten(tt::LoadOp load);
/// Returns true if `op` has no effects except on shared memory, and so does not order accesses to global memory.
bool touchesSharedMemoryAlone(mlir::Operation *op);

/// Returns true if `op` itself only reads global memory, without ordering other accesses, so that it may be executed
/// more than once. The operations in its regions are not considered.
bool onlyReadsGlobalMemory(mlir::Operation *op);
/// If the only effect of `op` is to write memory, unordered with other accesses, returns the pointer argument through
/// which it writes; a null value if that is not known. Returns nothing for other operations.
std::optional<mlir::Value> getChangedRoot(mlir::Operation *op);
/// Returns the allocation type of a loaded tile that is only allocated as an operand of warp-group dots; null
/// otherwise.
ttg::MemDescType getAllocatedType(mlir::scf::ForOp loop, mlir::Operation *load);

/// Decides whether the load's tile goes to shared memory, and in which encoding. If it becomes an operand of a matrix
/// unit, the unit decides the encoding. In loops with dots, other users read the tile back in the layout of the load,
/// because tiles that wait in registers would take registers from the dots. If tiles pass through registers anyway,
/// only operands of matrix units go to shared memory.
void chooseMemory(mlir::scf::ForOp loop, EarlyLoad &early, const AxisInfoAnalysis &axisInfo);

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_EARLYLOADS_H
