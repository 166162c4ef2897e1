//===- EarlyLoads.h - loads that start iterations before their use --------------------------------------*- C++ -*-===//
//
// Software pipelining issues a load some iterations before its use. These functions classify such early loads, and
// decide where the loaded tiles are kept until their use.
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

/// How a loaded tile gets to its slot in shared memory.
enum class Copier {
  Threads, ///< threads issue asynchronous copies, which they commit and await in groups
  TensorUnit, ///< a copy by the tensor memory accelerator, which signals a barrier in memory
  Registers, ///< threads load the tile to registers, and store it to the slot one iteration before its use
};

/// A load of a pipelined loop, and where its result is kept until its use.
struct EarlyLoad {
  mlir::Operation *load;
  int64_t ahead; ///< number of iterations between the start of the load and its use
  Copier copier; ///< used if the result is kept in shared memory
  mlir::Value tiles = {}; ///< the buffer of all slots in shared memory; null if the result is kept in registers
  ttg::MemDescType tile = {}; ///< the type of one slot; null if the result stays in registers
  unsigned contiguity = 1; ///< the number of elements that one copy may transfer
  bool isOperand = false; ///< dots read the tile directly from its slot
  bool isReadBack = false; ///< threads load the tile from its slot back to registers, in the layout of the load

  bool isTensorCopy() const { return copier == Copier::TensorUnit; }
  bool passesRegisters() const { return copier == Copier::Registers; }
  /// Returns the number of iterations for which the result is in registers, before it is stored to its slot or used.
  int64_t getAheadInRegisters() const { return !tile ? ahead : passesRegisters() ? ahead - 1 : 0; }
  mlir::Value getResult() const { return load->getResult(0); }
};

/// Returns the mechanism with which the target copies a tile of `load` to shared memory.
Copier getCopier(mlir::Operation *load);
/// Returns true if one access is wide enough for the copier (4 bytes for an asynchronous copy). Also returns true if
/// the loaded value has fewer than two axes, because it can then stay in registers.
bool isWide(mlir::Operation *load, const AxisInfoAnalysis &axisInfo);
/// Returns true if the load must not move across `op` or an operation nested in it: a barrier, an atomic access that
/// other programs may wait for, or a store that may alias the load. (Tensor copies are not ordered after stores.)
bool orders(mlir::Operation *op, mlir::Operation *load);
/// Returns true if no operation of the loop prevents issuing the load in an earlier iteration.
bool mayRunAhead(mlir::scf::ForOp loop, mlir::Operation *load);
/// Returns true if a store of the kernel may write the memory that `load` reads.
bool mayBeWritten(tt::LoadOp load);
/// Returns true if the only effects of `op` are on shared memory, so that it does not order accesses to global memory.
bool touchesSharedMemoryAlone(mlir::Operation *op);

/// Returns true if `op` itself, without the operations in its regions, only reads global memory and does not order
/// other accesses, so that it may be executed more than once.
bool onlyReadsGlobalMemory(mlir::Operation *op);
/// If the only effect of `op` is an unordered write to global memory, returns the pointer argument from which the
/// address is computed, or a null value if that argument is not known. For any other operation, returns nothing.
std::optional<mlir::Value> getChangedRoot(mlir::Operation *op);
/// If the only use of a loaded tile is an allocation that warp-group dots read, returns the type of the allocation;
/// otherwise returns null.
ttg::MemDescType getAllocatedType(mlir::scf::ForOp loop, mlir::Operation *load);

/// Decides whether the loaded tile is copied to shared memory, and in which encoding. If the tile is an operand of a
/// matrix unit, the unit determines the encoding. In a loop with dots, tiles for other users also go to shared memory,
/// and are loaded back to registers in the layout of the load, because tiles in registers would compete with the
/// accumulators. But if the target has no asynchronous copies, so that all tiles pass through registers, only operands
/// of matrix units go to shared memory.
void chooseMemory(mlir::scf::ForOp loop, EarlyLoad &early, const AxisInfoAnalysis &axisInfo);

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_EARLYLOADS_H
